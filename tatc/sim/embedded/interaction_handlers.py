"""Carry out each verb on an object as AI2-THOR does: change the world, or refuse.

Each handler takes the world, the target object and the clicked point (world, metres).  It
returns None if it succeeded, or a message like AI2-THOR's if it refused.  TEACh's own
preconditions (a knife in the hand, the distance of the click) are in `interactions`.
"""

from collections.abc import Callable, Sequence
from functools import partial

from tatc.home import actions, type_facts as facts
from tatc.home.camera.door_geometry import is_carried_by_drawer, remove_from_drawer
from tatc.home.state import Box, ObjectState, Vec3, move_with_anchor, subtract, translate
from tatc.sim.embedded.appliances import HOT, ROOM_TEMPERATURE
from tatc.sim.embedded.door_collision import is_body_in_the_way
from tatc.sim.embedded.placement import placement_search
from tatc.sim.embedded.slicing import cut_into_pieces
from tatc.sim.embedded.world_state import WorldState, held_position

InteractionHandler = Callable[[WorldState, ObjectState, Vec3], str | None]


def pick_up(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Take an object in the hand, with everything that is in or on it."""
    if world.held_object is not None:
        why = "picking up is for empty hands, not while holding an object"
        return f"Agent hand has something in it already: {why}"
    if not target.affordances.pickupable:
        return f"{target.objectId} must have the property CanPickup to be picked up."
    if target.isPickedUp or target.isSliced:
        why = "in another agent's hand" if target.isPickedUp else "cut into pieces"
        return f"{target.objectId} cannot be picked up: it is {why}"
    riders = loose_contents(world, target)
    shift = subtract(held_position(world.follower), target.position)
    world.set_held_object(target.objectId)
    world.set_object(translate(target, shift).with_values(isPickedUp=True, parentReceptacles=None))
    for rider in riders:
        world.set_object(translate(rider, shift))
    return None


def loose_contents(world: WorldState, obj: ObjectState) -> list[ObjectState]:
    """Return what is in or on an object, in nothing else than it and each other."""
    riders = world.contents(obj.objectId)
    carried = {obj.objectId, *(rider.objectId for rider in riders)}
    return [
        rider.with_values(
            parentReceptacles=tuple(p for p in rider.parentReceptacles or () if p in carried)
        )
        for rider in riders
    ]


def place_held(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Put the held object in or on a receptacle, near the clicked point."""
    return place_from(world, target, point, world.follower.position)


def place_from_afar(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Put the held object in or on a receptacle, however far that is from the body."""
    return place_from(world, target, point, None)


def place_from(world: WorldState, place: ObjectState, point: Vec3, body: Vec3 | None) -> str | None:
    """Put the held object in or on a receptacle, within reach of a body unless that is None."""
    held = world.held_object
    if held is None:
        return "Place: only supported when holding an object"
    if not place.affordances.receptacle:
        return f"{place.objectId} is NOT a receptacle!"
    placement = placement_search.find_placement(world, held, place, point, body)
    if isinstance(placement, str):
        return placement
    release_held(world, held, placed_object(world, held, place, placement))
    return None


def placed_object(
    world: WorldState, held: ObjectState, target: ObjectState, placement: placement_search.Placement
) -> ObjectState:
    """Return the held object as it is once it is put down in or on a receptacle."""
    return held.with_values(
        box=placement.box,
        position=placement.position,
        rotation=placement.rotation,
        parentReceptacles=placement_search.parent_receptacles_at(world, target, placement.box),
    )


def release_held(world: WorldState, held: ObjectState, placed: ObjectState) -> None:
    """Empty the hand: the held object becomes `placed`, and its contents move with it."""
    riders = world.contents(held.objectId)
    world.set_held_object(None)
    set_down(world, held, riders, placed)


def set_down(
    world: WorldState, before: ObjectState, riders: Sequence[ObjectState], placed: ObjectState
) -> None:
    """Let an object that nobody holds become `placed`, and what is in or on it move with it."""
    world.set_object(placed.with_values(isPickedUp=False))
    # Contents turn with their dish: only then do recorded clicks find them.
    turn = (placed.rotation[1] - before.rotation[1]) % 360.0
    for rider in riders:
        moved = move_with_anchor(rider, before.position, placed.position, turn)
        parents = {*(rider.parentReceptacles or ()), *(placed.parentReceptacles or ())}
        world.set_object(moved.with_values(parentReceptacles=tuple(sorted(parents))))


def open_target(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Open a door, a lid or a drawer; a drawer carries along what was put into it."""
    if not target.affordances.openable:
        return f"{target.objectId} is not an Openable object"
    if target.isOpen:
        return f"{target.objectId} is already open"
    if target.isToggled and target.objectType in facts.RUNS_CLOSED_TYPES:
        return f"{target.objectType} must be turned OFF to open!"
    closed_target = world.closed_at_start(target.objectId)
    if closed_target is None:
        world.update_object(target.objectId, isOpen=True)
        return None
    opened = world.opened_copy(target, point)
    is_recorded, closed_box = world.recorded_open_box(target) is not None, closed_target.box
    for body in (world.follower.position, *world.bystanders.bodies):
        if is_body_in_the_way(body, opened, closed_box, is_recorded=is_recorded, is_opening=True):
            who = "Agent 0" if body is world.follower.position else "another agent"
            return f"{target.objectId} failed to open/close: {who} is in its way"
    apply_opening(world, target, opened)
    return None


def apply_opening(world: WorldState, target: ObjectState, opened_target: ObjectState) -> None:
    """Replace a closed object with `opened_target`, without asking what is in the way.

    What a drawer contained when the session began stays behind, out of it (recorded end states).
    """
    offset = subtract(opened_target.position, target.position)
    for obj in world.contents(target.objectId) if any(offset) else ():
        if is_carried_by_drawer(obj, world.find):
            world.set_object(translate(obj, offset))
        else:
            world.set_object(remove_from_drawer(obj, target.objectId))
    world.set_object(opened_target)


def close_target(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Close a door, a lid or a drawer."""
    if not target.affordances.openable:
        return f"{target.objectId} is not an Openable object"
    if not target.isOpen:
        return f"{target.objectId} is already closed"
    closed_target = world.closed_at_start(target.objectId)
    if closed_target is None:
        world.update_object(target.objectId, isOpen=False)
        return None
    offset = subtract(closed_target.position, target.position)
    if any(offset):
        for obj in world.contents(target.objectId):
            world.set_object(translate(obj, offset))
        _enclose_in_drawer(world, target.objectId, closed_target.box)
    position, box = closed_target.position, closed_target.box
    world.set_object(target.with_values(isOpen=False, position=position, box=box))
    return None


def slice_target(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Cut an object into pieces, or crack an egg."""
    if not target.affordances.sliceable or target.objectType not in facts.PIECE_TYPE_BY_WHOLE:
        return f"{target.objectId} Does not have the CanBeSliced property!"
    if target.isSliced:
        return f"{target.objectId} is already sliced"
    if target.isPickedUp:
        return f"{target.objectId} cannot be sliced while it is in a hand"
    cut_into_pieces(world, target)
    return None


def fill_with_liquid(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Fill a vessel with liquid."""
    if not target.affordances.canFillWithLiquid or target.isFilledWithLiquid:
        return f"{target.objectId} cannot be filled with liquid, or is full already"
    world.update_object(target.objectId, isFilledWithLiquid=True)
    return None


def empty_liquid(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Empty a vessel of its liquid."""
    if not target.isFilledWithLiquid:
        return f"{target.objectId} holds no liquid"
    world.update_object(target.objectId, isFilledWithLiquid=False)
    return None


def pour_liquid(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Pour what the held vessel holds into another vessel, or down a drain."""
    held = world.held_object
    if held is None:
        return "Pour: only supported when holding an object"
    refusal = fill_with_liquid(world, target, point)
    if refusal is not None and target.objectType not in facts.SINK_TYPES:
        return refusal
    return empty_liquid(world, held, point)


def _set_dirty(world: WorldState, target: ObjectState, point: Vec3, *, dirty: bool) -> str | None:
    if not target.affordances.dirtyable:
        return f"{target.objectId} does not have the Dirtyable property!"
    if target.isDirty is dirty:
        return f"{target.objectId} is already {'dirty' if dirty else 'clean'}"
    world.update_object(target.objectId, isDirty=dirty)
    return None


make_dirty: InteractionHandler = partial(_set_dirty, dirty=True)
make_clean: InteractionHandler = partial(_set_dirty, dirty=False)


def _switch(world: WorldState, target: ObjectState, point: Vec3, *, on: bool) -> str | None:
    """Switch on or off; a stove knob lights its burners or puts them out."""
    if not target.affordances.toggleable or target.objectType == facts.BURNER_TYPE:
        return f"{target.objectId} is not toggleable"
    if target.isBroken:
        return f"{target.objectId} is broken, so it is not toggleable"
    if target.isToggled is on:
        word = "on" if on else "off"
        return f"can't toggle object {word} if it's already {word}!"
    if on and target.isOpen and target.objectType in facts.RUNS_CLOSED_TYPES:
        return f"{target.objectId} must be closed to be turned on"
    world.update_object(target.objectId, isToggled=on)
    if target.objectType == facts.KNOB_TYPE:
        for burner in target.controlledObjects or ():
            world.update_object(burner, ObjectTemperature=HOT if on else ROOM_TEMPERATURE)
    return None


switch_on: InteractionHandler = partial(_switch, on=True)
switch_off: InteractionHandler = partial(_switch, on=False)


def break_target(world: WorldState, target: ObjectState, point: Vec3) -> str | None:
    """Break an object; TEACh makes all of them unbreakable once a session runs."""
    return f"{target.objectId} is unbreakable"


INTERACTION_HANDLERS: dict[actions.Verb, InteractionHandler] = {
    actions.Verb.PICKUP: pick_up,
    actions.Verb.PLACE: place_held,
    actions.Verb.OPEN: open_target,
    actions.Verb.CLOSE: close_target,
    actions.Verb.TOGGLE_ON: switch_on,
    actions.Verb.TOGGLE_OFF: switch_off,
    actions.Verb.SLICE: slice_target,
    actions.Verb.DIRTY: make_dirty,
    actions.Verb.CLEAN: make_clean,
    actions.Verb.FILL: fill_with_liquid,
    actions.Verb.EMPTY: empty_liquid,
    actions.Verb.POUR: pour_liquid,
    actions.Verb.BREAK: break_target,
}


def _enclose_in_drawer(world: WorldState, drawer_id: str, box: Box) -> None:
    """Make the drawer a parent of the loose objects that are inside its closed box."""
    for obj in world.objects:
        x, y, z = obj.box.center
        inside = box.horizontal_distance(x, z) == 0.0 and abs(y - box.center[1]) <= box.size[1] / 2
        parents = set(obj.parentReceptacles or ())
        loose = obj.affordances.pickupable and not (obj.isPickedUp or obj.isSliced)
        if inside and loose and drawer_id not in parents:
            parents.add(drawer_id)
            world.set_object(obj.with_values(parentReceptacles=tuple(sorted(parents))))
