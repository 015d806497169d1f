"""Runs a session of a run again when its record was not kept.

The same start, agents and seed give the same session.  So a run may keep the records of
its failures only, and the viewer can still show any of its sessions.  It opens nothing
but what the user named: a session in a recorded game needs that game in the index.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.evaluation.rows import SessionRow
from tatc.json_fields import FieldError, as_mapping
from tatc.rooms import room_names
from tatc.session.runner import SessionSetup
from tatc.session.start import start_from_game, start_from_room_name
from tatc.tdl import TaskLibrary
from tatc.timeline import LiveSession, Timeline

_SETUP_FIELDS = ("floor_map", "commander", "follower", "noise", "wording")
_MAX_INTERACTIONS = 10_000  # a session's own limits end it long before


@dataclass(frozen=True, slots=True)
class RegenerationRecipe:
    """What running a session again takes; `game_path` is its recorded game's file, if any."""

    setup: SessionSetup
    task: str
    params: tuple[str, ...]
    room: str | None
    game_path: Path | None
    seed: int

    def regenerate(self, library: TaskLibrary) -> Timeline:
        """Run the session to its end.

        Raises:
            BadInput: its game, task or agents no longer exist.

        """
        if self.game_path is not None:
            opening = start_from_game(self.game_path, library, None, (), self.seed)
        else:
            opening = start_from_room_name(self.room, library, self.task, self.params, self.seed)
        live = LiveSession(opening, self.setup)
        live.run_to(_MAX_INTERACTIONS)
        return live.timeline


def regeneration_recipe(
    row: SessionRow, options: Mapping[str, Any], game_paths: Mapping[str, Path]
) -> RegenerationRecipe | None:
    """Return how to run a session of a run again, None if that is not possible.

    `options` are those of the run; `game_paths` are the files of the indexed games, by id.
    A run with the user's own definitions or policies is not run again: they are not loaded.
    """
    own = options.get("definitions") or options.get("policies")
    if own or row.skipped or row.crashed:
        return None
    try:
        setup = _setup_from_options(options.get("setup"))
    except FieldError:
        return None
    path = game_paths.get(row.game) if row.game is not None else None
    room = row.place if row.game is None and row.place in room_names() else None
    if setup is None or (path is None and room is None):
        return None
    return RegenerationRecipe(setup, row.task, row.params, room, path, row.seed)


def _setup_from_options(raw: Any) -> SessionSetup | None:
    """Return the agents of a run in the embedded world, None for one in another world."""
    known = as_mapping(raw, "setup")
    if known.get("sim", "embedded") != "embedded":
        return None
    return SessionSetup(**{name: known[name] for name in _SETUP_FIELDS if name in known})
