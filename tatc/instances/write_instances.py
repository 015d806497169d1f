"""The instances of many games, written to a folder by processes of this machine."""

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tatc.atomic_files import make_folder
from tatc.errors import BadInput
from tatc.instances.build_instances import build_instances
from tatc.process_pool import map_in_processes
from tatc.records import Benchmark, read_game_header, write_instance
from tatc.tdl import load_library

_FINISHED_GAMES_FILE = ".done.jsonl"
"""Lists the games whose instances are all in the folder, and how many each has."""


@dataclass(frozen=True, slots=True)
class GameInstances:
    """The result of a game: files written, files that existed, or why it was skipped."""

    game_id: str = ""
    written: int = 0
    already_there: int = 0
    skipped: str = ""


def write_all_instances(
    paths: Sequence[Path], kind: Benchmark, out: Path, force: bool, workers: int
) -> Generator[GameInstances]:
    """Write the instances of each game; those of games that are finished are kept.

    Raises:
        OutputError: the folder or a file cannot be written.

    """
    make_folder(out, fix="name another folder with --out")
    done = {} if force else _read_finished_games(out, kind)
    left: list[Path] = []
    for path in paths:
        game_id = read_game_header(path).game_id
        if game_id in done:
            yield GameInstances(game_id, already_there=done[game_id])
        else:
            left.append(path)
    with (out / _FINISHED_GAMES_FILE).open("a", encoding="utf-8") as listed:
        for each in map_in_processes(
            partial(_write_game_instances, kind=kind, out=out), left, workers
        ):
            if not each.skipped:
                line = {"kind": kind, "game": each.game_id, "instances": each.written}
                listed.write(f"{json.dumps(line)}\n")
                listed.flush()
            yield each


def _write_game_instances(path: Path, kind: Benchmark, out: Path) -> GameInstances:
    try:
        game_id = read_game_header(path).game_id
        built = build_instances(path, kind, load_library())
    except BadInput as fault:
        return GameInstances(skipped=fault.one_line)
    for document in built:
        write_instance(document, out / f"{document['instance_id']}.json", force=True)
    return GameInstances(game_id, written=len(built))


def _read_finished_games(out: Path, kind: Benchmark) -> dict[str, int]:
    """Return the games that the folder's list names, with their numbers of instances.

    A line that a crash cut short is ignored: the game is done again.
    """
    try:
        lines = (out / _FINISHED_GAMES_FILE).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return {}
    found: dict[str, int] = {}
    for line in lines:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        if entry["kind"] == kind:
            found[entry["game"]] = entry["instances"]
    return found
