"""Make the client notice an AI2-THOR that never opens its pipe.

The client waits for AI2-THOR to open the pipe without a time limit: an AI2-THOR that dies
or hangs before that would keep it waiting forever.
"""

import os
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep
from typing import Any

_POLL_SECONDS = 0.2


def with_start_watchdog(controller: Any, start_timeout: float) -> Any:
    """Return a subclass of the client's controller whose start has a time limit, in seconds.

    A start that takes longer fails as one whose AI2-THOR has closed the connection.
    """

    class Watched(controller):
        def _start_unity_thread(self, *given: Any, **named: Any) -> None:
            super()._start_unity_thread(*given, **named)  # pyright: ignore
            server: Any = self.server  # pyright: ignore
            Thread(target=_unblock_pipe, args=(server, start_timeout), daemon=True).start()

    return Watched


def _unblock_pipe(server: Any, start_timeout: float) -> None:
    """Open and close the pipe in place of AI2-THOR, if AI2-THOR does not in time.

    It gives up when the client has not opened its end after the same time again.
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
