"""Our world behind AI2-THOR's own wire protocol.

An unmodified `ai2thor` client starts `python -P -m tatc.apps.thorserver` in place of Unity
(`Controller(local_executable_path=executable())`); it needs no display and no network.
`action_table` lists the actions, `server_loop` runs them, `thor_world` holds the world, `events`
and `wire_images` write what the client gets, and `client_connection` carries it.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tatc.apps.thorserver.script_runner import EXECUTABLE_VARIABLE
from tatc.base import errors, files

_EXECUTABLE_MODE = 0o755


def executable(rooms: Path | None = None) -> str:
    """Return the value for `local_executable_path`; `rooms` serve the scenes of their names."""
    options = () if rooms is None else ("--rooms", str(rooms.resolve()))
    return shlex.join((sys.executable, "-P", "-m", "tatc.apps.thorserver", *options))


def write_executable(path: Path, rooms: Path | None = None, *, force: bool = False) -> None:
    """Write a file that starts the server, for code that takes the path of an executable."""
    lines = ("#!/bin/sh", f'exec {executable(rooms)} "$@"', "")
    files.write_atomically("\n".join(lines).encode(), path, force=force)
    path.chmod(_EXECUTABLE_MODE)


def run_script(
    words: Sequence[str], python: str = sys.executable, rooms: Path | None = None
) -> int:
    """Run a script whose every `Controller` starts this server; return its exit status.

    `words` are the script's file and arguments; `python` has the script's `ai2thor`.
    """
    if not os.path.isfile(words[0]):
        raise errors.BadInput("there is no such script", where=words[0])
    if python == sys.executable:
        errors.MissingExtra.check("thor", "ai2thor")
    runner = Path(__file__).with_name("script_runner.py")
    environment = os.environ | {EXECUTABLE_VARIABLE: executable(rooms)}
    try:
        return subprocess.call([python, str(runner), *words], env=environment)
    except OSError as fault:
        raise errors.BadInput(f"is no interpreter: {fault.strerror}", where=python) from fault
