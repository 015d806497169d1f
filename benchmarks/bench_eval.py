"""Sessions a second, in a shipped room and from recorded games, in one process."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from tatc.evaluation.choice import Job, choose
from tatc.evaluation.one import Runner
from tatc.evaluation.options import Options
from tatc.scoring.bound import lower_bound
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import shipped_library

SESSIONS = 24


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield the rate in a kitchen; of a sample of the games too, where given."""
    yield from _measure("kitchen", Options(rooms=("kitchen-01",), seeds=(1, 2)))
    if games is not None:
        yield from _measure("games", Options(games=(str(games),), limit=SESSIONS))
    yield from _bound()


def _measure(name: str, options: Options) -> Iterator[tuple[str, float, str]]:
    jobs = choose(options, shipped_library()).jobs[:SESSIONS]
    runner = Runner(options)
    try:
        seconds = [_seconds(runner, job) for job in jobs]
    finally:
        runner.close()
    yield f"{name}: sessions", len(jobs) / sum(seconds), "/s"
    yield f"{name}: a session, median", 1e3 * median(seconds), "ms"
    yield f"{name}: a session, longest", 1e3 * max(seconds), "ms"


def _seconds(runner: Runner, job: Job) -> float:
    start = perf_counter()
    runner.run(job)
    return perf_counter() - start


def _bound() -> Iterator[tuple[str, float, str]]:
    from tatc.opening import open_room

    opening = open_room("kitchen-01", shipped_library(), "breakfast", (), 1)
    sim = EmbeddedSimulator()
    start, cells = sim.reset(opening.scene), sim.reachable()
    begin = perf_counter()
    lower_bound(opening.task, start, cells)
    yield "lower bound of a breakfast", 1e3 * (perf_counter() - begin), "ms"
