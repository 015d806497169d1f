"""What a game file is about, read from its beginning alone.

A game file names its session before it holds it, within some 60 kB of about 500;
reading no further makes choosing among thousands of games quick.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.records.game import (
    TATC_COMMENT_PREFIX,
    find_episode,
    read_episode_id,
    read_place,
    read_task_name_and_params,
)
from tatc.records.json_files import field_faults_in, load_json
from tatc.state import RoomKind

_HEADER_BYTES = 1 << 18
_INITIAL_STATE_KEY = '"initial_state"'
_CLOSING_JSON = '"initial_state": null}]}]}'


@dataclass(frozen=True, slots=True)
class GameHeader:
    """Which game a file holds; `split` is the name of its folder.

    `written_by_tatc` says whether tatc wrote the file, as its comment tells before all else.
    """

    game_id: str
    split: str
    task_name: str
    task_params: tuple[str, ...]
    place: str
    kind: RoomKind
    written_by_tatc: bool


def read_game_header(path: Path | str) -> GameHeader:
    """Read what a game file is about.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: the file is not a game, or a field is missing or impossible.

    """
    path = Path(path)
    document = _load_header(path)
    if document is None:
        document = load_json(path)
    with field_faults_in(path):
        episode = find_episode(document)
        # That tatc wrote it stands at a file's end; reading it whole sees to that.
        place, kind = read_place(episode, written_by_tatc=True)
        name, params = read_task_name_and_params(document["tasks"][0])
        split = path.absolute().parent.name
        ours = str(document.get("comments", "")).startswith(TATC_COMMENT_PREFIX)
        return GameHeader(read_episode_id(episode), split, name, params, place, kind, ours)


def _load_header(path: Path) -> Any:
    """Return a game file's JSON as if it ended before the first state, or None."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rb") as file:
            head = file.read(_HEADER_BYTES).decode("utf-8", "ignore")
        at = head.find(_INITIAL_STATE_KEY)
        return json.loads(head[:at] + _CLOSING_JSON) if at >= 0 else None
    except (OSError, EOFError, ValueError, RecursionError):
        return None


def place_names(names: Sequence[str]) -> frozenset[str]:
    """Return places by their names; a number is that of a floor plan."""
    return frozenset(f"FloorPlan{name}" if name.isdigit() else name for name in names)
