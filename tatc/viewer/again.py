"""A session of a run whose record was not kept, run once more.

The same start, agents and seed give the same session, so that a run may keep its
failures alone and any of its sessions can still be looked at.  Only what the user named
is opened: a session in a recorded game needs that game on the shelf.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.evaluation.rows import Row
from tatc.fields import FieldFault, mapping
from tatc.opening import open_game, open_room
from tatc.runner import Setup
from tatc.sim.rooms import room_names
from tatc.tdl import Library
from tatc.timeline import Live, Timeline

_NAMES = ("floor_map", "commander", "follower", "noise", "wording")
_LONGEST = 10_000  # interactions; the session's own limits end it long before


@dataclass(frozen=True, slots=True)
class Again:
    """What is needed to run a session once more; `path` is that of its game, if any."""

    setup: Setup
    task: str
    params: tuple[str, ...]
    room: str | None
    path: Path | None
    seed: int

    def run(self, library: Library) -> Timeline:
        """Run the session.

        Raises:
            BadInput: its game, task or agents are no longer there.

        """
        if self.path is not None:
            opening = open_game(self.path, library, None, (), self.seed)
        else:
            opening = open_room(self.room, library, self.task, self.params, self.seed)
        live = Live(opening, self.setup)
        live.run_to(_LONGEST)
        return live.timeline


def again(
    row: Row, options: Mapping[str, Any], games: Mapping[str, Path]
) -> Again | None:
    """Return how a run's session is run again, None where that cannot be.

    `options` are those of the run, `games` the files of the games on the shelf by id.
    Definitions and policies of the user's own are not loaded again.
    """
    own = options.get("definitions") or options.get("policies")
    if own or row.skipped or row.crashed:
        return None
    try:
        setup = _setup(options.get("setup"))
    except FieldFault:
        return None
    path = games.get(row.game) if row.game is not None else None
    room = row.place if row.game is None and row.place in room_names() else None
    if setup is None or (path is None and room is None):
        return None
    return Again(setup, row.task, row.params, room, path, row.seed)


def _setup(raw: Any) -> Setup | None:
    """Return the agents of a run in the embedded world, None for another world's."""
    known = mapping(raw, "setup")
    if known.get("sim", "embedded") != "embedded":
        return None
    return Setup(**{name: known[name] for name in _NAMES if name in known})
