"""Runs the sessions of a run: from a job to its row, whatever happens."""

import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, TypeVar

from tatc.base import errors, file_names
from tatc.commander import policies
from tatc.evaluation.runs import dialogue_tracks, failure_grouping, rows
from tatc.evaluation.runs.eval_options import TRUE_GOAL, DialogueSource, EvalOptions, SaveRecords
from tatc.evaluation.scoring.lower_bound import lower_bound, needs_opening
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.follower import Follower
from tatc.home.actions import INTERACTION_VERBS, TRANSLATION_VERBS, Role, Verb
from tatc.home.state import Snapshot
from tatc.session import loop, play, records, worlds
from tatc.session.agents import session_setup, settings
from tatc.session.agents.agents import commander_factory, follower_factory, user_policies
from tatc.session.records.file_search import gzip_bytes
from tatc.session.session_record import make_record
from tatc.session.session_types import SessionEvent, SessionResult, error_words, original_error
from tatc.session.start import SessionStart, start_from_file, start_from_room_name
from tatc.session.timeline.timeline import probe_scores
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.protocol import Simulator
from tatc.tdl import Task, load_library

Opened = TypeVar("Opened")
_MAX_REASON = 500  # characters of an error's message; its traceback has them all


@dataclass(frozen=True, slots=True)
class JobResult:
    """The row of a session, and what else is kept: a gzipped record, a traceback."""

    row: rows.SessionRow
    seconds: float = 0.0
    record: bytes | None = None
    crash: str = ""


class JobRunner(ABC, Generic[Opened]):
    """Runs the jobs of one run, loading an `Opened` for each, whatever happens."""

    def __init__(self, options: EvalOptions) -> None:
        """Load the tasks once for all jobs."""
        self._options = options
        self._library = load_library(options.definitions)
        self.on_crash: Callable[[BaseException], None] = lambda fault: None

    def close(self) -> None:
        """Unload what was loaded for the jobs."""

    def run(
        self, job: rows.SessionJob, on_start: Callable[[rows.SessionRow], None] = lambda row: None
    ) -> JobResult:
        """Run a job, telling `on_start` its row once loaded; an exception becomes a crashed row."""
        start, row = perf_counter(), row_under_conditions(job.initial_row(), self._options)
        try:
            try:
                opened = self._open(job)
            except errors.BadInput as fault:
                why = fault.what if job.path is None else fault.one_line
                done = JobResult(replace(row, skipped=why))
            else:
                row = self._row_at_start(row, opened)
                on_start(row)
                done = self._run(row, opened)
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # a crash is a result, and `sys.exit` no end of a run
            self.on_crash(original_error(fault))
            why, text = self._describe_crash(fault)
            done = JobResult(crashed_row(row, why), crash=text)
        return replace(done, seconds=perf_counter() - start)

    @abstractmethod
    def _open(self, job: rows.SessionJob) -> Opened:
        """Load a job; a BadInput says why it is skipped."""

    @abstractmethod
    def _row_at_start(self, row: rows.SessionRow, opened: Opened) -> rows.SessionRow:
        """Return the row with what is known before the first action."""

    @abstractmethod
    def _run(self, row: rows.SessionRow, opened: Opened) -> JobResult:
        """Run what was opened; `run` adds the time."""

    def _describe_crash(self, fault: BaseException) -> tuple[str, str]:
        """Return why a session crashed, in a line, and the whole text; called in the handler."""
        return error_words(original_error(fault), whole=False), traceback.format_exc()

    def _with_record(
        self, row: rows.SessionRow, make_record: Callable[[], records.Record]
    ) -> JobResult:
        keep = self._options.keep
        if keep is SaveRecords.NONE or (keep is SaveRecords.FAILURES and row.success):
            return JobResult(row)
        data = gzip_bytes(records.record_bytes(make_record()), level=4)  # quickly
        name = f"records/{file_names.file_name(row.key, '.game.json.gz')}"
        return JobResult(replace(row, record=name), record=data)


class PairRunner(JobRunner[Opened]):
    """Runs jobs that a Commander and a Follower play, with the user's policies."""

    def __init__(self, options: EvalOptions) -> None:
        """Load tasks and policies once for all sessions."""
        super().__init__(options)
        self._stack = ExitStack()
        self._stack.enter_context(user_policies(options.policies))
        self._agents = dialogue_tracks.with_track(play.prepare(options.setup), options.dialogue)

    def close(self) -> None:
        """Unload the policies."""
        self._stack.close()


