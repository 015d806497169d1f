"""The sessions of a run: a job before each runs, and afterwards the row of its results."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from tatc.base import errors, json_fields
from tatc.evaluation.alfred.alfred_conditions import goal_conditions
from tatc.evaluation.runs.eval_options import TATC, TRUE_GOAL, DialogueSource
from tatc.evaluation.scoring.scores import GoalConditionCounts, SessionOutcome
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import RoomKind, Snapshot
from tatc.session.agents.settings import Settings, agent_settings, read_settings, row_json
from tatc.session.alfred.named_actions import AgentsView
from tatc.session.records import Benchmark, GameHeader, SessionEnd
from tatc.session.records.trajectory import TrajectoryTask
from tatc.session.session_types import TATC_LIMITS

ALFRED_BENCHMARK = "alfred"
"""The benchmark of a row whose session is set in a trajectory of ALFRED's."""

NO_GOAL_CONDITIONS = GoalConditionCounts(0, 0)
"""The goal conditions of a session that never started."""


@dataclass(frozen=True, slots=True)
class SessionFailure:
    """Why a session failed, in words that fit every session that failed so.

    `problem` is the problem key ("Mug isDirty False"), `skill` what the Commander tried
    last, `reason` why that could not be done; objects are named by their types.  `step`
    is the one at which it was said, as the debugger counts from 1, None where nothing was said.
    `refusal` is the `RefusalCode` of the message that `reason` quotes, "" for none.
    """

    problem: str
    skill: str
    reason: str
    step: int | None
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session of a run; `read_row` reads what `to_json` returns.

    In a cascaded run, the counts are sums over the instructions from which the session ran.
    """

    key: str  # names the session within the run
    task: str  # the task's name, or the kind of a subgoal
    params: tuple[str, ...] = ()  # the task's parameters
    place: str = ""  # the room or floor plan
    kind: str = ""  # the kind of room
    split: str = ""  # the split of the game, "rooms" in a room
    game: str | None = None  # the id of the recorded game, None in a room
    source: str | None = None
    """The file of the game, instance or room, as the user named it; None for a shipped room."""
    seed: int = 1  # draws the start in a room, and the noise
    skipped: str = ""  # why the session could not start, "" if it ran
    unanswered: str = ""
    """Why endpoint, network or the run's limits ended it, "" if they did not; it tells nothing of
    the agents then, and runs again."""
    end: str = ""  # how it ended (a `SessionEnd`), "" if it could not start
    before: GoalConditionCounts = NO_GOAL_CONDITIONS  # the goal conditions at its start
    after: GoalConditionCounts = NO_GOAL_CONDITIONS  # the goal conditions at its end
    commander_actions: int = 0  # the Commander's logged actions, failed ones too
    follower_actions: int = 0  # the Follower's logged actions, failed ones too
    steps: int = 0  # the Follower's primitives; in an instance, its Stop too
    failed_actions: int = 0  # the Follower's primitives that failed
    opened: int = 0  # the objects opened
    bumped: int = 0  # the translations that were refused
    shut: bool = False  # whether, by its start, the task needs something to be opened
    human_actions: int | None = None
    """The actions of the people, or of ALFRED's expert; None in a room."""
    bound: int | None = None
    """A lower bound on the actions that the task takes, None where none was computed."""
    failure: SessionFailure | None = None  # why it failed, None if it did not
    record: str | None = None  # the file of its record, in the run's folder; None if none was kept
    crash: str | None = None
    """The file of its traceback, in the run's folder; None if it did not crash."""
    benchmark: str = "tatc"  # whose test it is scored by: "tatc", "edh", "tfd" or "alfred"
    stopped: bool = False  # whether the player ended the instance itself
    starts: int = 0  # in a cascaded run: the instructions from which the session ran
    finished: int = 0  # in a cascaded run: the instructions from which the task was completed
    perception: str = ""  # the level at which the Follower perceived, "" if it did not
    goal: str = ""  # "true" if the Follower was handed the task
    feedback: int = 0  # how often the Follower was answered at most, in an instance
    dialogue: str = ""  # whose words the Follower heard, "" for its own instance's
    settings: Settings = ()
    """What the user said of the agents' settings; each has a key of its own in the JSON."""
    map: str = ""
    """The recorded map: its name and hash, or `boxes` for none; "" in rows of before 0.2."""
    models: str = ""  # the language models that played agents: "follower qwen3"
    stretches: tuple[tuple[str, int], ...] = ()
    """How many stretches each policy planned, and PDDL; those of the user's own with 0, too."""
    words: int = 0  # the words that both agents said
    conflicts: int | None = None
    """The interactions that undid a met goal condition, None where they were not counted."""
    model_calls: int = 0  # the calls of language models
    model_tokens: int = 0  # the tokens of these calls, requests and answers
    answer_tokens: int = 0  # the tokens of the answers alone
    probes: tuple[tuple[str, int], ...] = ()
    """How many probes of each kind were answered, and how many rightly; no key for none."""

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
        """Return what scores need of a session that ran; ALFRED counts the agent's own actions."""
        is_alfred = self.benchmark == ALFRED_BENCHMARK
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
            actions=self.steps if is_alfred else self.commander_actions + self.follower_actions,
            steps=self.steps,
            human_actions=self.human_actions,
            lower_bound=self.bound,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON, with its keys in a fixed order; see `read_row`."""
        found: dict[str, Any] = {}
        for name, value in asdict(self).items():
            found |= row_json(self.settings) if name == "settings" else {name: value}
        probes = dict(found.pop("probes"))
        return found | {"stretches": dict(self.stretches)} | ({"probes": probes} if probes else {})


DONE_FOR_TATC_ALONE = SessionFailure("", "", "done for tatc, but not by ALFRED's own test", None)


def alfred_counts(task: TrajectoryTask, start: Snapshot, now: Snapshot) -> GoalConditionCounts:
    """Return ALFRED's goal conditions of a task in a state of the session begun at `start`."""
    return goal_conditions(task, now, AgentsView.since(start, now).shows)


