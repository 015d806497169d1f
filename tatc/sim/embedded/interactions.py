"""Carry out the Follower's interactions in TEACh's order of steps (spec section 2.3).

The rules of water and heat then run whether or not the interaction succeeded.
"""

from math import dist

from tatc.home.actions import INTERACTION_REACH_METRES, Action, ActionResult, Click, Verb
from tatc.home.camera.clicks import affords, eye_of, resolve_click
from tatc.home.camera.geometry import RayHit
from tatc.home.camera.rays import Eye
from tatc.home.camera.shapes import surface_height
from tatc.home.containment import is_under_water
from tatc.home.state import Box, ObjectState, Snapshot, Vec3, move_with_anchor, translate
from tatc.home.type_facts import FLOOR_TYPE, MUST_BE_OPEN_TYPES
from tatc.sim import teach_effects as rules
from tatc.sim.embedded import appliances, interaction_handlers
from tatc.sim.embedded.placement.click_points import clicked_point, ray_entry_point
from tatc.sim.embedded.placement.placement_search import forced_placement, parent_receptacles_at
from tatc.sim.embedded.world_state import WorldState

_MAX_OBJECTS_IN_FRONT = 4  # objects on the ray that a Place skips to find a receptacle


def interact(world: WorldState, action: Action, target_id: str | None = None) -> ActionResult:
    """Carry out one interaction of the Follower.

    `target_id` replaces the object that the click resolves to (spec 2.3.7) and is assumed to end
    on: its distance is measured to where the ray enters the object's box, or to the box's nearest
    point to a ray that misses it, if that is nearer than what the ray hits.
    """
    before = world.snapshot()
    result = _attempt(world, action, target_id)
    finish_interaction(world, action.verb, before, done=result.success)
    return result


def finish_interaction(world: WorldState, verb: Verb, before: Snapshot, *, done: bool) -> None:
    """Let slices inherit from their whole if `done`, then run the appliances and TEACh's rules."""
    if done and verb is Verb.SLICE:
        world.apply_effects(rules.slice_inheritance_effects(world.snapshot()))
    version, has_changed = world.version, world.snapshot() is not before
    if not has_changed and version == world.settled_version:
        return  # no rule asks where what is held is, so these would again do nothing
    appliances.run_appliances(world)
    rules.run_effect_rules(world.snapshot, world.apply_effects, before)
    world.apply_effects(rules.history_effects(world.snapshot(), before))
    if not has_changed and version == world.version:
        world.settled_version = version


def resolve_target(world: WorldState, action: Action) -> ObjectState | None:
    """Return the object that an action's click resolves to, or None (spec 2.4)."""
    if action.click is None:
        return None
    return _resolve_from_eye(world, eye_of(world.follower), action.verb, action.click)


def is_placing_into_itself(world: WorldState, verb: Verb, named_target: ObjectState | None) -> bool:
    """Return whether a Place names the held object itself as the receptacle.

    TEACh sometimes resolved a click to the held object.  AI2-THOR's ray passes through it and
    places it in what is behind, to which the caller resolves the click again.
    """
    return verb is Verb.PLACE and named_target is not None and named_target is world.held_object


def _attempt(world: WorldState, action: Action, target_id: str | None) -> ActionResult:
    verb, click = action.verb, action.click
    refusal = rules.unmet_precondition(verb, world.held_object)
    if refusal is not None:
        return rules.refusal_result(refusal)
    if click is None:
        return rules.refusal_result(rules.no_target_message(action))
    eye = eye_of(world.follower)
    clicked = _resolve_from_eye(world, eye, verb, click)
    if clicked is None and target_id is None:
        return rules.refusal_result(rules.no_target_message(action))
    named_target = world.find(target_id) if target_id is not None else None
    if is_placing_into_itself(world, verb, named_target):
        named_target = None
    target = named_target or clicked
    if target is None:
        return rules.refusal_result(f"Object ID {target_id} is invalid")
    container = _closed_container_of(world, target)
    if container is not None:
        why = f"{target.objectId} is not visible: {container.objectId} is closed"
        return rules.refusal_result(why)
    if verb is not Verb.POUR and is_under_water(target, world.snapshot(), world.ran_at_start):
        return rules.refusal_result(f"{target.objectId} is not visible: water is in the way")
    hit = world.geometry.hit_at_click(eye, click)
    if hit is None:
        # AI2-THOR's ray would end at a wall or at furniture for which this world has no box.
        centre = target.box.center
        hit = RayHit(world.index_of(target.objectId), dist(centre, eye.position), centre)
    point = None if named_target is None else clicked_point(world, named_target, click)
    entry_point = named_target and (ray_entry_point(world, named_target, click) or point)
    agent = world.follower
    points = (hit.point,) if entry_point is None else (hit.point, entry_point)
    away = min(agent.body.reach_distance(agent.position, each) for each in points)
    if away > INTERACTION_REACH_METRES:
        return rules.refusal_result(rules.too_far_message(verb))
    return _apply_handler(world, action, target, hit, point)


def _closed_container_of(world: WorldState, target: ObjectState) -> ObjectState | None:
    """Return a closed container that an object is in, or None.

    An object whose box sticks out is out of reach too.  Of 833 pickups in 120 recorded sessions,
    none was out of a closed container, except for five from the lid of a toilet.
    """
    for parent in map(world.find, target.parentReceptacles or ()):
        if parent is not None and parent.objectType in MUST_BE_OPEN_TYPES:
            if parent.affordances.openable and not parent.isOpen:
                return parent
    return None


def _resolve_from_eye(world: WorldState, eye: Eye, verb: Verb, click: Click) -> ObjectState | None:
    objects = world.objects
    i = resolve_click(world.geometry, eye, click, lambda i: affords(verb, objects[i]))
    return None if i is None else objects[i]


