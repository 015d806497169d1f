"""Serving: one process, on the loopback address by default, behind a token."""

import logging
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from tatc.base.errors import BadInput
from tatc.base.web_server.access import MAX_REQUEST_BYTES, AccessGuard
from tatc.base.web_server.admission import Admission
from tatc.base.web_server.request_timeout import RequestTimeoutProtocol

LOOPBACK = "127.0.0.1"
MAX_CONNECTIONS = 200
"""Connections at a time; a browser opens six."""
_ANY_ADDRESS = ("0.0.0.0", "::", "")


def serve(
    app: ASGIApp,
    admission: Admission,
    host: str,
    port: int,
    announce: Callable[[str], None],
    on_close: Callable[[], None],
    *,
    websockets: bool = False,
    max_connections: int = MAX_CONNECTIONS,
) -> None:
    """Serve until Ctrl-C.

    Args:
        app: the application.
        admission: decides who may use it.
        host: the name or address to listen on.
        port: the port, or 0 for any that is free.
        announce: gets the address, with the admission's path, once the server can be reached.
        on_close: called before the server ends, to end what is still going on.
        websockets: whether the application has WebSockets too, by the package `websockets`.
        max_connections: connections at a time; beyond these, requests are refused.

    Raises:
        BadInput: the server cannot listen on the address.

    """
    listening = _listening_socket(host, port)
    name = LOOPBACK if host in _ANY_ADDRESS else f"[{host}]" if ":" in host else host
    guarded = AccessGuard(app, admission, {"localhost", host})
    config = uvicorn.Config(
        guarded,
        log_level="warning",
        access_log=False,  # it would print the token
        timeout_graceful_shutdown=1,
        http=RequestTimeoutProtocol,
        ws="websockets-sansio" if websockets else "none",
        ws_max_size=MAX_REQUEST_BYTES,
        limit_concurrency=max_connections,
        server_header=False,
    )
    with listening:
        announce(f"http://{name}:{listening.getsockname()[1]}{admission.path}")
        _Server(config, on_close).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Calls `on_close` before it waits for open requests."""

    def __init__(self, config: uvicorn.Config, on_close: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_close = on_close

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # An image that is being drawn cannot be cancelled, which uvicorn would report.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self._on_close()
        await super().shutdown(sockets)


def _listening_socket(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return _bind(socket.socket(family), address)
    except (OSError, OverflowError) as fault:
        why = f"cannot listen on this address: {getattr(fault, 'strerror', None) or fault}"
        fix = "choose another with --host and --port"
        raise BadInput(why, where=f"{host}:{port}", fix=fix) from fault


def _bind(listening: socket.socket, address: Any) -> socket.socket:
    """Let a socket listen on an address; close it if it cannot."""
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # so that the address works as soon as it is announced
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening
