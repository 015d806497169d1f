"""Fidelity of one game, and of many, in processes of this machine."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from tatc.errors import BadInput
from tatc.evaluation.fidelity.passes import (
    by_clicks,
    compare_ends,
    helped,
    one_by_one,
)
from tatc.evaluation.fidelity.tally import Tally
from tatc.evaluation.games import headings, places_of
from tatc.evaluation.pool import in_processes
from tatc.records import Game, read_game
from tatc.records.course import course_of
from tatc.runner import BOXES
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.maps.files import read_map
from tatc.sim.maps.floor_map import FloorMap
from tatc.tdl import Task, load_library


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one file; `skipped` says why it is no game, "" if it is one."""

    path: str
    plan: str = ""
    game_id: str = ""
    tally: Tally = field(default_factory=Tally)
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The games to measure, and a line for each file that is none."""

    paths: tuple[Path, ...]
    skipped: tuple[str, ...] = ()


def choose(
    games: Sequence[str], only: Sequence[str] = (), without: Sequence[str] = ()
) -> Chosen:
    """Return the games in files and folders, each once, of the floor plans wanted.

    Raises:
        BadInput: nothing is found, or no game is left.

    """
    found, skipped, filtered = list[Path](), list[str](), 0
    wanted, unwanted = places_of(only), places_of(without)
    for path, head in headings(games):
        if isinstance(head, BadInput):
            skipped.append(head.line)
        elif head.place not in unwanted and (not wanted or head.place in wanted):
            found.append(path)
        else:
            filtered += 1
    if filtered and not found:
        raise BadInput("no game is left to compare", fix="take away a filter")
    return Chosen(tuple(found), tuple(skipped))


def map_name(floor_map: str) -> str:
    """Return a map as reports name it: `boxes`, or its name and hash.

    Raises:
        BadInput: it cannot be read.

    """
    if floor_map == BOXES:
        return BOXES
    found = _read_map(floor_map)
    return f"{found.name} {found.hash}"


def measure(path: Path, floor_map: str = BOXES) -> Measured:
    """Return how the world answers the actions of one game.

    With a map, the cells of the game itself are left out of it.
    """
    try:
        game = read_game(path)
        return Measured(str(path), game.plan, game.game_id, _tally(game, floor_map))
    except BadInput as fault:
        return Measured(str(path), skipped=fault.line)


def measure_all(
    paths: Sequence[Path], floor_map: str = BOXES, workers: int = 1
) -> Generator[Measured]:
    """Yield what comes of each game, in the order given."""
    yield from in_processes(partial(measure, floor_map=floor_map), paths, workers)


def world_for(game: Game, floor_map: str) -> EmbeddedSimulator:
    """Return a world that knows nothing of a game's own cells.

    Raises:
        BadInput: the map cannot be read.

    """
    cells = None if floor_map == BOXES else _read_map(floor_map)
    return EmbeddedSimulator(cells and cells.without(game.game_id))


def _tally(game: Game, floor_map: str) -> Tally:
    sim, steps, task = world_for(game, floor_map), course_of(game), _task(game)
    tally = one_by_one(sim, game, steps)
    compare_ends("clicks", by_clicks(sim, game, steps), game, task, tally)
    compare_ends("helped", helped(sim, game, steps), game, task, tally)
    tally.apart = [replace(each, game=str(game.path)) for each in tally.apart]
    return tally


def _task(game: Game) -> Task | None:
    """Return the game's task, None where it is not one of those that ship."""
    try:
        return load_library().compile(game.task_name, game.task_params)
    except BadInput:
        return None


@lru_cache(maxsize=1)
def _read_map(path: str) -> FloorMap:
    return read_map(Path(path))
