"""What to evaluate and how, as a user names it."""

from dataclasses import dataclass, field
from enum import StrEnum

from tatc.session.runner import SessionSetup

TATC = "tatc"
"""The kind of a run that holds whole sessions of a Commander and a Follower."""


class SaveRecords(StrEnum):
    """Whose records a run keeps."""

    FAILURES = "failures"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """Which sessions a run holds, and how each is run.

    Games come from `game_discovery` (files, folders, globs); without any, from `rooms` (all
    that are shipped where none is named) with `seeds` and `tasks`.  With games, `tasks`
    chooses among theirs.  `limit` takes a sample that has each task in proportion,
    drawn by `seed`, which also draws the noise of games.  `shard` (i, n) takes every
    n-th session from the i-th on.

    `kind` is TATC, or "edh" or "tfd": then `game_discovery` names instances, and `recorded` the
    games that they were cut from, where those do not lie as TEACh lays them.
    `model_args` are for a model with TEACh's interface, which may take
    `model_seconds` for each answer.  With `cascaded` a session is run from each of its
    instructions.
    """

    games: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    seeds: tuple[int, ...] = (1,)
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    only_plans: tuple[str, ...] = ()
    without_plans: tuple[str, ...] = ()
    seed: int = 1
    shard: tuple[int, int] = (1, 1)
    setup: SessionSetup = field(default_factory=SessionSetup)
    definitions: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    keep: SaveRecords = SaveRecords.FAILURES
    kind: str = TATC
    recorded: tuple[str, ...] = ()
    model_args: tuple[str, ...] = ()
    model_seconds: float = 60.0
    cascaded: bool = False
