"""One row of the results of a run: a session that ran, or why it could not start."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import PurePosixPath
from typing import Any

from tatc.base.json_fields import (
    FieldError,
    as_integer,
    as_list,
    as_mapping,
    faults_under,
    get_flag,
    short_repr,
)
from tatc.evaluation.alfred.alfred_conditions import goal_conditions
from tatc.evaluation.runs.eval_options import TATC, TRUE_GOAL
from tatc.evaluation.runs.instance_dialogue import DialogueSource
from tatc.evaluation.scoring import GoalConditionCounts, SessionOutcome
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import RoomKind, Snapshot
from tatc.session.agents.settings import Settings, agent_settings, read_settings, row_json
from tatc.session.alfred.masks import AgentsView
from tatc.session.records import Benchmark, SessionEnd
from tatc.session.records.trajectory import TrajectoryTask

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
    settings: Settings = ()
    understanding: str = ""
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
        found: dict[str, Any] = {}
        for name, value in asdict(self).items():
            found |= row_json(self.settings) if name == "settings" else {name: value}
        return found


# Sessions in ALFRED's scenes, scored by its own test.

__all__ = ["ALFRED_BENCHMARK", "alfred_counts", "alfred_failure"]

_DONE_FOR_TATC_ALONE = SessionFailure("", "", "done for tatc, but not by ALFRED's own test", None)


def alfred_counts(task: TrajectoryTask, start: Snapshot, now: Snapshot) -> GoalConditionCounts:
    """Return ALFRED's goal conditions of a task in a state of the session begun at `start`."""
    return goal_conditions(task, now, AgentsView.since(start, now).shows)


def alfred_failure(
    after: GoalConditionCounts, failure: SessionFailure | None
) -> SessionFailure | None:
    """Return why a session failed by ALFRED's test, None if it did not.

    `failure` is why it failed by tatc's own check, None if it did not.
    """
    if not after.unmet:
        return None
    return failure or _DONE_FOR_TATC_ALONE


# Reads rows of results, every field checked: a run's folder may come from elsewhere.

_MAX_COUNT = 10**12
_MAX_PARAMS = 100
_FAILURE_FIELD_NAMES = frozenset(each.name for each in fields(SessionFailure))


def read_row(raw: object) -> SessionRow:
    """Return the row of which `SessionRow.to_json` returned this JSON.

    A field that was not there yet when the row was written has its default.

    Raises:
        FieldError: a field is missing, unknown or impossible.

    """
    row = as_mapping(raw, "")
    known = {each.name for each in fields(SessionRow)} - {"settings"}
    for each in agent_settings():
        known |= {each.name, each.old_name}
    if strange := row.keys() - known:
        raise FieldError(short_repr(min(strange)), "is no field of a result")
    end, skipped = _get_name(row, "end", ("", *SessionEnd)), _get_text(row, "skipped")
    if not end and not skipped:
        raise FieldError("end", "is missing")
    return SessionRow(
        key=_get_text(row, "key", empty=False),
        task=_get_text(row, "task"),
        params=tuple(
            _as_text(each, "params") for each in as_list(row.get("params"), "params", _MAX_PARAMS)
        ),
        place=_get_text(row, "place"),
        kind=_get_name(row, "kind", ("", *RoomKind)),
        split=_get_text(row, "split"),
        game=_get_optional_text(row, "game"),
        source=_get_optional_text(row, "source"),
        seed=as_integer(row.get("seed", 1), "seed"),
        skipped=skipped,
        end=end,
        before=_get_goal_conditions(row, "before"),
        after=_get_goal_conditions(row, "after"),
        commander_actions=_get_count(row, "commander_actions"),
        follower_actions=_get_count(row, "follower_actions"),
        steps=_get_count(row, "steps"),
        failed_actions=_get_count(row, "failed_actions"),
        opened=_get_count(row, "opened"),
        bumped=_get_count(row, "bumped"),
        shut=get_flag(row, "shut"),
        human_actions=_get_optional_count(row, "human_actions"),
        bound=_get_optional_count(row, "bound"),
        failure=_get_failure(row),
        record=_get_file(row, "record"),
        crash=_get_file(row, "crash"),
        benchmark=_get_name(row, "benchmark", (TATC, ALFRED_BENCHMARK, *Benchmark), TATC),
        stopped=get_flag(row, "stopped"),
        starts=_get_count(row, "starts"),
        finished=_get_count(row, "finished"),
        perception=_get_name(row, "perception", ("", *PerceptionLevel)),
        goal=_get_name(row, "goal", ("", TRUE_GOAL)),
        feedback=_get_count(row, "feedback"),
        settings=read_settings(row, files=True),
        dialogue=_get_name(row, "dialogue", ("", *DialogueSource)),
        understanding=_get_text(row, "understanding"),
        models=_get_text(row, "models"),
        model_calls=_get_count(row, "model_calls"),
        model_tokens=_get_count(row, "model_tokens"),
    )


def _get_failure(row: Mapping[str, Any]) -> SessionFailure | None:
    if row.get("failure") is None:
        return None
    failure = as_mapping(row["failure"], "failure")
    with faults_under("failure"):
        if strange := failure.keys() - _FAILURE_FIELD_NAMES:
            raise FieldError(short_repr(min(strange)), "is no field of a failure")
        return SessionFailure(
            _get_text(failure, "problem"),
            _get_text(failure, "skill"),
            _get_text(failure, "reason"),
            _get_optional_count(failure, "step"),
            _get_text(failure, "refusal"),
        )


def _get_goal_conditions(row: Mapping[str, Any], field: str) -> GoalConditionCounts:
    """Return goal conditions; in a cascaded run, fewer than none may be met."""
    if field not in row:
        return NO_GOAL_CONDITIONS
    counts = as_mapping(row[field], field)
    with faults_under(field):
        met = as_integer(counts.get("met"), "met")
        if abs(met) > _MAX_COUNT:
            raise FieldError("met", f"is impossible: {met}")
        return GoalConditionCounts(_get_count(counts, "total"), met)


def _get_file(row: Mapping[str, Any], field: str) -> str | None:
    """Return the name of a file in the run's folder, None if there is none."""
    name = _get_optional_text(row, field)
    if name is not None:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or set(name) & set("\\\0") or not path.parts:
            raise FieldError(field, f"is outside the run's folder: {short_repr(name)}")
    return name


def _get_count(row: Mapping[str, Any], field: str) -> int:
    count = as_integer(row.get(field, 0), field)
    if not 0 <= count <= _MAX_COUNT:
        raise FieldError(field, f"is impossible: {short_repr(count)}")
    return count


def _get_optional_count(row: Mapping[str, Any], field: str) -> int | None:
    return None if row.get(field) is None else _get_count(row, field)


def _get_text(row: Mapping[str, Any], field: str, *, empty: bool = True) -> str:
    text = _as_text(row.get(field, ""), field)
    if not text and not empty:
        raise FieldError(field, "is missing")
    return text


def _get_optional_text(row: Mapping[str, Any], field: str) -> str | None:
    return None if row.get(field) is None else _get_text(row, field)


def _get_name(row: Mapping[str, Any], field: str, known: tuple[str, ...], default: str = "") -> str:
    name = _as_text(row.get(field, default), field)
    if name not in known:
        raise FieldError(field, f"is unknown: {short_repr(name)}")
    return name


def _as_text(value: object, field: str) -> str:
    """Return a text that can be printed; the bytes of a file's name need not be UTF-8."""
    if not isinstance(value, str):
        raise FieldError(field, f"should be a text, is {short_repr(value)}")
    return value.encode("utf-8", "backslashreplace").decode()
