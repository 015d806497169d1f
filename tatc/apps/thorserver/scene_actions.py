"""Actions on the scene as a whole: where its objects are, and which of them there are."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import dist, inf
from pathlib import Path
from random import Random
from typing import Any

from tatc.apps.thorserver import moved_objects
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments, find_object
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import as_integer, as_list, as_mapping, get_text, read_list
from tatc.home import assets, metadata
from tatc.home.state import ObjectState, Vec3, translate, unused_id, yaw_sin_cos
from tatc.session.alfred import floor_plan_files, scene as alfred_scene
from tatc.session.records.trajectory import ObjectPose, Trajectory, current_type
from tatc.sim.embedded import interaction_handlers
from tatc.sim.embedded.placement import observed_surfaces, obstacles, placement_candidates, surface
from tatc.sim.embedded.placement.box_overlap import FootprintTest, heights_overlap
from tatc.sim.rooms.random_placement import RandomPlacer

NO_SUCH_NAME_ERROR = "No Pickupable or Moveable object of name {} found in scene."
_OLD_NAME = re.compile("[A-Za-z]+_[0-9a-f]{8}")
STILL_TOLERANCE = 1e-3  # the metres and degrees up to which an object counts as not moved


def _read_pose(row: Mapping[str, Any]) -> ObjectPose:
    name = get_text(row, "objectName")
    kind = current_type(name.partition("_")[0])
    return ObjectPose(
        name, kind, metadata.get_vector(row, "position"), metadata.get_vector(row, "rotation")
    )


def set_object_poses(world: ThorWorld, arguments: Arguments) -> None:
    """Put all pickupable and moveable objects where the poses say.

    As in AI2-THOR, a name that occurs twice makes a copy, objects that no pose names are removed,
    and the ids of moved objects are made of their types and positions.  Only the part of an
    object's name before its first parenthesis counts.  If a name is unknown, the action fails; then
    the other poses are set, and nothing is removed, because the poses are of another scene.  Poses
    of AI2-THOR 2.1.0, whose names are others, build the scene that ALFRED's trajectories begin in.
    """
    poses = read_list(arguments, "objectPoses", _read_pose)
    movable = [o for o in world.state.objects if o.affordances.can_be_moved]
    names = {name for obj in movable for name in (obj.name, _base_name(obj.name))}
    if poses and names.isdisjoint(pose.name for pose in poses):
        objects = _objects_of_old_poses(world, poses)
        scene = world.served_scene  # whose cells are of the later version
        world.served_scene = replace(scene, room=replace(scene.room, cells=()))
        world.replace_objects(objects)
        return
    kept = {id(obj) for obj in movable}
    fixed = [obj for obj in world.state.objects if id(obj) not in kept]
    placed: list[ObjectState] = []
    taken: set[str] = set()
    unknown: list[str] = []
    for number, pose in enumerate(poses):
        same = [obj for obj in movable if pose.name in (obj.name, _base_name(obj.name))]
        if not same:
            unknown.append(pose.name)
            continue
        obj = _object_to_move(same, taken, pose, number)
        taken.add(obj.objectId)
        placed.append(_object_at_pose(obj, pose))
    if unknown:
        placed += [obj for obj in movable if obj.objectId not in taken]
    # The ids of our own rooms are not all those of positions, so what stays keeps its own.
    stayed = [obj for obj in placed if id(obj) in kept]
    moved = [obj for obj in placed if id(obj) not in kept]
    _set_objects(world, moved_objects.with_ids_of_positions([*fixed, *stayed], moved))
    if unknown:
        raise ActionFailure(NO_SUCH_NAME_ERROR.format(unknown[0]))


def _objects_of_old_poses(world: ThorWorld, poses: tuple[ObjectPose, ...]) -> list[ObjectState]:
    """Return the scene of poses of AI2-THOR 2.1.0, in which the present switches stay.

    No later scene has one of its names; an ActionFailure says that the poses are not of it.
    """
    scene, now, catalogue = world.served_scene, world.state, floor_plan_files.read_furniture(())
    later = {obj.name for plan in catalogue.plans.values() for obj in plan.objects}
    wrong = [
        pose.name
        for pose in poses
        if not _OLD_NAME.fullmatch(pose.name)
        or pose.name in later
        or pose.type not in assets.known_object_types()
    ]
    if wrong:
        raise ActionFailure(f"{NO_SUCH_NAME_ERROR.format(wrong[0])} Nothing was changed.")
    dirtyable = [obj for obj in now.objects if obj.affordances.dirtyable]
    dirty = bool(dirtyable) and all(obj.isDirty for obj in dirtyable)
    trajectory = Trajectory(
        Path(scene.scene), "", "", scene.scene, scene.room.kind, world.agent_state, poses,
        (), dirty, None, (), (), (),
    )  # fmt: skip
    objects = tuple(world.loaded_objects)
    furniture = floor_plan_files.Furniture(scene.scene, objects, scene.source, "")
    on = {obj.objectId: obj.isToggled for obj in now.objects}
    return [
        replace(obj, isToggled=on.get(obj.objectId, obj.isToggled))
        for obj in alfred_scene.build_scene(trajectory, furniture, catalogue.models).initial.objects
    ]


def _base_name(name: str) -> str:
    return name.split("(", 1)[0]


def _object_to_move(
    same: Sequence[ObjectState], taken: set[str], pose: ObjectPose, number: int
) -> ObjectState:
    free = [obj for obj in same if obj.objectId not in taken]
    if free:
        return min(free, key=lambda obj: (dist(obj.position, pose.position), obj.objectId))
    first = same[0]
    return replace(
        first,
        objectId=f"{first.objectId}_copy_{number}",
        isPickedUp=False,
        name=f"{_base_name(first.name)}(Clone)_copy_{number}",
    )


def _object_at_pose(obj: ObjectState, pose: ObjectPose) -> ObjectState:
    """Return an object at a pose; the same object if it is there already."""
    off = zip(obj.rotation, pose.rotation, strict=True)
    still = dist(obj.position, pose.position) < STILL_TOLERANCE and all(
        abs((a - b + 180) % 360 - 180) < STILL_TOLERANCE for a, b in off
    )
    if still and not obj.isPickedUp:
        return obj
    moved = moved_objects.move_object_to(obj, pose.position, pose.rotation)
    return replace(moved, isPickedUp=False)


def _set_objects(world: ThorWorld, objects: Sequence[ObjectState]) -> None:
    before = {obj.objectId: obj for obj in world.state.objects}
    moved = {obj.objectId for obj in objects if before.get(obj.objectId) is not obj}
    # What stays where it is may be in what moved, or is no longer there.
    left = (before.keys() - {obj.objectId for obj in objects}) | moved
    moved |= {obj.objectId for obj in objects if not left.isdisjoint(obj.parentReceptacles or ())}
    world.replace_objects(
        [replace(obj, parentReceptacles=None) if obj.objectId in moved else obj for obj in objects]
    )
    without_parents = [obj for obj in world.state.objects if obj.objectId in moved]
    for obj in moved_objects.with_current_parents(world.state, without_parents):
        world.state.set_object(obj)
    # The heights of shelves are derived from what rests on them, so rebuild once more.
    world.replace_objects(world.state.objects)


def initial_random_spawn(world: ThorWorld, arguments: Arguments) -> None:
    """Put pickupable objects, as they were at first, at random places that suit their types."""
    seed = as_integer(arguments.get("randomSeed", 0), "randomSeed")
    field = "numDuplicatesOfType"
    rows = [] if arguments.get(field) is None else as_list(arguments[field], field)
    counted = [as_mapping(row, field) for row in rows]
    wanted = {get_text(r, "objectType"): int(Arguments(r).number("count", 1)) for r in counted}
    if max(wanted.values(), default=0) > MAX_DUPLICATES:
        raise ActionFailure(f"{field}: count must be at most {MAX_DUPLICATES}")
    absent = world.absent_ids
    objects = [obj for obj in world.loaded_objects if obj.objectId not in absent]
    fixed = [obj for obj in objects if not obj.affordances.pickupable]
    carried = [obj for obj in objects if obj.affordances.pickupable]
    agent_y, rng = world.agent_state.position[1], Random(f"spawn {seed}")
    placer = RandomPlacer(fixed, agent_y, rng, cells=world.served_scene.room.cells)
    placed: list[ObjectState] = []
    taken = {*absent, *(obj.objectId for obj in objects)}
    for obj in sorted(carried, key=lambda obj: (-max(obj.box.size), obj.objectId)):
        for copy in range(_copy_count(obj, carried, wanted)):
            spot = placer.place(obj.objectType, obj.box.size)
            if spot is None and copy == 0:
                placed.append(obj)
            elif spot is not None:
                name = f"{obj.name}_copy_{copy}" if copy else obj.name
                object_id = unused_id(obj.objectId, taken) if copy else obj.objectId
                taken.add(object_id)
                placed.append(replace(spot, objectId=object_id, name=name))
    world.replace_objects([*fixed, *placed])


def _copy_count(obj: ObjectState, carried: Sequence[ObjectState], wanted: dict[str, int]) -> int:
    """Return how many objects to place for one: more than 1 only for the first of its type."""
    same = [other for other in carried if other.objectType == obj.objectType]
    if same[0] is not obj:
        return 1
    return max(wanted.get(obj.objectType, len(same)) - len(same) + 1, 1)


def _place_object_at_point(world: ThorWorld, arguments: Arguments) -> None:
    object_id = arguments.text("objectId")
    obj = find_object(world, object_id, f"Cannot find object with id {object_id}.")
    if obj.isSliced or not obj.affordances.can_be_moved:
        raise ActionFailure(f"{object_id} is not Pickupable or Moveable, so it stays where it is.")
    rotation = arguments.rotation("rotation", obj.rotation)
    refusal = "positions must not be empty!"
    rows = [arguments.get("position")]
    if arguments.get("positions") is not None:
        rows = as_list(arguments["positions"], "positions")
    for row in rows:
        point = Arguments(position=row).vector("position", (0.0, 0.0, 0.0))
        found = _place_below(world, obj, point, rotation)
        if found is None:
            return
        refusal = found
    raise ActionFailure(refusal)


def _place_below(world: ThorWorld, obj: ObjectState, point: Vec3, rotation: Vec3) -> str | None:
    """Put an object, with its contents, on what is below a point; return why not, or None."""
    state = world.state
    low, high = world.bounds()
    if not all(a <= v <= b for a, v, b in zip(low, point, high, strict=True)):
        return f"Position coordinate ({point}) is not within scene bounds ({world.bounds()})"
    contents = interaction_handlers.loose_contents(state, obj)
    host, height = _surface_below(world, (obj, *contents), point)
    turned = moved_objects.move_object_to(obj, obj.position, rotation)
    dx, dz = point[0] - turned.position[0], point[2] - turned.position[2]
    placed = translate(turned, (dx, height + GAP_METRES - turned.box.bottom, dz))
    if host is not None:
        level = surface.Surface(height, point[0], point[2], (0.0, 0.0), 0.0, inf, False)
        if obstacles.obstacles_on(state, obj, host, inside=level.inside).overlap(placed.box):
            return NO_ROOM_ERROR
    if any(agent.is_hit_by(placed.box) for agent in world.agents):
        return NO_ROOM_ERROR
    return _set_down(world, obj, placed)


def _set_down(world: ThorWorld, obj: ObjectState, placed: ObjectState) -> None:
    state, contents = world.state, interaction_handlers.loose_contents(world.state, obj)
    world.empty_hand(obj.objectId)
    alone = replace(placed, isPickedUp=False, parentReceptacles=None)
    state.set_object(alone)
    [now] = moved_objects.with_current_parents(state, [alone])
    interaction_handlers.set_down(state, obj, contents, now)
    if obj.affordances.moveable:  # the floor and the doors are others then
        world.replace_objects(world.state.objects)


def slide_object(world: ThorWorld, obj: ObjectState, yaw: float, metres: float) -> None:
    """Slide an object towards a yaw, degrees, until something is in its way or its surface ends.

    Boxes in which its own is from the start are not in its way.
    """
    sine, cosine = yaw_sin_cos(yaw % 360.0)
    moving = (obj, *interaction_handlers.loose_contents(world.state, obj))
    (x, y, z), (_, height, _), top = obj.box.center, obj.box.size, obj.box.top
    others = [each for each in world.state.objects if each not in moving and not each.isSliced]
    boxes = [each.box for each in others if heights_overlap(y, height, each.box)]
    tests = [FootprintTest(obj.box.size, obj.box.yaw, box) for box in boxes]
    in_the_way = [test for test in tests if not test.overlaps(x, z)]
    (host, _), slid = _surface_below(world, moving, (x, top, z)), 0.0
    while slid < metres:
        far = min(slid + _SLIDE_STEP_METRES, metres)
        moved = translate(obj, (far * sine, 0.0, far * cosine))
        x, _, z = moved.box.center
        below, level = _surface_below(world, moving, (x, top, z))
        if (
            below is not host
            or abs(level - obj.box.bottom) > _MAX_SURFACE_GAP_METRES
            or not world.contains(x, z)
            or any(test.overlaps(x, z) for test in in_the_way)
            or any(agent.is_hit_by(moved.box) for agent in world.agents)
        ):
            break
        slid = far
    if slid:
        _set_down(world, obj, translate(obj, (slid * sine, 0.0, slid * cosine)))


def _surface_below(
    world: ThorWorld, hidden: Sequence[ObjectState], point: Vec3
) -> tuple[ObjectState | None, float]:
    """Return what a ray down through `hidden` objects hits, and its height; (None, the floor's)."""
    state = world.state
    for each in hidden:
        state.geometry.hide(state.index_of(each.objectId))
    hit = state.geometry.cast_from(point, (0.0, -1.0, 0.0))
    for each in hidden:
        state.update_geometry(state.index_of(each.objectId))
    if hit is None:
        return None, world.bounds()[0][1]
    return state.objects[hit.index], hit.point[1]


def _spawn_coordinates(world: ThorWorld, arguments: Arguments) -> list[dict[str, float]]:
    receptacle = world.state.find(arguments.text("objectId"))
    anywhere = arguments.flag("anywhere")
    if receptacle is None or not receptacle.affordances.receptacle:
        raise ActionFailure(f"No valid Receptacle found in {'scene' if anywhere else 'view'}")
    points = [
        (x, top.y + min(ABOVE_SURFACE_METRES, top.headroom / 2), z)
        for top in observed_surfaces.observed_surfaces(world.state, receptacle)
        for x, z in sorted(placement_candidates.candidate_points(top, (top.x, top.y, top.z)))
    ]
    return [metadata.write_vector(each) for each in points if anywhere or _is_seen(world, each)]


def _is_seen(world: ThorWorld, point: Vec3) -> bool:
    camera = world.agent_camera()
    if not camera.shows(point):
        return False
    eye = camera.eye.position
    metres = dist(eye, point)
    x, y, z = ((to - at) / metres for at, to in zip(eye, point, strict=True))
    hit = world.state.geometry.cast_from(eye, (x, y, z))
    return hit is None or hit.distance > metres - _SIGHT_TOLERANCE_METRES


def _remove_from_scene(world: ThorWorld, arguments: Arguments) -> None:
    ids = arguments.names("objectIds")
    if ids is None:
        ids = (arguments.text("objectId"),)
    if not ids:
        raise ActionFailure("objectIds must not be empty!")
    for object_id in ids:
        _existing_object(world, object_id)
    _remove(world, ids)


def _disable_object(world: ThorWorld, arguments: Arguments) -> None:
    object_id = arguments.text("objectId")
    obj = _existing_object(world, object_id)
    world.disabled_objects[object_id] = replace(obj, isPickedUp=False)
    _remove(world, (object_id,))


def _disable_all_of_type(world: ThorWorld, arguments: Arguments) -> None:
    for obj in world.state.of_type(arguments.text("objectType")):
        _disable_object(world, Arguments(objectId=obj.objectId))


def _enable_object(world: ThorWorld, arguments: Arguments) -> None:
    object_id = arguments.text("objectId")
    if world.state.find(object_id) is not None:
        return
    obj = world.disabled_objects.pop(object_id, None)
    if obj is None:
        _existing_object(world, object_id)
    else:
        world.absent_ids.discard(object_id)
        world.replace_objects([*world.state.objects, obj])


def _existing_object(world: ThorWorld, object_id: str) -> ObjectState:
    why = f"objectId: {object_id} is not the objectId on any object in the scene!"
    return find_object(world, object_id, why)


def _remove(world: ThorWorld, ids: Collection[str]) -> None:
    world.absent_ids.update(ids)
    world.replace_objects(obj for obj in world.state.objects if obj.objectId not in ids)


def _set_filter(world: ThorWorld, arguments: Arguments) -> None:
    world.listed_ids = frozenset(arguments.names("objectIds") or ())


def _set_filter_for_type(world: ThorWorld, arguments: Arguments) -> None:
    types = arguments.names("objectTypes") or ()
    world.listed_ids = frozenset(obj.objectId for obj in world.state.of_type(*types))


def _reset_filter(world: ThorWorld, arguments: Arguments) -> None:
    world.listed_ids = None


SCENE_ACTIONS: Mapping[str, ActionFunction] = {
    "SetObjectPoses": set_object_poses,
    "InitialRandomSpawn": initial_random_spawn,
    "PlaceObjectAtPoint": _place_object_at_point,
    "GetSpawnCoordinatesAboveReceptacle": _spawn_coordinates,
    "RemoveFromScene": _remove_from_scene,
    "RemoveObjsFromScene": _remove_from_scene,
    "DisableObject": _disable_object,
    "DisableAllObjectsOfType": _disable_all_of_type,
    "EnableObject": _enable_object,
    "SetObjectFilter": _set_filter,
    "SetObjectFilterForType": _set_filter_for_type,
    "ResetObjectFilter": _reset_filter,
}
ABOVE_SURFACE_METRES = 0.05  # how far above a surface the coordinates for an object are, metres
MAX_DUPLICATES = 100  # the most objects of one type that are spawned
NO_ROOM_ERROR = "Spawn area not clear, can't place object at that point"
GAP_METRES = 0.005  # how far above a surface an object is put, metres (AI2-THOR)
_SIGHT_TOLERANCE_METRES = 0.1
_SLIDE_STEP_METRES, _MAX_SURFACE_GAP_METRES = 0.02, 0.03
