"""A web server: one process, on the loopback address by default, behind a token.

A user knows a token.  Another site's page does not know it; if it did, the browser would name its
origin, and the guard refuses foreign origins.  The guard also checks the host name of a request,
against DNS rebinding.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from secrets import compare_digest, token_urlsafe
from typing import Protocol
from urllib.parse import urlsplit

import h11
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from tatc.base import errors, plain_text

LOOPBACK = "127.0.0.1"
MAX_CONNECTIONS = 200  # connections at a time; a browser opens six
MAX_REQUEST_BYTES = 1 << 16
"""Largest request that is read, bytes; what a person sends is a hundredth of it."""
WEBSOCKET_IDLE_SECONDS = 1800.0  # after so many seconds without a message a WebSocket is closed
CLIENT_KEY = "tatc.client"
"""The key in a request's scope of the name of the client whose token it carries."""

_ANY_ADDRESS = ("0.0.0.0", "::", "")
_CLIENT_SENDS = (h11.IDLE, h11.SEND_BODY)  # h11's states in which it is the client's turn
_TOO_LARGE = f"A request may have at most {MAX_REQUEST_BYTES} bytes.\n"
_SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " connect-src 'self'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def draw_token() -> str:
    """Return a new token of 192 random bits."""
    return token_urlsafe(24)


class Admission(Protocol):
    """Decides by a token who is let in."""

    path: str
    """What stands after the host in the address that a user is told, with a slash at its start."""

    def admit(self, scope: Scope) -> Scope | Response:
        """Return the request as the application gets it, or the answer that refuses it."""
        ...


class PathToken:
    """The token is the first part of every address: nothing else has to be sent or stored."""

    def __init__(self, token: str) -> None:
        """Let in whoever knows the token."""
        self._token = token
        self.path = f"/{token}/"

    def admit(self, scope: Scope) -> Scope | Response:
        """Return the request without the token in its path, or the answer that refuses it."""
        first, _, inner = scope["path"][1:].partition("/")
        if not compare_digest(first.encode(), self._token.encode()):
            why = "Use the whole address that the server printed: it ends with a token.\n"
            return PlainTextResponse(why, 403)
        if scope["path"] == f"/{self._token}":
            return RedirectResponse(self.path)
        return {**scope, "path": f"/{inner}", "raw_path": f"/{inner}".encode()}


class BearerTokens:
    """Tokens come in `Authorization` (RFC 6750); `CLIENT_KEY` of the scope names the client."""

    def __init__(self, names_by_token: Mapping[str, str], path: str) -> None:
        """Let in the clients whose names are given by their tokens."""
        self._names_by_token = {token.encode(): name for token, name in names_by_token.items()}
        self.path = path

    def admit(self, scope: Scope) -> Scope | Response:
        """Return the request with its client's name, or the answer that refuses it."""
        kind, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        name = None
        for token, each in self._names_by_token.items():
            # All are compared: a token that nobody has takes as long as any other.
            if compare_digest(token, given.strip().encode()) and kind.lower() == "bearer":
                name = each
        if name is None:
            why = "Send the header `Authorization: Bearer TOKEN` with the token of this server.\n"
            return PlainTextResponse(why, 401, {"www-authenticate": "Bearer"})
        return {**scope, CLIENT_KEY: name}


