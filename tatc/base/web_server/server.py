"""Serving: one process, on the loopback address by default, behind a token."""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from tatc.base.errors import BadInput
from tatc.base.web_server.access import MAX_REQUEST_BYTES, AccessGuard
from tatc.base.web_server.admission import Admission

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


# HTTP connections that end when a client does not send its request.
#
# uvicorn closes a connection that is idle after an answer, and waits without end for the
# rest of a request.  So a client that opens a connection and goes away, or sends a byte now
# and then, would hold it as long as the server runs.

_CLIENT_SENDS = (h11.IDLE, h11.SEND_BODY)  # h11's states in which it is the client's turn


class RequestTimeoutProtocol(H11Protocol):
    """Closes a connection on which a whole request does not come in time."""

    request_seconds = 20.0
    """Seconds for a request, from the connection's start or from the end of the last answer."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the first request."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._wait_for_client()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Go on with a request, and wait for the rest of it.

        A connection that became a WebSocket has another protocol from then on.
        """
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._wait_for_client()
        else:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._stop_waiting()
        super().on_response_complete()
        self._wait_for_client()

    def _wait_for_client(self) -> None:
        if self.conn.their_state not in _CLIENT_SENDS:
            self._stop_waiting()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.request_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
