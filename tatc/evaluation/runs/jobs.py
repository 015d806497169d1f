"""The sessions of a run, before they run."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.evaluation.runs.rows import SessionRow
from tatc.session.records import GameHeader

TrackProgress = Callable[[Collection[Path]], Iterable[Path]]
"""Yields the files that it is given, and shows how many are done."""


@dataclass(frozen=True, slots=True)
class SessionJob:
    """A session to run: from a recorded game (its `path`), or in a room.

    `room` is what `load_room` takes: the name of a shipped room, which is then `place` too, or a
    room file.  If `path` is that of an instance, `game_path` and `game_id` are the file and the
    id of the game that it was cut from, and `dialogue_path` is the instance whose words its
    Follower hears, None for its own.  `subgoal` is the index of the subgoal of a trajectory at
    which it starts and which it is to reach, None for a whole session.
    """

    key: str
    task: str
    place: str
    kind: str
    split: str = ""
    path: str | None = None
    seed: int = 1
    game_path: str | None = None
    game_id: str | None = None
    room: str = ""
    dialogue_path: str | None = None
    subgoal: int | None = None

    @staticmethod
    def from_header(key: str, head: GameHeader, path: Path, seed: int) -> "SessionJob":
        """Return a session of a game with this header, from the file at `path`."""
        kind = head.kind.value
        return SessionJob(key, head.task_name, head.place, kind, head.split, str(path), seed)

    def initial_row(self) -> SessionRow:
        """Return the row of this session as it is before the session starts."""
        return SessionRow(
            key=self.key,
            task=self.task,
            place=self.place,
            kind=self.kind,
            split=self.split,
            game=self.game_id or (self.key if self.path is not None else None),
            source=self.path or (self.room if self.room != self.place else None),
            seed=self.seed,
        )


def unreadable_row(path: Path, fault: BadInput) -> SessionRow:
    """Return the row of a file that is skipped."""
    return SessionRow(key=path.name, task="", skipped=fault.one_line)
