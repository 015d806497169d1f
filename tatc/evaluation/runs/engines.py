"""Where sessions run: in processes of this machine, or on a Ray cluster."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from functools import partial
from typing import cast

from tatc.base.process_pool import ProcessPool, WorkerDied, WorkFunction
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.job_runners import runner_for
from tatc.evaluation.runs.jobs import SessionJob
from tatc.evaluation.runs.ray_engine import run_ray
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.session_runner import JobResult, crashed_row

ExecutionEngine = Callable[[Sequence[SessionJob], EvalOptions, int], Generator[JobResult]]
"""Runs jobs with a number of workers and yields each when it is done."""


def run_local(
    jobs: Sequence[SessionJob], options: EvalOptions, workers: int
) -> Generator[JobResult]:
    """Run in processes of this machine; a session whose process dies has crashed."""
    with ProcessPool(partial(_session_function, options), workers) as pool:
        running = {pool.submit(job): job for job in jobs}
        for future in as_completed(running):
            job = running.pop(future)
            try:
                yield future.result()
            except WorkerDied as death:
                row = cast(SessionRow | None, death.last_report) or job.initial_row()
                yield JobResult(crashed_row(row, str(death)), death.seconds, crash=f"{death}\n")


def _session_function(options: EvalOptions) -> WorkFunction[SessionJob, JobResult]:
    """Return what runs a session, and reports its row as soon as the start is loaded."""
    return runner_for(options).run


EXECUTION_ENGINES: dict[str, ExecutionEngine] = {"local": run_local, "ray": run_ray}
"""The engines by name."""
