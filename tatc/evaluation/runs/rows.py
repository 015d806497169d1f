"""One row of the results of a run: a session that ran, or why it could not start."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from tatc.evaluation.scoring import GoalConditionCounts, SessionOutcome
from tatc.session.records import SessionEnd

ALFRED_BENCHMARK = "alfred"
"""The benchmark of a row whose session is set in a trajectory of ALFRED's."""

NO_GOAL_CONDITIONS = GoalConditionCounts(0, 0)
"""The goal conditions of a session that never started."""


@dataclass(frozen=True, slots=True)
class SessionFailure:
    """Why a session failed, in words that fit every session that failed so.

    `problem` is the problem key ("Mug isDirty False"), `skill` what the Commander tried
    last, `reason` why that could not be done; objects are named by their types.  `step`
    is the index of the interaction at which it was said, None where nothing was said.
    `refusal` is the `RefusalCode` of the message that `reason` quotes, "" for none.
    """

    problem: str
    skill: str
    reason: str
    step: int | None
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session of a run.

    `key` names it within the run.  `game` is the id of the recorded game, None in a room.  `source`
    is the file as the user named it: the game, the instance or the room file; None for a shipped
    room.  `benchmark` is "tatc", "edh", "tfd" or "alfred".  If the session could not start,
    `skipped` says why and `end` is "".

    `before` and `after` are the goal conditions at start and end.  `steps` counts the Follower's
    primitives; in an instance its Stop counts too, and `stopped` says whether the player ended
    the instance itself.  `opened` counts the objects opened, `bumped` the translations that were
    refused.  `shut` says whether, by its start, the task needs something to be opened.  `record`
    and `crash` name files in the run's folder.

    In a cascaded run, `starts` counts the instructions from which the session ran and `finished`
    those from which the task was completed; the other counts are sums over the starts.

    `perception` is the level at which the Follower perceived, "" if it did not.  `goal` is
    "true" if it was handed the task, `feedback` how often it was answered at most, and
    `dialogue` whose words it heard, "" for its own instance's.  `questions` is how often it might
    speak in a session, None for as often as it does unasked.  `speaker_seed` and `typos` say how a
    simulated user spoke, None where that was left to it.  `understanding` says which readings
    of dialogue it used if a language model was named ("model 3, lexicon 1"), else it is "".
    `memory` names the file of goals that the Follower knew, with a hash of it, "" for none.
    `models` names the language models that played an agent ("follower qwen3"), `model_calls` and
    `model_tokens` count their calls, and the tokens of requests and answers.
    """

    key: str
    task: str
    params: tuple[str, ...] = ()
    place: str = ""
    kind: str = ""
    split: str = ""
    game: str | None = None
    source: str | None = None
    seed: int = 1
    skipped: str = ""
    end: str = ""
    before: GoalConditionCounts = NO_GOAL_CONDITIONS
    after: GoalConditionCounts = NO_GOAL_CONDITIONS
    commander_actions: int = 0
    follower_actions: int = 0
    steps: int = 0
    failed_actions: int = 0
    opened: int = 0
    bumped: int = 0
    shut: bool = False
    human_actions: int | None = None
    bound: int | None = None
    failure: SessionFailure | None = None
    record: str | None = None
    crash: str | None = None
    benchmark: str = "tatc"
    stopped: bool = False
    starts: int = 0
    finished: int = 0
    perception: str = ""
    goal: str = ""
    feedback: int = 0
    dialogue: str = ""
    questions: int | None = None
    speaker_seed: int | None = None
    typos: float | None = None
    understanding: str = ""
    memory: str = ""
    models: str = ""
    model_calls: int = 0
    model_tokens: int = 0

    @property
    def success(self) -> bool:
        """Whether the task was complete at the end; for ALFRED's trajectories, by its own test."""
        if self.benchmark == ALFRED_BENCHMARK:
            return bool(self.end) and not self.crashed and not self.after.unmet
        return self.end == SessionEnd.SUCCESS

    @property
    def fulfilled_at_start(self) -> bool:
        """Whether all goal conditions were met before the first action."""
        return 0 < self.before.total <= self.before.met

    @property
    def crashed(self) -> bool:
        """Whether an exception ended the session."""
        return self.end == SessionEnd.CRASHED

    def scoring_outcome(self) -> SessionOutcome:
        """Return what the scores need of a session that ran.

        ALFRED counts the agent's own actions, and all goal conditions that hold at the end.
        """
        is_alfred = self.benchmark == ALFRED_BENCHMARK
        both = self.commander_actions + self.follower_actions
        return SessionOutcome(
            task=self.task,
            room_kind=self.kind,
            split=self.split,
            success=self.success,
            crashed=self.crashed,
            # An instance's actions count its Stop already.
            stopped=self.benchmark == "tatc"
            and self.end in (SessionEnd.SUCCESS, SessionEnd.GAVE_UP),
            goal_conditions_before=replace(self.before, met=0) if is_alfred else self.before,
            goal_conditions_after=self.after,
            actions=self.steps if is_alfred else both,
            steps=self.steps,
            human_actions=self.human_actions,
            lower_bound=self.bound,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON, with its keys in a fixed order; see `read_row`."""
        return asdict(self)
