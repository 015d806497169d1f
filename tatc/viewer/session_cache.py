"""Sessions that have been opened: their timelines and pictures, a few at a time."""

from functools import lru_cache
from threading import Lock

from tatc.actions import Role
from tatc.errors import BadInput
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.tdl import TaskLibrary, shipped_library
from tatc.timeline import Timeline
from tatc.viewer.session_index import SessionEntry
from tatc.viewer.timeline_json import timeline_json
from tatc.viewer.view_images import agent_view_image

_MAX_OPEN_SESSIONS = 8  # sessions whose timelines are kept
_MAX_IMAGES_PER_SESSION = 400  # pictures kept of each, some 10 kB apiece


class CachedSession:
    """One session, done again: its page data, and its pictures on demand."""

    def __init__(self, entry: SessionEntry, timeline: Timeline) -> None:
        """Keep the timeline of a session."""
        self.page_data = timeline_json(entry, timeline)
        self._moments = timeline.moments
        self._renderer = SnapshotRenderer(timeline.opening.scene)
        self._cached_image = lru_cache(maxsize=_MAX_IMAGES_PER_SESSION)(self._draw_image)
        self._lock = Lock()

    def agent_image(self, step: int, role: Role) -> bytes | None:
        """Return what an agent sees at a moment; None where there is no such moment."""
        if not 0 <= step < len(self._moments):
            return None
        with self._lock:
            return self._cached_image(step, role)

    def _draw_image(self, step: int, role: Role) -> bytes:
        return agent_view_image(self._renderer, self._moments[step].snapshot, role)


class SessionCache:
    """Opens sessions; those looked at last stay open."""

    def __init__(self, library: TaskLibrary | None = None) -> None:
        """Find tasks in a library; in that which ships if None."""
        self._library = library or shipped_library()
        self._read_cached = lru_cache(maxsize=_MAX_OPEN_SESSIONS)(self._read)
        self._lock = Lock()

    def open(self, entry: SessionEntry) -> CachedSession:
        """Do a session again.

        Raises:
            BadInput: no record of it was kept, or the file cannot be read.
            GameFormatError: the file is damaged, or of a newer version.

        """
        with self._lock:
            return self._read_cached(entry)

    def _read(self, entry: SessionEntry) -> CachedSession:
        if entry.path is not None:
            return CachedSession(entry, Timeline.of(entry.path, self._library))
        if entry.regeneration is not None:
            return CachedSession(entry, entry.regeneration.regenerate(self._library))
        raise BadInput(
            entry.error or "its record was not kept, and it cannot be run again here",
            fix="`tatc eval --save-records all` keeps the record of every session; "
            "or name the games as well",
        )
