"""Counts what is in rooms and holds it against AI2-THOR's scenes.

`census.json` keeps facts of 112 of AI2-THOR's 120 scenes (5.0.0): for each kind of
room the 5th, 50th and 95th percentile, over its scenes, of how many objects and how
many of each type there are, and for each type the 5th and 95th percentile of the longer
side, the height and the shorter side of its instances.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from statistics import median
from typing import Any

from tatc.sim.rooms.room import Room
from tatc.sim.rooms.stowing import SHUT
from tatc.state import ObjectState, RoomKind

SUMMARY = ("objects", "types", "carried", "shut in")
"""The figures over all types: objects, types, what can be carried, and what of it
lies in something closed."""
SLACK = 0.01
"""What a size may lie outside, metres: AI2-THOR's boxes differ by as much."""


@dataclass(frozen=True, slots=True)
class Line:
    """One figure: least, median and most over our rooms, and AI2-THOR's span."""

    name: str
    ours: tuple[float, float, float]
    theirs: tuple[float, float, float]

    @property
    def verdict(self) -> str:
        """Say whether our median lies within the span: "ok", "few" or "many"."""
        low, _, high = self.theirs
        if self.ours[1] < low:
            return "few"
        return "many" if self.ours[1] > high else "ok"

    def to_json(self) -> dict[str, Any]:
        """Return the line as a JSON object."""
        return {
            "name": self.name,
            "ours": list(self.ours),
            "theirs": list(self.theirs),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Census:
    """The figures of the rooms of one kind.

    `sizes` is the share of objects whose sizes lie within those of their type.
    """

    kind: RoomKind
    rooms: int
    lines: tuple[Line, ...]
    sizes: float

    def to_json(self) -> dict[str, Any]:
        """Return the census as a JSON object."""
        return {
            "kind": self.kind.value,
            "rooms": self.rooms,
            "sizes_within": self.sizes,
            "lines": [line.to_json() for line in self.lines],
        }


def take(kind: RoomKind, rooms: Sequence[Room]) -> Census:
    """Count what is in rooms of a kind; there is at least one."""
    facts = _facts()["kinds"][kind.value]
    carried = [_carried(room) for room in rooms]
    summary = (
        [len(room.objects) for room in rooms],
        [len({t.objectType for t in room.objects}) for room in rooms],
        [len(things) for things in carried],
        [sum(_is_shut(t) for t in things) for things in carried],
    )
    per_room: dict[str, list[int]] = dict(zip(SUMMARY, summary, strict=True))
    counts = [Counter(t.objectType for t in room.objects) for room in rooms]
    spans: dict[str, Sequence[float]] = {name: facts[name] for name in per_room}
    names = sorted({*facts["counts"], *(name for found in counts for name in found)})
    for name in names:
        per_room[name] = [found[name] for found in counts]
        spans[name] = facts["counts"].get(name, (0, 0, 0))
    lines = (_line(name, per_room[name], spans[name]) for name in per_room)
    objects = [thing for room in rooms for thing in room.objects]
    return Census(kind, len(rooms), tuple(lines), _sizes_within(objects))


def _line(name: str, ours: Sequence[float], theirs: Sequence[float]) -> Line:
    low, middle, high = theirs
    return Line(name, (min(ours), median(ours), max(ours)), (low, middle, high))


@cache
def _facts() -> dict[str, Any]:
    text = files("tatc.sim.rooms").joinpath("census.json").read_text("utf-8")
    return json.loads(text)


def _carried(room: Room) -> list[ObjectState]:
    return [thing for thing in room.objects if thing.affordances.pickupable]


def _is_shut(thing: ObjectState) -> bool:
    return any(host.split("|")[0] in SHUT for host in thing.parentReceptacles or ())


def _sizes_within(objects: Sequence[ObjectState]) -> float:
    spans = _facts()["sizes"]
    known = [thing for thing in objects if thing.objectType in spans]
    fits = sum(_fits(thing, *spans[thing.objectType]) for thing in known)
    return round(fits / max(len(known), 1), 4)


def _fits(thing: ObjectState, low: Sequence[float], high: Sequence[float]) -> bool:
    x, y, z = thing.box.size
    sides = (max(x, z), y, min(x, z))
    return all(
        a - SLACK <= side <= b + SLACK
        for a, side, b in zip(low, sides, high, strict=True)
    )
