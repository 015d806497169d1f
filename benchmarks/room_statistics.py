"""Counts the objects of rooms and compares the counts with AI2-THOR's scenes.

`ai2thor_statistics.json` holds facts of 112 of AI2-THOR's 120 scenes (5.0.0): for each kind of room
the 5th, 50th and 95th percentile of the number of objects and of each type in a scene; for each
type the 5th and 95th percentile of the longer side, the height and the shorter side of its
instances.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from tatc.home.state import ObjectState, RoomKind
from tatc.home.type_facts import STARTS_CLOSED_TYPES
from tatc.sim.rooms.room import Room

SUMMARY_FIGURES = ("objects", "types", "carried", "shut in")
"""The figures over all types: the number of objects, of types, of pickupable objects, and
of those that lie in a receptacle that starts closed."""
_FILE = Path(__file__).parent / "ai2thor_statistics.json"
SIZE_TOLERANCE_METRES = 0.01
"""How far a size may lie outside its span: AI2-THOR's boxes vary by as much."""


@cache
def _ai2thor_statistics() -> dict[str, Any]:
    return json.loads(_FILE.read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure: least, median and greatest over our rooms; AI2-THOR's three percentiles."""

    name: str
    ours: tuple[float, float, float]
    ai2thor: tuple[float, float, float]

    @property
    def verdict(self) -> str:
        """Our median against AI2-THOR's percentiles: "ok", "few" (below) or "many" (above)."""
        low, _, high = self.ai2thor
        if self.ours[1] < low:
            return "few"
        return "many" if self.ours[1] > high else "ok"


@dataclass(frozen=True, slots=True)
class RoomStatistics:
    """The figures of the rooms of one kind.

    `rooms` is their number; `sizes_within` is the share of objects whose sizes lie within the
    span of their type, 0 to 1.
    """

    kind: RoomKind
    rooms: int
    figures: tuple[ComparedFigure, ...]
    sizes_within: float


def room_statistics(kind: RoomKind, rooms: Sequence[Room]) -> RoomStatistics:
    """Return the statistics of rooms of a kind; `rooms` must not be empty."""
    facts = _ai2thor_statistics()["kinds"][kind.value]
    carried = [[obj for obj in room.objects if obj.affordances.pickupable] for room in rooms]
    summary = (
        [len(room.objects) for room in rooms],
        [len({t.objectType for t in room.objects}) for room in rooms],
        [len(objects) for objects in carried],
        [sum(_is_in_closed(t) for t in objects) for objects in carried],
    )
    per_room: dict[str, list[int]] = dict(zip(SUMMARY_FIGURES, summary, strict=True))
    counts = [Counter(t.objectType for t in room.objects) for room in rooms]
    spans: dict[str, Sequence[float]] = {name: facts[name] for name in per_room}
    for name in sorted({*facts["counts"], *(name for found in counts for name in found)}):
        per_room[name] = [found[name] for found in counts]
        spans[name] = facts["counts"].get(name, (0, 0, 0))
    lines: list[ComparedFigure] = []
    for name, ours in per_room.items():
        low, middle, high = spans[name]
        found = min(ours), median(ours), max(ours)
        lines.append(ComparedFigure(name, found, (low, middle, high)))
    objects = [obj for room in rooms for obj in room.objects]
    return RoomStatistics(kind, len(rooms), tuple(lines), _share_of_sizes_within(objects))


def _is_in_closed(obj: ObjectState) -> bool:
    return any(host.split("|")[0] in STARTS_CLOSED_TYPES for host in obj.parentReceptacles or ())


def _share_of_sizes_within(objects: Sequence[ObjectState]) -> float:
    spans = _ai2thor_statistics()["sizes"]
    known = [obj for obj in objects if obj.objectType in spans]
    fits = sum(_is_size_within(obj, *spans[obj.objectType]) for obj in known)
    return round(fits / max(len(known), 1), 4)


def _is_size_within(obj: ObjectState, low: Sequence[float], high: Sequence[float]) -> bool:
    x, y, z = obj.box.size
    return all(
        a - SIZE_TOLERANCE_METRES <= side <= b + SIZE_TOLERANCE_METRES
        for a, side, b in zip(low, (max(x, z), y, min(x, z)), high, strict=True)
    )
