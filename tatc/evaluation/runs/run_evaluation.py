"""A run: runs the selected sessions that are not finished yet, here or on a Ray cluster."""

import json
import os
import platform
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import sha256
from importlib import import_module
from os.path import getmtime
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter
from typing import Any, cast

from platformdirs import user_data_path

from tatc.base import arguments, code_identity, errors, files, process_pool
from tatc.evaluation.runs import (
    instance_runner,
    job_runners,
    run_identity,
    run_inputs,
    subgoal_runner,
)
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.rows import SessionJob, SessionRow
from tatc.evaluation.runs.run_folder import RunFolder, holds_runs
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.session.agents.agents import has_given_agents
from tatc.sim.rooms import load_room

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
    engine: str = "local",
    workers: int = 1,
    force: bool = False,
    stop_at_failure: bool = False,
    debug_crash: Callable[[BaseException], None] | None = None,
    on_row: Callable[[SessionRow], None] = lambda row: None,
    on_remark: Callable[[str], None] = lambda text: None,
) -> tuple[SessionRow, ...]:
    """Run the sessions of a run that are not finished; return the rows of all, in order.

    After an interruption the same call continues in the folder; with `force` it starts again in one
    that holds another run.  `engine` is "local" or "ray", `workers` how many sessions run at a
    time.  `on_row` is called with each row, first with those found in the folder; `on_remark` with
    a text for each line of results that cannot be read, whose session runs again.
    `debug_crash` is called in the midst of a crash, and lets all run in this process.
    """
    if engine not in EXECUTION_ENGINES:
        raise errors.UnknownName("engine", engine, EXECUTION_ENGINES, fix="name local or ray")
    process_pool.check_not_nested()
    workers = arguments.check_number_from(1, None, workers, "workers")

    def run_jobs(jobs: Sequence[SessionJob]) -> Generator[job_runners.JobResult]:
        if has_given_agents() or debug_crash:  # no other process can find them, or show a prompt
            with closing(runner_for(options)) as runner:
                runner.on_crash = debug_crash or runner.on_crash
                yield from map(runner.run, jobs)
        else:
            yield from EXECUTION_ENGINES[engine](jobs, options, workers)

    if has_given_agents() and (engine != "local" or workers != 1):
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
    if left:
        with closing(run_jobs(left)) as finished:
            for each in finished:
                folder.add(each, perf_counter() - start)
                on_row(each.row)
                if stop_at_failure and each.row.end and not each.row.success:
                    break
    return folder.sort_results()


ExecutionEngine = Callable[
    [Sequence[SessionJob], EvalOptions, int], Generator[job_runners.JobResult]
]
"""Runs jobs with a number of workers and yields each when it is done."""


