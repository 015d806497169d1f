"""Collects the examples of many games, in processes and with a cache."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TypeVar
from warnings import catch_warnings
from zipfile import ZipFile

import numpy as np

from tatc.apps.training.examples import (
    LIGHT_OBJECT_CLASSES,
    Example,
    examples_of_game,
    pack_examples,
    unpack_examples,
)
from tatc.base import code_identity, errors, process_pool
from tatc.base.files import EXAMPLES, GAME, check_file, make_folder, read_bytes, write_atomically
from tatc.follower.learned.light.network_inputs import FIRST_NAMED_CLASS

BYTES_PER_MEGABYTE = 1_000_000
GAME_EXAMPLE_SOURCES = (
    "apps/training/examples.py",
    "evaluation/instances/source_games.py",
    "follower/learned/light/history_follower.py",
    "follower/learned/light/network_inputs.py",
    "home",
    "language",
    "session",
    "sim",
    "tdl",
)
"""The source files and folders that examples depend on; they are part of the cache's key."""
WorkItem = TypeVar("WorkItem")


class ExampleCache:
    """A folder of examples, found by keys: sequences of everything they depend on."""

    def __init__(self, folder: Path, max_megabytes: int) -> None:
        """Use this folder, and make it if needed."""
        self.folder = folder
        self._max_bytes = max_megabytes * BYTES_PER_MEGABYTE
        make_folder(folder, fix="name a place with --cache DIR")

    def find(self, key: Sequence[object]) -> tuple[Example, ...] | None:
        """Return the examples of a key; None if there are none, or their file is damaged."""
        path = self.path_for(key)
        try:
            check_file(path, EXAMPLES)
            with ZipFile(path) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > EXAMPLES.max_bytes:
                    return None
            # Python may warn of what stands in a damaged header.
            with catch_warnings(action="ignore"), np.load(path, allow_pickle=False) as arrays:
                found = tuple(unpack_examples({name: arrays[name] for name in arrays.files}))
        except Exception:  # damaged bytes can raise anything
            return None
        os.utime(path)
        return found

    def path_for(self, key: Sequence[object]) -> Path:
        """Return the file of a key's examples, which need not exist."""
        name = sha256(repr(tuple(key)).encode()).hexdigest()[:24]
        return self.folder / f"examples-{name}.npz"

    def store(self, key: Sequence[object], examples: Sequence[Example]) -> None:
        """Write the examples of a key, and delete old files beyond the folder's bound."""
        stream = BytesIO()
        np.savez_compressed(stream, allow_pickle=False, **pack_examples(examples))
        write_atomically(stream.getvalue(), self.path_for(key), force=True)
        self._evict_oldest(self.path_for(key))

    def _evict_oldest(self, newest: Path) -> None:
        files = [(p.stat().st_mtime_ns, p) for p in self.folder.glob("examples-*.npz")]
        total = sum(path.stat().st_size for _, path in files)
        for _, path in sorted(files):
            if total <= self._max_bytes:
                return
            if path != newest:
                total -= path.stat().st_size
                path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class CollectedExamples:
    """The examples of one game; `skipped` says why there are none, "" else."""

    examples: tuple[Example, ...] = ()
    skipped: str = ""


def class_ids() -> dict[str, int]:
    """Return the class id of each object type."""
    return {name: i for i, name in enumerate(LIGHT_OBJECT_CLASSES, FIRST_NAMED_CLASS)}


def collect_game_examples(
    games: Sequence[Path],
    cache: ExampleCache,
    *,
    workers: int = 1,
    on_done: Callable[[int], None] = lambda games: None,
    on_skipped: Callable[[str], None] = lambda why: None,
) -> tuple[Example, ...]:
    """Return the examples of recorded games, in the order of the games.

    `on_done` gets 1 after each game, `on_skipped` a line for each that gives no examples.
    """
    source = _source_hash(GAME_EXAMPLE_SOURCES)
    keys = [(source, LIGHT_OBJECT_CLASSES, _file_hash(game)) for game in games]
    found: list[Example] = []
    made = _cached_examples(cache, keys, games, _game_examples, workers)
    for game, each in zip(games, made, strict=True):
        found += each.examples
        if each.skipped:
            on_skipped(f"{game}: {each.skipped}")
        on_done(1)
    return tuple(found)


def _cached_examples(
    cache: ExampleCache,
    keys: Sequence[Sequence[object]],
    jobs: Sequence[WorkItem],
    work: Callable[[WorkItem], CollectedExamples],
    workers: int,
) -> Iterator[CollectedExamples]:
    """Yield the examples of each job in order, from the cache or made by `work`."""
    is_missing = [not cache.path_for(key).exists() for key in keys]
    missing = [job for job, misses in zip(jobs, is_missing, strict=True) if misses]
    made = process_pool.map_in_processes(
        work,
        missing,
        min(workers, max(len(missing), 1)),
        lambda job, why: CollectedExamples(skipped=why),
    )
    for job, key, misses in zip(jobs, keys, is_missing, strict=True):
        found = None if misses else cache.find(key)
        if found is not None:
            yield CollectedExamples(found)
            continue
        done = next(made) if misses else work(job)
        if not done.skipped:
            cache.store(key, done.examples)
        yield done


def _game_examples(path: Path) -> CollectedExamples:
    try:
        return CollectedExamples(examples_of_game(path, class_ids()))
    except errors.BadInput as fault:
        return CollectedExamples(skipped=fault.what)


def _file_hash(path: Path) -> str:
    """Return a hash of a file, "" if it cannot be read, which reading the game will report."""
    try:
        return sha256(read_bytes(path, GAME)).hexdigest()
    except errors.BadInput:
        return ""


@lru_cache(maxsize=1)
def _source_hash(parts: tuple[str, ...]) -> str:
    digest = sha256()
    for part in parts:
        top = code_identity.PACKAGE_FOLDER / part
        files = sorted(top.rglob("*")) if top.is_dir() else [top]
        for path in files:
            if path.suffix in (".py", ".json", ".pddl"):
                digest.update(path.relative_to(code_identity.PACKAGE_FOLDER).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
