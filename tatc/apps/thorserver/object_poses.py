"""Actions that move objects, to given poses or at random, and that make them unbreakable."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from random import Random

from tatc.apps.thorserver.action_results import (
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
    number_or,
)
from tatc.apps.thorserver.placed_ids import with_ids_of_positions
from tatc.apps.thorserver.receptacle_parents import with_current_parents
from tatc.apps.thorserver.rigid_transforms import move_object_to
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import as_integer, as_list, as_mapping, get_text, read_each
from tatc.home.metadata import get_vector
from tatc.home.state import ObjectState, Vec3
from tatc.sim.rooms.random_placement import RandomPlacer

STILL_TOLERANCE = 1e-3
"""The metres and degrees up to which an object counts as not moved."""


@dataclass(frozen=True, slots=True)
class CommandedPose:
    """A pose for the object of a name: metres, and degrees about x, y and z."""

    name: str
    position: Vec3
    rotation: Vec3


def set_object_poses(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put all pickupable and moveable objects where the poses say.

    As in AI2-THOR, a name that occurs twice makes a copy, objects that no pose names are
    removed, and the ids of moved objects are made of their types and positions.  Only the
    part of an object's name before its first parenthesis counts.
    """
    entries = as_list(arguments.get("objectPoses"), "objectPoses")
    poses = read_each(entries, _read_pose, "objectPoses")
    movable = [obj for obj in world.state.objects if _is_movable(obj)]
    fixed = [obj for obj in world.state.objects if not _is_movable(obj)]
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
    # The ids of our own rooms are not all those of positions, so what stays keeps its own.
    there = {id(obj) for obj in world.state.objects}
    stayed = [obj for obj in placed if id(obj) in there]
    moved = [obj for obj in placed if id(obj) not in there]
    _set_objects(world, with_ids_of_positions([*fixed, *stayed], moved))
    if unknown:
        return failed_result(
            f"No Pickupable or Moveable object of name {unknown[0]} found in scene."
        )
    return SUCCESS


def initial_random_spawn(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put pickupable objects at random places that suit their types, drawn by `randomSeed`.

    `numDuplicatesOfType` sets the number of objects of a type.  The objects' states are
    those of the scene when it was loaded.
    """
    seed = as_integer(arguments.get("randomSeed", 0), "randomSeed")
    wanted = {
        get_text(row, "objectType"): _duplicate_count(row) for row in _duplicate_rows(arguments)
    }
    absent = world.absent_ids
    objects = [obj for obj in world.served_scene.room.objects if obj.objectId not in absent]
    fixed = [obj for obj in objects if not obj.affordances.pickupable]
    carried = [obj for obj in objects if obj.affordances.pickupable]
    placer = RandomPlacer(fixed, world.agent_state.position[1], Random(f"spawn {seed}"))
    placed: list[ObjectState] = []
    for obj in sorted(carried, key=lambda obj: (-max(obj.box.size), obj.objectId)):
        for copy in range(_copy_count(obj, carried, wanted)):
            spot = placer.place(obj.objectType, obj.box.size)
            if spot is None and copy == 0:
                placed.append(obj)
            elif spot is not None:
                placed.append(_object_at_spot(obj, spot, copy))
    world.replace_objects([*fixed, *placed])
    return SUCCESS


def set_unbreakable(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Make objects of a type unbreakable."""
    world.unbreakable_types.add(get_text(arguments, "objectType"))
    return SUCCESS


def set_all_unbreakable(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Make all objects unbreakable."""
    world.unbreakable_types.update(obj.objectType for obj in world.state.objects)
    return SUCCESS


def _set_objects(world: ThorWorld, objects: Sequence[ObjectState]) -> None:
    """Replace the world's objects, and find the receptacles of those that moved."""
    before = {obj.objectId: obj for obj in world.state.objects}
    moved = {obj.objectId for obj in objects if before.get(obj.objectId) is not obj}
    world.replace_objects(
        [_without_parents(obj) if obj.objectId in moved else obj for obj in objects]
    )
    without_parents = [obj for obj in world.state.objects if obj.objectId in moved]
    for obj in with_current_parents(world.state, without_parents):
        world.state.set_object(obj)
    # The heights of shelves are derived from what rests on them, so rebuild once more.
    world.replace_objects(world.state.objects)


def _without_parents(obj: ObjectState) -> ObjectState:
    return replace(obj, parentReceptacles=None)


def _read_pose(raw: object) -> CommandedPose:
    row = as_mapping(raw, "")
    return CommandedPose(
        get_text(row, "objectName"), get_vector(row, "position"), get_vector(row, "rotation")
    )


def _is_movable(obj: ObjectState) -> bool:
    return obj.affordances.pickupable or obj.affordances.moveable


def _base_name(name: str) -> str:
    return name.split("(", 1)[0]


def _object_to_move(
    same: Sequence[ObjectState], taken: set[str], pose: CommandedPose, number: int
) -> ObjectState:
    """Return the nearest free object of a name, or a copy if all of them are taken."""
    free = [obj for obj in same if obj.objectId not in taken]
    if free:
        return min(free, key=lambda obj: (dist(obj.position, pose.position), obj.objectId))
    first = same[0]
    return replace(
        first,
        objectId=f"{first.objectId}_copy_{number}",
        name=f"{_base_name(first.name)}(Clone)_copy_{number}",
    )


def _object_at_pose(obj: ObjectState, pose: CommandedPose) -> ObjectState:
    """Return an object at a pose; the same object if it is there already."""
    off = zip(obj.rotation, pose.rotation, strict=True)
    still = dist(obj.position, pose.position) < STILL_TOLERANCE and all(
        abs((a - b + 180) % 360 - 180) < STILL_TOLERANCE for a, b in off
    )
    if still and not obj.isPickedUp:
        return obj
    return replace(move_object_to(obj, pose.position, pose.rotation), isPickedUp=False)


def _duplicate_rows(arguments: Arguments) -> Iterable[Arguments]:
    field = "numDuplicatesOfType"
    if arguments.get(field) is None:
        return ()
    return [as_mapping(row, field) for row in as_list(arguments[field], field)]


def _duplicate_count(row: Arguments) -> int:
    return int(number_or(row, "count", 1))


def _copy_count(obj: ObjectState, carried: Sequence[ObjectState], wanted: dict[str, int]) -> int:
    """Return how many objects to place for one: more than 1 only for the first of its type."""
    same = [other for other in carried if other.objectType == obj.objectType]
    if same[0] is not obj:
        return 1
    return max(wanted.get(obj.objectType, len(same)) - len(same) + 1, 1)


def _object_at_spot(obj: ObjectState, spot: ObjectState, copy: int) -> ObjectState:
    """Return an object, or its n-th copy, at the pose and with the box of `spot`."""
    suffix = f"_copy_{copy}" if copy else ""
    return replace(spot, objectId=f"{obj.objectId}{suffix}", name=f"{obj.name}{suffix}")


OBJECT_POSE_ACTIONS: Mapping[str, ThorAction] = {
    "SetObjectPoses": ThorAction(
        set_object_poses, required=(("objectPoses",),), takes_anything=True
    ),
    "InitialRandomSpawn": ThorAction(initial_random_spawn, takes_anything=True),
    "MakeObjectsOfTypeUnbreakable": ThorAction(
        set_unbreakable, {"objectType": ParameterType.TEXT}, (("objectType",),)
    ),
    "MakeAllObjectsUnbreakable": ThorAction(set_all_unbreakable),
}
