"""A session of a run whose record was not kept, run once more.

The same start, agents and seed give the same session, so that a run may keep its
failures alone and any of its sessions can still be looked at.  Only what the user named
is opened: a session in a recorded game needs that game on the shelf.
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
_MAX_INTERACTIONS = 10_000  # interactions; the session's own limits end it long before


@dataclass(frozen=True, slots=True)
class RegenerationRecipe:
    """What is needed to run a session once more; `game_path` is that of its game, if any."""

    setup: SessionSetup
    task: str
    params: tuple[str, ...]
    room: str | None
    game_path: Path | None
    seed: int

    def regenerate(self, library: TaskLibrary) -> Timeline:
        """Run the session.

        Raises:
            BadInput: its game, task or agents are no longer there.

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
    """Return how a run's session is run again, None where that cannot be.

    `options` are those of the run, `game_paths` the files of the games on the shelf by id.
    Definitions and policies of the user's own are not loaded again.
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
    """Return the agents of a run in the embedded world, None for another world's."""
    known = as_mapping(raw, "setup")
    if known.get("sim", "embedded") != "embedded":
        return None
    return SessionSetup(**{name: known[name] for name in _SETUP_FIELDS if name in known})