# Reads rows of results, every field checked: a run's folder may come from elsewhere.

_MAX_COUNT = 10**12
_MAX_PARAMS = 100
_OLD_FIELDS = {"understanding"}  # of older rows; passed over
_FAILURE_FIELD_NAMES = frozenset(each.name for each in fields(SessionFailure))


def read_row(raw: object) -> SessionRow:
    """Return the row that `to_json` wrote, an older one with defaults, or raise a FieldError."""
    row = json_fields.as_mapping(raw, "")
    known = {each.name for each in fields(SessionRow)} - {"settings"} | _OLD_FIELDS
    known |= {each.name for each in agent_settings()}
    if strange := row.keys() - known:
        name = json_fields.short_repr(min(strange))
        raise json_fields.FieldError(name, "is no field of a result")
    if not (_READ_BY_NAME["end"](row, "end") or _get_text(row, "skipped")):
        raise json_fields.FieldError("end", "is missing")
    readers = {
        each.name: _READ_BY_NAME.get(each.name) or _READ_BY_TYPE[each.type]
        for each in fields(SessionRow)
        if each.name != "settings"
    }
    found: dict[str, Any] = {name: read(row, name) for name, read in readers.items()}
    return SessionRow(**found, settings=read_settings(row, files=True))


def _get_params(row: Mapping[str, Any], field: str) -> tuple[str, ...]:
    params = json_fields.as_list(row.get(field), field, _MAX_PARAMS)
    return tuple(_as_text(each, field) for each in params)


def _get_failure(row: Mapping[str, Any], field: str) -> SessionFailure | None:
    if row.get(field) is None:
        return None
    failure = json_fields.as_mapping(row[field], field)
    with json_fields.faults_under(field):
        if strange := failure.keys() - _FAILURE_FIELD_NAMES:
            name = json_fields.short_repr(min(strange))
            raise json_fields.FieldError(name, "is no field of a failure")
        problem, skill, reason = (_get_text(failure, n) for n in ("problem", "skill", "reason"))
        step, refusal = _get_optional_count(failure, "step"), _get_text(failure, "refusal")
        return SessionFailure(problem, skill, reason, step, refusal)


