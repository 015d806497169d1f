"""One session of a run, from a job to its row: nothing that happens is dropped."""

import re
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from tatc.actions import TRANSLATIONS, Role, Verb
from tatc.errors import BadInput
from tatc.evaluation.jobs import Job
from tatc.evaluation.options import Keep, Options
from tatc.evaluation.rows import Failure, Row
from tatc.evaluation.triage import failure_of
from tatc.opening import Opening, open_game, open_room
from tatc.own_policies import own_policies
from tatc.records import End, record_bytes
from tatc.records.files import gzipped
from tatc.runner import record_of, run_opening
from tatc.scoring import Counts
from tatc.scoring.bound import lower_bound
from tatc.scoring.shut import needs_opening
from tatc.session import SessionResult
from tatc.sim.embedded.motion import Floor
from tatc.tdl import Progress, load_library


@dataclass(frozen=True, slots=True)
class Done:
    """A session's row, and what else is kept of it: a gzipped record, a traceback."""

    row: Row
    seconds: float
    record: bytes | None = None
    crash: str = ""


class Runner:
    """Runs the sessions of one run, one after the other."""

    def __init__(self, options: Options) -> None:
        """Load tasks and policies once for all sessions.

        Raises:
            BadInput: they, the map or an agent cannot be loaded.

        """
        self._options = options
        self._library = load_library([Path(each) for each in options.definitions])
        self._stack = ExitStack()
        folders = [Path(each) for each in options.policies]
        self._stack.enter_context(own_policies(folders))
        options.setup.check()

    def close(self) -> None:
        """Forget the policies."""
        self._stack.close()

    def run(self, job: Job, opened: Callable[[Row], None] = lambda row: None) -> Done:
        """Run a session; what it raises is a failure like any other, and kept.

        `opened` is told what is known once the session is about to start.
        """
        start = perf_counter()
        row = job.row()
        try:
            try:
                opening = self._open(job)
            except BadInput as fault:
                why = fault.what if job.path is None else fault.line
                return Done(replace(row, skipped=why), perf_counter() - start)
            row = _about(row, opening)
            opened(row)
            return self._run(row, opening, start)
        except Exception as fault:  # a crash is a result
            why = f"{type(fault).__name__}: {fault}".splitlines()[0]
            text = traceback.format_exc()
            return Done(crashed(row, why), perf_counter() - start, crash=text)

    def _open(self, job: Job) -> Opening:
        if job.path is not None:
            return open_game(Path(job.path), self._library, None, (), job.seed)
        return open_room(job.room, self._library, job.task, (), job.seed)

    def _run(self, row: Row, opening: Opening, start: float) -> Done:
        setup = self._options.setup
        result, floor_map = run_opening(opening, setup)
        row = _ended(row, opening, result)
        cells = Floor.of(opening.scene, floor_map).reachable()
        row = replace(row, bound=lower_bound(opening.task, result.start, cells))
        record = None
        if _wanted(self._options.keep, result):
            data = record_bytes(record_of(opening, result, floor_map, setup))
            record = gzipped(data, level=4)  # quickly
            row = replace(row, record=f"records/{file_name(row.key)}.game.json.gz")
        return Done(row, perf_counter() - start, record)


def crashed(row: Row, why: str) -> Row:
    """Return the row of a session that was broken off."""
    failure = Failure("", "", why, None)
    crash = f"crashes/{file_name(row.key)}.txt"
    return replace(row, end=End.CRASHED.value, failure=failure, crash=crash)


def file_name(key: str) -> str:
    """Return a session's key as the name of a file, wherever the key comes from."""
    return re.sub(r"[^\w-]", "-", key)


def _about(row: Row, opening: Opening) -> Row:
    counts = _counts(opening.task.check(opening.scene.start))
    return replace(
        row,
        params=opening.task.params,
        before=counts,
        after=counts,
        shut=needs_opening(opening.task, opening.scene.start),
        human_actions=opening.human_actions,
    )


def _ended(row: Row, opening: Opening, result: SessionResult) -> Row:
    done = [each for each in result.interactions if each.role is Role.FOLLOWER]
    return replace(
        row,
        end=result.end.value,
        before=_counts(opening.task.check(result.start)),
        after=_counts(result.progress),
        commander_actions=result.actions(Role.COMMANDER),
        follower_actions=result.actions(Role.FOLLOWER),
        steps=sum(each.verb is not Verb.TEXT for each in done),
        failed_actions=result.failures,
        opened=sum(each.verb is Verb.OPEN and each.success is True for each in done),
        bumped=sum(each.verb in TRANSLATIONS and not each.success for each in done),
        failure=None if result.success else failure_of(result),
    )


def _counts(progress: Progress) -> Counts:
    return Counts(progress.goal_conditions_total, progress.goal_conditions_satisfied)


def _wanted(keep: Keep, result: SessionResult) -> bool:
    return keep is Keep.ALL or (keep is Keep.FAILURES and not result.success)
