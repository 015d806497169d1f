"""Who may use a server: whoever knows a token, and no pages but the server's own.

Another site's page does not know the token; if it did, the browser would name its origin, and
the guard refuses foreign origins.  The guard also checks the host name of a request, against DNS
rebinding.
"""

import asyncio
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tatc.base.plain_text import whole_number
from tatc.base.web_server.admission import Admission

MAX_REQUEST_BYTES = 1 << 16
"""Largest request that is read, bytes; what a person sends is a hundredth of it."""

WEBSOCKET_IDLE_SECONDS = 1800.0
"""After so many seconds without a message a WebSocket is closed."""

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


class AccessGuard:
    """Passes permitted requests on to the application."""

    def __init__(self, app: ASGIApp, admission: Admission, hosts: Collection[str]) -> None:
        """Guard an application; `hosts` are the host names that requests may use."""
        self._app, self._admission, self._hosts = app, admission, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it and say why."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)  # the server starts or ends
            return
        admitted = self._admit(scope)
        if scope["type"] == "websocket":
            await self._open_websocket(admitted, receive, send)
        elif isinstance(admitted, Response):
            await admitted(scope, receive, _add_security_headers(send))
        else:
            await self._app(admitted, _limit_body(receive), _add_security_headers(send))

    async def _open_websocket(
        self, admitted: Scope | Response, receive: Receive, send: Send
    ) -> None:
        if isinstance(admitted, Response):
            await send({"type": "websocket.close", "code": 1008})  # which is answered with 403
        else:
            await self._app(admitted, _end_when_idle(receive), send)

    def _admit(self, scope: Scope) -> Scope | Response:
        """Return the request as the application gets it, or the answer that refuses it."""
        admitted, headers = self._admission.admit(scope), Headers(scope=scope)
        if isinstance(admitted, Response) and admitted.status_code >= 400:
            return admitted
        refused = self._refusal_reason(headers)
        if refused is not None:
            return PlainTextResponse(refused, 403)
        length = whole_number(headers.get("content-length", "0"))
        if length is None or length > MAX_REQUEST_BYTES:
            return PlainTextResponse(_TOO_LARGE, 413)
        return admitted

    def _refusal_reason(self, headers: Headers) -> str | None:
        host = headers.get("host", "")
        if not self._is_known_host(host):
            return f"This server does not answer to the name {host}.\n"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return f"Pages of {origin} may not use this server.\n"
        return None

    def _is_known_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or _is_ip_address(name)


def _is_ip_address(name: str) -> bool:
    """Whether a host is an IP address, which DNS rebinding cannot fake."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


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
