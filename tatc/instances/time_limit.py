"""A time limit on code of others that runs in this process."""

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

_GRACE_SECONDS = 10.0  # seconds after which code that cannot be interrupted ends its process


class TimeLimitExceeded(Exception):
    """Code took longer than it may."""


@contextmanager
def time_limit(seconds: float, what: str) -> Generator[None]:
    """Raise OutOfTime in the code within, once it has taken so long.

    Code that holds on even then, such as a loop in a library's C, takes its process
    down with it 10 s later: a worker's, which is noted as the session's crash.  Away
    from the main thread nothing is limited, because nothing there can be interrupted.
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
