"""Who may ask: those who know the token, from the page's own origin, by its own name.

The token is the first part of every address, so that a page's links carry it and
nothing else has to be sent or kept.  A foreign page does not know it; should it find
out, the browser names its origin, and that is refused.  The name the server is called
by is checked too: a foreign name that has been made to point here is not answered.
"""

from collections.abc import Collection
from ipaddress import ip_address
from secrets import compare_digest
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_REQUEST_BYTES = 1 << 16
"""Bytes of a request that are read; what a person sends has a hundredth of it."""

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
    """Lets through to the application what may pass, without the token."""

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str]) -> None:
        """Guard an application; `hosts` are the names that it may be called by."""
        self._app, self._token, self._hosts = app, token, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it in words."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)  # the server's start and end
            return
        refused = self._refusal_reason(scope)
        if refused is not None:
            await PlainTextResponse(refused, 403, _SECURITY_HEADERS)(scope, receive, send)
            return
        _, _, inner = scope["path"][1:].partition("/")
        if scope["path"] == f"/{self._token}":
            await RedirectResponse(f"/{self._token}/")(scope, receive, send)
            return
        scope = {**scope, "path": f"/{inner}", "raw_path": f"/{inner}".encode()}
        await self._app(scope, receive, _add_security_headers(send))

    def _refusal_reason(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        first = scope["path"][1:].split("/", 1)[0]
        if not compare_digest(first.encode(), self._token.encode()):
            return "Open the address that `tatc view` has printed, with its token.\n"
        host = headers.get("host", "")
        if not self._is_known_host(host):
            return f"This server is not called {host}.\n"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return f"Requests from pages of {origin} are refused.\n"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_REQUEST_BYTES:
            return f"A request holds {MAX_REQUEST_BYTES} bytes at most.\n"
        return None

    def _is_known_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or _is_ip_address(name)


def _is_ip_address(name: str) -> bool:
    """Whether a host is a bare address: no foreign name can be made to be one."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _add_security_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
