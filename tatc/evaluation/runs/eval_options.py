"""What to evaluate and how, as a user names it."""

from dataclasses import dataclass, field
from enum import StrEnum

from tatc.base.arguments import check_number_from, check_seed
from tatc.session.agents.session_setup import SessionSetup


class DialogueSource(StrEnum):
    """What is said and heard.

    In an instance the dialogue is its own, that of another game's instance, or none.  In a session
    the agents say what they will; with `ASKS` the Commander only answers questions, and with
    `SILENT` the Follower is told the task's one line.
    """

    OWN = "own"
    OTHER = "other"
    EMPTY = "empty"
    ASKS = "asks"
    SILENT = "silent"


DIALOGUES_OF_SESSIONS = (DialogueSource.OWN, DialogueSource.ASKS, DialogueSource.SILENT)


TATC = "tatc"  # the kind of a run that holds whole sessions of a Commander and a Follower
UNDERSTOOD_GOAL, TRUE_GOAL = "understood", "true"
"""Where the goal of a Follower that accepts one is from: its own ears, or the instance."""


class SaveRecords(StrEnum):
    """Which sessions a run keeps records of."""

    FAILURES = "failures"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """Which sessions a run holds, and how each is run.

    Sessions start as the recorded `games` or ALFRED's trajectories (files, folders, globs) did, or
    else in `rooms` (all shipped ones if none is named), once for each of `seeds` and `tasks`, or as
    a `split` lists them.  With games, `tasks` selects games by their tasks.  `limit` takes a sample
    with each task in proportion; `seed` draws the sample, and the noise of games.  `shard` (i, n)
    takes every n-th session from the i-th on.  `plans` hold the furniture of trajectories.

    With kind "edh" or "tfd", `games` names instances and `recorded` the games that they were cut
    from, if these do not lie as in TEACh's folders.  `model_args` and `model_seconds` (for each
    answer) are for a model with TEACh's interface.  `goal` TRUE_GOAL hands the Follower the game's
    task, an upper bound.  `feedback` is how often a simulated user says what is missing when the
    Follower speaks.  `dialogue` says whose words the Follower hears.

    With `cascaded`, each session runs from each of its instructions; with `subgoals`, from each
    subgoal of these kinds until that is done, and `limit` counts subgoals.
    """

    games: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    split: str = ""
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
    goal: str = UNDERSTOOD_GOAL
    feedback: int = 0
    dialogue: DialogueSource = DialogueSource.OWN
    plans: tuple[str, ...] = ()
    subgoals: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse numbers that no record could hold."""
        if self.limit is not None:
            object.__setattr__(self, "limit", check_number_from(1, None, self.limit, "limit"))
        object.__setattr__(self, "seed", check_seed(self.seed))
        object.__setattr__(self, "seeds", tuple(check_seed(each, "seeds") for each in self.seeds))
