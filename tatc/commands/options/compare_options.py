"""The options of `tatc compare` alone: which agents, and what is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.commands.options.completion import complete_commander, complete_follower
from tatc.commands.options.shared_options import (
    JsonOption,
    agents_field,
    output_field,
    settings_of_several_field,
)


@dataclass(frozen=True, slots=True)
class FollowerOptions:
    """The Followers that are compared, and how the Commander speaks to them."""

    follower: list[str] | None = agents_field(
        None,
        metavar="NAME|MODULE:CLASS",
        help="A Follower to compare. Give it at least twice: the others are compared "
        "with the first.",
        autocompletion=complete_follower,
    )
    ablations: bool = agents_field(
        False,
        "--ablations",
        help="Compare each learned Follower with its lesser forms too: with less sight, "
        "and in instances without words.",
    )
    given: Mapping[str, Any] = settings_of_several_field()
    """What the user said of each setting that several Followers may have, by name."""
    wording: list[str] | None = agents_field(
        None,
        metavar="actions|steps|goals",
        help="How the Commander speaks: once for all Followers, or once for each. "
        "Default: as each Follower was made for.",
    )
    dialogue: str | None = agents_field(
        None,
        metavar="silent,one-way,two-way",
        help="Compare what is said and heard instead: each pair of agents in the same sessions "
        "under each of these conditions.",
    )
    commander: list[str] | None = agents_field(
        None,
        metavar="NAME|MODULE:CLASS",
        help="With --dialogue: the Commander, once for all Followers, or once for each. Default: "
        "speaker for a Follower that understands free words, else rule.",
        autocompletion=complete_commander,
    )


@dataclass(frozen=True, slots=True)
class CompareOutputOptions:
    """What is printed, and written."""

    html: Path | None = output_field(
        None, metavar="FILE", help="Write a page with plots, in one file."
    )
    as_json: JsonOption = False
