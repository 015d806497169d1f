"""Whether a room is fit to be used: by geometry and by what its kind's tasks need.

Nothing here lets an agent try: a room is never chosen because somebody succeeds in it.
"""

from collections import Counter
from collections.abc import Sequence

from tatc.sim.rooms.contents import always
from tatc.sim.rooms.reach import Ground
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.roomy import unwashable
from tatc.state import ObjectState, RoomKind, Snapshot

LEAST_CELLS = 20
_NEEDED: dict[RoomKind, str] = {
    RoomKind.KITCHEN: "Cabinet CoffeeMachine CounterTop Drawer Faucet Fridge "
    "GarbageCan HousePlant LightSwitch Microwave Sink SinkBasin StoveBurner StoveKnob "
    "Toaster",
    RoomKind.LIVING_ROOM: "Box FloorLamp GarbageCan HousePlant LightSwitch SideTable "
    "Sofa Television",
    RoomKind.BEDROOM: "Bed DeskLamp Drawer GarbageCan LightSwitch Mirror SideTable",
    RoomKind.BATHROOM: "CounterTop Faucet GarbageCan HandTowelHolder LightSwitch Sink "
    "SinkBasin Toilet ToiletPaperHanger TowelHolder",
}
"""What every room of a kind has besides what lies about in it."""


def fault_of(room: Room) -> str:
    """Return what is wrong with a room, or an empty text."""
    ground = Ground.of(room.objects, room.agent_y)
    if len(ground.cells) < LEAST_CELLS:
        return f"only {len(ground.cells)} cells of floor can be walked on"
    if ground.pockets and Ground.of(_undoored(room), room.agent_y).pockets:
        return f"{ground.pockets} cells of floor are cut off"
    return (
        _missing(room)
        or _out_of_reach(room.objects, ground)
        or _twins(room.objects)
        or _no_basin(room.objects, ground)
    )


def _undoored(room: Room) -> list[ObjectState]:
    """Return a room's objects without doors, behind which floor may well be cut off."""
    return [t for t in room.objects if t.objectType != "ShowerDoor"]


def _missing(room: Room) -> str:
    there = {thing.objectType for thing in room.objects}
    needed = always(room.kind).union(_NEEDED[room.kind].split())
    lacking = sorted(needed - there)
    return f"there is no {lacking[0]}" if lacking else ""


def _out_of_reach(objects: Sequence[ObjectState], ground: Ground) -> str:
    for thing in objects:
        able = thing.affordances
        used = able.receptacle or able.toggleable or able.openable or able.pickupable
        if thing.objectType == "Floor" or not (used or able.canFillWithLiquid):
            continue
        if not ground.approachable(thing):
            return f"{thing.objectType} cannot be approached"
    return ""


def _no_basin(objects: Sequence[ObjectState], ground: Ground) -> str:
    thing = unwashable(Snapshot.of(objects, ground.body(), ground.body()))
    return f"no basin takes the {thing.objectType}" if thing is not None else ""


def _twins(objects: Sequence[ObjectState]) -> str:
    name, count = Counter(thing.objectId for thing in objects).most_common(1)[0]
    return f"two things are called {name}" if count > 1 else ""
