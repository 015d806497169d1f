"""Generates rooms; the same kind and seed give the same room in every process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from tatc.base.errors import TatcError
from tatc.home.body import POSITION_ABOVE_FLOOR_METRES
from tatc.home.object_types import known_object_types
from tatc.home.state import ObjectState, RoomKind
from tatc.sim.rooms.generator import bathroom, kitchen, living_room
from tatc.sim.rooms.generator.object_frequencies import object_frequencies
from tatc.sim.rooms.generator.room_layout import RoomLayout
from tatc.sim.rooms.generator.validation import room_fault
from tatc.sim.rooms.random_placement import RandomPlacer
from tatc.sim.rooms.room import Room, room_name

MAX_DRAFTS = 200
CLOSED_RECEPTACLE_FACTOR = 0.1
"""The factor on the weights of closed receptacles.  As in AI2-THOR's scenes, they hold fewer
objects in a generated room than in a start, where the factor is 1."""


@dataclass(frozen=True, slots=True)
class _FurnishingPlan:
    """How a kind of room is furnished, and the ranges of its two sides in half metres.

    Because the sides are whole half metres, the walls lie on the grid of agent positions.
    """

    furnish: Callable[[RoomLayout], str | None]
    short_side_range: tuple[int, int]
    long_side_range: tuple[int, int]


_FURNISHING_PLANS: Mapping[RoomKind, _FurnishingPlan] = MappingProxyType(
    {
        RoomKind.KITCHEN: _FurnishingPlan(kitchen.furnish, (7, 10), (8, 12)),
        RoomKind.LIVING_ROOM: _FurnishingPlan(living_room.furnish, (10, 14), (11, 18)),
        RoomKind.BEDROOM: _FurnishingPlan(living_room.furnish_bedroom, (8, 11), (9, 13)),
        RoomKind.BATHROOM: _FurnishingPlan(bathroom.furnish, (7, 9), (9, 10)),
    }
)


@dataclass(frozen=True, slots=True)
class RoomDraft:
    """One draft of a room: the room, or None and the fault for which it was rejected."""

    room: Room | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class GeneratedRoom:
    """A room, and the faults of the drafts rejected before it."""

    room: Room
    rejected_faults: tuple[str, ...]


def generate_room(kind: RoomKind, seed: int) -> Room:
    """Return the room of a kind and a seed: the first draft that has no fault."""
    return generate_with_faults(kind, seed).room


def generate_with_faults(kind: RoomKind, seed: int) -> GeneratedRoom:
    """Return the room of a kind and a seed with the faults of the rejected drafts."""
    rejected: list[str] = []
    for number in range(MAX_DRAFTS):
        found = draft_room(kind, seed, number)
        if found.room is not None:
            return GeneratedRoom(found.room, tuple(rejected))
        rejected.append(found.fault)
    raise TatcError(f"seed {seed} gives no valid {kind.value.lower()}", fix="use another seed")


def draft_room(kind: RoomKind, seed: int, number: int) -> RoomDraft:
    """Return draft `number` (from 0) of the room of a kind and a seed."""
    rng = Random(f"{kind.value} {seed} {number}")
    plan = _FURNISHING_PLANS[kind]
    sides = [rng.randint(*plan.short_side_range) / 2, rng.randint(*plan.long_side_range) / 2]
    rng.shuffle(sides)
    width, depth = sides
    layout = RoomLayout(rng, width, depth, mirrored=rng.random() < 0.5)
    fault = plan.furnish(layout)
    if fault:
        return RoomDraft(None, fault)
    objects = _add_pickupables(layout.objects, kind, rng)
    room = Room(room_name(kind, seed), kind, seed, POSITION_ABOVE_FLOOR_METRES, objects)
    fault = room_fault(room)
    return RoomDraft(None, fault) if fault else RoomDraft(room)


def _add_pickupables(
    fixed: list[ObjectState], kind: RoomKind, rng: Random
) -> tuple[ObjectState, ...]:
    """Return the fixed objects and a kind's usual pickupable ones, placed at random.

    An object that finds no place is left out.
    """
    placer = RandomPlacer(fixed, POSITION_ABOVE_FLOOR_METRES, rng, CLOSED_RECEPTACLE_FACTOR)
    found: list[ObjectState] = []
    for name, share in object_frequencies(kind):
        if rng.random() < share:
            obj = placer.place(name, known_object_types()[name].size_between(rng.random()))
            if obj is not None:
                found.append(obj)
    # AI2-THOR has no particular order; sorting by id makes the file easy to read.
    return tuple(sorted((*fixed, *found), key=lambda t: t.objectId))