class SessionRunner(PairRunner[SessionStart]):
    """Runs whole sessions of a Commander and a Follower."""

    def _open(self, job: rows.SessionJob) -> SessionStart:
        if job.path is not None:
            start = start_from_file(Path(job.path), self._library, self._options.plans, job.seed)
            play.check_world_of_start(start, self._options.setup)
            return start
        return start_from_room_name(job.room, self._library, job.task, (), job.seed)

    def _row_at_start(self, row: rows.SessionRow, opened: SessionStart) -> rows.SessionRow:
        counts = GoalConditionCounts.of(opened.task.check(opened.scene.initial))
        if opened.alfred_task is not None:
            row = replace(row, benchmark=rows.ALFRED_BENCHMARK)
            initial = opened.scene.initial
            counts = rows.alfred_counts(opened.alfred_task, initial, initial)
        return replace(
            row,
            params=opened.task.params,
            before=counts,
            after=counts,
            shut=needs_opening(opened.task, opened.scene.initial),
            human_actions=opened.human_actions,
        )

    def _run(self, row: rows.SessionRow, opened: SessionStart) -> JobResult:
        setup = self._agents.setup
        watch = SessionWatcher(opened.task, counts_conflicts=bool(self._options.split))
        result, recorded_map = play.run_from_start(
            opened, self._agents, watch=watch.count, watch_start=watch.begin
        )
        cells = WalkableGrid.from_scene(opened.scene, recorded_map).reachable()
        row = replace(
            _row_at_end(row, opened, result, watch.refused),
            conflicts=watch.conflicts,
            bound=lower_bound(opened.task, result.start, cells),
            map=worlds.map_label(recorded_map),
        )
        if setup.play.probes:
            record = make_record(opened, result, recorded_map, setup)
            probes = probe_scores(record, opened.task, setup.floor_map)
            row = replace(row, probes=tuple(sorted(probes.items())))
        return self._with_record(row, lambda: make_record(opened, result, recorded_map, setup))


class SessionWatcher:
    """Counts in a session what was refused and, if that is asked for, what undid a goal condition.

    `conflicts` are the interactions after which fewer goal conditions are met than before.
    """

    def __init__(self, task: Task, *, counts_conflicts: bool) -> None:
        """Watch a session of a task."""
        self.refused = Counter[str]()
        self.conflicts = 0 if counts_conflicts else None
        self._task, self._met = task, 0

    def begin(self, sim: Simulator, follower: Follower) -> None:
        """Begin a session in a simulator."""
        self._sim = sim

    def count(self, event: SessionEvent) -> None:
        """Count a logged action."""
        failure_grouping.count_refusal(self.refused, event)
        done = event.interaction
        if self.conflicts is not None and done.verb in INTERACTION_VERBS and done.success:
            met = self._task.check(self._sim.snapshot()).goal_conditions_satisfied
            self.conflicts += met < self._met
            self._met = met


def row_under_conditions(row: rows.SessionRow, options: EvalOptions) -> rows.SessionRow:
    """Return a row with the conditions of its run that are not the usual ones."""
    given = options.setup.settings
    labels = tuple((name, settings.SETTINGS[name].label(value)) for name, value in given)
    return replace(row, settings=labels, **unusual_conditions(options))


def unusual_conditions(options: EvalOptions) -> dict[str, Any]:
    """Return the conditions of a run as rows have them: "" or 0 for the usual ones."""
    level, own = options.setup.perception, options.dialogue is DialogueSource.OWN
    return {
        "perception": "" if level is None else level.value,
        "goal": options.goal if options.goal == TRUE_GOAL else "",
        "feedback": options.feedback,
        "dialogue": "" if own else options.dialogue.value,
    }


def crashed_row(row: rows.SessionRow, why: str) -> rows.SessionRow:
    """Return the row of a session that an exception ended."""
    failure = rows.SessionFailure("", "", why[:_MAX_REASON], None)
    crash = f"crashes/{file_names.file_name(row.key, '.txt')}"
    return replace(row, end=records.SessionEnd.CRASHED.value, failure=failure, crash=crash)


def _row_at_end(
    row: rows.SessionRow, start: SessionStart, result: SessionResult, refused: Counter[str]
) -> rows.SessionRow:
    before = GoalConditionCounts.of(start.task.check(result.start))
    after = GoalConditionCounts.of(result.progress)
    failure = None if result.success else failure_grouping.failure_of(result, refused)
    if start.alfred_task is not None:
        before = rows.alfred_counts(start.alfred_task, result.start, result.start)
        after = rows.alfred_counts(start.alfred_task, result.start, result.final)
        failure = (failure or rows.DONE_FOR_TATC_ALONE) if after.unmet else None
    stretches = Counter(dict.fromkeys(policies.own_properties(), 0))
    stretches.update(each.policy for each in result.decisions if each.policy)
    return replace(
        counted_actions(row, result),
        end=result.end.value,
        before=before,
        after=after,
        failure=failure,
        stretches=tuple(sorted(stretches.items())),
    )


