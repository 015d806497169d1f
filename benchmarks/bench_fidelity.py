"""Recorded actions per second of each pass of `tatc fidelity`, in one process."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from tatc.evaluation.fidelity.game_fidelity import (
    answer_each_action,
    replay_by_clicks,
    replay_by_recorded_objects,
    world_for,
)
from tatc.session.records import Game, find_games, read_game
from tatc.session.records.game import RecordedStep, recorded_steps
from tatc.session.worlds import MAP_FROM_BOXES
from tatc.sim.embedded.simulator import EmbeddedSimulator

GAME_COUNT = 12
"""The games that are compared, spread over those given."""

Pass = Callable[[EmbeddedSimulator, Game, tuple[RecordedStep, ...]], object]
PASSES: tuple[tuple[str, Pass], ...] = (
    ("one by one", answer_each_action),
    ("by clicks", replay_by_clicks),
    ("helped", replay_by_recorded_objects),
)


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the rate of each pass over a sample of the games; nothing without games."""
    if games is None:
        return
    paths = find_games([str(games)])
    read = [read_game(path) for path in paths[:: -(-len(paths) // GAME_COUNT)]]
    replays = [(world_for(game, MAP_FROM_BOXES), game, recorded_steps(game)) for game in read]
    actions = sum(len(steps) for _, _, steps in replays)
    for name, again in PASSES:
        seconds = _seconds(partial(_run_pass, again, replays))
        yield f"{name}, {actions} actions of {len(read)} games", actions / seconds, "/s"


def _run_pass(
    replay_pass: Pass, replays: Sequence[tuple[EmbeddedSimulator, Game, tuple[RecordedStep, ...]]]
) -> None:
    for sim, game, steps in replays:
        replay_pass(sim, game, steps)


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
