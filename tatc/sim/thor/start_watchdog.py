"""Sees to it that the client notices an AI2-THOR that never opens its pipe.

The client opens the pipe from AI2-THOR without a limit of time: one that dies before
it speaks, or never does, would keep the client waiting for ever.
"""

import os
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep
from typing import Any

_POLL_SECONDS = 0.2  # seconds between looks


def with_start_watchdog(controller: Any, start_timeout: float) -> Any:
    """Return the client's class, made to give up on a start after `start_timeout` seconds.

    A start that is given up fails as one whose AI2-THOR has hung up.
    """

    class Watched(controller):
        def _start_unity_thread(self, *given: Any, **named: Any) -> None:
            super()._start_unity_thread(*given, **named)  # pyright: ignore
            server: Any = self.server  # pyright: ignore
            Thread(target=_unblock_pipe, args=(server, start_timeout), daemon=True).start()

    return Watched


def _unblock_pipe(server: Any, start_timeout: float) -> None:
    """Open and close the pipe in AI2-THOR's place, if it does not in time.

    Gives up once nobody has come to wait at the other end for as long again.
    """
    path = getattr(server, "server_pipe_path", None)
    until = monotonic() + start_timeout
    while path is not None and getattr(server, "server_pipe", None) is None:
        if monotonic() > until + start_timeout:
            break
        if monotonic() > until or server.unity_proc.poll() is not None:
            server.unity_proc.kill()
            with suppress(OSError):  # until the client waits at its end
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        sleep(_POLL_SECONDS)