def run_local(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[job_runners.JobResult]:
    """Run in processes of this machine; a session whose process dies has crashed."""
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
        return instance_runner.InstanceRunner(options)
    if options.subgoals:
        return subgoal_runner.SubgoalRunner(options)
    make = job_runners.CascadeRunner if options.cascaded else job_runners.SessionRunner
    return make(options)


# On a Ray cluster, files keep their paths, and relative ones are taken from the caller's folder.  A
# session whose machine lacks something goes to another one; one whose machine dies is run again.

MAX_JOB_RETRIES = 3
"""How often a session is run again because its process or its machine died."""


@dataclass(frozen=True, slots=True)
class MissingThere:
    """Why a machine cannot run a session that another machine could."""

    machine: str
    why: str


@dataclass(slots=True)
class _Attempt:
    """A session on its way: the machine that it must run on, and those that cannot run it."""

    job: SessionJob
    machine: str = ""
    lacking: dict[str, str] = field(default_factory=dict[str, str])


def run_ray(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[job_runners.JobResult]:
    """Run on a Ray cluster: the one that RAY_ADDRESS names, or a new local one."""
    ray = errors.MissingExtra.module("cluster", "ray")
    cluster = _Cluster(ray, options)
    waiting = [_Attempt(job) for job in reversed(jobs)]
    nowhere: list[str] = []
    try:
        while waiting or cluster.running:
            while waiting and len(cluster.running) < workers:
                cluster.submit(waiting.pop())
            attempt, done = cluster.wait()
            if isinstance(done, job_runners.JobResult):
                yield done
                continue
            attempt.lacking[done.machine] = done.why
            left = cluster.machines() - attempt.lacking.keys()
            if left:
                attempt.machine = min(left)
                waiting.append(attempt)
            else:
                nowhere.append(done.why)
    finally:
        cluster.cancel()
    if nowhere:
        why = f"no machine of the cluster could run {len(nowhere)} of the sessions: {nowhere[0]}"
        fix = "put what they need at the same path there, and give the same command again"
        raise errors.TatcError(why, fix=fix)


class _Cluster:
    def __init__(self, ray: Any, options: EvalOptions) -> None:
        self.running: dict[Any, _Attempt] = {}
        self._ray = ray
        # Ray copies the package there.  What git or Python leave in it would only change its hash.
        packages = {"py_modules": [str(code_identity.PACKAGE_FOLDER)], "excludes": ["__pycache__/"]}
        try:
            ray.init(ignore_reinit_error=True, log_to_driver=False, runtime_env=packages)
        except (ConnectionError, RuntimeError, ValueError) as fault:
            raise _unusable("cannot be used", fault, "check RAY_ADDRESS, or unset it") from fault
        self._options = ray.put(options)
        self._folder = os.getcwd()
        self._work = ray.remote(num_cpus=1, max_retries=MAX_JOB_RETRIES)(_run_job)

    def machines(self) -> set[str]:
        return {
            each["NodeID"]
            for each in self._ray.nodes()
            if each["Alive"] and each["Resources"].get("CPU", 0) >= 1
        }

    def submit(self, attempt: _Attempt) -> None:
        work = self._work
        if attempt.machine:
            strategies: Any = import_module("ray.util.scheduling_strategies")
            only = strategies.NodeAffinitySchedulingStrategy(attempt.machine, soft=False)
            work = work.options(scheduling_strategy=only)
        self.running[work.remote(attempt.job, self._options, self._folder)] = attempt

    def wait(self) -> tuple[_Attempt, job_runners.JobResult | MissingThere]:
        [ready], _ = self._ray.wait(list(self.running), num_returns=1)
        attempt = self.running.pop(ready)
        faults = self._ray.exceptions
        try:
            return attempt, self._ray.get(ready)
        except faults.TaskUnschedulableError:
            return attempt, MissingThere(attempt.machine, "the machine has left the cluster")
        except (faults.RuntimeEnvSetupError, faults.RayTaskError) as fault:
            # A session's own faults are results: what is raised comes from before it.
            fix = "install tatc's dependencies there, or name them in Ray's runtime environment"
            raise _unusable("cannot run tatc in its processes", fault, fix) from fault
        except faults.RayError as fault:
            why = f"its process died: {type(fault).__name__}"
            row = job_runners.crashed_row(attempt.job.initial_row(), why)
            return attempt, job_runners.JobResult(row, crash=f"{fault}\n")

    def cancel(self) -> None:
        for future in self.running:
            self._ray.cancel(future, force=True)


def _unusable(what: str, fault: Exception, fix: str) -> errors.TatcError:
    lines = str(fault).strip().splitlines() or [type(fault).__name__]
    return errors.TatcError(f"Ray {what}: {lines[-1]}", fix=fix)


def _run_job(
    job: SessionJob, options: EvalOptions, folder: str
) -> job_runners.JobResult | MissingThere:
    _enter(folder)
    try:
        runner = _cached_runner(options)
    except errors.TatcError as fault:  # the caller could load all that the options name
        return _missing_here(fault)
    done = runner.run(job)
    try:
        if done.row.skipped:
            _check_found(job)
    except errors.BadInput as fault:
        return _missing_here(fault)
    return done


_cached_runner = lru_cache(maxsize=1)(runner_for)
"""Loads tasks and policies once in each of the cluster's processes."""


@lru_cache(maxsize=1)
def _enter(folder: str) -> None:
    """Go to the caller's folder; where there is none, to an empty one, which has no files."""
    try:
        os.chdir(folder)
    except OSError:
        os.chdir(mkdtemp(prefix="tatc-"))


def _check_found(job: SessionJob) -> None:
    if job.path is None:
        load_room(job.room)
    for path in (job.path, job.game_path):
        if path is not None:
            files.check_file(Path(path), files.GAME)


def _missing_here(fault: errors.TatcError) -> MissingThere:
    ray: Any = import_module("ray")
    machine = ray.get_runtime_context().get_node_id()
    return MissingThere(machine, f"{platform.node()}: {fault.one_line}")


EXECUTION_ENGINES: dict[str, ExecutionEngine] = {"local": run_local, "ray": run_ray}
"""The engines by name."""
