"""How tatc starts other Python processes: with a safe path, and with Ctrl-C left to this one.

Python puts the current folder first on the path of a process that runs `-c` or `-m`, so
that a file there, `heapq.py` for instance, would stand in for a module.  tatc's processes
search the current folder only for a class that the user named as `module:Class`
(`tatc.session.agents.import_target`).
"""

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager

_SAFE_PATH_VARIABLE = "PYTHONSAFEPATH"  # does what `-P` does


def python_command(code: str) -> list[str]:
    """Return the command that runs code in a Python process with a safe path."""
    return [sys.executable, "-P", "-c", code]


@contextmanager
def safe_path_for_children() -> Generator[None]:
    """Give a safe path to the processes that `multiprocessing` starts while the block runs."""
    before = os.environ.get(_SAFE_PATH_VARIABLE)
    os.environ[_SAFE_PATH_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH_VARIABLE]
        else:
            os.environ[_SAFE_PATH_VARIABLE] = before


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
