"""A time limit for a user's code that runs in this process."""

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

_GRACE_SECONDS = 10.0  # seconds after which code that cannot be interrupted ends its process


class TimeLimitExceeded(Exception):
    """Code took longer than its limit."""


@contextmanager
def time_limit(seconds: float, what: str) -> Generator[None]:
    """Raise TimeLimitExceeded in the code within when it has run for this many seconds.

    Code that cannot be interrupted, such as a loop in a library's C, ends the process 10 s later:
    that of a worker, which is recorded as a crash of the session.  Outside the main thread there
    is no limit, because nothing there can be interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TimeLimitExceeded(f"{what} took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    last = threading.Timer(seconds + _GRACE_SECONDS, os._exit, (1,))
    last.daemon = True
    last.start()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        last.cancel()
        signal.signal(signal.SIGALRM, before)