def _get_goal_conditions(row: Mapping[str, Any], field: str) -> GoalConditionCounts:
    """Return goal conditions; in a cascaded run, fewer than none may be met."""
    if field not in row:
        return NO_GOAL_CONDITIONS
    counts = json_fields.as_mapping(row[field], field)
    with json_fields.faults_under(field):
        met = json_fields.as_integer(counts.get("met"), "met")
        if abs(met) > _MAX_COUNT:
            raise json_fields.FieldError("met", f"is impossible: {met}")
        return GoalConditionCounts(_get_count(counts, "total"), met)


def _get_file(row: Mapping[str, Any], field: str) -> str | None:
    name = _get_optional_text(row, field)
    if name is not None:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or set(name) & set("\\\0") or not path.parts:
            why = f"is outside the run's folder: {json_fields.short_repr(name)}"
            raise json_fields.FieldError(field, why)
    return name


def _get_count(row: Mapping[str, Any], field: str) -> int:
    return json_fields.as_count(row.get(field, 0), field, _MAX_COUNT)


def _get_counts(row: Mapping[str, Any], field: str) -> tuple[tuple[str, int], ...]:
    counts = json_fields.as_mapping(row.get(field, {}), field).items()
    read = json_fields.as_count
    return tuple((_as_text(key, field), read(each, field, _MAX_COUNT)) for key, each in counts)


def _get_optional_count(row: Mapping[str, Any], field: str) -> int | None:
    return None if row.get(field) is None else _get_count(row, field)


def _get_text(row: Mapping[str, Any], field: str, *, empty: bool = True) -> str:
    text = _as_text(row.get(field, ""), field)
    if not text and not empty:
        raise json_fields.FieldError(field, "is missing")
    return text


def _get_optional_text(row: Mapping[str, Any], field: str) -> str | None:
    return None if row.get(field) is None else _get_text(row, field)


def _get_name(row: Mapping[str, Any], field: str, known: tuple[str, ...]) -> str:
    """Return one of the names that are known, the first of them where the field is missing."""
    name = _as_text(row.get(field, known[0]), field)
    if name not in known:
        raise json_fields.FieldError(field, f"is unknown: {json_fields.short_repr(name)}")
    return name


def _as_text(value: object, field: str) -> str:
    """Return a text that can be printed; the bytes of a file's name need not be UTF-8."""
    if not isinstance(value, str):
        raise json_fields.FieldError(field, f"should be a text, is {json_fields.short_repr(value)}")
    return value.encode("utf-8", "backslashreplace").decode()


_Reader = Callable[[Mapping[str, Any], str], Any]
_READ_BY_NAME: dict[str, _Reader] = {
    "key": partial(_get_text, empty=False),
    "params": _get_params,
    "kind": partial(_get_name, known=("", *RoomKind)),
    "seed": lambda row, field: json_fields.as_integer(row.get(field, 1), field),
    "end": partial(_get_name, known=("", *SessionEnd)),
    "record": _get_file,
    "crash": _get_file,
    "benchmark": partial(_get_name, known=(TATC, ALFRED_BENCHMARK, *Benchmark)),
    "perception": partial(_get_name, known=("", *PerceptionLevel)),
    "goal": partial(_get_name, known=("", TRUE_GOAL)),
    "dialogue": partial(_get_name, known=("", *DialogueSource)),
}
_READ_BY_TYPE: dict[object, _Reader] = {
    str: _get_text,
    str | None: _get_optional_text,
    int: _get_count,
    int | None: _get_optional_count,
    bool: json_fields.get_flag,
    GoalConditionCounts: _get_goal_conditions,
    tuple[tuple[str, int], ...]: _get_counts,
    SessionFailure | None: _get_failure,
}
"""How a field of no name above is read."""
TrackProgress = Callable[[Collection[Path]], Iterable[Path]]
"""Yields the files that it is given, and shows how many are done."""


