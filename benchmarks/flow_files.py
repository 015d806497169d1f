"""Count the files of tatc that a flow runs through, from a command to what comes of it.

    python benchmarks/flow_files.py            # the four flows
    python benchmarks/flow_files.py run --list # one flow, with its files

A file counts if one of its functions is called (`sys.setprofile`): importing it is not enough.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from typer.testing import CliRunner

import tatc
from tatc.cli import app

PACKAGE = str(Path(tatc.__file__).parent)


class _Arrived(BaseException):
    """The flow has come to its end."""


def files_called(words: list[str], end: Callable[[str, str], bool], typed: str = "") -> set[str]:
    """Return the files whose functions a command calls until one of them is the `end`.

    `end` is asked with the file, from the package's folder on, and the name of each function that
    is called.
    """
    called: set[str] = set()
    arrived = False

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal arrived
        code = frame.f_code
        if event != "call" or arrived or not code.co_filename.startswith(PACKAGE):
            return
        if code.co_name != "<module>":
            called.add(code.co_filename.removeprefix(PACKAGE + "/"))
            if end(called_name := code.co_filename.removeprefix(PACKAGE + "/"), code.co_name):
                del called_name
                arrived = True

    sys.setprofile(watch)
    try:
        CliRunner().invoke(app, words, input=typed)
    finally:
        sys.setprofile(None)
    if not arrived:
        raise SystemExit(f"tatc {' '.join(words)}: it never came to its end")
    return called
