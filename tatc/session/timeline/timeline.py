"""A session as a whole: its start and all its moments."""

from dataclasses import dataclass
from pathlib import Path

from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import Record, SessionEnd
from tatc.session.start import SessionStart
from tatc.session.timeline.finished_session import (
    FinishedSession,
    finished_session_of,
    read_finished_session,
)
from tatc.session.timeline.moment import Moment
from tatc.session.timeline.moment_replay import replay_moments
from tatc.session.worlds import MAP_FROM_BOXES, load_map_for
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Task, TaskLibrary, shipped_library


@dataclass(frozen=True, slots=True)
class Timeline:
    """The moments of a session, the start first.

    `end` is None for a game that people played, and while a session goes on.
    """

    opening: SessionStart
    setup: SessionSetup
    moments: tuple[Moment, ...]
    end: SessionEnd | None = None

    @property
    def task(self) -> Task:
        """The task of the session."""
        return self.opening.task

    @property
    def divergences(self) -> tuple[Moment, ...]:
        """The moments at which the world answered differently from the record."""
        return tuple(moment for moment in self.moments if moment.divergence)

    @staticmethod
    def of(
        session: Path | str | Record | FinishedSession,
        library: TaskLibrary | None = None,
        *,
        floor_map: str = MAP_FROM_BOXES,
    ) -> "Timeline":
        """Return the replay of a saved record or a recorded game.

        Args:
            session: a file of either kind, a record, or a finished session.
            library: the task definitions; the shipped ones if None.
            floor_map: `MAP_FROM_BOXES`, or the map file with which the session was run.
        """
        if isinstance(session, Record):
            tasks = library or shipped_library()
            task = tasks.compile(session.task_name, session.task_params)
            session = finished_session_of(session, task, floor_map=floor_map)
        elif not isinstance(session, FinishedSession):
            session = read_finished_session(session, library, floor_map=floor_map)
        recorded_map = load_map_for(session.setup.floor_map, session.opening.game_id)
        simulator = EmbeddedSimulator(recorded_map)
        moments = tuple(replay_moments(session, simulator))
        return Timeline(session.opening, session.setup, moments, session.end)
