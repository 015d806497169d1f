"""Folders and files that one process at a time writes into.

Each has a lock file beside what it guards.  The lock is the operating system's: it ends with its
process, however that ends, and the file that stays holds nothing.
"""

import os
import shlex
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from os.path import isdir
from pathlib import Path

from filelock import FileLock, Timeout

from tatc.base import errors, files

_FIX_BUSY = "wait for it to end, or name another folder"
_NOTE = files.FileLimits(files.MEBIBYTE)


@contextmanager
def held(place: Path, seconds: float = 0) -> Generator[None]:
    """Hold a folder that exists, or else a file, for this thread while the block runs.

    The file need not exist; the folder that it lies in is made.  The same thread may hold a place
    more than once.  If another one holds it, it is waited for so many `seconds`.

    Raises:
        BadInput: another process or thread holds it; the message says which and since when.
        OutputError: no lock can be made there.

    """
    name = place / ".lock" if isdir(place) else place.with_name(f".{place.name}.lock")
    holder = name.with_name(f"{name.name}-holder")
    files.make_folder(name.parent)
    lock = FileLock(str(name.absolute()), is_singleton=True)
    is_first = not lock.is_locked
    with errors.os_errors_as(errors.OutputError, "cannot be locked", place, fix=_FIX_BUSY):
        try:
            lock.acquire(timeout=seconds)
        except Timeout as fault:
            # The note is not there in the first milliseconds.
            note = files.read_head(holder, _NOTE, 1000) if holder.is_file() else b""
            why = f"is in use by {note.decode(errors='replace') or 'another process'}"
            raise errors.BadInput(why, where=str(place), fix=_FIX_BUSY) from fault
    try:
        if is_first:
            files.write_atomically(_own_note(), holder, force=True)
        yield
    finally:
        if is_first:
            holder.unlink(missing_ok=True)
        lock.release()


def _own_note() -> bytes:
    is_tatc = os.path.basename(sys.argv[0]) in ("tatc", "__main__.py")
    command = shlex.join(["tatc", *sys.argv[1:]]) if is_tatc else "Python"
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    return f"process {os.getpid()} since {since}: {command}".encode(errors="backslashreplace")
