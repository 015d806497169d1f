"""Ctrl-C at drawn moments after the start of a command, and how the command ends.

It should end with status 130 and without a traceback.  Python answers with a traceback of its own
until tatc's first line runs: while it starts, and in the script that the installer wrote (that of
pip before 25 imports `re`, which takes as long as Python's start).  These are counted apart.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from signal import SIGINT
from time import sleep

from tatc.commands.text.output import remark

DEFAULT_TRIES = 40
_FIRST_SECONDS, _START_SECONDS, _LAST_SECONDS = 0.005, 0.2, 2.0
_COMMANDS = (
    ("rooms", "list", "--with-tasks"),
    ("run", "--task", "coffee", "--room", "kitchen-01"),
    ("run", "--task", "coffee", "--room", "kitchen-01", "--follower", "listener"),
    ("tasks",),
)
_PACKAGE = Path(__file__).parents[1] / "tatc"

ENDS = {
    "quiet": "ended quietly, status 130",
    "done": "had ended before",
    "python": "traceback of Python's own start",
    "script": "traceback of the installer's script",
    "tatc": "traceback of tatc",
    "other": "another status or message",
}


def run(
    games: Path | None, *, seed: int = 1, count: int = DEFAULT_TRIES
) -> Iterator[tuple[str, float, str]]:
    """Yield how commands ended that were interrupted, half of them while they started.

    Args:
        games: not used.
        seed: draws commands and moments.
        count: how many commands to interrupt.

    """
    script = Path(sys.executable).parent / "tatc"
    rng, ends = Random(seed), Counter[str]()
    for number in range(count):
        latest = _START_SECONDS if number % 2 else _LAST_SECONDS
        moment = rng.uniform(_FIRST_SECONDS, latest)
        command = [str(script), *rng.choice(_COMMANDS)]
        status, stderr = _interrupt(command, moment)
        end = classify_end(status, stderr, command[0])
        ends[end] += 1
        if end in ("tatc", "other"):
            remark(f"{' '.join(command)}, {1000 * moment:.0f} ms: {status}: {stderr[-500:]}")
    for end, name in ENDS.items():
        yield name, ends[end], f"of {count}"


def _interrupt(command: Sequence[str], moment: float) -> tuple[int, str]:
    """Start a command, interrupt it after so many seconds; return its status and stderr."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    sleep(moment)
    process.send_signal(SIGINT)
    _, stderr = process.communicate(timeout=60)
    return process.returncode, stderr.decode(errors="replace")


def classify_end(status: int, stderr: str, script: str) -> str:
    """Return which of `ENDS` it is.

    Args:
        status: of the process; negative if the signal itself ended it, which shells call 130.
        stderr: what it printed.
        script: the path of the script that was run.

    """
    files = re.findall(r'^ *File "([^"]*)"', stderr, flags=re.MULTILINE)
    if any(Path(file).is_relative_to(_PACKAGE) for file in files):
        return "tatc"
    if files:
        return "script" if script in files else "python"
    if status in (130, -SIGINT) and stderr in ("", "interrupted\n"):
        return "quiet"
    if status in (0, 1) and not stderr:
        return "done"
    return "python" if stderr.startswith("Fatal Python error: init") else "other"
