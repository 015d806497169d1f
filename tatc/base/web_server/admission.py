"""How a request shows that it may use a server: a token in its address or in a header."""

from collections.abc import Mapping
from secrets import compare_digest, token_urlsafe
from typing import Protocol

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

CLIENT_KEY = "tatc.client"
"""The key of a request's scope that names the client whose token it carries."""

OPERATOR_KEY = "tatc.operator"
"""The key of a request's scope that says that it carries the token of whoever runs the server."""


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
    """The token is the first part of every address.

    A page's links carry it, and nothing else has to be sent or stored.
    """

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
    """The token is in the header `Authorization`, as programs send it (RFC 6750).

    Each client has its own; the request's scope then names the client under `CLIENT_KEY`.
    """

    def __init__(self, names_by_token: Mapping[str, str], path: str) -> None:
        """Let in the clients whose names are given by their tokens."""
        self._names_by_token = {token.encode(): name for token, name in names_by_token.items()}
        self.path = path

    def admit(self, scope: Scope) -> Scope | Response:
        """Return the request with its client's name, or the answer that refuses it."""
        kind, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        name = self._client_with(given.strip().encode()) if kind.lower() == "bearer" else None
        if name is None:
            why = "Send the header `Authorization: Bearer TOKEN` with the token of this server.\n"
            return PlainTextResponse(why, 401, {"www-authenticate": "Bearer"})
        return {**scope, CLIENT_KEY: name}

    def _client_with(self, given: bytes) -> str | None:
        """Return whose token it is, after as long for one that nobody has."""
        found = None
        for token, name in self._names_by_token.items():
            if compare_digest(token, given):
                found = name
        return found


class WithOperator:
    """Lets in those whom another admission lets in, and an operator below a path of their own."""

    def __init__(self, clients: Admission, token: str, operator_path: str) -> None:
        """Let in whoever sends the operator's token, as `BearerTokens` has it, to that path."""
        self._clients, self._operator_path = clients, operator_path
        self._operator = BearerTokens({token: "operator"}, operator_path)
        self.path = clients.path

    def admit(self, scope: Scope) -> Scope | Response:
        """Return the request, marked if it is an operator's, or the answer that refuses it."""
        if scope["type"] != "http" or not scope["path"].startswith(self._operator_path):
            return self._clients.admit(scope)
        admitted = self._operator.admit(scope)
        return admitted if isinstance(admitted, Response) else {**admitted, OPERATOR_KEY: True}
