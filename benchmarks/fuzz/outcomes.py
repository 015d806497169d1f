"""What came of one case: six classes, of which the last four are findings."""

import json
import re
from dataclasses import dataclass
from enum import StrEnum

GIBIBYTE = 1 << 30
MAX_PEAK_BYTES = GIBIBYTE
_BAD_INPUT = 2
_ERROR_START = "error: "
_TRACEBACK = "Traceback (most recent call last)"
_TERMINAL_ESCAPE = "\x1b"
_CALL = re.compile(r'File "([^"]*)", line (\d+), in (\S+)')


class Outcome(StrEnum):
    """A class of outcomes."""

    ANSWER = "right answer"
    ERROR_LINE = "one-line error"
    TRACEBACK = "traceback"
    HANG = "hang"
    MEMORY = "memory over 1 GB"
    WRONG_EXIT = "wrong exit"

    @property
    def is_finding(self) -> bool:
        """Whether a careful program does not end like this."""
        return self not in (Outcome.ANSWER, Outcome.ERROR_LINE)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a case ended: exit status, both outputs, and the memory that it took.

    `status` is None if it did not end of itself: then `was_stopped` says that it took too long.
    `peak_bytes` is what it took beyond what its process had before.
    """

    status: int | None
    stdout: str = ""
    stderr: str = ""
    peak_bytes: int = 0
    was_stopped: bool = False


def classify(ending: Ending, statuses: frozenset[int], *, is_json: bool) -> tuple[Outcome, str]:
    """Return the class of an ending, and why, in a line.

    Args:
        ending: how the case ended.
        statuses: the exit statuses that the case may have; bad input is always among them.
        is_json: whether every line on stdout should be JSON.

    """
    if ending.was_stopped:
        return Outcome.HANG, f"it was stopped; it was in {_last_call(ending.stderr)}"
    if ending.peak_bytes > MAX_PEAK_BYTES or "MemoryError" in ending.stderr:
        return (
            Outcome.MEMORY,
            f"{ending.peak_bytes / GIBIBYTE:.1f} GiB; {_last_call(ending.stderr)}",
        )
    if _TRACEBACK in ending.stderr or ending.status is None:
        return Outcome.TRACEBACK, _describe_traceback(ending.stderr)
    if ending.status == _BAD_INPUT:
        why = _fault_of_error(ending)
        return (Outcome.WRONG_EXIT, why) if why else (Outcome.ERROR_LINE, "")
    why = _fault_of_answer(ending, statuses, is_json=is_json)
    return (Outcome.WRONG_EXIT, why) if why else (Outcome.ANSWER, "")


def _fault_of_error(ending: Ending) -> str:
    """Return what is wrong with an exit for bad input: one line says why, and comes last."""
    lines = ending.stderr.rstrip("\n").split("\n")
    if sum(line.startswith(_ERROR_START) for line in lines) != 1:
        return f"status {_BAD_INPUT}, but not one line that says why: {ending.stderr[-300:]!r}"
    if not lines[-1].startswith(_ERROR_START):
        return f"more follows the error: {lines[-1][:200]!r}"
    return _fault_of_output(ending)


def _fault_of_answer(ending: Ending, statuses: frozenset[int], *, is_json: bool) -> str:
    if ending.status not in statuses:
        return f"status {ending.status}: {ending.stderr[-300:]!r}"
    if is_json:
        for line in ending.stdout.splitlines():
            try:
                json.loads(line, parse_constant=_refuse_constant)
            except ValueError as fault:
                return f"stdout is no JSON: {fault}: {line[:100]!r}"
    return _fault_of_output(ending)


def _fault_of_output(ending: Ending) -> str:
    if _TERMINAL_ESCAPE in ending.stdout + ending.stderr:
        return "an escape sequence of a file reaches the terminal"
    if "Warning: " in ending.stderr:
        line = next(line for line in ending.stderr.splitlines() if "Warning: " in line)
        return f"a warning of Python reaches the user: {line[-200:]}"
    return ""


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _describe_traceback(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip()]
    raised = next((line for line in reversed(lines) if re.match(r"[\w.]+(: |$)", line)), "")
    return f"{raised[:200]} at {_last_call(stderr)}"


def _last_call(stderr: str) -> str:
    """Return the innermost call of tatc's own code in the last traceback, or any innermost."""
    calls = _CALL.findall(stderr)
    ours = [call for call in calls if "/tatc/" in call[0]]
    if not (ours or calls):
        return "an unknown place"
    path, line, function = (ours or calls)[-1]
    return f"{'/'.join(path.split('/')[-3:])}:{line} ({function})"
