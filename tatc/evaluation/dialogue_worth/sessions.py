"""Runs the same sessions under several conditions of dialogue, keeps their counts, adds them up."""

import json
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from math import comb, fsum
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.base import files, json_fields, json_lines, process_pool
from tatc.base.errors import BadInput
from tatc.evaluation.dialogue_worth import measured_session
from tatc.evaluation.runs import eval_options, rows, run_identity, session_selection
from tatc.evaluation.scoring.scores import ratio
from tatc.home.actions import Action, Role, Verb
from tatc.session import play, session_types
from tatc.session.agents.session_setup import SessionSetup, resolve_agents
from tatc.session.loop import Session
from tatc.session.start import SessionStart, start_from_game, start_from_room_name
from tatc.tdl import load_library

_CHOICE = ("rooms", "seeds", "tasks", "limit", "seed", "shard")
"""The options that choose sessions in rooms, and make no difference to any of them."""
_COUNTS = (*measured_session.COUNTED, "goal_conditions_met", "goal_conditions")
_LONG_NAMES = {name: f"{name}_per_goal_condition" for name in ("words", "tokens")}


class KeptMeasures:
    """The file of one pair's sessions under one condition: the same command goes on with it.

    Its name holds a hash of program, options and sessions.  In shipped rooms, where sessions do not
    depend on which others were chosen, more seeds, tasks or rooms go on with the same file.
    """

    def __init__(
        self,
        folder: Path | None,
        options: eval_options.EvalOptions,
        selection: session_selection.SessionSelection,
        setup: SessionSetup,
        condition: measured_session.DialogueCondition,
    ) -> None:
        """Name the file, in the user's data folder if no other is given; nothing is made yet."""
        contents = run_identity.run_contents(replace(options, setup=setup), selection)
        identity: dict[str, Any] = {**contents.identity, "commit": None}
        if all(job.path is None and job.room == job.place for job in selection.jobs):
            identity |= {"sessions": None, "sessions_hash": None}
            identity["options"] |= dict.fromkeys(_CHOICE)
        text = json.dumps([identity, condition], sort_keys=True)
        name = sha256(text.encode()).hexdigest()[:12]
        self.folder = user_data_path("tatc") / "dialogues" if folder is None else folder
        self.path = self.folder / f"{condition}-{name}.jsonl"

    def by_key(self) -> dict[str, measured_session.SessionMeasures]:
        """Return what is kept; a line that cannot be read is passed over."""
        kept = json_lines.read_entries(self.path, files.RESULT_LINE, _read_measures)
        return {each.key: each for each in kept}

    def add(self, measured: measured_session.SessionMeasures) -> None:
        """Keep a session that ran; one that could not start is tried again."""
        if measured.skipped:
            return
        files.make_folder(self.folder)
        json_lines.add_entry(asdict(measured), self.path)

    def delete(self) -> None:
        """Forget what is kept."""
        self.path.unlink(missing_ok=True)


def _read_measures(fields: Mapping[str, Any]) -> measured_session.SessionMeasures:
    counts: dict[str, Any] = {
        name: json_fields.as_count(fields.get(name), name) for name in _COUNTS
    }
    errors: list[tuple[str, int]] = []
    for each in json_fields.as_list(fields.get("errors"), "errors"):
        pair = json_fields.as_list(each, "errors", 2)
        if len(pair) != 2 or pair[0] not in list(measured_session.ErrorType):
            why = "has something that is no kind of mistake with its count"
            raise json_fields.FieldError("errors", why)
        errors.append((pair[0], json_fields.as_count(pair[1], "errors")))
    return measured_session.SessionMeasures(
        json_fields.get_text(fields, "key"),
        json_fields.get_text(fields, "group"),
        json_fields.get_flag(fields, "success"),
        **counts,
        errors=tuple(errors),
        crash=json_fields.get_text_or_empty(fields, "crash"),
    )


@dataclass(frozen=True, slots=True)
class Trials:
    """Sessions to run under one condition; `definitions` are folders with more tasks."""

    jobs: tuple[rows.SessionJob, ...]
    setup: SessionSetup
    condition: measured_session.DialogueCondition
    definitions: tuple[str, ...] = ()


def measure_sessions(
    trials: Trials, kept: KeptMeasures, workers: int = 1
) -> Generator[measured_session.SessionMeasures]:
    """Yield what was measured: in the sessions kept, then in the others, kept as they end."""
    died = measured_session.SessionMeasures
    done = kept.by_key()
    yield from (done[job.key] for job in trials.jobs if job.key in done)
    left = [job for job in trials.jobs if job.key not in done]
    measure = partial(_measure, replace(trials, jobs=()))
    for each in process_pool.map_in_processes(
        measure, left, workers, lambda job, why: died(job.key, f"{job.place} {job.task}", crash=why)
    ):
        kept.add(each)
        yield each


