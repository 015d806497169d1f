"""Listeners of the user's own: `listener:FILE`, a JSON file that `tatc train-listener` wrote."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tatc.base import errors, files, json_fields
from tatc.follower.listener import exploration, follower, semantic_map
from tatc.follower.listener.searched_places import container_weight
from tatc.home import state, type_facts
from tatc.language.understanding import named_goals, understand
from tatc.language.understanding.model_reader import DialogueReader

TRAINED_FORMAT = "tatc listener"
TRAINED_VERSION = 1
_MOST_CONTAINERS = 10**9
_PRIOR_CONTAINERS = 20.0
_CHANCE_OF_WEIGHT_ONE = 0.05  # of a container for which the hand-written table says 1
TypePair = tuple[str, str]
"""The type of a container, and that of a thing."""


class TrainedListenerFollower(follower.ListenerFollower):
    """A listener with learned places and a memory; each file has a class of its own."""

    goals: named_goals.NamedGoals

    def __init__(
        self,
        questions: int = follower.DEFAULT_QUESTIONS,
        read: DialogueReader | None = None,
        talk: str = follower.TASK_TALK,
    ) -> None:
        """Make a Follower as `ListenerFollower` does, which knows the names of `goals`."""
        super().__init__(questions, read or partial(understand, memory=self.goals), talk)


def trained_listener(path: Path) -> type[TrainedListenerFollower]:
    """Return the class of the listener of a file."""
    trained = read_trained_listener(path)

    class LearnedExplorer(exploration.Explorer):
        """Looks first where things were in the games."""

        def __init__(self, belief: semantic_map.SemanticMap) -> None:
            super().__init__(belief)
            self._places.weight = trained.places.weight

    class FileListener(TrainedListenerFollower):
        traits = replace(follower.ListenerFollower.traits, goals=trained.memory)
        goals = trained.memory
        explorer_class = LearnedExplorer

    return FileListener


@dataclass(frozen=True, slots=True)
class LearnedPlaces:
    """How many containers of each type there were at the start of games, and how many held each.

    The chance that a container holds something of a type is the share of such containers that did,
    drawn towards the hand-written `place_priors.json` as if that were `_PRIOR_CONTAINERS` more.
    """

    containers: Mapping[str, int]
    holding: Mapping[TypePair, int]

    def weight(self, container_type: str, wanted_types: Iterable[str]) -> float:
        """Return the chance that a container holds one of some types: the likeliest of them."""
        seen = self.containers.get(container_type, 0)
        chances: list[float] = []
        for kind in sorted(wanted_types):
            held = self.holding.get((container_type, kind), 0)
            held_before = _pseudo_count(container_type, (kind,))
            chances.append((held + held_before) / (seen + _PRIOR_CONTAINERS))
        return max(chances, default=_pseudo_count(container_type, ()) / _PRIOR_CONTAINERS)


def count_places(starts: Iterable[state.Snapshot]) -> LearnedPlaces:
    """Return what homes show of which containers hold what; only things that can be carried."""
    containers: Counter[str] = Counter()
    holding: Counter[TypePair] = Counter()
    for start in starts:
        receptacles = {
            obj.objectId: obj.objectType
            for obj in start.objects
            if obj.affordances.receptacle and not obj.affordances.pickupable
        }
        containers.update(receptacles.values())
        loose = [obj for obj in start.objects if obj.affordances.pickupable]
        pairs = {(name, obj.objectType) for obj in loose for name in obj.parentReceptacles or ()}
        holding.update((receptacles[name], kind) for name, kind in pairs if name in receptacles)
    return LearnedPlaces(MappingProxyType(containers), MappingProxyType(holding))


def _pseudo_count(container_type: str, kinds: Iterable[str]) -> float:
    chance = min(1.0, _CHANCE_OF_WEIGHT_ONE * container_weight(container_type, kinds))
    return _PRIOR_CONTAINERS * chance


@dataclass(frozen=True, slots=True)
class TrainedListener:
    """What was learned from `games` recorded games, and the memory that was given."""

    games: int
    places: LearnedPlaces
    memory: named_goals.NamedGoals


def write_trained_listener(trained: TrainedListener, path: Path, *, force: bool) -> None:
    """Write a listener's file whole or not at all; an OutputError if it exists without `force`."""
    held: dict[str, dict[str, int]] = {}
    for (container, kind), count in sorted(trained.places.holding.items()):
        held.setdefault(container, {})[kind] = count
    document = {
        "format": TRAINED_FORMAT,
        "version": TRAINED_VERSION,
        "games": trained.games,
        "containers": dict(sorted(trained.places.containers.items())),
        "holding": held,
        "memory": [named_goals.entry_json(each) for each in trained.memory.entries],
    }
    text = json.dumps(document, ensure_ascii=False, indent=1)
    files.write_atomically(f"{text}\n".encode(), path, force=force)


def read_trained_listener(path: Path) -> TrainedListener:
    """Return what a listener's file holds."""
    raw: Any = files.read_json(path, files.TRAINED_LISTENER, files.FINITE_NUMBERS)
    try:
        return _read(raw)
    except json_fields.FieldError as fault:
        where = f"{path}: {fault.field}" if fault.field else str(path)
        fix = fault.fix or files.TRAINED_LISTENER.fix
        raise errors.BadInput(fault.why, where=where, fix=fix) from fault


def _read(value: object) -> TrainedListener:
    raw = json_fields.as_mapping(value, "")
    if raw.get("format") != TRAINED_FORMAT:
        raise json_fields.FieldError("format", f"should be {TRAINED_FORMAT!r}: this is no listener")
    if raw.get("version") != TRAINED_VERSION:
        found = json_fields.short_repr(raw.get("version"))
        why = f"is {found}, and this tatc reads version {TRAINED_VERSION}"
        raise json_fields.FieldError("version", why)
    containers = _read_counts(raw.get("containers"), "containers")
    holding: dict[TypePair, int] = {}
    for container, counts in json_fields.as_mapping(raw.get("holding"), "holding").items():
        field = f"holding.{json_fields.short_repr(container)}"
        for kind, count in _read_counts(counts, field).items():
            if count > containers.get(container, 0):
                where = f"holding.{json_fields.short_repr(container)}.{kind}"
                raise json_fields.FieldError(where, f"is more than there are: {count}")
            holding[container, kind] = count
    entries = json_fields.as_list(raw.get("memory"), "memory", files.MAX_MEMORY_ENTRIES)
    named = json_fields.read_each(entries, named_goals.read_entry, "memory")
    memory = named_goals.NamedGoals(tuple(named))
    games = json_fields.as_count(raw.get("games"), "games", _MOST_CONTAINERS)
    return TrainedListener(games, LearnedPlaces(containers, holding), memory)


def _read_counts(value: object, field: str) -> dict[str, int]:
    with json_fields.faults_under(field):
        counts = json_fields.as_mapping(value, "")
        if strange := counts.keys() - type_facts.KNOWN_OBJECT_CLASSES:
            why = f"has no type of objects: {json_fields.short_repr(min(strange))}"
            raise json_fields.FieldError("", why)
        return {n: json_fields.as_count(each, n, _MOST_CONTAINERS) for n, each in counts.items()}
