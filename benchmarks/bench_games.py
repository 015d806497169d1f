"""Reading recorded games, and writing and reading records: milliseconds for each file."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from tatc.base.files import GAME, read_json
from tatc.session.records import (
    Record,
    SessionEnd,
    find_games,
    read_game,
    read_record,
    read_start,
    write_record,
)
from tatc.sim.embedded.simulator import EmbeddedSimulator

MAX_FILES = 20
ROUNDS = 5


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield medians over a sample of the games; nothing without `games`."""
    if games is None:
        return
    paths = find_games([games])
    paths = list(islice(paths[:: max(1, len(paths) // MAX_FILES)], MAX_FILES))
    yield "games", len(paths), "files"
    yield "parsing alone", _median_milliseconds(paths, _parse), "ms"
    yield "the start", _median_milliseconds(paths, read_start), "ms"
    yield "the start, loaded into the world", _median_milliseconds(paths, _load), "ms"
    yield "the game whole", _median_milliseconds(paths, _read_whole), "ms"
    with TemporaryDirectory() as folder:
        records = [_save(path, Path(folder)) for path in paths]
        yield "a record, read", _median_milliseconds(records, read_record), "ms"
        yield ("a record, read and written", _median_milliseconds(records, _rewrite), "ms")


def _median_milliseconds(paths: list[Path], work: Callable[[Path], object]) -> float:
    """Return the median over the files of the best of several rounds."""
    return median(min(_milliseconds(work, path) for _ in range(ROUNDS)) for path in paths)


def _milliseconds(work: Callable[[Path], object], path: Path) -> float:
    start = perf_counter()
    work(path)
    return (perf_counter() - start) * 1e3


def _parse(path: Path) -> None:
    read_json(path, GAME)


def _load(path: Path) -> None:
    EmbeddedSimulator().reset(read_start(path).scene)


def _read_whole(path: Path) -> None:
    game = read_game(path)
    _ = game.final, game.interactions


def _save(path: Path, folder: Path) -> Path:
    game, task = read_game(path), read_json(path, GAME)["tasks"][0]
    record = Record(
        definition={k: v for k, v in task.items() if k != "episodes"},
        scene=game.scene,
        final=game.final,
        interactions=game.interactions,
        decisions=(),
        end=SessionEnd.SUCCESS,
        gc_total=0,
        gc_satisfied=0,
        world="recorded",
        game_id=game.game_id,
    )
    saved = folder / f"{game.game_id}.game.json"
    write_record(record, saved)
    return saved


def _rewrite(path: Path) -> None:
    write_record(read_record(path), path, force=True)
