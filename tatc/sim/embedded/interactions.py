"""The Follower's interactions, step by step as TEACh does them (spec section 2.3).

Precondition, what the click means, the distance veto, what AI2-THOR does, TEACh's
bookkeeping, slices, then the rules of water and heat, whether or not it went well.
"""

from math import dist

from tatc.actions import INTERACTION_REACH_METRES, Action, ActionResult, Click, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of, resolve_click
from tatc.camera.geometry import RayHit
from tatc.camera.rays import Eye
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.interaction_handlers import INTERACTION_HANDLERS
from tatc.sim.embedded.placement.click_points import clicked_point, ray_entry_point
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.teach_effects import run_effect_rules, slice_inheritance_effects
from tatc.sim.teach_interaction_rules import (
    bookkeeping_effects,
    no_target_message,
    refusal_result,
    success_result,
    too_far_message,
    unmet_precondition,
)
from tatc.state import ObjectState, Snapshot, Vec3
from tatc.thor_types.facts import MUST_BE_OPEN_TYPES

_MAX_OBJECTS_IN_FRONT = 4  # things in front of a receptacle that a Place looks behind


def interact(world: WorldState, action: Action, target_id: str | None = None) -> ActionResult:
    """Carry out one interaction of the Follower.

    `target_id` takes the place of the object that the click means (spec 2.3.7).  The
    click is then taken to end on it, as near as its ray comes into the object's box.
    """
    before = world.snapshot()
    result = _attempt(world, action, target_id)
    finish_interaction(world, action.verb, before, done=result.success)
    return result


def finish_interaction(world: WorldState, verb: Verb, before: Snapshot, *, done: bool) -> None:
    """Let slices inherit, machines and TEACh's rules run, as after each interaction."""
    if done and verb is Verb.SLICE:
        world.apply_effects(slice_inheritance_effects(world.snapshot()))
    run_appliances(world)
    run_effect_rules(world.snapshot, world.apply_effects, before)


def resolve_target(world: WorldState, action: Action) -> ObjectState | None:
    """Return the object that a click means for its verb, None for none (spec 2.4)."""
    if action.click is None:
        return None
    return _resolve_from_eye(world, eye_of(world.follower), action.verb, action.click)


def is_placing_into_itself(world: WorldState, verb: Verb, named_target: ObjectState | None) -> bool:
    """Say whether what is held is to be put into itself.

    AI2-THOR's ray goes through what is held, so where TEACh took it for what a click
    meant, it came to stand in what is behind: the click is to say in what.
    """
    return verb is Verb.PLACE and named_target is not None and named_target is world.held_object


def _attempt(world: WorldState, action: Action, target_id: str | None) -> ActionResult:
    verb, click = action.verb, action.click
    refusal = unmet_precondition(verb, world.held_object)
    if refusal is not None:
        return refusal_result(refusal)
    if click is None:
        return refusal_result(no_target_message(action))
    eye = eye_of(world.follower)
    clicked = _resolve_from_eye(world, eye, verb, click)
    if clicked is None and target_id is None:
        return refusal_result(no_target_message(action))
    named_target = world.find(target_id) if target_id is not None else None
    if is_placing_into_itself(world, verb, named_target):
        named_target = None
    target = named_target or clicked
    if target is None:
        return refusal_result(f"Object ID {target_id} is invalid")
    container = _closed_container_of(world, target)
    if container is not None:
        return refusal_result(f"{target.objectId} is not visible: {container.objectId} is closed")
    hit = world.geometry.hit_at_click(eye, click) or _hit_at_centre(world, target)
    if not _is_in_reach(world, hit, named_target and ray_entry_point(world, named_target, click)):
        return refusal_result(too_far_message(verb))
    point = None if named_target is None else clicked_point(world, named_target, click)
    return _apply_handler(world, action, target, hit, point)


