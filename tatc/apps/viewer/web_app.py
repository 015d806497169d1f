"""The web application: the addresses of pages, sessions, images and games.

Nothing in a request becomes a path: pages are looked up by name among those in the package,
sessions by id in the index.  The sessions that were used last stay open, with timelines and images.
"""

from functools import lru_cache
from importlib.resources import files
from mimetypes import guess_type
from threading import Lock

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tatc.apps.viewer import page_data
from tatc.apps.viewer.play.game_host import GameHost
from tatc.apps.viewer.play.game_routes import game_routes
from tatc.apps.viewer.session_index import SessionEntry, SessionIndex, session_list_json
from tatc.base import errors, plain_text
from tatc.home.actions import ROLES_BY_NAME, Role
from tatc.session.timeline import Timeline
from tatc.session.timeline.timeline import with_beliefs
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.tdl import TaskLibrary, shipped_library

_MAX_OPEN_SESSIONS = 8  # whose timelines are kept
_MAX_IMAGES_PER_SESSION = 400  # about 10 kB each


class CachedSession:
    """One replayed session: its page data, and its images when asked for."""

    def __init__(self, entry: SessionEntry, timeline: Timeline) -> None:
        """Make the page data of a session's timeline."""
        self.page_data = page_data.timeline_json(entry, timeline)
        self._moments = timeline.moments
        self._renderer = SnapshotRenderer(timeline.start.scene)
        self._cached_image = lru_cache(maxsize=_MAX_IMAGES_PER_SESSION)(self._draw_image)
        self._lock = Lock()

    def agent_image(self, step: int, role: Role) -> bytes | None:
        """Return what an agent sees at a step, as WebP; None if there is no such step."""
        if not 0 <= step < len(self._moments):
            return None
        with self._lock:
            return self._cached_image(step, role)

    def _draw_image(self, step: int, role: Role) -> bytes:
        return page_data.agent_view_image(self._renderer, self._moments[step].snapshot, role)


class SessionCache:
    """Opens sessions and keeps those used last."""

    def __init__(self, library: TaskLibrary | None = None) -> None:
        """Open sessions with the tasks of a library, or with the shipped tasks if None."""
        self._library = library or shipped_library()
        self._read_cached = lru_cache(maxsize=_MAX_OPEN_SESSIONS)(self._read)
        self._lock = Lock()

    def open(self, entry: SessionEntry) -> CachedSession:
        """Return a session, replayed or run again where it is not in the cache."""
        with self._lock:
            return self._read_cached(entry)

    def _read(self, entry: SessionEntry) -> CachedSession:
        if entry.path is not None:
            return CachedSession(entry, with_beliefs(Timeline.of(entry.path, self._library)))
        if entry.regeneration is not None:
            return CachedSession(entry, entry.regeneration.regenerate(self._library))
        raise errors.BadInput(
            entry.error or "the session's record was not kept, and it cannot be run again here",
            fix="run `tatc eval --save-records all`, or name the recorded games as well",
        )


def web_application(session_cache: SessionCache, game_host: GameHost) -> Starlette:
    """Return the application that shows the game host's sessions and hosts games."""
    routes = [*game_routes(game_host), *_session_routes(game_host.session_index, session_cache)]
    return Starlette(routes=routes, exception_handlers={errors.TatcError: _error_response})


def _session_routes(index: SessionIndex, session_cache: SessionCache) -> list[Route]:
    def sessions(request: Request) -> Response:
        return page_data.script_response("sessions", session_list_json(index.entries, live=True))

    def session(request: Request) -> Response:
        entry = index.get(request.path_params["name"])
        if entry is None:
            return _not_found()
        try:
            found = session_cache.open(entry).page_data
        except errors.TatcError as error:
            found = page_data.heading_json(entry) | {"error": str(error)}
        return page_data.script_response(f"session/{entry.id}", found)

    def picture(request: Request) -> Response:
        given = request.path_params
        entry, step = index.get(given["name"]), plain_text.whole_number(given["step"])
        if entry is None or given["role"] not in ROLES_BY_NAME or step is None:
            return _not_found()
        try:
            found = session_cache.open(entry).agent_image(step, ROLES_BY_NAME[given["role"]])
        except errors.TatcError:
            found = None
        return _not_found() if found is None else Response(found, headers=page_data.IMAGE_HEADERS)

    return [
        Route("/data/sessions.js", sessions),
        Route("/data/session/{name}.js", session),
        Route("/pictures/{name}/{step}-{role}.webp", picture),
        Route("/", _page_response),
        Route("/{page}", _page_response),
    ]


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
    return JSONResponse({"error": str(error)}, 400)


def _not_found() -> Response:
    return PlainTextResponse("There is no such page.\n", 404)
