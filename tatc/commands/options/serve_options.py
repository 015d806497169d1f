"""The options of `tatc serve`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.apps.serving import MAX_SESSIONS
from tatc.base.errors import BadInput
from tatc.commands.options.completion import complete_commander, complete_follower
from tatc.commands.options.session_options import SessionOptions
from tatc.commands.options.shared_options import agents_field, output_field, plain_field, what_field

if TYPE_CHECKING:
    from collections.abc import Callable

    from tatc.apps.serving.offer import SessionOffer
    from tatc.session.start import SessionStart

_OPERATOR_HELP = "print a second token, with which you save, restore and fork sessions."


@dataclass(frozen=True, slots=True)
class PlayedRoleOptions:
    """Which agent a client plays, and with whom."""

    played: str = agents_field(
        "follower", "--as", metavar="follower|commander", help="The agent that a client plays."
    )
    commander: str | None = agents_field(
        None,
        metavar="NAME|MODULE:CLASS",
        help="The Commander for a client that plays the Follower: rule, speaker (a simulated "
        "user), or a class of your own. Default: rule.",
        autocompletion=complete_commander,
    )
    follower: str | None = agents_field(
        None,
        metavar="NAME|MODULE:CLASS",
        help="The Follower for a client that plays the Commander: rule, listener (understands "
        "free English), ..., or a class of your own. Default: rule.",
        autocompletion=complete_follower,
    )
    wording: str | None = agents_field(
        None,
        metavar="steps|actions|goals",
        help="How the rule Commander speaks to a client that plays the Follower. Default: steps.",
    )
    grain: str = agents_field(
        "go-to",
        metavar="go-to|primitives",
        help="What one call of a Follower does at most: walk to an object that it has seen, or "
        "one kind of primitive action.",
    )

    def offer(self, opening: "SessionStart") -> "SessionOffer":
        """Return what is offered to clients."""
        from tatc.apps.serving.offer import SessionOffer, parse_grain, parse_role, setup_for
        from tatc.session.play import prepare

        role, grain = parse_role(self.played), parse_grain(self.grain)
        setup = setup_for((role,), self.commander, self.follower, self.wording)
        prepare(setup)
        return SessionOffer(opening, setup, role, grain)


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """Where the server listens, and for whom."""

    http: bool = plain_field(
        False, "--http", help="Serve over HTTP in place of the standard streams."
    )
    host: str = plain_field(
        "127.0.0.1",
        help="With --http: the address to listen on; beyond 127.0.0.1, other machines can reach "
        "it, and nothing is encrypted.",
    )
    port: int = plain_field(
        0, min=0, max=65535, help="With --http: the port to listen on; 0 takes a free one."
    )
    tokens: Path | None = plain_field(
        None,
        metavar="FILE",
        help="With --http: the clients, a name and a token on each line. Default: one client, "
        "whose token is drawn and printed.",
    )
    max_sessions: int = plain_field(
        MAX_SESSIONS,
        min=1,
        max=10_000,
        metavar="N",
        help="With --http: the most sessions of all clients at a time.",
    )
    operator: bool = plain_field(False, "--operator", help=f"With --http: {_OPERATOR_HELP}")

    def validate(self) -> None:
        """Check that options for HTTP are given with --http alone."""
        if not self.http and replace(self, http=True) != ListenOptions(http=True):
            why = "--host, --port, --tokens, --max-sessions and --operator are for HTTP"
            raise BadInput(why, fix="add --http, or leave them out")


@dataclass(frozen=True, slots=True)
class AddressOptions:
    """Where an HTTP server listens."""

    host: str = plain_field(
        "127.0.0.1",
        help="The address to listen on; beyond 127.0.0.1, other machines can reach it, and "
        "nothing is encrypted.",
    )
    port: int = plain_field(0, min=0, max=65535, help="The port to listen on; 0 takes a free one.")


@dataclass(frozen=True, slots=True)
class RolloutOptions:
    """What trainers need: starts of a split, and many sessions at a time."""

    split: str | None = what_field(
        None,
        metavar="NAME",
        help="Draw each start from this split of tasks, rooms and seeds, by the seed of the reset: "
        "train, valid_seen, valid_unseen, test_seen, test_unseen or test_tasks.",
    )
    max_sessions: int = plain_field(
        MAX_SESSIONS, min=1, max=10_000, metavar="N", help="The most sessions at a time."
    )
    operator: bool = plain_field(False, "--operator", help=_OPERATOR_HELP.capitalize())

    def start_drawer(self, session: SessionOptions) -> "Callable[[int], SessionStart]":
        """Return what draws the start of a seed: of the split, or of the session named."""
        if self.split is None:
            return lambda seed: replace(session, seed=seed).find_start()
        if replace(session, seed=0) != SessionOptions(seed=0):
            why = "a split brings its own tasks and rooms"
            raise BadInput(why, fix="leave out the task, --room, --game, --param and --tasks")
        from tatc.session.splits import load_split

        return load_split(self.split).draw


@dataclass(frozen=True, slots=True)
class SaveOptions:
    """Where the records go."""

    save: Path | None = output_field(
        None, metavar="DIR", help="Save records in this folder. Default: as `tatc run` does."
    )
