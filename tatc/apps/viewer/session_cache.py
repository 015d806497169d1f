"""Opened sessions: their timelines and images, for the few that were used last."""

from functools import lru_cache
from threading import Lock

from tatc.apps.viewer.session_index import SessionEntry
from tatc.apps.viewer.timeline_json import timeline_json
from tatc.apps.viewer.view_images import agent_view_image
from tatc.base.errors import BadInput
from tatc.home.actions import Role
from tatc.session.timeline import Timeline
from tatc.session.timeline.belief_replay import with_beliefs
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.tdl import TaskLibrary, shipped_library

_MAX_OPEN_SESSIONS = 8  # whose timelines are kept
_MAX_IMAGES_PER_SESSION = 400  # about 10 kB each


class CachedSession:
    """One replayed session: its page data, and its images when asked for."""

    def __init__(self, entry: SessionEntry, timeline: Timeline) -> None:
        """Make the page data of a session's timeline."""
        self.page_data = timeline_json(entry, timeline)
        self._moments = timeline.moments
        self._renderer = SnapshotRenderer(timeline.opening.scene)
        self._cached_image = lru_cache(maxsize=_MAX_IMAGES_PER_SESSION)(self._draw_image)
        self._lock = Lock()

    def agent_image(self, step: int, role: Role) -> bytes | None:
        """Return what an agent sees at a step, as WebP; None if there is no such step."""
        if not 0 <= step < len(self._moments):
            return None
        with self._lock:
            return self._cached_image(step, role)

    def _draw_image(self, step: int, role: Role) -> bytes:
        return agent_view_image(self._renderer, self._moments[step].snapshot, role)


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
        raise BadInput(
            entry.error or "the session's record was not kept, and it cannot be run again here",
            fix="run `tatc eval --save-records all`, or name the recorded games as well",
        )
