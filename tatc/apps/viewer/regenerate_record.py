"""Runs a session of a run again when its record was not kept.

The same start, agents and seed give the same session.  So a run may keep the records of
its failures only, and the viewer can still show any of its sessions.  It opens and
imports nothing but what the user named: a session in a recorded game needs that game in
the index, and the run's own agents and map have to be among the `UserChoices`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.base.json_fields import FieldError, as_mapping, as_number, get_text, short_repr
from tatc.evaluation.runs import rows, run_identity
from tatc.evaluation.runs.eval_options import TATC
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session import timeline, worlds
from tatc.session.agents import session_setup, settings
from tatc.session.agents.agents import AgentsFromFile
from tatc.session.start import start_from_game, start_from_room_name
from tatc.sim.rooms import shipped_names
from tatc.tdl import TaskLibrary

_MAX_INTERACTIONS = 10_000  # a session's own limits end it long before


@dataclass(frozen=True, slots=True)
class UserChoices:
    """What the user named for sessions to run again with: agents, and the floor map."""

    agents: tuple[str, ...] = ()
    floor_map: str = worlds.SHIPPED_MAP


NOTHING_CHOSEN = UserChoices()
"""The user named no agents and no map: sessions of tatc's own agents run again."""


@dataclass(frozen=True, slots=True)
class RegenerationRecipe:
    """What running a session again takes; `fault` says why it cannot be, "" if it can."""

    setup: session_setup.SessionSetup
    task: str
    params: tuple[str, ...]
    room: str | None
    game_path: Path | None
    seed: int
    fault: str = ""

    def regenerate(self, library: TaskLibrary) -> timeline.Timeline:
        """Run the session to its end."""
        if self.fault:
            raise BadInput(self.fault, fix="name that map with --map")
        if self.game_path is not None:
            start = start_from_game(self.game_path, library, None, (), self.seed)
        else:
            start = start_from_room_name(self.room, library, self.task, self.params, self.seed)
        live = timeline.LiveSession(start, self.setup)
        live.run_to(_MAX_INTERACTIONS)
        return live.timeline


def regeneration_recipe(
    row: rows.SessionRow,
    run: Path,
    identity: Mapping[str, Any],
    game_paths: Mapping[str, Path],
    choices: UserChoices,
) -> RegenerationRecipe | None:
    """Return how to run a session of a run again, None if that is not possible.

    A run with the user's own definitions or policies is not run again: they are not loaded.  Nor is
    a run of parts of sessions (instances, cascades, subgoals), or one whose Follower knew named
    goals or heard annotators' words: whole sessions without these would be others.
    """
    options: Mapping[str, Any] | None = identity.get("options")
    if options is None:  # of a run whose `run.json` cannot be read
        return None
    own = options.get("definitions") or options.get("policies")
    parts = options.get("kind", TATC) != TATC or any(map(options.get, ("cascaded", "subgoals")))
    if own or parts or row.skipped or row.crashed:
        return None
    try:
        setup = _setup_from_options(as_mapping(options.get("setup"), "setup"), run, choices)
    except FieldError:
        return None
    path = game_paths.get(row.game) if row.game is not None else None
    room = row.place if row.game is None and row.place in shipped_names() else None
    if setup is None or (path is None and room is None):
        return None
    fault, floor_map = "", worlds.map_of_record(choices.floor_map, identity.get("map", ""))
    setup = replace(setup, floor_map=floor_map)
    if identity.get("map_hash", "") != worlds.name_and_hash_of_named(floor_map)[1]:
        name = f"{identity.get('map')} {identity.get('map_hash')}".rstrip()
        fault = f"{run / run_identity.RUN_FILE}: the session was run with the map {name}"
    return RegenerationRecipe(setup, row.task, row.params, room, path, row.seed, fault)


def _setup_from_options(
    known: Mapping[str, Any], run: Path, choices: UserChoices
) -> session_setup.SessionSetup | None:
    """Return a run's setup; None for another world, or where a file would make tatc ask a model."""
    if known.get("sim", worlds.EMBEDDED_WORLD) != worlds.EMBEDDED_WORLD:
        return None
    if any(known.get(name) is not None for name in ("model", "goals", "memory", "language")):
        return None
    settings.check_identity(known)
    level = "" if known.get("perception") is None else get_text(known, "perception")
    if level not in ("", *PerceptionLevel):
        raise FieldError("perception", f"is no level of perception: {short_repr(level)}")
    return session_setup.SessionSetup(
        worlds.SHIPPED_MAP,
        get_text(known, "commander"),
        get_text(known, "follower"),
        as_number(known.get("noise", 0.0), "noise"),
        get_text({"wording": Wording.ACTIONS, **known}, "wording"),
        agents_from=AgentsFromFile(f"{run / run_identity.RUN_FILE}: options.setup", choices.agents),
        perception=PerceptionLevel(level) if level else None,
        settings=settings.settings_in_identity(known),
    )
