"""Runs a command as a process of its own, as a user does."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, sleep

from benchmarks.fuzz.limits import CASE_SECONDS
from benchmarks.fuzz.outcomes import GIBIBYTE, Ending

_CHECKOUT = Path(__file__).parents[2]
_MAX_ADDRESS_SPACE = 8 * GIBIBYTE  # far beyond what is a finding, but not all of the machine's
_CODE = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({_MAX_ADDRESS_SPACE}, {_MAX_ADDRESS_SPACE}))
from tatc.cli import main
main()
"""
_SECONDS_TO_START = 30.0
_POLL_SECONDS = 0.02
_KIBIBYTE = 1024


def run_process(words: Sequence[str], stdin: str = os.devnull) -> Ending:
    """Run `tatc` with these words in a process, in the current folder, with a file as its stdin."""
    command = [sys.executable, "-P", "-c", _CODE, *words]
    with TemporaryFile() as out, TemporaryFile() as err, Path(stdin).open("rb") as source:
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=out,
            stderr=err,
            env=os.environ | {"PYTHONPATH": str(_CHECKOUT)},
            start_new_session=True,
        )
        stopped, status, peak = _wait(process)
        texts = [_content(each) for each in (out, err)]
    return Ending(None if stopped else status, *texts, peak, stopped)


def _wait(process: "subprocess.Popen[bytes]") -> tuple[bool, int, int]:
    """Return whether a process had to be stopped, its status, and its peak memory in bytes."""
    end, stopped, peak = monotonic() + CASE_SECONDS + _SECONDS_TO_START, False, 0
    while process.poll() is None:
        peak = max(peak, _peak_memory(process.pid))
        if monotonic() > end and not stopped:
            os.killpg(process.pid, signal.SIGKILL)
            stopped = True
        sleep(_POLL_SECONDS)
    return stopped, process.returncode, peak


def _peak_memory(pid: int) -> int:
    """Return the most memory that a process has had since its program began, bytes; 0 if it ended.

    What the system tells of an ended child begins with the memory of the process that started it.
    """
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIBIBYTE
    return 0


def _content(file: object) -> str:
    file.seek(0)  # pyright: ignore
    return file.read().decode("utf-8", "replace")  # pyright: ignore
