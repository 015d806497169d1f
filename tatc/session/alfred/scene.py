"""Builds the scene of a trajectory: furniture from PLANS, carried objects from the file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from tatc.home.state import AgentState, Box, ObjectState, Scene, Snapshot
from tatc.home.type_facts import (
    ACCEPTED_TYPES,
    BASIN_TYPE_BY_SINK,
    LATER_TYPES,
    MUST_BE_OPEN_TYPES,
    STARTS_CLOSED_TYPES,
    TALL_BOX_TABLE_TYPES,
)
from tatc.session.alfred.carried_objects import ModelTable, carried_object
from tatc.session.alfred.floor_plan_files import Furniture
from tatc.session.alfred.initial_receptacles import explains, with_receptacles
from tatc.session.alfred.moved_furniture import with_moved_furniture
from tatc.session.alfred.recorded_ids import recorded_names, renamed
from tatc.session.records.trajectory import Trajectory
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.sim.transforms import rotate_yaw, subtract
from tatc.tdl.properties import assign_classes


def build_scene(trajectory: Trajectory, furniture: Furniture, models: ModelTable) -> Scene:
    """Return the scene of a trajectory.

    What stands fast is the furniture's, with its doors closed; what can be carried is exactly
    what the trajectory lists, and lies in what its box says.
    """
    names = recorded_names(furniture.objects, trajectory)
    fixed = tuple(renamed(_fixed_objects(furniture.objects, trajectory), names))
    by_type = models.models_in(furniture.objects)
    carried = {
        obj.objectId: obj
        for obj in (
            carried_object(pose, by_type[pose.type], dirty=trajectory.dirty_and_empty)
            for pose in trajectory.object_poses
        )
    }
    loose = tuple(carried.values())
    fixed = tuple(with_table_heights(fixed, loose))
    fixed = tuple(with_moved_furniture(fixed, loose, trajectory))
    objects = (*fixed, *with_receptacles(loose, fixed))
    follower = trajectory.follower
    commander = AgentState(follower.position, follower.yaw, 0.0)
    start = Snapshot.from_objects(tuple(assign_classes(objects)), commander, follower)
    return Scene(trajectory.floor_plan, trajectory.kind, start)


def _fixed_objects(objects: Sequence[ObjectState], trajectory: Trajectory) -> Iterator[ObjectState]:
    """Yield the furniture as it is at the start of the trajectory.

    Where a sink or tub has a basin, only the basin takes things: for ALFRED they are two, and
    its tasks name the basin.
    """
    types = {obj.objectId: obj.objectType for obj in objects if not obj.affordances.pickupable}
    toggles = dict(trajectory.toggles)
    basined = {sink for sink, basin in BASIN_TYPE_BY_SINK.items() if basin in types.values()}
    for obj in objects:
        if obj.affordances.pickupable or obj.objectType in LATER_TYPES:
            continue
        kind, able = obj.objectType, obj.affordances
        yield replace(
            with_whole_shelf(obj),
            affordances=replace(able, receptacle=able.receptacle and kind not in basined),
            isOpen=obj.isOpen and kind not in STARTS_CLOSED_TYPES,
            isToggled=toggles.get(kind, obj.isToggled),
            isDirty=trajectory.dirty_and_empty and able.dirtyable,
            isFilledWithLiquid=False,
            parentReceptacles=tuple(_open_parents(obj.parentReceptacles or (), types)),
        )


def _open_parents(parents: Iterable[str], types: dict[str, str]) -> Iterator[str]:
    """Yield the receptacles of a fixed object that are not shut.

    Dumps say that the fridge of one plan is in a cabinet, so that nothing in it could be had.
    """
    for parent in parents:
        if parent in types and types[parent] not in MUST_BE_OPEN_TYPES:
            yield parent


# Completes the boxes of shelves, of which later versions of AI2-THOR give only a part.
#
# Their boxes are around colliders alone, and the collider of a shelf may be only the lip at its
# back.  A shelf's position is the middle of the area on which things stand, and the area reaches
# as far to one side of it as to the other: of 18 such shelves in both versions, the box completed
# so is 1 to 11 cm narrower than the area of AI2-THOR 3.1.0, where the given one is 16 to 27 cm.

_TYPE = "Shelf"


def with_whole_shelf(obj: ObjectState) -> ObjectState:
    """Return an object, with its box extended to both sides of its position if it is a shelf.

    A box that is wholly above the position begins there.  A shelf whose position is not within
    its box, seen from above, is left as it is.
    """
    box, (x, y, z) = obj.box, obj.position
    if obj.objectType != _TYPE or box.horizontal_distance(x, z) > 0.0:
        return obj
    dx, _, dz = rotate_yaw(subtract(box.center, obj.position), -box.yaw % 360.0)
    width, height, depth = box.size
    top, low = box.center[1] + height / 2, min(y, box.center[1] - height / 2)
    size = (width + 2 * abs(dx), top - low, depth + 2 * abs(dz))
    return replace(obj, box=Box((x, (low + top) / 2, z), size, box.yaw))


# Makes tables as high as the objects that lay on them in AI2-THOR 2.1.0.
#
# Later versions have other models of some tables.  Where several objects of a trajectory's scene
# float above a table at one height, and nothing else is below them, the table reached up to them.
# Where they are in its box, far below its top, the box reaches over the board, such as to the top
# of a desk's rack: the board is where they lie.

_MIN_GAP_METRES, _MAX_GAP_METRES = 0.12, 0.4  # that objects may float above such a table
_MIN_BOARD_METRES = 0.3  # of the height of a board under which there is more of the table
_MIN_RACK_METRES = 0.4  # that a box reaches over its board
_MIN_OBJECTS = 3  # that agree about its height
_AGREEMENT_METRES = 0.05  # within which their heights agree


def with_table_heights(
    fixed: Sequence[ObjectState], carried: Sequence[ObjectState]
) -> Iterator[ObjectState]:
    """Yield the furniture, with higher or lower boxes for tables at whose tops nothing lies."""
    hosts = [obj for obj in fixed if obj.affordances.receptacle]
    floating = [obj for obj in carried if not any(explains(host, obj) for host in hosts)]
    for obj in fixed:
        height = _observed_height(obj, floating)
        yield obj if height is None else _with_top(obj, height)


def _observed_height(table: ObjectState, floating: Sequence[ObjectState]) -> float | None:
    if not table.affordances.receptacle or table.objectType in ACCEPTED_TYPES:
        return None
    if any(surface.inside for surface in surfaces_of(table)):
        return None
    top = table.box.top
    levels = [
        obj.box.bottom
        for obj in floating
        if table.box.horizontal_distance(obj.box.center[0], obj.box.center[2]) == 0.0
    ]
    above = [level for level in levels if _MIN_GAP_METRES < level - top <= _MAX_GAP_METRES]
    reaches_over = table.objectType in TALL_BOX_TABLE_TYPES
    below = [level for level in levels if reaches_over and _is_far_below(level, table)]
    levels = max(above, below, key=len)
    height = median(levels) if levels else top
    agreeing = sum(abs(level - height) <= _AGREEMENT_METRES for level in levels)
    return height if agreeing >= _MIN_OBJECTS else None


def _is_far_below(level: float, table: ObjectState) -> bool:
    low, tall = table.box.bottom, table.box.size[1]
    return low + _MIN_BOARD_METRES <= level < low + tall - _MIN_RACK_METRES


def _with_top(obj: ObjectState, height: float) -> ObjectState:
    (x, y, z), (width, tall, depth) = obj.box.center, obj.box.size
    low = y - tall / 2
    box = Box((x, (low + height) / 2, z), (width, height - low, depth), obj.box.yaw)
    return replace(obj, box=box)
