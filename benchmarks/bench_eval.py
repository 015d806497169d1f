"""Sessions per second in one process: in a shipped room, and from recorded games."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.job_runners import SessionRunner
from tatc.evaluation.runs.session_selection import SessionJob, select_sessions
from tatc.evaluation.scoring.lower_bound import lower_bound
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

MAX_SESSIONS = 24


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield the rate in a kitchen and, with games, in a sample of them."""
    yield from _session_figures("kitchen", EvalOptions(rooms=("kitchen-01",), seeds=(1, 2)))
    if games is not None:
        yield from _session_figures("games", EvalOptions(games=(str(games),), limit=MAX_SESSIONS))
    yield from _lower_bound_figures()


def _session_figures(name: str, options: EvalOptions) -> Iterator[tuple[str, float, str]]:
    jobs = select_sessions(options).jobs[:MAX_SESSIONS]
    runner = SessionRunner(options)
    try:
        seconds = [_seconds(runner, job) for job in jobs]
    finally:
        runner.close()
    yield f"{name}: sessions", len(jobs) / sum(seconds), "/s"
    yield f"{name}: a session, median", 1e3 * median(seconds), "ms"
    yield f"{name}: a session, longest", 1e3 * max(seconds), "ms"


def _seconds(runner: SessionRunner, job: SessionJob) -> float:
    start = perf_counter()
    runner.run(job)
    return perf_counter() - start


def _lower_bound_figures() -> Iterator[tuple[str, float, str]]:
    from tatc.session.start import start_from_room_name

    opening = start_from_room_name("kitchen-01", shipped_library(), "breakfast", (), 1)
    sim = EmbeddedSimulator()
    start, cells = sim.reset(opening.scene), sim.reachable()
    begin = perf_counter()
    lower_bound(opening.task, start, cells)
    yield "lower bound of a breakfast", 1e3 * (perf_counter() - begin), "ms"
