"""Builds the scene of a trajectory: furniture from PLANS, carried objects from the file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tatc.home.state import AgentState, ObjectState, Scene, Snapshot
from tatc.home.types.facts import (
    BASIN_TYPE_BY_SINK,
    LATER_TYPES,
    MUST_BE_OPEN_TYPES,
    STARTS_CLOSED_TYPES,
)
from tatc.session.alfred.carried_objects import ModelTable, carried_object
from tatc.session.alfred.floor_plan_files import Furniture
from tatc.session.alfred.initial_receptacles import with_receptacles
from tatc.session.alfred.moved_furniture import with_moved_furniture
from tatc.session.alfred.recorded_ids import recorded_names, renamed
from tatc.session.alfred.shelf_boxes import with_whole_shelf
from tatc.session.alfred.table_heights import with_table_heights
from tatc.session.records.trajectory import Trajectory
from tatc.tdl.object_classes import assign_classes


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
