"""How tatc starts other Python processes: with a safe path, and with Ctrl-C left to this one.

Python puts the current folder first on the path of a process that runs `-c` or `-m`, so
that a file there, `heapq.py` for instance, would stand in for a module.  tatc's processes
search the current folder only for a class that the user named as `module:Class`
(`tatc.session.agents.agents.import_target`).
"""

import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager


def python_command(code: str) -> list[str]:
    """Return the command that runs code in a Python process with a safe path."""
    return [sys.executable, "-P", "-c", code]


@contextmanager
def interrupts_blocked() -> Generator[None]:
    """Block Ctrl-C in this thread, which processes and threads started in the block inherit.

    A terminal sends Ctrl-C to every process of a command, and one that is just starting would
    print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
