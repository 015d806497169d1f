"""The application: which address gives which page, session, picture or game.

Nothing in a request ever becomes a path: pages are looked up by name among those that
came with the package, sessions by id among those on the shelf.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from mimetypes import guess_type
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tatc.actions import Role
from tatc.errors import TatcError
from tatc.viewer import pictures, scripts
from tatc.viewer.listing import listing
from tatc.viewer.opened import Opener
from tatc.viewer.play.routes import play_routes
from tatc.viewer.play.tables import Tables
from tatc.viewer.shelf import Shelf
from tatc.viewer.story import heading

ROLES = {"follower": Role.FOLLOWER, "commander": Role.COMMANDER}
"""The agents whose views there are pictures of."""

_KEEP = {"cache-control": "private, max-age=3600"}


@dataclass(frozen=True, slots=True)
class Looking:
    """What is looked at: the shelf, and the sessions that were opened."""

    shelf: Shelf
    opener: Opener

    def story(self, name: str) -> dict[str, Any] | None:
        """Return a session as JSON, or what is wrong with it; None: no such session."""
        entry = self.shelf.get(name)
        if entry is None:
            return None
        try:
            return self.opener.open(entry).story
        except TatcError as error:
            return heading(entry) | {"error": str(error)}

    def picture(self, name: str, step: int, role: Role) -> bytes | None:
        """Return what an agent sees at a moment; None where there is nothing to see."""
        entry = self.shelf.get(name)
        try:
            return entry and self.opener.open(entry).picture(step, role)
        except TatcError:
            return None


def looking_routes(looking: Looking) -> list[Route]:
    """Return the addresses of the pages, the list, the sessions and their pictures."""

    def sessions(request: Request) -> Response:
        found = listing(looking.shelf.entries, live=True)
        return _script("sessions", found)

    def session(request: Request) -> Response:
        name = request.path_params["name"]
        found = looking.story(name)
        return _missing() if found is None else _script(f"session/{name}", found)

    def picture(request: Request) -> Response:
        given = request.path_params
        role = ROLES.get(given["role"])
        if role is None:
            return _missing()
        found = looking.picture(given["name"], given["step"], role)
        if found is None:
            return _missing()
        return Response(found, media_type=pictures.KIND, headers=_KEEP)

    return [
        Route("/data/sessions.js", sessions),
        Route("/data/session/{name}.js", session),
        Route("/pictures/{name}/{step:int}-{role}.webp", picture),
        Route("/", _page),
        Route("/{page}", _page),
    ]


def application(looking: Looking, tables: Tables) -> Starlette:
    """Return the application that shows sessions and lets people play."""
    return Starlette(routes=[*play_routes(tables), *looking_routes(looking)])


def _page(request: Request) -> Response:
    name = request.path_params.get("page", "index.html")
    content = pages().get(name)
    if content is None:
        return _missing()
    kind, _ = guess_type(name)
    return Response(content, media_type=kind)


@lru_cache(maxsize=1)
def pages() -> dict[str, bytes]:
    """Return the files of the pages by name."""
    folder = files("tatc.viewer") / "pages"
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def _script(name: str, value: Any) -> Response:
    return Response(scripts.script(name, value), media_type=scripts.KIND)


def _missing() -> Response:
    return PlainTextResponse("There is nothing here.\n", 404)
