"""A run: runs the selected sessions that are not finished yet."""

import json
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from os.path import getmtime
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from platformdirs import user_data_path

from tatc.base import arguments, code_identity, errors, process_pool
from tatc.evaluation.runs import job_runners, run_identity, run_inputs, subgoal_runner
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.instance_runner import InstanceRunner
from tatc.evaluation.runs.rows import SessionJob, SessionRow
from tatc.evaluation.runs.run_folder import RunFolder, holds_runs
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.session.agents.agents import has_given_agents

_OPTIONS_HASH_CHARACTERS = 12  # with which the name of a run in the user's data folder begins


def _own_folder() -> Path:
    """Return where runs without a folder of their own are kept."""
    return user_data_path("tatc") / "runs"


def locate_run_folder(
    out: Path | None, options: EvalOptions, on_remark: Callable[[str], None] = lambda text: None
) -> RunFolder:
    """Return a run's folder: `out`, or one in the user's data folder, by code and options.

    There, changed code of the user's gets another folder, and a remark says so.  Each shard has a
    folder of its own inside.
    """
    if out is None:
        whole = json.dumps(run_identity.identifying_options(replace(options, shard=(1, 1))))
        digest = sha256(whole.encode()).hexdigest()[:_OPTIONS_HASH_CHARACTERS]
        name = f"{digest}-{code_identity.code_hash()}"
        own = run_inputs.joint_hash(run_inputs.common_files(options))
        out = _own_folder() / (f"{name}-{own}" if own else name)
        earlier = sorted(out.parent.glob(f"{name}-*"), key=getmtime)
        if own and earlier and out not in earlier:
            on_remark(f"your own code has changed: a new run; the last one stays in {earlier[-1]}")
    i, n = options.shard
    return RunFolder(out if n == 1 else out / f"shard-{i:0{len(str(n))}}-of-{n}")


def last_failed(folder: RunFolder, chosen: SessionSelection) -> tuple[RunFolder, SessionSelection]:
    """Return a folder beside that of a run, and what failed in the last run that is named alike."""
    path, beside = folder.path, folder.path.with_name(f"{folder.path.name}-last-failed")
    of_default = path.parent.glob(f"{path.name[:_OPTIONS_HASH_CHARACTERS]}-*")
    alike = of_default if path.parent == _own_folder() else (path, beside)
    runs = sorted((each for each in alike if holds_runs(each)), key=getmtime)
    rows = RunFolder(runs[-1]).rows() if runs else ()
    failed = {row.key for row in rows if row.end and not row.success}
    jobs = tuple(job for job in chosen.jobs if job.key in failed)
    if not jobs:
        why = f"no session failed{' in the last run' if runs else ': there is no earlier run'}"
        raise errors.BadInput(why, fix="leave out --last-failed")
    return RunFolder(beside), SessionSelection(jobs)


def run_evaluation(
    folder: RunFolder,
    options: EvalOptions,
    selection: SessionSelection,
    *,
    workers: int = 1,
    force: bool = False,
    stop_at_failure: bool = False,
    debug_crash: Callable[[BaseException], None] | None = None,
    on_row: Callable[[SessionRow], None] = lambda row: None,
    on_remark: Callable[[str], None] = lambda text: None,
) -> tuple[SessionRow, ...]:
    """Run the sessions of a run that are not finished; return the rows of all, in order.

    After an interruption the same call continues in the folder; with `force` it starts again in one
    that holds another run.  `workers` is how many sessions run at a time.  `on_row` is called with
    each row, first with those found in the folder; `on_remark` with a text for each line of results
    that cannot be read, whose session runs again.
    `debug_crash` is called in the midst of a crash, and lets all run in this process.
    """
    process_pool.check_not_nested()
    workers = arguments.check_number_from(1, None, workers, "workers")

    def run_jobs(jobs: Sequence[SessionJob]) -> Generator[job_runners.JobResult]:
        if has_given_agents() or debug_crash:  # no other process can find them, or show a prompt
            with closing(runner_for(options)) as runner:
                runner.on_crash = debug_crash or runner.on_crash
                yield from map(runner.run, jobs)
        else:
            yield from run_in_processes(jobs, options, workers)

    if has_given_agents() and workers != 1:
        why = "an agent that is no class of a module runs in this process alone"
        raise errors.BadInput(why, where="workers", fix='leave it out, or name "module:Class"')
    contents = run_identity.run_contents(options, selection)
    with folder.held():
        folder.create_or_resume(contents, force=force)
        folder.drop_to_repeat(crashed=debug_crash is not None)
        return _run_left(folder, selection, run_jobs, on_row, on_remark, stop_at_failure)


def _run_left(
    folder: RunFolder,
    selection: SessionSelection,
    run_jobs: Callable[[Sequence[SessionJob]], Generator[job_runners.JobResult]],
    on_row: Callable[[SessionRow], None],
    on_remark: Callable[[str], None],
    stop_at_failure: bool,
) -> tuple[SessionRow, ...]:
    """Run the sessions of which a run's folder, which is held, has no row."""
    start = perf_counter()
    found = folder.results()
    for fault in found.faults:
        on_remark(f"run again: {fault}")
    done = {row.key: row for row in found.rows}
    for row in selection.skipped_rows:
        if row.key not in done:
            folder.add(job_runners.JobResult(row), 0.0)
            done[row.key] = row
    for row in done.values():
        on_row(row)
    left = [job for job in selection.jobs if job.key not in done]
    left.sort(key=lambda job: job.place)  # what is kept of a room serves the next session, too
    if left:
        with closing(run_jobs(left)) as finished:
            for each in finished:
                folder.add(each, perf_counter() - start)
                on_row(each.row)
                if stop_at_failure and each.row.end and not each.row.success:
                    break
    return folder.sort_results()


def run_in_processes(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[job_runners.JobResult]:
    """Run jobs, and yield each when it is done; a session whose process dies has crashed."""
    with process_pool.ProcessPool(partial(_session_function, options), workers) as pool:
        running = {pool.submit(job): job for job in jobs}
        for future in as_completed(running):
            job = running.pop(future)
            try:
                yield future.result()
            except process_pool.WorkerDied as death:
                row = cast(SessionRow | None, death.last_report) or job.initial_row()
                yield job_runners.JobResult(
                    job_runners.crashed_row(row, str(death)), death.seconds, crash=f"{death}\n"
                )


def _session_function(
    options: EvalOptions,
) -> process_pool.WorkFunction[SessionJob, job_runners.JobResult]:
    return runner_for(options).run


def runner_for(options: EvalOptions) -> job_runners.JobRunner[Any]:
    """Return the runner for the jobs of a run, by the kind of the run."""
    if options.kind != TATC:
        return InstanceRunner(options)
    if options.subgoals:
        return subgoal_runner.SubgoalRunner(options)
    make = job_runners.CascadeRunner if options.cascaded else job_runners.SessionRunner
    return make(options)
