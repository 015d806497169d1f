"""Progress checks of small made-up kitchens, and of the final states of recorded games.

TEACh's reference checker takes 0.88 ms for each check of a recorded final state.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time

from tatc.home.state import Affordances, AgentState, Box, ObjectState, Snapshot
from tatc.session.records import find_games, read_game
from tatc.tdl import Task, assign_classes, load_library

REFERENCE_SECONDS = 0.88e-3
"""The seconds that TEACh's reference checker takes for a recorded final state."""

GAME_COUNT = 150
ROUNDS = 20


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield the figures; those of recorded final states need `games`."""
    start = perf_counter()
    library = load_library()
    yield "library loaded", (perf_counter() - start) * 1e3, "ms"
    start = perf_counter()
    sandwich = library.compile("Sandwich", ("1", "1"))
    yield "Sandwich compiled", (perf_counter() - start) * 1e3, "ms"
    seconds = _seconds_per_check([(sandwich, _kitchen(100))] * GAME_COUNT)
    yield "checks of Sandwich among 100 objects", 1 / seconds, "/s"
    if games is None:
        return
    paths = find_games([games])
    pairs: list[tuple[Task, Snapshot]] = []
    for path in paths[:: max(1, len(paths) // GAME_COUNT)]:
        game = read_game(path)
        pairs.append((library.compile(game.task_name, game.task_params), game.final))
    seconds = _seconds_per_check(pairs)
    yield "recorded ends", len(pairs), "games"
    yield "a check of a recorded end", seconds * 1e6, "us"
    yield "checks of recorded ends", 1 / seconds, "/s"
    yield "times the reference's speed", REFERENCE_SECONDS / seconds, ""


def _seconds_per_check(pairs: Sequence[tuple[Task, Snapshot]]) -> float:
    """Return the processor seconds of a check: the mean over the pairs, in the best round.

    Nothing is cached between checks.
    """
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for task, snapshot in pairs:
            task.check(snapshot)
        best = min(best, process_time() - start)
    return best / len(pairs)


def _kitchen(count: int) -> Snapshot:
    types = ("Bread", "BreadSliced", "Plate", "Knife", "Sink", "Tomato", "Lettuce")
    names = [types[i] if i < len(types) else "Cabinet" for i in range(count)]
    point = (0.0, 0.0, 0.0)
    objects = assign_classes(
        ObjectState(f"{name}|{i}", name, name, Affordances(), point, point, Box(point, point))
        for i, name in enumerate(names)
    )
    agent = AgentState(point, 0.0, 0.0)
    return Snapshot.from_objects(objects, agent, agent)
