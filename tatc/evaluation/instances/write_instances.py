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
_FIX_UNWRITABLE = "make room there, and give the same command again"


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


def write_all_instances(
    paths: Sequence[Path], kind: Benchmark, out: Path, force: bool, workers: int
) -> Generator[GameInstances]:
    """Write the instances of each game; those of games that are finished are kept.

    A game is skipped if another one with its id was given before, now or, without `force`, in an
    earlier call: the files of both would have the same names.
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
            yield done[game_id]
        else:
            why = f"another file named {game_id} is cut already (--force replaces its instances)"
            yield GameInstances(skipped=f"{path}: {why}")
        first.setdefault(game_id, path)

    def dead_game(path: Path, why: str) -> GameInstances:
        return GameInstances(skipped=f"{path}: {why}")

    write = partial(_write_game_instances, kind=kind, out=out)
    for each in map_in_processes(write, left, workers, dead_game):
        if not each.skipped:
            entry = {"kind": kind, "game": each.game_id, "file": each.file_hash}
            # The line before may be torn.
            line = f"\n{json.dumps(entry | {'instances': each.written})}\n"
            append_text(line, out / _FINISHED_GAMES_FILE, fix=_FIX_UNWRITABLE)
        yield each


def _file_hash(path: Path) -> str:
    return sha256(read_bytes(path, GAME)).hexdigest()[:12]


def _write_game_instances(path: Path, kind: Benchmark, out: Path) -> GameInstances:
    try:
        game_id, file_hash = read_game_header(path).game_id, _file_hash(path)
        built = build_instances(path, kind, load_library())
    except BadInput as fault:
        return GameInstances(skipped=fault.one_line)
    for document in built:
        write_instance(document, out / f"{document['instance_id']}.json", force=True)
    return GameInstances(game_id, file_hash, written=len(built))


def _read_finished_games(out: Path, kind: Benchmark) -> dict[str, GameInstances]:
    """Return the games that the folder's list names, by their ids.

    A line that a crash cut short, or that is damaged, is ignored: the game is done again.
    """
    found: dict[str, GameInstances] = {}
    for line in read_lines(out / _FINISHED_GAMES_FILE, CACHE_LINE):
        with suppress(BadInput, FieldError):
            entry = as_mapping(parse_json(line, "", CACHE_LINE), "")
            count = as_integer(entry.get("instances"), "instances")
            if entry.get("kind") == kind and count >= 0:
                game_id, file_hash = get_text(entry, "game"), get_text(entry, "file")
                found[game_id] = GameInstances(game_id, file_hash, already_there=count)
    return found