def mark_of(run_file: bytes, line: bytes) -> str:
    """Return the mark of a row's line in the run with this `run.json`."""
    return sha256(run_file + line).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class RowChecks:
    """Which rows of a run are believed: those of its own sessions, that it wrote, and that can be.

    A run lists its sessions in `contents.json`, and marks each row in `timings.jsonl` with a hash
    of the row and of `run.json`; older runs have no list of `keys`, and no `marks`.  They show rows
    that were mixed in or changed, and are no signature: whoever may write into the folder can write
    these too.
    """

    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    run_file: bytes = b""
    keys: frozenset[str] | None = None
    marks: Mapping[str, set[str]] | None = None

    def fault(self, row: SessionRow, line: bytes) -> str:
        """Return why a row does not count, "" if it does; `line` is what it was read from."""
        is_bad_file = bool(row.skipped) and not row.task  # which no list of sessions holds
        if self.keys is not None and row.key not in self.keys and not is_bad_file:
            return "is of no session of this run"
        marks = None if self.marks is None else self.marks.get(row.key, ())
        if marks is not None and mark_of(self.run_file, line) not in marks:
            return "is not as this run wrote it"
        return self._impossible(row)

    def _impossible(self, row: SessionRow) -> str:
        """Return what of a row cannot be, "" if all can."""
        if row.skipped:
            return "has an end, and could not start" if row.end else ""
        kind = self.options.get("kind", TATC)
        known = (kind, ALFRED_BENCHMARK) if kind == TATC else (kind,)
        if self.options and row.benchmark not in known:
            return f"is of the benchmark {row.benchmark}, and the run is not"
        sums = bool(self.options.get("cascaded") if self.options else row.starts)
        can_be = {
            "opened + bumped": row.opened + row.bumped <= row.steps,
            "steps": row.steps <= row.follower_actions,
            "finished": row.finished <= row.starts,
            "failed_actions": sums or row.failed_actions <= TATC_LIMITS.failures,
            "starts": sums or not row.starts,
            "after.met": sums or row.after.met >= 0,
            "before.met": sums or row.before.met >= 0,
        }
        for name, holds in can_be.items():
            if not holds:
                return f"has an impossible count: {name}"
        after, is_whole = row.after, not (sums or self.options.get("subgoals"))
        if row.success and after.unmet:
            return f"is a success with {after.unmet} of {after.total} goal conditions unmet"
        if row.success and not sums and not after.total:  # nothing may be left to a cascade
            return "is a success without goal conditions"
        if row.success and is_whole and row.before.unmet and not row.steps:
            return "is a success without an action"
        return ""


@dataclass(frozen=True, slots=True)
class SessionJob:
    """A session to run: from a recorded game (its `path`), or in a room.

    `room` is what `load_room` takes: the name of a shipped room, which is then `place` too, or a
    room file.  If `path` is that of an instance, `game_path` and `game_id` are the file and the
    id of the game that it was cut from, and `dialogue_path` is the instance whose words its
    Follower hears, None for its own.  `subgoal` is the index of the subgoal of a trajectory at
    which it starts and which it is to reach, None for a whole session.
    """

    key: str
    task: str
    place: str
    kind: str
    split: str = ""
    path: str | None = None
    seed: int = 1
    game_path: str | None = None
    game_id: str | None = None
    room: str = ""
    dialogue_path: str | None = None
    subgoal: int | None = None

    @staticmethod
    def from_header(key: str, head: GameHeader, path: Path, seed: int) -> "SessionJob":
        """Return a session of a game with this header, from the file at `path`."""
        kind = head.kind.value
        return SessionJob(key, head.task_name, head.place, kind, head.split, str(path), seed)

    def initial_row(self) -> SessionRow:
        """Return the row of this session as it is before the session starts."""
        return SessionRow(
            key=self.key,
            task=self.task,
            place=self.place,
            kind=self.kind,
            split=self.split,
            game=self.game_id or (self.key if self.path is not None else None),
            source=self.path or (self.room if self.room != self.place else None),
            seed=self.seed,
        )


def unreadable_row(path: Path, fault: errors.BadInput) -> SessionRow:
    """Return the row of a file that is skipped."""
    return SessionRow(key=path.name, task="", skipped=fault.one_line)
