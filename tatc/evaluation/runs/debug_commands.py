"""The command that opens a session of a run again, to be copied into a terminal."""

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tatc.evaluation.runs import eval_options, rows
from tatc.home.actions import Role
from tatc.session import worlds
from tatc.session.agents import session_setup, settings
from tatc.session.model_play_settings import ModelPlay

_FLAGS_OF_PLAY = {
    "calls": "--max-calls",
    "tokens": "--session-tokens",
    "context_tokens": "--context-tokens",
    "answer_tokens": "--answer-tokens",
    "temperature": "--temperature",
    "seed": "--model-seed",
    "tool_calling": "--tool-calls",
    "speech": "--speech",
}
"""How a user gives what an identity says of a model that plays."""
_USUAL = eval_options.EvalOptions()


def debug_command(row: rows.SessionRow, identity: Mapping[str, Any], folder: Path) -> str:
    """Return the command that opens a session at the interaction at which it failed.

    It is `tatc debug`, on the record in the run's folder or a new session from the same start.  The
    debugger opens neither instances nor AI2-THOR: such a session is replayed or run again.
    """
    options, step = identity["options"], row.failure.step if row.failure else None
    kind = options.get("kind", eval_options.TATC)
    debuggable = kind == eval_options.TATC and identity["world"] == worlds.EMBEDDED_WORLD
    if row.record is not None:
        record = str(folder / row.record)
        words = ["tatc", "debug", "--record"] if debuggable else ["tatc", "replay"]
        words.append(record)
        # Without a word of the Commander's, the end of the session shows how it failed.
        step = step or row.commander_actions + row.follower_actions
        if debuggable:
            # Of these settings a record holds nothing, or no more than a name and a hash.
            unknown = [s.name for s in settings.settings_in_order() if s.is_file or not s.in_record]
            if options["setup"].get("floor_map") in (worlds.SHIPPED_MAP, worlds.MAP_FROM_BOXES):
                unknown.remove("floor_map")  # which the record says
            words += _setup_arguments(options["setup"], unknown)
            words += _folder_arguments(options)
    elif kind != eval_options.TATC:
        return shlex.join(_instance_command(row, options))
    else:
        place = ["--room", row.source or row.place, "--task", row.task]
        place = place if row.game is None else ["--game", row.source or row.game]
        words = ["tatc", "debug" if debuggable else "run", *place, "--seed", str(row.seed)]
        if options.get("subgoals"):  # all of this kind in the trajectory run again
            words = ["tatc", "eval", row.source or row.key, "--subgoals", row.task]
            debuggable = False
        words += [word for path in options.get("plans", ()) for word in ("--plans", path)]
        step = step if debuggable else None
        words += _setup_arguments(options["setup"]) + _folder_arguments(options)
    if step:
        words += ["--at" if debuggable else "--from", str(step)]
    return shlex.join(words)


def _instance_command(row: rows.SessionRow, options: Mapping[str, Any]) -> list[str]:
    words = ["tatc", "eval", row.source or row.key, "--kind", options["kind"]]
    for folder in options["recorded"]:
        words += ["--games", folder]
    setup = options["setup"]
    words += ["--follower", setup["follower"]]
    own = [each.name for each in settings.settings_in_order() if each.role is Role.FOLLOWER]
    words += _setup_arguments(setup, ["floor_map", *(name for name in own if name != "follower")])
    if options.get("model_args"):
        words += ["--model-args", shlex.join(options["model_args"])]
    if options.get("model_seconds", _USUAL.model_seconds) != _USUAL.model_seconds:
        words += ["--model-seconds", f"{options['model_seconds']:g}"]
    if options.get("goal") == eval_options.TRUE_GOAL:
        words += ["--goal", eval_options.TRUE_GOAL]
    if options.get("feedback"):
        words += ["--feedback", str(options["feedback"])]
    if options.get("dialogue", eval_options.DialogueSource.OWN) != eval_options.DialogueSource.OWN:
        words += ["--dialogue", options["dialogue"]]
    return words


def _setup_arguments(setup: Mapping[str, Any], names: Iterable[str] | None = None) -> list[str]:
    """Return the options that differ from their defaults; with names, only these settings'."""
    words = settings.command_words(setup, names, default_of=session_setup.SETUP_DEFAULTS)
    if names is not None:
        return words
    model: Mapping[str, Any] | None = setup.get("model")
    play: Mapping[str, Any] = setup.get("play") or {}
    thor: Mapping[str, Any] = setup.get("thor") or {}
    other: dict[str, Any] = {
        "--thor-executable": thor.get("executable"),
        "--thor-commit": thor.get("commit"),
        "--model": model["name"] if model else None,  # an identity hides its address
        **{flag: play.get(name) for name, flag in _FLAGS_OF_PLAY.items()},
    }
    usual = {flag: getattr(ModelPlay(), name) for name, flag in _FLAGS_OF_PLAY.items()}
    given = {flag: value for flag, value in other.items() if value not in (None, usual.get(flag))}
    return [*words, *(str(word) for pair in given.items() for word in pair)]


def _folder_arguments(options: Mapping[str, Any]) -> list[str]:
    pairs = (("--tasks", "definitions"), ("--policies", "policies"))
    return [word for name, key in pairs for each in options[key] for word in (name, each)]
