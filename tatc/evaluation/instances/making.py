"""Instances of many games, written to a folder, in processes of this machine."""

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tatc.errors import BadInput, OutputError
from tatc.evaluation.instances.build import instances_of
from tatc.evaluation.pool import in_processes
from tatc.records import Benchmark, read_heading, write_instance
from tatc.tdl import load_library

_LIST = ".done.jsonl"
"""Where a folder says of which games it holds all instances, and how many."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a game: new files, files that were there, or why it was skipped."""

    game_id: str = ""
    made: int = 0
    kept: int = 0
    skipped: str = ""


def make_all(
    paths: Sequence[Path], kind: Benchmark, out: Path, force: bool, workers: int
) -> Generator[Made]:
    """Write the instances of each game; those of games done before are kept.

    Raises:
        OutputError: the folder or a file cannot be written.

    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name another folder with --out"
        raise OutputError(why, where=str(out), fix=fix) from fault
    done = {} if force else _done(out, kind)
    left: list[Path] = []
    for path in paths:
        game_id = read_heading(path).game_id
        if game_id in done:
            yield Made(game_id, kept=done[game_id])
        else:
            left.append(path)
    with (out / _LIST).open("a", encoding="utf-8") as listed:
        for each in in_processes(partial(_make, kind=kind, out=out), left, workers):
            if not each.skipped:
                line = {"kind": kind, "game": each.game_id, "instances": each.made}
                listed.write(f"{json.dumps(line)}\n")
                listed.flush()
            yield each


def _make(path: Path, kind: Benchmark, out: Path) -> Made:
    try:
        game_id = read_heading(path).game_id
        built = instances_of(path, kind, load_library())
    except BadInput as fault:
        return Made(skipped=fault.line)
    for each in built:
        write_instance(each.document, out / f"{each.name}.json", force=True)
    return Made(game_id, made=len(built))


def _done(out: Path, kind: Benchmark) -> dict[str, int]:
    """Return the games that the folder's list names, with their instances.

    A line cut short by a crash is passed over: its game is made again.
    """
    try:
        lines = (out / _LIST).read_text("utf-8").splitlines()
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
