"""A whole session as moments."""

from dataclasses import dataclass
from pathlib import Path

from tatc.opening import Opening
from tatc.records import End, Record
from tatc.runner import BOXES, Setup, map_of
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import Library, Task, shipped_library
from tatc.timeline.moment import Moment
from tatc.timeline.replaying import moments_of
from tatc.timeline.source import Source, read_source, source_of


@dataclass(frozen=True, slots=True)
class Timeline:
    """The moments of a session, the start first.

    `end` is None where people played, and while a session goes on.
    """

    opening: Opening
    setup: Setup
    moments: tuple[Moment, ...]
    end: End | None = None

    @property
    def task(self) -> Task:
        """What was to be done."""
        return self.opening.task

    @property
    def departures(self) -> tuple[Moment, ...]:
        """The moments at which the world answered otherwise than recorded."""
        return tuple(moment for moment in self.moments if moment.departs)

    @staticmethod
    def of(
        session: Path | str | Record | Source,
        library: Library | None = None,
        *,
        floor_map: str = BOXES,
    ) -> "Timeline":
        """Do a saved record or a recorded game again, moment by moment.

        Args:
            session: a file of either kind, a record, or what `read_source` returned.
            library: the task definitions; those that ship if None.
            floor_map: `BOXES`, or the map file that the session was run with.

        Raises:
            BadInput: there is no such file, or it cannot be read.
            GameFormatError: it is neither, a field is missing or impossible, or its
                task is not known.

        """
        if isinstance(session, Record):
            tasks = library or shipped_library()
            task = tasks.compile(session.task_name, session.task_params)
            session = source_of(session, task, floor_map=floor_map)
        elif not isinstance(session, Source):
            session = read_source(session, library, floor_map=floor_map)
        home = EmbeddedSimulator(map_of(session.opening, session.setup))
        moments = tuple(moments_of(session, home))
        return Timeline(session.opening, session.setup, moments, session.end)
