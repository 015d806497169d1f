"""Files written whole or not at all, never over others without being told to; and added lines."""

import os
import threading
from os.path import exists, isdir, isfile  # unlike Path's, these bear any name
from pathlib import Path

from tatc.base.errors import OutputError, os_errors_as

_WITHOUT_DELAY = getattr(os, "O_NONBLOCK", 0)  # a pipe would wait for its other end
_NEW_FILE_MODE = 0o666  # of which the user's mask takes away


def check_writable(path: Path, *, force: bool) -> None:
    """Raise an OutputError, before any work, where a file cannot be written.

    It exists and `force` is not given, or its folder does not exist or does not take files.
    """
    if isdir(path):
        raise OutputError("is a folder", where=str(path), fix="name a file in it")
    if exists(path) and not isfile(path):
        raise OutputError("is no plain file", where=str(path), fix="name another file")
    if exists(path) and not force:
        fix = "give --force to replace it, or another name"
        raise OutputError("there is a file already", where=str(path), fix=fix)
    if not isdir(path.parent):
        fix = f"make the folder first: mkdir -p {path.parent}"
        raise OutputError("there is no such folder", where=str(path.parent), fix=fix)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        fix = "name a folder that is yours"
        raise OutputError("the folder takes no files", where=str(path.parent), fix=fix)


def make_folder(path: Path, *, fix: str = "name another place") -> None:
    """Make a folder, and those it lies in, where they do not exist."""
    with os_errors_as(OutputError, "cannot be made", path, fix=fix):
        path.mkdir(parents=True, exist_ok=True)


def append_text(text: str, path: Path, *, fix: str) -> None:
    """Add text to the end of a file, which is made if there is none.

    A pipe that nobody reads is an error: it would block.
    """

    def opened(path: str, flags: int) -> int:
        return os.open(path, flags | _WITHOUT_DELAY, _NEW_FILE_MODE)

    with (
        os_errors_as(OutputError, "cannot be written", path, fix=fix),
        open(path, "a", encoding="utf-8", opener=opened) as file,
    ):
        file.write(text)


def write_atomically(data: bytes, path: Path, *, force: bool) -> None:
    """Write a file so that it is there whole or not at all."""
    check_writable(path, force=force)
    # A process and its threads may write side by side into one folder.
    draft = path.parent / f".tatc-{os.getpid()}-{threading.get_ident():x}"
    try:
        with os_errors_as(OutputError, "cannot be written", path, fix="name another place"):
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