def _apply_handler(
    world: WorldState, action: Action, target: ObjectState, hit: RayHit, named_point: Vec3 | None
) -> ActionResult:
    """Apply the verb's handler to an object, then do the bookkeeping if it succeeds.

    `named_point` is the clicked point on an object that the caller named; it is None if
    the click alone chose the object.
    """
    verb, held = action.verb, world.held_object
    refusal: str | None = "Place: no receptacle"
    if verb is not Verb.PLACE or named_point is not None:
        handler = interaction_handlers.INTERACTION_HANDLERS[verb]
        refusal = handler(world, target, named_point or hit.point)
    if verb is Verb.PLACE and refusal is not None and action.click is not None:
        refusal = place_by_ray(world, action.click, hit)
    if refusal is not None:
        return rules.refusal_result(refusal)
    world.apply_effects(rules.bookkeeping_effects(verb, target, held, world.snapshot()))
    return rules.success_result(action, target)


def place_by_ray(
    world: WorldState, click: Click, hit: RayHit, eye: Eye | None = None
) -> str | None:
    """Put the held object where AI2-THOR's own ray ends; return None, or the reason why not.

    `eye` is the camera in which the click was made; None is the Follower's.
    """
    found = _receptacle_on_ray(world, click, hit, eye or eye_of(world.follower))
    if found is None:
        return f"{world.objects[hit.index].objectId} is NOT a receptacle!"
    place = interaction_handlers.INTERACTION_HANDLERS[Verb.PLACE]
    return place(world, world.objects[found.index], found.point)


def _receptacle_on_ray(world: WorldState, click: Click, hit: RayHit, eye: Eye) -> RayHit | None:
    """Return the receptacle that AI2-THOR's own ray finds for a Place (spec 2.3.5), or None.

    The ray passes through up to four objects that are not receptacles, such as food on a plate.
    """
    hidden: list[int] = []
    found: RayHit | None = hit
    while found and not world.objects[found.index].affordances.receptacle:
        if len(hidden) == _MAX_OBJECTS_IN_FRONT:
            found = None
            break
        hidden.append(found.index)
        world.geometry.hide(found.index)
        found = world.geometry.hit_at_click(eye, click)
    for i in hidden:
        world.geometry.update(i, world.objects[i])
    return found


def apply_recorded_effect(
    world: WorldState, verb: Verb, target_id: str | None, click: Click | None
) -> None:
    """Apply a recorded interaction to an object; the appliances and TEACh's rules run afterwards.

    A replay uses it to return to the recorded course: if this world refuses the interaction, its
    main change is made anyway, in the simplest way.

    `target_id` is None if the recorded interaction was refused: then only appliances and rules run.
    `click` is where the person clicked; None means the centre of the object's box.
    """
    before = world.snapshot()
    target = world.find(target_id) if target_id is not None else None
    if is_placing_into_itself(world, verb, target):
        target = resolve_target(world, Action(verb, click))
    if target is not None:
        held, point = world.held_object, clicked_point(world, target, click)
        if interaction_handlers.INTERACTION_HANDLERS[verb](world, target, point) is not None:
            _force_effect(world, verb, target, point)
        world.apply_effects(rules.bookkeeping_effects(verb, target, held, world.snapshot()))
    finish_interaction(world, verb, before, done=target is not None)


def move_object(world: WorldState, object_id: str, position: Vec3, rotation: Vec3) -> None:
    """Move an object to a position (metres) and give it a rotation (degrees).

    Only the change in yaw turns its box: an object that lies on another side in a recording keeps
    the box that it has here, moved.  Nothing happens if no object has this id.
    """
    obj = world.find(object_id)
    if obj is None:
        return
    moved = move_with_anchor(obj, obj.position, position, (rotation[1] - obj.rotation[1]) % 360.0)
    world.set_object(moved.with_values(position=position, rotation=rotation))


def drop_held_object(world: WorldState) -> None:
    """Put the held object, with what stands on it, on the floor below the hand."""
    world.snapshot()  # this moves the held object along with the body
    held = world.held_object
    if held is None:
        return
    floors = world.of_type(FLOOR_TYPE)
    fall = held.box.bottom - min((floor.position[1] for floor in floors), default=0.0)
    parents = tuple(floor.objectId for floor in floors)
    moved = translate(held, (0.0, -fall, 0.0))
    interaction_handlers.release_held(world, held, moved.with_values(parentReceptacles=parents))


def _force_effect(world: WorldState, verb: Verb, target: ObjectState, point: Vec3) -> None:
    match verb:
        case Verb.PICKUP:
            drop_held_object(world)  # the target may have been on the held object
            target = world.objects[world.index_of(target.objectId)]
            interaction_handlers.INTERACTION_HANDLERS[verb](world, target, point)
        case Verb.PLACE:
            _force_place(world, target, point)
        case Verb.OPEN if world.closed_at_start(target.objectId) is not None:
            if not target.isOpen:
                interaction_handlers.apply_opening(world, target, world.opened_copy(target, point))
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
        placed = interaction_handlers.placed_object(world, held, target, placement)
        interaction_handlers.release_held(world, held, placed)
        return
    x, _, z = point
    level = surface_height(target, world.geometry.surface_height(world.index_of(target.objectId)))
    box = Box((x, level + held.box.size[1] / 2, z), held.box.size, held.box.yaw)
    ox, oy, oz = held.box.center
    moved = translate(held, (x - ox, box.center[1] - oy, z - oz))
    parents = parent_receptacles_at(world, target, box)
    interaction_handlers.release_held(world, held, moved.with_values(parentReceptacles=parents))
