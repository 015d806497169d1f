"""The file of a listener of the user's own: where things are, and goals under names.

It is one JSON object, and reading it runs nothing.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.base.atomic_files import write_atomically
from tatc.base.errors import BadInput
from tatc.base.file_reading import FINITE_NUMBERS, MAX_MEMORY_ENTRIES, TRAINED_LISTENER, read_json
from tatc.base.json_fields import (
    FieldError,
    as_integer,
    as_list,
    as_mapping,
    faults_under,
    read_each,
    short_repr,
)
from tatc.follower.listener.learned_places import LearnedPlaces, TypePair
from tatc.home.teach_classes import KNOWN_OBJECT_CLASSES
from tatc.language.understanding.memory import GoalMemory, entry_json, read_entry

TRAINED_FORMAT = "tatc listener"
TRAINED_VERSION = 1
_MOST_CONTAINERS = 10**9


@dataclass(frozen=True, slots=True)
class TrainedListener:
    """What was learned from `games` recorded games, and the memory that was given."""

    games: int
    places: LearnedPlaces
    memory: GoalMemory


def write_trained_listener(trained: TrainedListener, path: Path, *, force: bool) -> None:
    """Write a listener's file; it is replaced whole or not at all.

    Raises:
        OutputError: it cannot be written, or exists and `force` is not given.

    """
    held: dict[str, dict[str, int]] = {}
    for (container, kind), count in sorted(trained.places.holding.items()):
        held.setdefault(container, {})[kind] = count
    document = {
        "format": TRAINED_FORMAT,
        "version": TRAINED_VERSION,
        "games": trained.games,
        "containers": dict(sorted(trained.places.containers.items())),
        "holding": held,
        "memory": [entry_json(each) for each in trained.memory.entries],
    }
    text = json.dumps(document, ensure_ascii=False, indent=1)
    write_atomically(f"{text}\n".encode(), path, force=force)


def read_trained_listener(path: Path) -> TrainedListener:
    """Return what a listener's file holds."""
    raw: Any = read_json(path, TRAINED_LISTENER, FINITE_NUMBERS)
    try:
        return _read(raw)
    except FieldError as fault:
        where = f"{path}: {fault.field}" if fault.field else str(path)
        raise BadInput(fault.why, where=where, fix=fault.fix or TRAINED_LISTENER.fix) from fault


def _read(value: object) -> TrainedListener:
    raw = as_mapping(value, "")
    if raw.get("format") != TRAINED_FORMAT:
        raise FieldError("format", f"should be {TRAINED_FORMAT!r}: this is no listener")
    if raw.get("version") != TRAINED_VERSION:
        found = short_repr(raw.get("version"))
        raise FieldError("version", f"is {found}, and this tatc reads version {TRAINED_VERSION}")
    containers = _read_counts(raw.get("containers"), "containers")
    holding: dict[TypePair, int] = {}
    for container, counts in as_mapping(raw.get("holding"), "holding").items():
        for kind, count in _read_counts(counts, f"holding.{short_repr(container)}").items():
            if count > containers.get(container, 0):
                where = f"holding.{short_repr(container)}.{kind}"
                raise FieldError(where, f"is more than there are: {count}")
            holding[container, kind] = count
    entries = as_list(raw.get("memory"), "memory", MAX_MEMORY_ENTRIES)
    memory = GoalMemory(tuple(read_each(entries, read_entry, "memory")))
    return TrainedListener(
        _read_count(raw.get("games"), "games"), LearnedPlaces(containers, holding), memory
    )


def _read_counts(value: object, field: str) -> dict[str, int]:
    with faults_under(field):
        counts = as_mapping(value, "")
        if strange := counts.keys() - KNOWN_OBJECT_CLASSES:
            raise FieldError("", f"has no type of objects: {short_repr(min(strange))}")
        return {name: _read_count(each, name) for name, each in counts.items()}


def _read_count(value: object, field: str) -> int:
    count = as_integer(value, field)
    if not 0 <= count <= _MOST_CONTAINERS:
        raise FieldError(field, f"is impossible: {count}")
    return count
