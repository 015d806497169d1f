"""Agents by name: ours, those of installed packages, and `module:Class`.

A package offers agents as entry points in the groups `tatc.commanders` and
`tatc.followers`; `module:Class` names any class that can be imported, from the current
folder too.  An agent's class is called without arguments, once a session.
"""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from tatc.agent_names import (
    COMMANDER_GROUP,
    COMMANDERS,
    COMMANDERS_WITH_WORDING,
    FOLLOWER_GROUP,
    FOLLOWERS,
    LEARNED_FAMILY,
    commander_names,
    follower_names,
    installed_agents,
)
from tatc.commander import Commander
from tatc.errors import BadInput, MissingExtra, UnknownName
from tatc.follower import Follower
from tatc.follower.et.learned_followers import (
    InputMode,
    is_learned_name,
    learned_follower_factory,
)
from tatc.language import Wording

SESSION_ABLATIONS = (InputMode.FRAME_BLANK, InputMode.LANGUAGE_ONLY)
"""The ablations that a learned Follower is compared with in sessions: less sight.

Each is named after the Follower: `et-frame-blank`, `et-language-only:FILE`.
"""
INSTANCE_ABLATIONS = (InputMode.LANGUAGE_ONLY, InputMode.VISION_ONLY)
"""The ablations that it is compared with in instances: sight alone, or words alone."""


class CommanderPlanner(StrEnum):
    """What the rule Commander plans with: `POLICIES` falls back on PDDL."""

    POLICIES = "policies"
    POLICIES_ONLY = "policies-only"
    PDDL = "pddl"


def commander_with_planner(commander: str, planner: str) -> str:
    """Return the name of the Commander that plans so; the rule Commander has a choice.

    Raises:
        UnknownName: there is no such planner.
        BadInput: this Commander has no choice of planner.

    """
    if planner not in list(CommanderPlanner):
        fix = "name policies, policies-only or pddl"
        raise UnknownName("planner", planner, CommanderPlanner, fix=fix)
    if planner == CommanderPlanner.POLICIES:
        return commander
    if commander not in ("rule", planner):
        raise BadInput(
            f"--planner is for the rule Commander, not for {commander}",
            fix="leave out --planner or --commander",
        )
    return planner


def commander_factory(name: str, wording: str = Wording.ACTIONS) -> Callable[[], Commander]:
    """Return the factory of the Commander of this name, speaking in this wording.

    Raises:
        UnknownName: there is none, or no such wording.
        BadInput: it cannot be imported, is no Commander, or has no choice of wording.

    """
    if wording not in list(Wording):
        fix = "name actions, steps or goals"
        raise UnknownName("wording", wording, Wording, fix=fix)
    made: Callable[..., Commander] = _find_agent("Commander", name)
    if wording == Wording.ACTIONS:
        return made
    if name not in COMMANDERS_WITH_WORDING:
        raise BadInput(
            f"--wording is for the rule Commander, not for {name}",
            fix="leave out --wording or --commander",
        )
    return partial(made, Wording(wording))


def follower_factory(name: str) -> Callable[[], Follower]:
    """Return the factory of the Follower of this name.

    Raises:
        UnknownName: there is none.
        BadInput: it cannot be imported, or is no Follower.
        MissingExtra: it is a learned one, and torch is not installed.

    """
    if is_learned_name(name):
        return learned_follower_factory(name)
    made: Callable[[], Follower] = _find_agent("Follower", name)
    return made


def ablation_names(
    follower: str, input_modes: tuple[InputMode, ...] = SESSION_ABLATIONS
) -> tuple[str, ...]:
    """Return the names of a learned Follower's ablations, none for other Followers."""
    name, colon, file = follower.partition(":")
    if name != LEARNED_FAMILY:
        return ()
    return tuple(f"{LEARNED_FAMILY}-{mode}{colon}{file}" for mode in input_modes)


def wording_for_follower(follower: str) -> Wording:
    """Return the wording that a Follower was made for."""
    learned = follower.partition(":")[0].startswith(LEARNED_FAMILY)
    return Wording.STEPS if learned else Wording.ACTIONS


def _find_agent(noun: str, name: str) -> Any:
    is_commander = noun == "Commander"
    shipped, group = (COMMANDERS, COMMANDER_GROUP) if is_commander else (FOLLOWERS, FOLLOWER_GROUP)
    target = shipped.get(name) or (name if ":" in name else installed_agents(group).get(name))
    if target is None:
        known = commander_names() if is_commander else follower_names()
        fix = f"name one of {', '.join(known)}, or module:Class"
        raise UnknownName(noun, name, known, fix=fix)
    found = import_target(target)
    if not callable(found) or not all(hasattr(found, m) for m in ("begin", "act")):
        why = f"is no {noun}: it lacks `begin` or `act`"
        raise BadInput(why, where=target, fix="see docs/extend/follower.md")
    return found


def import_target(target: str) -> Any:
    """Return the object that `module:Class` names; the current folder is searched too.

    Raises:
        BadInput: it cannot be imported.
        MissingExtra: it needs an extra that is not installed.

    """
    module_name, _, path = target.partition(":")
    try:
        with current_folder_importable():
            found: Any = import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except MissingExtra:
        raise
    except (ImportError, AttributeError, ValueError) as fault:
        why = f"cannot be imported: {fault}"
        raise BadInput(why, where=target, fix="name it as module:Class") from fault
    return found


@contextmanager
def current_folder_importable() -> Generator[None]:
    """Let the block import from the current folder too, as `python -m` does."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
