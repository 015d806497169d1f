"""The web application: the addresses of pages, sessions, images and games.

Nothing in a request becomes a path: pages are looked up by name among those in the
package, sessions by id in the index.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from mimetypes import guess_type
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tatc.apps.viewer.data_scripts import script_response
from tatc.apps.viewer.play.game_host import GameHost
from tatc.apps.viewer.play.game_routes import game_routes
from tatc.apps.viewer.session_cache import SessionCache
from tatc.apps.viewer.session_index import SessionIndex, session_list_json
from tatc.apps.viewer.timeline_json import heading_json
from tatc.apps.viewer.view_images import IMAGE_HEADERS
from tatc.base.errors import TatcError
from tatc.base.plain_text import whole_number
from tatc.home.actions import ROLES_BY_NAME, Role


@dataclass(frozen=True, slots=True)
class SessionViewer:
    """The sessions to show, and the cache that opens them."""

    session_index: SessionIndex
    session_cache: SessionCache

    def page_data(self, name: str) -> dict[str, Any] | None:
        """Return a session as JSON, or the error of its file; None if there is no such id."""
        entry = self.session_index.get(name)
        if entry is None:
            return None
        try:
            return self.session_cache.open(entry).page_data
        except TatcError as error:
            return heading_json(entry) | {"error": str(error)}

    def agent_image(self, name: str, step: int, role: Role) -> bytes | None:
        """Return what an agent sees at a step, as WebP; None if there is no such image."""
        entry = self.session_index.get(name)
        try:
            return entry and self.session_cache.open(entry).agent_image(step, role)
        except TatcError:
            return None


def session_routes(viewer: SessionViewer) -> list[Route]:
    """Return the routes of the pages, the list, the sessions and their images."""

    def sessions(request: Request) -> Response:
        found = session_list_json(viewer.session_index.entries, live=True)
        return script_response("sessions", found)

    def session(request: Request) -> Response:
        name = request.path_params["name"]
        found = viewer.page_data(name)
        return _not_found() if found is None else script_response(f"session/{name}", found)

    def picture(request: Request) -> Response:
        given = request.path_params
        role, step = ROLES_BY_NAME.get(given["role"]), whole_number(given["step"])
        if role is None or step is None:
            return _not_found()
        found = viewer.agent_image(given["name"], step, role)
        if found is None:
            return _not_found()
        return Response(found, headers=IMAGE_HEADERS)

    return [
        Route("/data/sessions.js", sessions),
        Route("/data/session/{name}.js", session),
        Route("/pictures/{name}/{step}-{role}.webp", picture),
        Route("/", _page_response),
        Route("/{page}", _page_response),
    ]


def web_application(viewer: SessionViewer, game_host: GameHost) -> Starlette:
    """Return the application that shows sessions and hosts games."""
    routes = [*game_routes(game_host), *session_routes(viewer)]
    return Starlette(routes=routes, exception_handlers={TatcError: _error_response})


def _page_response(request: Request) -> Response:
    name = request.path_params.get("page", "index.html")
    content = page_files().get(name)
    if content is None:
        return _not_found()
    kind, _ = guess_type(name)
    return Response(content, media_type=kind)


@lru_cache(maxsize=1)
def page_files() -> dict[str, bytes]:
    """Return the content of the page files by name."""
    folder = files("tatc.apps.viewer") / "pages"
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def _error_response(request: Request, error: Exception) -> Response:
    """Return what is wrong with a request."""
    return JSONResponse({"error": str(error)}, 400)


def _not_found() -> Response:
    return PlainTextResponse("There is no such page.\n", 404)
