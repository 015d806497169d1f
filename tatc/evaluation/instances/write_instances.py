"""The instances of many games, written to a folder by processes of this machine."""

import json
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from tatc.base.atomic_files import append_text, make_folder
from tatc.base.errors import BadInput
from tatc.base.file_reading import CACHE_LINE, GAME, parse_json, read_bytes, read_lines
from tatc.base.json_fields import FieldError, as_integer, as_mapping, get_text
from tatc.base.process_pool import map_in_processes
from tatc.evaluation.instances.build_instances import build_instances
from tatc.session.records import Benchmark, read_game_header, write_instance
from tatc.tdl import load_library

_FINISHED_GAMES_FILE = ".done.jsonl"
"""Lists the games whose instances are all in the folder, and how many each has."""


@dataclass(frozen=True, slots=True)
class GameInstances:
    """The result of a game: files written, files that existed, or why it was skipped.

    `file_hash` tells apart files of games that have the same id.
    """

    game_id: str = ""
    file_hash: str = ""
    written: int = 0
    already_there: int = 0
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class _FinishedGame:
    """A game of the folder's list: a hash of its file, and how many instances it has."""

    file_hash: str
    count: int


def write_all_instances(
    paths: Sequence[Path], kind: Benchmark, out: Path, force: bool, workers: int
) -> Generator[GameInstances]:
    """Write the instances of each game; those of games that are finished are kept.

    A game is skipped if another one with its id was given before, now or, without `force`, in an
    earlier call: the files of both would have the same names.

    Raises:
        OutputError: the folder or a file cannot be written.

    """
    make_folder(out, fix="name another folder with --out")
    done = {} if force else _read_finished_games(out, kind)
    first: dict[str, Path] = {}
    left: list[Path] = []
    for path in paths:
        try:
            game_id, file_hash = read_game_header(path).game_id, _file_hash(path)
        except BadInput as fault:
            yield GameInstances(skipped=fault.one_line)
            continue
        if game_id in first:
            yield GameInstances(skipped=f"{path}: is named {game_id}, as {first[game_id]} is")
        elif game_id not in done:
            left.append(path)
        elif done[game_id].file_hash == file_hash:
            yield GameInstances(game_id, file_hash, already_there=done[game_id].count)
        else:
            why = f"another file named {game_id} is cut already (--force replaces its instances)"
            yield GameInstances(skipped=f"{path}: {why}")
        first.setdefault(game_id, path)
    write = partial(_write_game_instances, kind=kind, out=out)
    for each in map_in_processes(write, left, workers, _dead_game):
        if not each.skipped:
            _note_finished(out / _FINISHED_GAMES_FILE, each, kind)
        yield each


def _file_hash(path: Path) -> str:
    return sha256(read_bytes(path, GAME)).hexdigest()[:12]


def _note_finished(path: Path, each: GameInstances, kind: Benchmark) -> None:
    entry = {"kind": kind, "game": each.game_id, "file": each.file_hash, "instances": each.written}
    # The line before may be torn.
    line = f"\n{json.dumps(entry)}\n"
    append_text(line, path, fix="make room there, and give the same command again")


def _write_game_instances(path: Path, kind: Benchmark, out: Path) -> GameInstances:
    try:
        game_id, file_hash = read_game_header(path).game_id, _file_hash(path)
        built = build_instances(path, kind, load_library())
    except BadInput as fault:
        return GameInstances(skipped=fault.one_line)
    for document in built:
        write_instance(document, out / f"{document['instance_id']}.json", force=True)
    return GameInstances(game_id, file_hash, written=len(built))


def _dead_game(path: Path, why: str) -> GameInstances:
    return GameInstances(skipped=f"{path}: {why}")


def _read_finished_games(out: Path, kind: Benchmark) -> dict[str, _FinishedGame]:
    """Return the games that the folder's list names, by their ids.

    A line that a crash cut short, or that is damaged, is ignored: the game is done again.
    """
    found: dict[str, _FinishedGame] = {}
    for line in read_lines(out / _FINISHED_GAMES_FILE, CACHE_LINE):
        with suppress(BadInput, FieldError):
            entry = as_mapping(parse_json(line, "", CACHE_LINE), "")
            count = as_integer(entry.get("instances"), "instances")
            if entry.get("kind") == kind and count >= 0:
                found[get_text(entry, "game")] = _FinishedGame(get_text(entry, "file"), count)
    return found
