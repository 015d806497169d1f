"""Where sessions run: in processes of this machine, or on a Ray cluster."""

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import lru_cache
from importlib import import_module
from typing import Any

from tatc.errors import MissingExtra
from tatc.evaluation.eval_options import EvalOptions
from tatc.evaluation.jobs import SessionJob
from tatc.evaluation.runner_factory import runner_for
from tatc.evaluation.session_runner import CompletedSession, JobRunner, crashed_row
from tatc.evaluation.worker import Worker

ExecutionEngine = Callable[[Sequence[SessionJob], EvalOptions, int], Generator[CompletedSession]]
"""Runs jobs with a number of workers and yields each when it is done."""


def run_local(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[CompletedSession]:
    """Run in processes of this machine; one thread here waits for each process."""
    kept = threading.local()
    started: list[Worker] = []

    def ready() -> None:
        kept.worker = Worker(options)
        started.append(kept.worker)

    def run(job: SessionJob) -> CompletedSession:
        return kept.worker.run(job)

    threads = ThreadPoolExecutor(workers, initializer=ready)
    try:
        for future in as_completed([threads.submit(run, job) for job in jobs]):
            yield future.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in started:
            worker.close()
        threads.shutdown(wait=True)
        for worker in started:  # one that a thread started meanwhile
            worker.close()


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
