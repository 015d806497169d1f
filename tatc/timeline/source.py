"""What a timeline is made from: a saved record or a recorded game, opened again."""

from dataclasses import dataclass
from pathlib import Path

from tatc.errors import BadInput, GameFormatError
from tatc.language import Wording
from tatc.opening import Opening, open_game
from tatc.records import Decision, End, Interaction, Record, read_session
from tatc.runner import BOXES, Setup
from tatc.tdl import Library, Task, shipped_library


@dataclass(frozen=True, slots=True)
class Source:
    """A session that is over: where it began, what was done, and how it ended.

    `setup` names the agents and the noise of a record; `end` is None where people
    played, who have no agents either.
    """

    opening: Opening
    setup: Setup
    interactions: tuple[Interaction, ...]
    decisions: tuple[Decision, ...]
    end: End | None

    @property
    def by_people(self) -> bool:
        """Whether people played, and not agents."""
        return self.end is None


def read_source(
    path: Path | str, library: Library | None = None, *, floor_map: str = BOXES
) -> Source:
    """Read a record of tatc's, or a recorded TEACh game.

    Args:
        path: the file, plain or gzipped.
        library: the task definitions; those that ship if None.
        floor_map: `BOXES`, or the map file that the session was run with.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: it is neither, a field is missing or impossible, or its task
            is not known.

    """
    path, library = Path(path), library or shipped_library()
    found = read_session(path)
    if isinstance(found, Record):
        task = _task_of(found, library, where=str(path))
        return source_of(found, task, floor_map=floor_map)
    opening = open_game(path, library, None, (), 1)
    return Source(opening, Setup(floor_map), found.interactions, (), None)


def source_of(record: Record, task: Task, *, floor_map: str = BOXES) -> Source:
    """Return the source that a record is, with its task compiled."""
    room = None if record.game_id else record.scene.place
    opening = Opening(task, record.scene, record.seed, room=room, game=record.game_id)
    return Source(
        opening,
        _setup_of(record, floor_map),
        record.interactions,
        record.decisions,
        record.end,
    )


def _setup_of(record: Record, floor_map: str) -> Setup:
    options = dict(record.options)
    noise = options.get("noise", 0.0)
    return Setup(
        floor_map,
        str(options.get("commander", "rule")),
        str(options.get("follower", "rule")),
        float(noise) if isinstance(noise, int | float) else 0.0,
        str(options.get("wording", Wording.ACTIONS)),
    )


def _task_of(record: Record, library: Library, *, where: str) -> Task:
    try:
        return library.compile(record.task_name, record.task_params)
    except BadInput as fault:
        fix = "--tasks DIR adds definitions"
        raise GameFormatError(str(fault), where=where, fix=fix) from fault
