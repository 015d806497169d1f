"""A session that a run is to hold, before anything is known of it."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from tatc.evaluation.rows import SessionRow

TrackProgress = Callable[[Collection[Path]], Iterable[Path]]
"""Goes through files, showing how far it is."""


@dataclass(frozen=True, slots=True)
class SessionJob:
    """A session to run: in a recorded game (its `path`), or in a room.

    `room` is the room as `load_room` finds it: its name, which is then its `place` too,
    or its file.  Where `path` is that of an instance, `game_path` and `game_id` are the file
    and the id of the game that it was cut from.
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

    def initial_row(self) -> SessionRow:
        """Return the row of this session before anything is known of it."""
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
