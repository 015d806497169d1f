"""Generates rooms; the same kind and seed give the same room in every process.

No agent is run to test a room: none is chosen because an agent succeeds in it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from tatc.base import files
from tatc.base.errors import TatcError
from tatc.home import assets, state
from tatc.home.body import POSITION_ABOVE_FLOOR_METRES
from tatc.sim.rooms.generator import bathroom, kitchen, living_room, room_layout
from tatc.sim.rooms.placement_feasibility import find_unwashable
from tatc.sim.rooms.random_placement import RandomPlacer
from tatc.sim.rooms.room import ReachableFloor, Room, room_name

MAX_DRAFTS = 200
CLOSED_RECEPTACLE_FACTOR = 0.1
"""The factor on the weights of closed receptacles.  As in AI2-THOR's scenes, they hold fewer
objects in a generated room than in a start, where the factor is 1."""
MIN_WALKABLE_CELLS = 20
_OBJECTS_BY_KIND = files.package_table("tatc.sim.rooms.generator", "room_objects.toml")
_FURNISH: Mapping[state.RoomKind, Callable[[room_layout.RoomLayout], str | None]] = {
    state.RoomKind.KITCHEN: kitchen.furnish,
    state.RoomKind.LIVING_ROOM: living_room.furnish,
    state.RoomKind.BEDROOM: living_room.furnish_bedroom,
    state.RoomKind.BATHROOM: bathroom.furnish,
}


def generate_room(kind: state.RoomKind, seed: int) -> Room:
    """Return the room of a kind and a seed: the first draft that has no fault."""
    return generate_with_faults(kind, seed)[0]


def generate_with_faults(kind: state.RoomKind, seed: int) -> tuple[Room, tuple[str, ...]]:
    """Return the room of a kind and a seed with the faults of the rejected drafts."""
    rejected: list[str] = []
    for number in range(MAX_DRAFTS):
        found = draft_room(kind, seed, number)
        if isinstance(found, Room):
            return found, tuple(rejected)
        rejected.append(found)
    raise TatcError(f"seed {seed} gives no valid {kind.value.lower()}", fix="use another seed")


def draft_room(kind: state.RoomKind, seed: int, number: int) -> Room | str:
    """Return draft `number` (from 0) of the room of a kind and a seed, or its fault."""
    rng = Random(f"{kind.value} {seed} {number}")
    sides = [rng.randint(*half_metres) / 2 for half_metres in _OBJECTS_BY_KIND[kind]["sides"]]
    rng.shuffle(sides)
    layout = room_layout.RoomLayout(rng, *sides, mirrored=rng.random() < 0.5)
    fault = _FURNISH[kind](layout)
    if fault:
        return fault
    objects = _add_pickupables(layout.objects, kind, rng)
    room = Room(room_name(kind, seed), kind, seed, POSITION_ABOVE_FLOOR_METRES, objects)
    return room_fault(room) or room


def _add_pickupables(
    fixed: list[state.ObjectState], kind: state.RoomKind, rng: Random
) -> tuple[state.ObjectState, ...]:
    """Return the fixed objects and those of a kind's usual pickupable ones that found a place."""
    placer = RandomPlacer(fixed, POSITION_ABOVE_FLOOR_METRES, rng, CLOSED_RECEPTACLE_FACTOR)
    found: list[state.ObjectState] = []
    for name, share in object_frequencies(kind):
        if rng.random() < share:
            obj = placer.place(name, assets.known_object_types()[name].size_between(rng.random()))
            if obj is not None:
                found.append(obj)
    # AI2-THOR has no particular order; sorting by id makes the file easy to read.
    return tuple(sorted((*fixed, *found), key=lambda t: t.objectId))


def room_fault(room: Room) -> str:
    """Return what is wrong with a room, or an empty string."""
    ground = ReachableFloor.of_objects(room.objects, room.agent_y)
    if len(ground.cells) < MIN_WALKABLE_CELLS:
        return f"only {len(ground.cells)} cells of floor can be walked on"
    # Shower doors may cut off the floor behind them.
    doorless = [obj for obj in room.objects if obj.objectType != "ShowerDoor"]
    if ground.cut_off_count and ReachableFloor.of_objects(doorless, room.agent_y).cut_off_count:
        return f"{ground.cut_off_count} cells of floor are cut off"
    needed = always_present_types(room.kind).union(_OBJECTS_BY_KIND[room.kind]["required"].split())
    lacking = sorted(needed - {obj.objectType for obj in room.objects})
    if lacking:
        return f"there is no {lacking[0]}"
    fault = _unapproachable_fault(room.objects, ground)
    name, count = Counter(obj.objectId for obj in room.objects).most_common(1)[0]
    if fault or count > 1:
        return fault or f"{count} objects have the id {name}"
    body = ground.any_agent_state()
    obj = find_unwashable(state.Snapshot.from_objects(room.objects, body, body))
    return f"no basin takes the {obj.objectType}" if obj is not None else ""


def _unapproachable_fault(objects: Sequence[state.ObjectState], ground: ReachableFloor) -> str:
    for obj in objects:
        able = obj.affordances
        used = able.receptacle or able.toggleable or able.openable or able.pickupable
        if obj.objectType == "Floor" or not (used or able.canFillWithLiquid):
            continue
        if not ground.can_approach(obj):
            return f"{obj.objectType} cannot be approached"
    return ""


@cache
def object_frequencies(kind: state.RoomKind) -> tuple[tuple[str, float], ...]:
    """Return the types of a kind of room, each with its probability from 0 to 1.

    A type that may occur more than once is listed more than once; large types come first.
    """
    pairs = (word.partition(":") for word in _OBJECTS_BY_KIND[kind]["objects"].split())
    return tuple((name, float(share or 1)) for name, _, share in pairs)


def always_present_types(kind: state.RoomKind) -> frozenset[str]:
    """Return the types that every room of a kind has."""
    return frozenset(name for name, share in object_frequencies(kind) if share == 1)
