"""Checks whether a generated room can be used: its geometry, and what its kind's tasks need.

No agent is run here: a room is never chosen because an agent succeeds in it.
"""

from collections import Counter
from collections.abc import Sequence

from tatc.home.state import ObjectState, RoomKind, Snapshot
from tatc.sim.rooms.generator.object_frequencies import always_present_types
from tatc.sim.rooms.placement_feasibility import find_unwashable
from tatc.sim.rooms.reachable_floor import ReachableFloor
from tatc.sim.rooms.room import Room

MIN_WALKABLE_CELLS = 20
_REQUIRED_TYPES: dict[RoomKind, str] = {
    RoomKind.KITCHEN: "Cabinet CoffeeMachine CounterTop Drawer Faucet Fridge "
    "GarbageCan HousePlant LightSwitch Microwave Sink SinkBasin StoveBurner StoveKnob "
    "Toaster",
    RoomKind.LIVING_ROOM: "Box FloorLamp GarbageCan HousePlant LightSwitch SideTable "
    "Sofa Television",
    RoomKind.BEDROOM: "Bed DeskLamp Drawer GarbageCan LightSwitch Mirror SideTable",
    RoomKind.BATHROOM: "CounterTop Faucet GarbageCan HandTowelHolder LightSwitch Sink "
    "SinkBasin Toilet ToiletPaperHanger TowelHolder",
}
"""The types that every room of a kind has besides its pickupable objects."""


def room_fault(room: Room) -> str:
    """Return what is wrong with a room, or an empty string."""
    ground = ReachableFloor.of_objects(room.objects, room.agent_y)
    if len(ground.cells) < MIN_WALKABLE_CELLS:
        return f"only {len(ground.cells)} cells of floor can be walked on"
    if (
        ground.cut_off_count
        and ReachableFloor.of_objects(_without_shower_doors(room), room.agent_y).cut_off_count
    ):
        return f"{ground.cut_off_count} cells of floor are cut off"
    return (
        _missing_type_fault(room)
        or _unapproachable_fault(room.objects, ground)
        or _duplicate_id_fault(room.objects)
        or _unwashable_fault(room.objects, ground)
    )


def _without_shower_doors(room: Room) -> list[ObjectState]:
    """Return a room's objects without shower doors, which may cut off the floor behind them."""
    return [t for t in room.objects if t.objectType != "ShowerDoor"]


def _missing_type_fault(room: Room) -> str:
    there = {obj.objectType for obj in room.objects}
    needed = always_present_types(room.kind).union(_REQUIRED_TYPES[room.kind].split())
    lacking = sorted(needed - there)
    return f"there is no {lacking[0]}" if lacking else ""


def _unapproachable_fault(objects: Sequence[ObjectState], ground: ReachableFloor) -> str:
    for obj in objects:
        able = obj.affordances
        used = able.receptacle or able.toggleable or able.openable or able.pickupable
        if obj.objectType == "Floor" or not (used or able.canFillWithLiquid):
            continue
        if not ground.can_approach(obj):
            return f"{obj.objectType} cannot be approached"
    return ""


def _unwashable_fault(objects: Sequence[ObjectState], ground: ReachableFloor) -> str:
    obj = find_unwashable(
        Snapshot.from_objects(objects, ground.any_agent_state(), ground.any_agent_state())
    )
    return f"no basin takes the {obj.objectType}" if obj is not None else ""


def _duplicate_id_fault(objects: Sequence[ObjectState]) -> str:
    name, count = Counter(obj.objectId for obj in objects).most_common(1)[0]
    return f"{count} objects have the id {name}" if count > 1 else ""
