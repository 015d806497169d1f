"""Apply the effect that a recording reports, even where this world's rules refuse it.

A replay that compares this world's answers with the recorded ones uses it after each
action to return to the recorded course.  If this world accepts the interaction, it is
carried out as usual.  If this world refuses it, its main change is made anyway, in the
simplest way.
"""

from dataclasses import replace

from tatc.home.actions import Action, Click, Verb
from tatc.home.camera.shapes import surface_height
from tatc.home.state import Box, ObjectState, Vec3
from tatc.home.type_facts import FLOOR_TYPE
from tatc.sim.embedded.interaction_handlers import (
    INTERACTION_HANDLERS,
    apply_opening,
    placed_object,
    release_held,
)
from tatc.sim.embedded.interactions import (
    apply_bookkeeping,
    finish_interaction,
    is_placing_into_itself,
    resolve_target,
)
from tatc.sim.embedded.placement.click_points import clicked_point
from tatc.sim.embedded.placement.placement_search import (
    forced_placement,
    parent_receptacles_at,
)
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.transforms import move_with_anchor, translate


def apply_recorded_effect(
    world: WorldState, verb: Verb, target_id: str | None, click: Click | None
) -> None:
    """Apply a recorded interaction to an object; the appliances and TEACh's rules run afterwards.

    `target_id` is None if the recorded interaction was refused: then only these run.  `click` is
    where the person clicked; None means the centre of the object's box.
    """
    before = world.snapshot()
    target = world.find(target_id) if target_id is not None else None
    if is_placing_into_itself(world, verb, target):
        target = resolve_target(world, Action(verb, click))
    if target is not None:
        held, point = world.held_object, clicked_point(world, target, click)
        if INTERACTION_HANDLERS[verb](world, target, point) is not None:
            _force_effect(world, verb, target, point)
        apply_bookkeeping(world, verb, target, held)
    finish_interaction(world, verb, before, done=target is not None)


def move_object(world: WorldState, object_id: str, position: Vec3, rotation: Vec3) -> None:
    """Move an object to a position (metres) and give it a rotation (degrees).

    Only the change in yaw turns its box: an object that lies on another side in a recording keeps
    the box that it has here, moved.  Nothing happens if no object has this id.
    """
    obj = world.find(object_id)
    if obj is None:
        return
    yaw_change = (rotation[1] - obj.rotation[1]) % 360.0
    moved = move_with_anchor(obj, obj.position, position, yaw_change)
    world.set_object(replace(moved, position=position, rotation=rotation))


def drop_held_object(world: WorldState) -> None:
    """Put the held object, with what stands on it, on the floor below the hand."""
    world.snapshot()  # this moves the held object along with the body
    held = world.held_object
    if held is None:
        return
    floors = world.of_type(FLOOR_TYPE)
    level = min((floor.position[1] for floor in floors), default=0.0)
    fall = held.box.bottom - level
    parents = tuple(floor.objectId for floor in floors)
    moved = translate(held, (0.0, -fall, 0.0))
    release_held(world, held, replace(moved, parentReceptacles=parents))


def _force_effect(world: WorldState, verb: Verb, target: ObjectState, point: Vec3) -> None:
    match verb:
        case Verb.PICKUP:
            drop_held_object(world)  # the target may have been on the held object
            target = world.objects[world.index_of(target.objectId)]
            INTERACTION_HANDLERS[verb](world, target, point)
        case Verb.PLACE:
            _force_place(world, target, point)
        case Verb.OPEN if world.closed_at_start(target.objectId) is not None:
            if not target.isOpen:
                apply_opening(world, target, world.opened_copy(target, point))
        case Verb.OPEN | Verb.CLOSE:
            world.update_object(target.objectId, isOpen=verb is Verb.OPEN)
        case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
            world.update_object(target.objectId, isToggled=verb is Verb.TOGGLE_ON)
        case _:
            pass


def _force_place(world: WorldState, target: ObjectState, point: Vec3) -> None:
    """Put the held object at a point of a receptacle, even if other objects are there."""
    held = world.held_object
    if held is None:
        return
    placement = forced_placement(world, held, target, point)
    if placement is not None:
        release_held(world, held, placed_object(world, held, target, placement))
        return
    x, _, z = point
    level = surface_height(target, world.geometry.surface_height(world.index_of(target.objectId)))
    box = Box((x, level + held.box.size[1] / 2, z), held.box.size, held.box.yaw)
    ox, oy, oz = held.box.center
    moved = translate(held, (x - ox, box.center[1] - oy, z - oz))
    parents = parent_receptacles_at(world, target, box)
    release_held(world, held, replace(moved, parentReceptacles=parents))
