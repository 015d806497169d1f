"""The server: one process, loopback by default, behind a token."""

import logging
import socket
from collections.abc import Callable
from secrets import token_urlsafe

import uvicorn
from starlette.types import ASGIApp

from tatc.errors import BadInput
from tatc.viewer.access import AccessGuard

LOOPBACK = "127.0.0.1"
_ANY_ADDRESS = ("0.0.0.0", "::", "")


def serve(
    app: ASGIApp,
    host: str,
    port: int,
    announce: Callable[[str], None],
    on_close: Callable[[], None],
) -> None:
    """Serve until Ctrl-C; `announce` is given the address to open.

    Args:
        app: what to serve to those who know the token.
        host: the name or address to listen at.
        port: 0 takes any that is free.
        announce: called once, when the server can be reached.
        on_close: called when the server is about to end; it ends what goes on.

    Raises:
        BadInput: the address cannot be listened at.

    """
    listening = _listening_socket(host, port)
    token = token_urlsafe(24)
    name = LOOPBACK if host in _ANY_ADDRESS else f"[{host}]" if ":" in host else host
    guarded = AccessGuard(app, token, {"localhost", host})
    config = uvicorn.Config(
        guarded,
        log_level="warning",
        access_log=False,  # it would print the token
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    with listening:
        announce(f"http://{name}:{listening.getsockname()[1]}/{token}/")
        _Server(config, on_close).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends what goes on before it waits for requests to be answered."""

    def __init__(self, config: uvicorn.Config, on_close: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_close = on_close

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A picture that is being drawn cannot be broken off; that needs no word.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self._on_close()
        await super().shutdown(sockets)


def _listening_socket(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # so that the address is good as soon as it is told
    except (OSError, OverflowError) as fault:
        why = f"cannot be listened at: {getattr(fault, 'strerror', None) or fault}"
        fix = "name another with --host and --port"
        raise BadInput(why, where=f"{host}:{port}", fix=fix) from fault
    return listening
