"""What AI2-THOR does to an object for each verb: a change of the house, or a refusal.

Each deed takes the house, the object and the clicked point, and returns None when it is
done or AI2-THOR's kind of message when it is refused.  Preconditions that are TEACh's
own (a knife in the hand, the distance of the click) are not here but in `hands`.
"""

from collections.abc import Callable
from dataclasses import replace

from tatc.actions import Verb
from tatc.affordances import DRAINS
from tatc.camera.doors import goes_along, left_behind
from tatc.sim.embedded.appliances import HOT, ROOM
from tatc.sim.embedded.doors import stands_in_the_way
from tatc.sim.embedded.house import House, hand_at
from tatc.sim.embedded.placing import find_spot, parents_at
from tatc.sim.embedded.slicing import cut
from tatc.sim.rigid import carried, minus, shifted
from tatc.sim.stoves import KNOB
from tatc.state import Box, ObjectState, Vec3

Deed = Callable[[House, ObjectState, Vec3], str | None]


def pick_up(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Take an object in the hand, with all that stands in or on it."""
    if house.in_hand is not None:
        return (
            "Agent hand has something in it already: "
            "picking up is for empty hands, not while holding an object"
        )
    if not target.affordances.pickupable:
        return f"{target.objectId} must have the property CanPickup to be picked up."
    riders = house.contents(target.objectId)
    hand = hand_at(house.follower)
    shift = minus(hand, target.position)
    house.grasp(target.objectId)
    taken = shifted(target, shift)
    house.put(replace(taken, isPickedUp=True, parentReceptacles=None))
    carried = {target.objectId, *(rider.objectId for rider in riders)}
    for rider in riders:
        kept = tuple(p for p in rider.parentReceptacles or () if p in carried)
        house.put(replace(shifted(rider, shift), parentReceptacles=kept))
    return None


def put_down(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Put what is held into a receptacle near the clicked point."""
    held = house.in_hand
    if held is None:
        return "Place: only supported when holding an object"
    if not target.affordances.receptacle:
        return f"{target.objectId} is NOT a receptacle!"
    spot = find_spot(house, held, target, point)
    if isinstance(spot, str):
        return spot
    placed = replace(
        held,
        box=spot.box,
        position=spot.position,
        rotation=spot.rotation,
        parentReceptacles=parents_at(house, target, spot.box),
    )
    release(house, held, placed)
    return None


def release(house: House, held: ObjectState, placed: ObjectState) -> None:
    """Let what is held lie as `placed`; what stands in or on it goes along."""
    riders = house.contents(held.objectId)
    house.grasp(None)
    house.put(replace(placed, isPickedUp=False))
    # Recorded clicks find what lies in a dish where it is when it turns with the dish.
    turn = (placed.rotation[1] - held.rotation[1]) % 360.0
    for rider in riders:
        there = carried(rider, held.position, placed.position, turn)
        parents = {*(rider.parentReceptacles or ()), *(placed.parentReceptacles or ())}
        house.put(replace(there, parentReceptacles=tuple(sorted(parents))))


def open_up(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Open a door, a lid or a drawer; a drawer takes along what was put into it."""
    if not target.affordances.openable:
        return f"{target.objectId} is not an Openable object"
    if target.isOpen:
        return f"{target.objectId} is already open"
    if target.isToggled and target.objectType == "Microwave":
        return f"{target.objectType} must be turned OFF to open!"
    shut = house.shut(target.objectId)
    if shut is None:
        house.change(target.objectId, isOpen=True)
        return None
    swung = house.opened(target, point)
    body, seen = house.follower.position, house.seen_open(target) is not None
    if stands_in_the_way(body, swung, shut.box, seen=seen):
        return f"{target.objectId} failed to open/close: Agent 0 is in its way"
    swing(house, target, swung)
    return None


def swing(house: House, target: ObjectState, swung: ObjectState) -> None:
    """Let what was shut be open as `swung`, without asking what is in the way.

    What lay in a drawer when the session began stays behind, in it no longer.
    """
    by = minus(swung.position, target.position)
    for thing in house.contents(target.objectId) if any(by) else ():
        if goes_along(thing, house.find):
            house.put(shifted(thing, by))
        else:
            house.put(left_behind(thing, target.objectId))
    house.put(swung)


def close_up(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Close a door, a lid or a drawer."""
    if not target.affordances.openable:
        return f"{target.objectId} is not an Openable object"
    if not target.isOpen:
        return f"{target.objectId} is already closed"
    shut = house.shut(target.objectId)
    if shut is None:
        house.change(target.objectId, isOpen=False)
        return None
    by = minus(shut.position, target.position)
    if any(by):
        for thing in house.contents(target.objectId):
            house.put(shifted(thing, by))
        _enclose(house, target.objectId, shut.box)
    house.put(replace(target, isOpen=False, position=shut.position, box=shut.box))
    return None


def switch_on(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Switch on; a stove knob lights its burners."""
    return _switch(house, target, True)


def switch_off(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Switch off; a stove knob puts its burners out."""
    return _switch(house, target, False)


def slice_up(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Cut a thing into pieces, or crack an egg."""
    if not target.affordances.sliceable:
        return f"{target.objectId} Does not have the CanBeSliced property!"
    if target.isSliced:
        return f"{target.objectId} is already sliced"
    cut(house, target)
    return None


def fill(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Fill a vessel with liquid."""
    if not target.affordances.canFillWithLiquid or target.isFilledWithLiquid:
        return f"{target.objectId} cannot be filled with liquid, or is full already"
    house.change(target.objectId, isFilledWithLiquid=True)
    return None


def empty(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Empty a vessel of its liquid."""
    if not target.isFilledWithLiquid:
        return f"{target.objectId} holds no liquid"
    house.change(target.objectId, isFilledWithLiquid=False)
    return None


def pour(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Pour what the held vessel holds into another vessel, or down a drain."""
    held = house.in_hand
    if held is None:
        return "Pour: only supported when holding an object"
    refusal = fill(house, target, point)
    if refusal is not None and target.objectType not in DRAINS:
        return refusal
    return empty(house, held, point)


def dirty(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Make an object dirty."""
    if not target.affordances.dirtyable:
        return f"{target.objectId} does not have the Dirtyable property!"
    if target.isDirty:
        return f"{target.objectId} is already dirty"
    house.change(target.objectId, isDirty=True)
    return None


def clean(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Make an object clean."""
    if not target.affordances.dirtyable:
        return f"{target.objectId} does not have the Dirtyable property!"
    if not target.isDirty:
        return f"{target.objectId} is already clean"
    house.change(target.objectId, isDirty=False)
    return None


def smash(house: House, target: ObjectState, point: Vec3) -> str | None:
    """Break an object; TEACh makes all of them unbreakable once a session runs."""
    return f"{target.objectId} is unbreakable"


DEEDS: dict[Verb, Deed] = {
    Verb.PICKUP: pick_up,
    Verb.PLACE: put_down,
    Verb.OPEN: open_up,
    Verb.CLOSE: close_up,
    Verb.TOGGLE_ON: switch_on,
    Verb.TOGGLE_OFF: switch_off,
    Verb.SLICE: slice_up,
    Verb.DIRTY: dirty,
    Verb.CLEAN: clean,
    Verb.FILL: fill,
    Verb.EMPTY: empty,
    Verb.POUR: pour,
    Verb.BREAK: smash,
}


def _switch(house: House, target: ObjectState, on: bool) -> str | None:
    if not target.affordances.toggleable or target.objectType == "StoveBurner":
        return f"{target.objectId} is not toggleable"
    if target.isBroken:
        return f"{target.objectId} is broken, so it is not toggleable"
    if target.isToggled is on:
        word = "on" if on else "off"
        return f"can't toggle object {word} if it's already {word}!"
    if on and target.isOpen and target.objectType == "Microwave":
        return f"{target.objectId} must be closed to be turned on"
    house.change(target.objectId, isToggled=on)
    if target.objectType == KNOB:
        for burner in target.controlledObjects or ():
            house.change(burner, ObjectTemperature=HOT if on else ROOM)
    return None


def _enclose(house: House, drawer: str, box: Box) -> None:
    """Let what lies where a drawer comes to be lie in it again."""
    for thing in house.things:
        x, y, z = thing.box.center
        inside = box.away(x, z) == 0.0 and abs(y - box.center[1]) <= box.size[1] / 2
        parents = set(thing.parentReceptacles or ())
        loose = thing.affordances.pickupable and not thing.isPickedUp
        if inside and loose and drawer not in parents:
            house.put(
                replace(thing, parentReceptacles=tuple(sorted(parents | {drawer})))
            )
