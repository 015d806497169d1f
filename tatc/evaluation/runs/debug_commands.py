"""The command that opens a session of a run again, to be copied into a terminal."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tatc.evaluation.runs.eval_options import TATC, TRUE_GOAL
from tatc.evaluation.runs.instance_dialogue import DialogueSource
from tatc.evaluation.runs.rows import SessionRow
from tatc.language import Wording
from tatc.session.worlds import EMBEDDED_WORLD, MAP_FROM_BOXES


def debug_command(row: SessionRow, identity: Mapping[str, Any], folder: Path) -> str:
    """Return the command that opens a session at the interaction at which it failed.

    It is `tatc debug`, on the session's record where one was kept and otherwise on a new
    session from the same start.  The debugger opens neither instances nor AI2-THOR: such a
    session is shown by `tatc replay` from its record, or run again.

    Args:
        row: the session.
        identity: what the run's `run.json` holds.
        folder: the run's folder, in which `row.record` lies.

    """
    options, step = identity["options"], failure_step(row)
    kind = options.get("kind", TATC)
    debuggable = kind == TATC and identity["world"] == EMBEDDED_WORLD
    if row.record is not None:
        record = str(folder / row.record)
        words = ["tatc", "debug", "--record"] if debuggable else ["tatc", "replay"]
        words.append(record)
        # Without a word of the Commander's, the end of the session shows how it failed.
        step = step or row.commander_actions + row.follower_actions
        words += _folder_arguments(options) if debuggable else []
    elif kind != TATC:
        return shlex.join(_instance_command(row, options))
    elif options.get("subgoals"):
        return shlex.join(_subgoal_command(row, options))
    else:
        words = ["tatc", "debug" if debuggable else "run", *_start_arguments(row)]
        words += _plans_arguments(options)
        step = step if debuggable else None
        words += _setup_arguments(options["setup"]) + _folder_arguments(options)
    if step:
        words += ["--at" if debuggable else "--from", str(step)]
    return shlex.join(words)


def failure_step(row: SessionRow) -> int | None:
    """Return the index of the interaction at which a session failed, None if unknown."""
    return row.failure.step if row.failure else None


def _start_arguments(row: SessionRow) -> list[str]:
    if row.game is not None:
        place = ["--game", row.source or row.game]
    else:
        place = ["--room", row.source or row.place, "--task", row.task]
    return [*place, "--seed", str(row.seed)]


def _plans_arguments(options: Mapping[str, Any]) -> list[str]:
    return [word for path in options.get("plans", ()) for word in ("--plans", path)]


def _subgoal_command(row: SessionRow, options: Mapping[str, Any]) -> list[str]:
    """Return the command that runs the subgoals of one kind in a trajectory again."""
    words = ["tatc", "eval", row.source or row.key, "--subgoals", row.task]
    return [*words, *_plans_arguments(options), *_setup_arguments(options["setup"])]


def _instance_command(row: SessionRow, options: Mapping[str, Any]) -> list[str]:
    """Return the command that plays one instance again."""
    words = ["tatc", "eval", row.source or row.key, "--kind", options["kind"]]
    for folder in options["recorded"]:
        words += ["--games", folder]
    setup = options["setup"]
    words += ["--follower", setup["follower"], *_perception_arguments(setup)]
    if options.get("goal") == TRUE_GOAL:
        words += ["--goal", TRUE_GOAL]
    if options.get("feedback"):
        words += ["--feedback", str(options["feedback"])]
    if options.get("dialogue", DialogueSource.OWN) != DialogueSource.OWN:
        words += ["--dialogue", options["dialogue"]]
    return words


def _given_arguments(setup: Mapping[str, Any], *names: str) -> list[str]:
    given = ((f"--{name}", str(setup[name])) for name in names if setup.get(name) is not None)
    return [word for pair in given for word in pair]


def _setup_arguments(setup: Mapping[str, Any]) -> list[str]:
    """Return the options that differ from their defaults."""
    words: list[str] = []
    if setup["floor_map"] != MAP_FROM_BOXES:
        words += ["--map", setup["floor_map"]]
    for name in ("commander", "follower"):
        if setup[name] != "rule":
            words += [f"--{name}", setup[name]]
    if setup.get("wording", Wording.ACTIONS) != Wording.ACTIONS:
        words += ["--wording", setup["wording"]]
    if setup["noise"]:
        words += ["--noise", f"{setup['noise']:g}"]
    if setup.get("sim", EMBEDDED_WORLD) != EMBEDDED_WORLD:
        words += ["--sim", setup["sim"]]
    words += [*_perception_arguments(setup), *_given_arguments(setup, "language", "questions")]
    style = setup.get("speaking")
    if style and style["seed"]:
        words += ["--speaker-seed", str(style["seed"])]
    if style and style["typo_rate"]:
        words += ["--typos", f"{style['typo_rate']:g}"]
    return words


def _perception_arguments(setup: Mapping[str, Any]) -> list[str]:
    return ["--perception", setup["perception"]] if setup.get("perception") else []


def _folder_arguments(options: Mapping[str, Any]) -> list[str]:
    """Return the options that name the user's own tasks and policies."""
    words: list[str] = []
    for name, key in (("--tasks", "definitions"), ("--policies", "policies")):
        for folder in options[key]:
            words += [name, folder]
    return words
