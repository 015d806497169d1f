"""Who may use the server: whoever knows the token, from the server's own pages.

The token is the first part of every address, so that a page's links carry it and
nothing else has to be sent or stored.  Another site's page does not know the token; if it
did, the browser would name its origin, and the guard refuses foreign origins.  The guard
also checks the host name of a request, against DNS rebinding.
"""

from collections.abc import Collection
from ipaddress import ip_address
from secrets import compare_digest
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tatc.plain_text import whole_number

MAX_REQUEST_BYTES = 1 << 16
"""Largest request that is read, bytes; what a person sends is a hundredth of it."""

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
    """Passes permitted requests on to the application, with the token taken off the path."""

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str]) -> None:
        """Guard an application; `hosts` are the host names that requests may use."""
        self._app, self._token, self._hosts = app, token, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it and say why."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)  # the server starts or ends
            return
        refused = self._refusal_reason(scope)
        if refused is not None:
            await PlainTextResponse(refused, 403, _SECURITY_HEADERS)(scope, receive, send)
            return
        length = whole_number(Headers(scope=scope).get("content-length", "0"))
        if length is None or length > MAX_REQUEST_BYTES:
            answer = PlainTextResponse(_TOO_LARGE, 413, _SECURITY_HEADERS)
            await answer(scope, receive, send)
            return
        _, _, inner = scope["path"][1:].partition("/")
        if scope["path"] == f"/{self._token}":
            await RedirectResponse(f"/{self._token}/")(scope, receive, send)
            return
        scope = {**scope, "path": f"/{inner}", "raw_path": f"/{inner}".encode()}
        await self._app(scope, _limit_body(receive), _add_security_headers(send))

    def _refusal_reason(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        first = scope["path"][1:].split("/", 1)[0]
        if not compare_digest(first.encode(), self._token.encode()):
            return "Open the address that `tatc view` printed: it ends with a token.\n"
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
