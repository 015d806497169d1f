"""Reads the header of a game file: its session's id, task and place, without the session.

A file has these in its first 60 kB or so, of about 500.  Reading no further makes it quick
to choose among thousands of games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput, GameFormatError
from tatc.base.files import GAME, parse_json, read_head, read_json
from tatc.home.state import RoomKind
from tatc.session.records import file_search, game, trajectory

_HEADER_BYTES = 1 << 18
_CLOSING_JSON = b'"initial_state": null}]}]}'


@dataclass(frozen=True, slots=True)
class GameHeader:
    """The header of a game file; `split` is its folder's name, `written_by_tatc` its comment's."""

    game_id: str
    split: str
    task_name: str
    task_params: tuple[str, ...]
    place: str
    kind: RoomKind
    written_by_tatc: bool


def read_game_header(path: Path | str) -> GameHeader:
    """Return the header of a game file, or of one of ALFRED's trajectories."""
    path = Path(path)
    if trajectory.is_trajectory_file(path):
        return _trajectory_header(path)
    document = _load_header(path) or read_json(path, GAME)
    with file_search.field_faults_in(path):
        episode = game.find_episode(document)
        # The key `tatc`, which allows other places, is at the file's end: not checked here.
        place, kind = game.read_place(episode, written_by_tatc=True)
        name, params = game.read_task_name_and_params(document["tasks"][0])
        split = path.absolute().parent.name
        ours = str(document.get("comments", "")).startswith(game.TATC_COMMENT_PREFIX)
        return GameHeader(game.read_episode_id(episode), split, name, params, place, kind, ours)


def _trajectory_header(path: Path) -> GameHeader:
    found = trajectory.read_trajectory(path)
    if found.task is None:
        why = "has no task, as none of ALFRED's test folds has"
        fix = "name trajectories of train or of a valid fold"
        raise GameFormatError(why, where=str(path), fix=fix)
    name, params = found.task.type.value, tuple(found.task.parameters.values())
    return GameHeader(found.key, found.fold, name, params, found.floor_plan, found.kind, False)


def _load_header(path: Path) -> Any:
    """Return a game file's JSON as if it ended before the first state; None if it cannot be cut."""
    head = read_head(path, GAME, _HEADER_BYTES)
    at = head.find(b'"initial_state"')
    try:
        return parse_json(head[:at] + _CLOSING_JSON, str(path), GAME) if at >= 0 else None
    except BadInput:  # which reading the whole file will find, and say where
        return None


def place_names(names: Sequence[str]) -> frozenset[str]:
    """Return the names of places; a number stands for the floor plan with that number."""
    return frozenset(f"FloorPlan{name}" if name.isdigit() else name for name in names)
