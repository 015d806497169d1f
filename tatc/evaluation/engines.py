"""Where sessions run: in processes of this machine, or on a Ray cluster."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from functools import lru_cache, partial
from importlib import import_module
from typing import Any, cast

from tatc.errors import MissingExtra
from tatc.evaluation.eval_options import EvalOptions
from tatc.evaluation.jobs import SessionJob
from tatc.evaluation.rows import SessionRow
from tatc.evaluation.runner_factory import runner_for
from tatc.evaluation.session_runner import CompletedSession, JobRunner, crashed_row
from tatc.process_pool import ProcessPool, WorkerDied, WorkFunction

ExecutionEngine = Callable[[Sequence[SessionJob], EvalOptions, int], Generator[CompletedSession]]
"""Runs jobs with a number of workers and yields each when it is done."""


def run_local(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[CompletedSession]:
    """Run in processes of this machine; a session whose process dies has crashed."""
    with ProcessPool(partial(_session_function, options), workers) as pool:
        running = {pool.submit(job): job for job in jobs}
        for future in as_completed(running):
            job = running.pop(future)
            try:
                yield future.result()
            except WorkerDied as death:
                row = cast(SessionRow | None, death.last_report) or job.initial_row()
                yield CompletedSession(
                    crashed_row(row, str(death)), death.seconds, crash=f"{death}\n"
                )


def _session_function(options: EvalOptions) -> WorkFunction[SessionJob, CompletedSession]:
    """Return what runs a session, and reports its row as soon as the start is loaded."""
    return runner_for(options).run


def run_ray(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[CompletedSession]:
    """Run on a Ray cluster: the one that RAY_ADDRESS names, or a new local one.

    Files that the options name must have the same path on every machine of the cluster.

    Raises:
        MissingExtra: ray is not installed.

    """
    try:
        ray: Any = import_module("ray")
    except ImportError as fault:
        raise MissingExtra("cluster", "ray") from fault
    ray.init(ignore_reinit_error=True, log_to_driver=False)
    work: Any = ray.remote(num_cpus=1, max_retries=0)(_run_job)
    waiting = list(reversed(jobs))
    running: dict[Any, SessionJob] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job = waiting.pop()
                running[work.remote(job, options)] = job
            [ready], _ = ray.wait(list(running), num_returns=1)
            yield _fetch_result(ray, ready, running.pop(ready))
    finally:
        for future in running:
            ray.cancel(future, force=True)


def _run_job(job: SessionJob, options: EvalOptions) -> CompletedSession:
    return _cached_runner(options).run(job)


@lru_cache(maxsize=1)
def _cached_runner(options: EvalOptions) -> JobRunner[Any]:
    """Load tasks and policies once in each of the cluster's processes."""
    return runner_for(options)


def _fetch_result(ray: Any, future: Any, job: SessionJob) -> CompletedSession:
    try:
        return ray.get(future)
    except ray.exceptions.RayError as fault:
        why = f"its process died: {type(fault).__name__}"
        return CompletedSession(crashed_row(job.initial_row(), why), crash=f"{fault}\n")


EXECUTION_ENGINES: dict[str, ExecutionEngine] = {"local": run_local, "ray": run_ray}
"""The engines by name."""
