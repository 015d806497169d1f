"""The program that an `ai2thor` client starts in place of Unity.

It watches its client from the start, so modules that are slow to import come afterwards.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

from tatc.base import errors, plain_text

if TYPE_CHECKING:
    from tatc.apps.thorserver.client_connection import FifoConnection, WsgiConnection
    from tatc.apps.thorserver.thor_world import ClientVersion

_DEFAULT_SIDE_PIXELS = 300
_MAX_PORT = 65535
_CLIENT_CHECK_SECONDS = 1.0  # between checks whether the client is still running


def main() -> int:
    """Serve the client that started this process; return the exit status."""
    Thread(target=_exit_with_client, args=(os.getppid(),), daemon=True).start()
    try:
        connection, client = _connect(os.environ)
    except KeyError as missing:
        _log(f"{missing} is not set: an ai2thor client starts this, with")
        _log("Controller(local_executable_path=..., x_display=':0')")
        return 2
    except (OSError, errors.TatcError) as fault:
        _log(str(fault))
        return 1
    from tatc.apps.thorserver.server_loop import serve_client

    try:
        rooms_folder = _rooms_folder(sys.argv[1:])
        serve_client(connection, _frame_size(sys.argv[1:]), client, _log, rooms_folder)
    except errors.TatcError as fault:
        _log(str(fault))
        return 1
    except (OSError, KeyboardInterrupt):
        return 0  # the client is gone
    finally:
        connection.close()
    return 0


def _connect(
    environment: Mapping[str, str],
) -> "tuple[FifoConnection | WsgiConnection, ClientVersion]":
    """Return the connection to the client that the environment names, and its version.

    A KeyError names a variable that is not set, an OSError says that the client is out of reach.
    """
    from tatc.apps.thorserver import client_connection, thor_world

    # Clients before 2.5 have but one server, and do not say which.
    is_old = "AI2THOR_SERVER_TYPE" not in environment and "AI2THOR_PORT" in environment
    if not is_old and environment["AI2THOR_SERVER_TYPE"] == "FIFO":
        pipes = (
            environment["AI2THOR_FIFO_SERVER_PIPE_PATH"],
            environment["AI2THOR_FIFO_CLIENT_PIPE_PATH"],
        )
        return client_connection.FifoConnection(*pipes), thor_world.CLIENT_5
    port = plain_text.whole_number(environment["AI2THOR_PORT"])
    if port is None or not 0 < port <= _MAX_PORT:
        why = f"should be a port's number, is {environment['AI2THOR_PORT']!r}"
        raise errors.BadInput(why, where="AI2THOR_PORT", fix=f"give one from 1 to {_MAX_PORT}")
    host, token = environment["AI2THOR_HOST"], environment.get("AI2THOR_CLIENT_TOKEN", "")
    try:
        connection = client_connection.WsgiConnection(host, port, token)
    except HTTPException as fault:
        raise errors.BadInput(str(fault), where="AI2THOR_HOST", fix="give a host's name") from fault
    return connection, thor_world.CLIENT_2 if is_old else thor_world.CLIENT_5


def _exit_with_client(client_pid: int) -> None:
    while os.getppid() == client_pid:
        sleep(_CLIENT_CHECK_SECONDS)
    os._exit(0)


def _frame_size(options: Sequence[str]) -> tuple[int, int]:
    from tatc.apps.thorserver.session_actions import MAX_FRAME_SIDE_PIXELS

    size = {"-screen-width": _DEFAULT_SIDE_PIXELS, "-screen-height": _DEFAULT_SIDE_PIXELS}
    for name, value in pairwise(options):
        if name in size:
            pixels = plain_text.whole_number(value)
            if pixels is not None:
                size[name] = min(max(pixels, 1), MAX_FRAME_SIDE_PIXELS)
    return size["-screen-width"], size["-screen-height"]


def _rooms_folder(options: Sequence[str]) -> Path | None:
    found = next((Path(value) for name, value in pairwise(options) if name == "--rooms"), None)
    if found is not None and not os.path.isdir(found):
        raise errors.BadInput("there is no such folder", where=f"--rooms {found}")
    return found


def _log(message: str) -> None:
    print(plain_text.printable(f"tatc thor-server: {message}"), file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