def counted_actions(row: rows.SessionRow, result: SessionResult) -> rows.SessionRow:
    """Return a row with what the agents did in a session, and which models they asked."""
    done = [each for each in result.interactions if each.role is Role.FOLLOWER]
    turns = [call for call in result.model_calls if not call.probe]
    played = {f"{call.role.name.lower()} {call.model}" for call in result.model_calls}
    return replace(
        row,
        commander_actions=result.count_actions(Role.COMMANDER),
        follower_actions=result.count_actions(Role.FOLLOWER),
        steps=sum(each.verb is not Verb.TEXT for each in done),
        failed_actions=result.failures,
        opened=sum(each.verb is Verb.OPEN and each.success is True for each in done),
        bumped=sum(each.verb in TRANSLATION_VERBS and not each.success for each in done),
        unanswered=result.unanswered,
        models=", ".join(sorted(played)),
        words=sum(len(each.text.split()) for each in result.interactions if each.verb is Verb.TEXT),
        model_calls=sum(call.was_sent for call in turns),
        model_tokens=sum(call.tokens for call in turns),
        answer_tokens=sum(call.answer_tokens for call in turns),
    )


# Cascaded evaluation, because a Follower that fails early never reaches the later part: it starts
# where each instruction was given to the rule Follower, and its score is the share of the goal
# conditions left there that it reaches (after CerealBar: Suhr et al. 2019, section 6).


class CascadeRunner(SessionRunner):
    """Runs each session from each of its instructions; a row's counts are sums over these."""

    def _run(self, row: rows.SessionRow, opened: SessionStart) -> JobResult:
        sim, recorded_map = play.make_simulator(opened, self._agents.setup)
        with closing(sim):
            states = instruction_states(sim, opened, self._agents.setup)
            found = [run_from_state(sim, opened, self._agents, state) for state in states]
        row = replace(row, map=worlds.map_label(recorded_map))
        return JobResult(_row_of_sums(row, opened.task, found))


def instruction_states(
    sim: Simulator, start: SessionStart, setup: session_setup.SessionSetup
) -> tuple[Snapshot, ...]:
    """Return the states in which the rule Follower gets an instruction, in order."""
    states: list[Snapshot] = []

    def watch(event: SessionEvent) -> None:
        if event.interaction.role is Role.COMMANDER and event.interaction.verb is Verb.TEXT:
            states.append(sim.snapshot())

    commander = commander_factory(setup.commander)()
    session = loop.Session(sim, start.task, commander, follower_factory("rule")(), watch=watch)
    session.start(start.scene)
    while session.end is None:
        session.step()
    return tuple(state for state in states if not start.task.check(state).success)


def run_from_state(
    sim: Simulator, start: SessionStart, agents: session_setup.ResolvedAgents, state: Snapshot
) -> SessionResult:
    """Run a session from a state, with the limits of a whole session."""
    sim.restore(state)
    session, *_ = play.session_from_start(sim, start, agents)
    session.resume_after(state, ())
    while session.end is None:
        session.step()
    return session.result()


def _row_of_sums(
    row: rows.SessionRow, task: Task, results: Sequence[SessionResult]
) -> rows.SessionRow:
    left = sum(GoalConditionCounts.of(task.check(each.start)).unmet for each in results)
    reached = left - sum(GoalConditionCounts.of(each.progress).unmet for each in results)
    failed = [each for each in results if not each.success]
    return replace(
        row,
        end=(records.SessionEnd.GAVE_UP if failed else records.SessionEnd.SUCCESS).value,
        before=GoalConditionCounts(left, 0),
        after=GoalConditionCounts(left, reached),
        commander_actions=sum(each.count_actions(Role.COMMANDER) for each in results),
        follower_actions=sum(each.count_actions(Role.FOLLOWER) for each in results),
        failed_actions=sum(each.failures for each in results),
        human_actions=None,
        failure=failure_grouping.failure_of(failed[0]) if failed else None,
        unanswered=next(filter(None, (each.unanswered for each in results)), ""),
        starts=len(results),
        finished=len(results) - len(failed),
    )
