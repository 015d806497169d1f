"""What a game file is about, read from its beginning alone.

A game file names its session before it holds it, within some 60 kB of about 500;
reading no further makes choosing among thousands of games quick.
"""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.records.files import blamed_on, load_json
from tatc.records.game import (
    WRITTEN,
    open_episode,
    read_id,
    read_place,
    read_task,
)
from tatc.state import RoomKind

_ENOUGH = 1 << 18
_STATE = '"initial_state"'
_ENDS = '"initial_state": null}]}]}'


@dataclass(frozen=True, slots=True)
class Heading:
    """Which game a file holds; `split` is the name of its folder.

    `ours` says whether tatc wrote the file, as its comment tells before all else.
    """

    game_id: str
    split: str
    task_name: str
    task_params: tuple[str, ...]
    place: str
    kind: RoomKind
    ours: bool


def read_heading(path: Path | str) -> Heading:
    """Read what a game file is about.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: the file is not a game, or a field is missing or impossible.

    """
    path = Path(path)
    document = _beginning(path)
    if document is None:
        document = load_json(path)
    with blamed_on(path):
        episode = open_episode(document)
        # That tatc wrote it stands at a file's end; reading it whole sees to that.
        place, kind = read_place(episode, own=True)
        name, params = read_task(document["tasks"][0])
        split = path.absolute().parent.name
        ours = str(document.get("comments", "")).startswith(WRITTEN)
        return Heading(read_id(episode), split, name, params, place, kind, ours)


def _beginning(path: Path) -> Any:
    """Return a game file's JSON as if it ended before the first state, or None."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rb") as file:
            head = file.read(_ENOUGH).decode("utf-8", "ignore")
        at = head.find(_STATE)
        return json.loads(head[:at] + _ENDS) if at >= 0 else None
    except (OSError, EOFError, ValueError, RecursionError):
        return None
