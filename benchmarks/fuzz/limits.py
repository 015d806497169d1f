"""The time and memory that one case may take in a process that goes on after it."""

import faulthandler
import resource
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from benchmarks.fuzz.outcomes import MAX_PEAK_BYTES

CASE_SECONDS = 30.0
_SECONDS_TO_DIE = 2 * CASE_SECONDS  # where no Python code runs that the alarm could interrupt
_PAGE_BYTES = resource.getpagesize()
_KIBIBYTE = 1024
_RESET_PEAK = "5"


class OutOfTime(BaseException):
    """A case took too long; no handler of `Exception` sees it."""


@contextmanager
def within_limits() -> Generator[None]:
    """Limit time and address space while the block runs.

    Raises:
        OutOfTime: the block took more than `CASE_SECONDS`.
        MemoryError: it took more than twice `MAX_PEAK_BYTES`.

    If the block hangs in a library, the process ends, and says in which call.

    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, stop)
    faulthandler.dump_traceback_later(_SECONDS_TO_DIE, exit=True, file=sys.__stderr__)
    resource.setrlimit(resource.RLIMIT_AS, (_mapped_bytes() + 2 * MAX_PEAK_BYTES, hard))
    signal.setitimer(signal.ITIMER_REAL, CASE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)


class PeakMemory:
    """Measures the resident memory that comes on top of what this process has now."""

    def __init__(self) -> None:
        """Start to measure."""
        Path("/proc/self/clear_refs").write_text(_RESET_PEAK)
        self._before = _peak_bytes()

    def added_bytes(self) -> int:
        """Return the most that came on top since the start."""
        return _peak_bytes() - self._before


def _mapped_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE_BYTES


def _peak_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * _KIBIBYTE
    raise RuntimeError("/proc/self/status has no VmHWM: this needs Linux")
