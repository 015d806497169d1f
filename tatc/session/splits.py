"""Train, validation and test splits of shipped rooms, tasks and seeds, from `splits.json`.

A split's name stands for the same rooms, tasks and seeds for ever: other ones get other names.
Seen splits have the rooms of `train` with other seeds, unseen ones rooms that no other split has,
and `test_tasks` also tasks that no other split has.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from tatc.base.errors import BadInput, UnknownName
from tatc.session.start import SessionStart, start_from_room
from tatc.sim.rooms import load_room
from tatc.tdl import shipped_library

_MAX_DRAWS = 100


@dataclass(frozen=True, slots=True)
class Split:
    """Rooms, tasks and seeds under a name.

    `first_room` and `last_room` are numbers of rooms of each kind, `kinds_by_task` the kinds of
    room in which a task is drawn.
    """

    name: str
    first_room: int
    last_room: int
    first_seed: int
    last_seed: int
    kinds_by_task: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in name order."""
        return tuple(task for task, _ in self.kinds_by_task)

    def draw(self, number: int) -> SessionStart:
        """Return the start of this number, 0 or more: a task, a room and a seed of the split.

        Equal numbers give equal starts.  A room that cannot hold the task with the seed is drawn
        anew.
        """
        rng = Random(f"{self.name} {number}")
        for _ in range(_MAX_DRAWS):
            task, kinds = rng.choice(self.kinds_by_task)
            room = f"{rng.choice(kinds)}-{rng.randint(self.first_room, self.last_room):02}"
            seed = rng.randint(self.first_seed, self.last_seed)
            library = shipped_library()
            try:
                return start_from_room(load_room(room), library, library.find(task), (), seed)
            except BadInput:
                continue
        raise BadInput(f"no start was found in {_MAX_DRAWS} draws", where=f"split {self.name}")


@cache
def load_split(name: str) -> Split:
    """Return the split of this name."""
    table = _table()
    if name not in table["splits"]:
        raise UnknownName("split", name, table["splits"], fix=f"name {', '.join(table['splits'])}")
    raw = table["splits"][name]
    kinds = sorted((task, tuple(kinds)) for task, kinds in table[raw["tasks"]].items())
    (first_room, last_room), (first_seed, last_seed) = raw["rooms"], raw["seeds"]
    return Split(name, first_room, last_room, first_seed, last_seed, tuple(kinds))


def split_names() -> tuple[str, ...]:
    """Return the names of the splits."""
    return tuple(_table()["splits"])


@cache
def _table() -> Mapping[str, Any]:
    return json.loads(files("tatc.session").joinpath("splits.json").read_text("utf-8"))