def _measure(trials: Trials, job: rows.SessionJob) -> measured_session.SessionMeasures:
    nothing = measured_session.SessionMeasures(job.key, f"{job.place} {job.task}")
    try:
        library = _library(trials.definitions)
        if job.path is not None:
            start = start_from_game(Path(job.path), library, None, (), job.seed)
        else:
            start = start_from_room_name(job.room, library, job.task, (), job.seed)
    except BadInput as fault:
        return replace(nothing, skipped=fault.one_line)
    try:
        return measure_session(start, trials.setup, trials.condition, nothing.key, nothing.group)
    except Exception as fault:  # whatever an agent may raise
        raised = session_types.original_error(fault)
        return replace(nothing, crash=f"{type(raised).__name__}: {raised}")


def measure_session(
    start: SessionStart,
    setup: SessionSetup,
    condition: measured_session.DialogueCondition,
    key: str,
    group: str,
) -> measured_session.SessionMeasures:
    """Run a session under a condition and return what was measured."""
    sim, _ = play.make_simulator(start, setup)
    try:
        commander, follower = resolve_agents(setup).make()
        commander = measured_session.commander_under(condition, commander)
        meter, level = measured_session.SessionMeter(sim, start.task, condition), setup.perception
        session = Session(sim, start.task, commander, follower, watch=meter.watch, perception=level)
        session.start(start.scene)
        meter.begin()
        if condition is measured_session.DialogueCondition.SILENT:
            line = start.task.check(sim.snapshot()).description
            session.act_for(Role.COMMANDER, Action(Verb.TEXT, text=line))
        while session.end is None:
            session.step()
        result = session.result()
        if result.unanswered:  # an outage tells nothing of the agents
            return measured_session.SessionMeasures(key, group, skipped=result.unanswered)
        return meter.measures(key, group, result.progress)
    finally:
        sim.close()


_library = cache(load_library)


@dataclass(frozen=True, slots=True)
class WorthRow:
    """One pair of agents under one condition.

    Rates are None where there is nothing to divide by.  `steps` and `conflicts` are means; words
    and tokens are per met goal condition.  `pass_k` has pass^k for k up to the seeds of each group.
    """

    pair: str
    condition: measured_session.DialogueCondition
    sessions: int
    crashes: int
    skipped: int
    success: float | None
    steps: float | None
    words: float | None
    tokens: float | None
    conflicts: float | None
    novelty: float | None
    belief_sensitive: float | None
    pass_k: tuple[tuple[int, float], ...]
    errors: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON."""
        row: dict[str, Any] = {
            _LONG_NAMES.get(name, name): each for name, each in asdict(self).items()
        }
        pass_k = {str(k): value for k, value in self.pass_k}
        return row | {"pass_k": pass_k, "errors": dict(self.errors)}


def worth_row(
    pair: str,
    condition: measured_session.DialogueCondition,
    measured: Sequence[measured_session.SessionMeasures],
) -> WorthRow:
    """Return the row of these sessions; a crashed session counts as one without success."""
    kept = [each for each in measured if not each.skipped]
    n, met = len(kept), sum(each.goal_conditions_met for each in kept)
    kinds = [each.value for each in measured_session.ErrorType]
    errors: Counter[str] = Counter(dict.fromkeys(kinds, 0))
    for each in kept:
        errors.update(dict(each.errors))
    return WorthRow(
        pair,
        condition,
        sessions=n,
        crashes=sum(bool(each.crash) for each in kept),
        skipped=len(measured) - n,
        success=ratio(sum(each.success for each in kept), n),
        steps=ratio(sum(each.steps for each in kept), n),
        words=ratio(sum(each.words for each in kept), met),
        tokens=ratio(sum(each.tokens for each in kept), met),
        conflicts=ratio(sum(each.conflicts for each in kept), n),
        novelty=ratio(sum(each.novel_facts for each in kept), sum(each.facts for each in kept)),
        belief_sensitive=ratio(
            sum(each.belief_messages for each in kept), sum(each.messages for each in kept)
        ),
        pass_k=pass_power_k(kept),
        errors=tuple(errors.items()),
    )


def pass_power_k(
    measured: Sequence[measured_session.SessionMeasures],
) -> tuple[tuple[int, float], ...]:
    """Return pass^k for k = 1, 2, 4, ...: the chance that k sessions of a group all succeed.

    It is the mean of C(c, k) / C(n, k) over groups of n >= k sessions with c successes each.
    """
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for each in measured:
        groups[each.group].append(each.success)
    largest = max(map(len, groups.values()), default=0)
    found: list[tuple[int, float]] = []
    k = 1
    while k <= largest:
        shares = [comb(sum(g), k) / comb(len(g), k) for g in groups.values() if len(g) >= k]
        found.append((k, fsum(shares) / len(shares)))
        k *= 2
    return tuple(found)
