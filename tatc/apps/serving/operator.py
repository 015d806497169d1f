"""What whoever runs a server may do with its sessions: save, restore, fork and compare states.

It is a service of its own, behind a token of its own, so that no model that plays can look ahead
and go back.  States stay in the server; their handles cannot be guessed.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, cast

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tatc.apps.serving.session_table import LiveSessions, SessionTable
from tatc.base import errors, web_server
from tatc.base.files import OPERATOR_REQUEST, parse_json

OPERATOR_PATH = "/operator/"
"""Where an operator's requests go; the name of what is to be done follows."""


def with_operator(
    app: ASGIApp, sessions: SessionTable | LiveSessions, fork: Callable[[str], str] | None = None
) -> ASGIApp:
    """Return an application that hands an operator's requests to the sessions, others to `app`.

    `fork` starts a session from a state, and returns its handle; None where clients start theirs.
    """
    works = _works(sessions)
    lock = sessions.lock if isinstance(sessions, LiveSessions) else nullcontext()
    if fork is not None:
        works["fork"] = lambda given: {"session": fork(_handle(given, "state"))}
    routes = [
        Route(f"{OPERATOR_PATH}{name}", partial(_answer, work, lock), methods=["POST"])
        for name, work in works.items()
    ]
    service = Starlette(routes=routes)

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        await (service if scope.get(web_server.OPERATOR_KEY) else app)(scope, receive, send)

    return dispatch


_Work = Callable[[Mapping[str, object]], dict[str, Any]]


def _works(sessions: SessionTable | LiveSessions) -> dict[str, _Work]:
    def restore(given: Mapping[str, object]) -> dict[str, Any]:
        sessions.restore(_handle(given, "session"), _handle(given, "state"))
        return {}

    def drop(given: Mapping[str, object]) -> dict[str, Any]:
        sessions.drop(_handle(given, "state"))
        return {}

    return {
        "sessions": lambda given: {"sessions": sessions.list_sessions()},
        "save": lambda given: {"state": sessions.save(_handle(given, "session"))},
        "restore": restore,
        "drop": drop,
        "hash": lambda given: {"hash": sessions.state_hash(_handle(given, "session"))},
    }


async def _answer(work: _Work, lock: AbstractContextManager[object], request: Request) -> Response:
    def do(given: Mapping[str, object]) -> dict[str, Any]:
        with lock:
            return work(given)

    try:
        given = parse_json(await request.body() or b"{}", "the request", OPERATOR_REQUEST)
        if not isinstance(given, dict):
            raise errors.BadInput("the request is no JSON object", fix='send {"session": "..."}')
        return JSONResponse(await to_thread.run_sync(do, cast(dict[str, object], given)))
    except ClientDisconnect:  # nobody reads the answer
        return Response(status_code=400)
    except errors.TatcError as fault:
        return JSONResponse({"error": fault.one_line}, 400)


def _handle(given: Mapping[str, object], name: str) -> str:
    found = given.get(name)
    if not isinstance(found, str):
        raise errors.BadInput(f"{name} is missing or no text", fix=f"name a {name} by its handle")
    return found
