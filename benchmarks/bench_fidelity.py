"""Recorded actions a second of each pass of `tatc fidelity`, in one process."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from tatc.evaluation.fidelity.measure import world_for
from tatc.evaluation.fidelity.passes import by_clicks, helped, one_by_one
from tatc.records import Game, find_games, read_game
from tatc.records.course import Step, course_of
from tatc.runner import BOXES
from tatc.sim.embedded.world import EmbeddedSimulator

GAMES = 12
"""Games that are done again, from all over those given."""

Pass = Callable[[EmbeddedSimulator, Game, tuple[Step, ...]], object]
PASSES: tuple[tuple[str, Pass], ...] = (
    ("one by one", one_by_one),
    ("by clicks", by_clicks),
    ("helped", helped),
)


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the rate of each pass over a sample of the games; nothing without games."""
    if games is None:
        return
    paths = find_games([str(games)])
    read = [read_game(path) for path in paths[:: -(-len(paths) // GAMES)]]
    replays = [(world_for(game, BOXES), game, course_of(game)) for game in read]
    actions = sum(len(steps) for _, _, steps in replays)
    for name, again in PASSES:
        seconds = _seconds(partial(_all, again, replays))
        yield f"{name}, {actions} actions of {len(read)} games", actions / seconds, "/s"


def _all(
    again: Pass, replays: Sequence[tuple[EmbeddedSimulator, Game, tuple[Step, ...]]]
) -> None:
    for sim, game, steps in replays:
        again(sim, game, steps)


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
