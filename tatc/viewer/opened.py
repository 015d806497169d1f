"""Sessions that have been opened: their timelines and pictures, a few at a time."""

from functools import lru_cache
from threading import Lock

from tatc.actions import Role
from tatc.errors import BadInput
from tatc.sim.embedded.render import Renderer
from tatc.tdl import Library, shipped_library
from tatc.timeline import Timeline
from tatc.viewer.pictures import seen_by
from tatc.viewer.shelf import Entry
from tatc.viewer.story import story

_OPEN = 8  # sessions whose timelines are kept
_PICTURES = 400  # pictures kept of each, some 10 kB apiece


class Opened:
    """One session, done again: its page data, and its pictures on demand."""

    def __init__(self, entry: Entry, timeline: Timeline) -> None:
        """Keep the timeline of a session."""
        self.story = story(entry, timeline)
        self._moments = timeline.moments
        self._renderer = Renderer(timeline.opening.scene)
        self._drawn = lru_cache(maxsize=_PICTURES)(self._draw)
        self._lock = Lock()

    def picture(self, step: int, role: Role) -> bytes | None:
        """Return what an agent sees at a moment; None where there is no such moment."""
        if not 0 <= step < len(self._moments):
            return None
        with self._lock:
            return self._drawn(step, role)

    def _draw(self, step: int, role: Role) -> bytes:
        return seen_by(self._renderer, self._moments[step].snapshot, role)


class Opener:
    """Opens sessions; those looked at last stay open."""

    def __init__(self, library: Library | None = None) -> None:
        """Find tasks in a library; in that which ships if None."""
        self._library = library or shipped_library()
        self._read_once = lru_cache(maxsize=_OPEN)(self._read)
        self._lock = Lock()

    def open(self, entry: Entry) -> Opened:
        """Do a session again.

        Raises:
            BadInput: no record of it was kept, or the file cannot be read.
            GameFormatError: the file is damaged, or of a newer version.

        """
        with self._lock:
            return self._read_once(entry)

    def _read(self, entry: Entry) -> Opened:
        if entry.path is not None:
            return Opened(entry, Timeline.of(entry.path, self._library))
        if entry.again is not None:
            return Opened(entry, entry.again.run(self._library))
        raise BadInput(
            entry.error or "its record was not kept, and it cannot be run again here",
            fix="`tatc eval --save-records all` keeps the record of every session; "
            "or name the games as well",
        )