class AccessGuard:
    """Passes permitted requests on to the application."""

    def __init__(self, app: ASGIApp, admission: Admission, hosts: Collection[str]) -> None:
        """Guard an application; `hosts` are the host names that requests may use, in any case."""
        self._app, self._admission = app, admission
        self._hosts = frozenset(each.lower() for each in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it and say why."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)  # the server starts or ends
            return
        admitted, is_websocket = self._admit(scope), scope["type"] == "websocket"
        if isinstance(admitted, Response) and is_websocket:
            await send({"type": "websocket.close", "code": 1008})  # which is answered with 403
        elif isinstance(admitted, Response):
            await admitted(scope, receive, _add_security_headers(send))
        elif is_websocket:
            await self._app(admitted, _end_when_idle(receive), send)
        else:
            await self._app(admitted, _limit_body(receive), _add_security_headers(send))

    def _admit(self, scope: Scope) -> Scope | Response:
        """Return the request as the application gets it, or the answer that refuses it."""
        admitted, headers = self._admission.admit(scope), Headers(scope=scope)
        if isinstance(admitted, Response) and admitted.status_code >= 400:
            return admitted
        refused = self._refusal_reason(headers)
        if refused is not None:
            return PlainTextResponse(refused, 403)
        length = plain_text.whole_number(headers.get("content-length", "0"))
        if length is None or length > MAX_REQUEST_BYTES:
            return PlainTextResponse(_TOO_LARGE, 413)
        return admitted

    def _refusal_reason(self, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        name = _name_of(host)
        if not self._is_known_host(name):
            why = f"This server does not answer to the name {name or host!r}."
            return f"{why} If that is its name, start it with --allow-host NAME.\n"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return f"Pages of {origin} may not use this server.\n"
        return None

    def _is_known_host(self, name: str) -> bool:
        with suppress(ValueError):
            return name in self._hosts or bool(ip_address(name))  # which rebinding cannot fake
        return False


def _name_of(host: str) -> str:
    """Return the host name in a header `Host`, without the port; "" if it has none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _end_when_idle(receive: Receive) -> Receive:
    """Return a `receive` that ends a connection on which nothing has come for too long."""

    async def receiving() -> Message:
        try:
            return await asyncio.wait_for(receive(), WEBSOCKET_IDLE_SECONDS)
        except TimeoutError:
            return {"type": "websocket.disconnect", "code": 1001}

    return receiving


def _limit_body(receive: Receive) -> Receive:
    """Return a `receive` that refuses a body longer than it may be, whatever its header says."""
    size = 0

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_REQUEST_BYTES:
            raise HTTPException(413, _TOO_LARGE)
        return message

    return receiving


def _add_security_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


def serve(
    app: ASGIApp,
    admission: Admission,
    host: str,
    port: int,
    announce: Callable[[str], None],
    on_close: Callable[[], None],
    *,
    allowed_hosts: Collection[str] = (),
    websockets: bool = False,
    max_connections: int = MAX_CONNECTIONS,
) -> None:
    """Serve until Ctrl-C.

    `port` 0 takes any free one.  `announce` gets the address, with the admission's path, once the
    server can be reached; `on_close` is called before it ends, to end what is still going on.
    Requests may name the server by `allowed_hosts`, `host`, localhost, or any address.  With
    `websockets` the application has WebSockets too, by the package of that name.  Requests beyond
    `max_connections` at a time are refused.
    """
    listening = _listening_socket(host, port)
    name = LOOPBACK if host in _ANY_ADDRESS else f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        AccessGuard(app, admission, {"localhost", host, *allowed_hosts}),
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
        with ExitStack() as stack:
            listening = stack.enter_context(socket.socket(family))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen()  # so that the address works as soon as it is announced
            stack.pop_all()  # it stays open
        return listening
    except (OSError, OverflowError) as fault:
        why = f"cannot listen on this address: {getattr(fault, 'strerror', None) or fault}"
        fix = "choose another with --host and --port"
        raise errors.BadInput(why, where=f"{host}:{port}", fix=fix) from fault


class RequestTimeoutProtocol(H11Protocol):
    """Closes a connection on which a whole request does not come in time.

    uvicorn waits without end for the rest of a request.  So a client that goes away, or sends a
    byte now and then, would hold its connection as long as the server runs.
    """

    request_seconds = 20.0
    """Seconds for a request, from the connection's start or from the end of the last answer."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the first request."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._wait_for_client()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Go on with a request, and wait for its rest, unless it became a WebSocket."""
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
