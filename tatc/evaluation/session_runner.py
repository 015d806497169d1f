"""Runs one session of a run: from a job to its row, whatever happens."""

import re
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from tatc.actions import TRANSLATION_VERBS, Role, Verb
from tatc.errors import BadInput
from tatc.evaluation.eval_options import EvalOptions, SaveRecords
from tatc.evaluation.failure_grouping import failure_of
from tatc.evaluation.jobs import SessionJob
from tatc.evaluation.rows import SessionFailure, SessionRow
from tatc.records import SessionEnd, record_bytes
from tatc.records.json_files import gzip_bytes
from tatc.scoring import GoalConditionCounts
from tatc.scoring.lower_bound import lower_bound
from tatc.scoring.needs_opening import needs_opening
from tatc.session import SessionResult
from tatc.session.agent_crash import original_error
from tatc.session.runner import make_record, run_from_start
from tatc.session.start import SessionStart, start_from_game, start_from_room_name
from tatc.session.user_policies import user_policies
from tatc.sim.embedded.motion import WalkableGrid
from tatc.tdl import Progress, load_library


@dataclass(frozen=True, slots=True)
class CompletedSession:
    """The row of a session, and what else is kept: a gzipped record, a traceback."""

    row: SessionRow
    seconds: float
    record: bytes | None = None
    crash: str = ""


class SessionRunner:
    """Runs the sessions of one run, one after the other."""

    def __init__(self, options: EvalOptions) -> None:
        """Load tasks and policies once for all sessions.

        Raises:
            BadInput: they, the map or an agent cannot be loaded.

        """
        self._options = options
        self._library = load_library([Path(each) for each in options.definitions])
        self._stack = ExitStack()
        folders = [Path(each) for each in options.policies]
        self._stack.enter_context(user_policies(folders))
        options.setup.validate()

    def close(self) -> None:
        """Unload the policies."""
        self._stack.close()

    def run(
        self, job: SessionJob, on_start: Callable[[SessionRow], None] = lambda row: None
    ) -> CompletedSession:
        """Run a session; an exception becomes a crashed row, with its traceback.

        `on_start` is called with the row as soon as the start is loaded.
        """
        start = perf_counter()
        row = job.initial_row()
        try:
            try:
                opening = self._open(job)
            except BadInput as fault:
                why = fault.what if job.path is None else fault.one_line
                return CompletedSession(replace(row, skipped=why), perf_counter() - start)
            row = _row_at_start(row, opening)
            on_start(row)
            return self._run(row, opening, start)
        except Exception as fault:  # a crash is a result
            raised = original_error(fault)
            why = f"{type(raised).__name__}: {raised}".splitlines()[0]
            text = traceback.format_exc()
            return CompletedSession(crashed_row(row, why), perf_counter() - start, crash=text)

    def _open(self, job: SessionJob) -> SessionStart:
        if job.path is not None:
            return start_from_game(Path(job.path), self._library, None, (), job.seed)
        return start_from_room_name(job.room, self._library, job.task, (), job.seed)

    def _run(self, row: SessionRow, opening: SessionStart, start: float) -> CompletedSession:
        setup = self._options.setup
        result, floor_map = run_from_start(opening, setup)
        row = _row_at_end(row, opening, result)
        cells = WalkableGrid.from_scene(opening.scene, floor_map).reachable()
        row = replace(row, bound=lower_bound(opening.task, result.start, cells))
        record = None
        if _keeps_record(self._options.keep, result):
            data = record_bytes(make_record(opening, result, floor_map, setup))
            record = gzip_bytes(data, level=4)  # quickly
            row = replace(row, record=f"records/{safe_file_name(row.key)}.game.json.gz")
        return CompletedSession(row, perf_counter() - start, record)


def crashed_row(row: SessionRow, why: str) -> SessionRow:
    """Return the row of a session that an exception ended."""
    failure = SessionFailure("", "", why, None)
    crash = f"crashes/{safe_file_name(row.key)}.txt"
    return replace(row, end=SessionEnd.CRASHED.value, failure=failure, crash=crash)


def safe_file_name(key: str) -> str:
    """Return a session's key with every unsafe character of a file name replaced."""
    return re.sub(r"[^\w-]", "-", key)


def _row_at_start(row: SessionRow, opening: SessionStart) -> SessionRow:
    counts = _goal_condition_counts(opening.task.check(opening.scene.start))
    return replace(
        row,
        params=opening.task.params,
        before=counts,
        after=counts,
        shut=needs_opening(opening.task, opening.scene.start),
        human_actions=opening.human_actions,
    )


def _row_at_end(row: SessionRow, opening: SessionStart, result: SessionResult) -> SessionRow:
    done = [each for each in result.interactions if each.role is Role.FOLLOWER]
    return replace(
        row,
        end=result.end.value,
        before=_goal_condition_counts(opening.task.check(result.start)),
        after=_goal_condition_counts(result.progress),
        commander_actions=result.count_actions(Role.COMMANDER),
        follower_actions=result.count_actions(Role.FOLLOWER),
        steps=sum(each.verb is not Verb.TEXT for each in done),
        failed_actions=result.failures,
        opened=sum(each.verb is Verb.OPEN and each.success is True for each in done),
        bumped=sum(each.verb in TRANSLATION_VERBS and not each.success for each in done),
        failure=None if result.success else failure_of(result),
    )


def _goal_condition_counts(progress: Progress) -> GoalConditionCounts:
    return GoalConditionCounts(progress.goal_conditions_total, progress.goal_conditions_satisfied)


def _keeps_record(keep: SaveRecords, result: SessionResult) -> bool:
    return keep is SaveRecords.ALL or (keep is SaveRecords.FAILURES and not result.success)