def _is_in_reach(world: WorldState, hit: RayHit, entry_point: Vec3 | None) -> bool:
    """Whether a click is near enough, or its ray enters the named object so."""
    body = world.follower.position
    if entry_point is not None and dist(entry_point, body) <= INTERACTION_REACH_METRES:
        return True
    return dist(hit.point, body) <= INTERACTION_REACH_METRES


def _closed_container_of(world: WorldState, target: ObjectState) -> ObjectState | None:
    """Return the closed container that an object is in, None where it is in none.

    What sticks out of it by its box is not to be had either: of 833 pickups in 120
    recorded sessions none took a thing out of what was closed, but for five that lay
    on the lid of a toilet.
    """
    parents = map(world.find, target.parentReceptacles or ())
    closed = (
        each
        for each in parents
        if each is not None
        and each.objectType in MUST_BE_OPEN_TYPES
        and each.affordances.openable
        and not each.isOpen
    )
    return next(closed, None)


def _hit_at_centre(world: WorldState, target: ObjectState) -> RayHit:
    """Return the hit of a click that passes an object by and meets nothing else.

    AI2-THOR's ray would end at a wall or at a piece of furniture that no box tells of.
    """
    point = target.box.center
    away = dist(point, eye_of(world.follower).position)
    return RayHit(world.index_of(target.objectId), away, point)


def _resolve_from_eye(world: WorldState, eye: Eye, verb: Verb, click: Click) -> ObjectState | None:
    objects = world.objects
    i = resolve_click(world.geometry, eye, click, lambda i: affords(verb, objects[i]))
    return None if i is None else objects[i]


def _apply_handler(
    world: WorldState, action: Action, target: ObjectState, hit: RayHit, named_point: Vec3 | None
) -> ActionResult:
    """Do what is asked to an object; `named_point` is where on it, where it was named."""
    verb, held = action.verb, world.held_object
    refusal: str | None = "Place: no receptacle"
    if verb is not Verb.PLACE or named_point is not None:
        refusal = INTERACTION_HANDLERS[verb](world, target, named_point or hit.point)
    if verb is Verb.PLACE and refusal is not None and action.click is not None:
        refusal = place_by_ray(world, action.click, hit)
    if refusal is not None:
        return refusal_result(refusal)
    apply_bookkeeping(world, verb, target, held)
    return success_result(action, target)


def place_by_ray(world: WorldState, click: Click, hit: RayHit) -> str | None:
    """Put what is held where AI2-THOR's own ray ends, whatever the click meant.

    Returns why it cannot be put there, None where it is.
    """
    hit_receptacle = _receptacle_on_ray(world, click, hit)
    if isinstance(hit_receptacle, str):
        return hit_receptacle
    return INTERACTION_HANDLERS[Verb.PLACE](
        world, world.objects[hit_receptacle.index], hit_receptacle.point
    )


def _receptacle_on_ray(world: WorldState, click: Click, hit: RayHit) -> RayHit | str:
    """Return the receptacle that AI2-THOR's own ray finds for a Place (spec 2.3.5).

    What is no receptacle, such as food on a plate, is looked behind.
    """
    eye, hidden = eye_of(world.follower), list[int]()
    hit_receptacle: RayHit | None = hit
    for _ in range(_MAX_OBJECTS_IN_FRONT):
        if hit_receptacle is None or world.objects[hit_receptacle.index].affordances.receptacle:
            break
        hidden.append(hit_receptacle.index)
        world.geometry.hide(hit_receptacle.index)
        hit_receptacle = world.geometry.hit_at_click(eye, click)
    for i in hidden:
        world.geometry.update(i, world.objects[i])
    if hit_receptacle is None or not world.objects[hit_receptacle.index].affordances.receptacle:
        return f"{world.objects[hit.index].objectId} is NOT a receptacle!"
    return hit_receptacle


def apply_bookkeeping(
    world: WorldState, verb: Verb, target: ObjectState, held: ObjectState | None
) -> None:
    """Do TEACh's own bookkeeping of a success (spec 2.2)."""
    world.apply_effects(bookkeeping_effects(verb, target, held, world.snapshot()))
