"""What Ctrl-C does: an exit at once while nothing is at stake, else a KeyboardInterrupt."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

EXIT_INTERRUPTED = 130  # the status of a program that Ctrl-C ended, as shells have it


def exit_on_interrupt() -> None:
    """Let Ctrl-C end the process at once and quietly; one that ignores Ctrl-C goes on doing so."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _exit_at_once)


@contextmanager
def raise_on_interrupt() -> Generator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in the block; outside, it ends the process at once."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        signal.signal(signal.SIGINT, _exit_at_once)


def _exit_at_once(number: int, frame: FrameType | None) -> None:
    os._exit(EXIT_INTERRUPTED)
