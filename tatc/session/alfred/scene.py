"""Builds the scene of a trajectory: furniture from PLANS, carried objects from the file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import hypot
from statistics import median

from tatc.home import type_facts
from tatc.home.state import AgentState, Box, ObjectState, Scene, Snapshot, rotate_yaw, subtract
from tatc.session.alfred import carried_objects, recorded_ids
from tatc.session.alfred.floor_plan_files import Furniture
from tatc.session.records.trajectory import Trajectory, current_type
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.tdl.properties import assign_classes


def build_scene(
    trajectory: Trajectory, furniture: Furniture, models: carried_objects.ModelTable
) -> Scene:
    """Return the scene of a trajectory.

    What stands fast is the furniture's, with its doors closed; what can be carried is exactly
    what the trajectory lists, and lies in what its box says.
    """
    names = recorded_ids.recorded_names(furniture.objects, trajectory)
    fixed = tuple(recorded_ids.renamed(_fixed_objects(furniture.objects, trajectory), names))
    by_type = models.models_in(furniture.objects)
    carried = (
        carried_objects.carried_object(pose, by_type[pose.type], dirty=trajectory.dirty_and_empty)
        for pose in trajectory.object_poses
    )
    loose = tuple({obj.objectId: obj for obj in carried}.values())
    fixed = tuple(with_table_heights(fixed, loose))
    fixed = tuple(with_moved_furniture(fixed, loose, trajectory))
    objects = (*fixed, *carried_objects.with_receptacles(loose, fixed))
    follower = trajectory.follower
    commander = AgentState(follower.position, follower.yaw, 0.0)
    start = Snapshot.from_objects(tuple(assign_classes(objects)), commander, follower)
    return Scene(trajectory.floor_plan, trajectory.kind, start)


def _fixed_objects(objects: Sequence[ObjectState], trajectory: Trajectory) -> Iterator[ObjectState]:
    """Yield the furniture as it is at the start of the trajectory.

    Where a sink or tub has a basin, only that takes things: ALFRED's tasks name the basin.
    """
    types = {obj.objectId: obj.objectType for obj in objects if not obj.affordances.pickupable}
    toggles = dict(trajectory.toggles)
    # Dumps say that the fridge of one plan is in a cabinet, so that nothing in it could be had.
    never_shut = {name for name, kind in types.items() if kind not in type_facts.MUST_BE_OPEN_TYPES}
    kinds = set(types.values())
    basined = {sink for sink, basin in type_facts.BASIN_TYPE_BY_SINK.items() if basin in kinds}
    for obj in objects:
        if obj.affordances.pickupable or obj.objectType in type_facts.LATER_TYPES:
            continue
        kind, able = obj.objectType, obj.affordances
        yield replace(
            with_narrow_toilet(with_whole_shelf(obj)),
            affordances=replace(able, receptacle=able.receptacle and kind not in basined),
            isOpen=obj.isOpen and kind not in type_facts.STARTS_CLOSED_TYPES,
            isToggled=toggles.get(kind, obj.isToggled),
            isDirty=trajectory.dirty_and_empty and able.dirtyable,
            isFilledWithLiquid=False,
            parentReceptacles=tuple(filter(never_shut.__contains__, obj.parentReceptacles or ())),
        )


# Completes the boxes of shelves: in later versions of AI2-THOR they are around colliders alone, and
# the collider of a shelf may be only the lip at its back.  A shelf's position is the middle of the
# area on which things stand, and the area reaches as far to one side of it as to the other: of 18
# such shelves in both versions, the box completed so is 1 to 11 cm narrower than the area of
# AI2-THOR 3.1.0, where the given one is 16 to 27 cm.


def with_whole_shelf(obj: ObjectState) -> ObjectState:
    """Return an object, with its box extended to both sides of its position if it is a shelf.

    A box that is wholly above the position begins there.  A shelf whose position is not within
    its box, seen from above, is left as it is.
    """
    box, (x, y, z) = obj.box, obj.position
    if obj.objectType != "Shelf" or box.horizontal_distance(x, z) > 0.0:
        return obj
    dx, _, dz = rotate_yaw(subtract(box.center, obj.position), -box.yaw % 360.0)
    width, _, depth = box.size
    top, low = box.top, min(y, box.bottom)
    size = (width + 2 * abs(dx), top - low, depth + 2 * abs(dz))
    return replace(obj, box=Box((x, (low + top) / 2, z), size, box.yaw))


_BROAD_TOILET_METRES, _TOILET_MARGIN_METRES = 1.1, 0.31


def with_narrow_toilet(obj: ObjectState) -> ObjectState:
    """Return an object, if it is a toilet of over 1.1 m without the empty margin of its box.

    ALFRED's experts stood in it, in all floor plans that have this model: on both sides, and before
    the bowl.  The other models are half as broad.
    """
    (width, height, depth), margin = obj.box.size, _TOILET_MARGIN_METRES
    if obj.objectType != "Toilet" or min(width, depth) < _BROAD_TOILET_METRES:
        return obj
    faces_x = round(obj.rotation[1] / 90.0) % 2 == 1
    less = (margin, 2 * margin) if faces_x else (2 * margin, margin)
    dx, _, dz = rotate_yaw((0.0, 0.0, -margin / 2), obj.rotation[1])
    box = Box(obj.box.center, (width - less[0], height, depth - less[1]), obj.box.yaw)
    return replace(obj, box=box.translate(dx, 0.0, dz))


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
    explains = carried_objects.explains
    floating = [obj for obj in carried if not any(explains(host, obj) for host in hosts)]
    for obj in fixed:
        height = _observed_height(obj, floating)
        yield obj if height is None else _with_top(obj, height)


def _observed_height(table: ObjectState, floating: Sequence[ObjectState]) -> float | None:
    if not table.affordances.receptacle or table.objectType in type_facts.ACCEPTED_TYPES:
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
    reaches_over = table.objectType in type_facts.TALL_BOX_TABLE_TYPES
    low, tall = table.box.bottom, table.box.size[1]
    lowest, highest = low + _MIN_BOARD_METRES, low + tall - _MIN_RACK_METRES
    below = [level for level in levels if reaches_over and lowest <= level < highest]
    levels = max(above, below, key=len)
    height = median(levels) if levels else top
    agreeing = sum(abs(level - height) <= _AGREEMENT_METRES for level in levels)
    return height if agreeing >= _MIN_OBJECTS else None


def _with_top(obj: ObjectState, height: float) -> ObjectState:
    (x, _, z), (width, _, depth), low = obj.box.center, obj.box.size, obj.box.bottom
    box = Box((x, (low + height) / 2, z), (width, height - low, depth), obj.box.yaw)
    return replace(obj, box=box)


# Furniture that stands where the actions of a trajectory say.
#
# Bins, tables and a few others stand elsewhere in later versions of AI2-THOR.  The ids in an
# expert's actions are positions, and of these types the position is the middle of the piece in all
# versions: once moved there, what lay in them lies nearer to their middle.  Of other types the
# position may be another point, so they are moved only from far away.

_MIN_SHIFT_METRES = 0.03  # of what is not where its id says
_OWN_PLACE_METRES = 0.3  # up to which the position of other types may only be another point of them
_MAX_SHIFT_METRES = 6.0  # beyond which an id is wrong; the farthest real ones are 4.4 m away
_MAX_PIVOT_METRES = 0.04  # from the position to the middle of the box
_Shift = tuple[float, float]  # how far a piece is moved along x and z, metres


def with_moved_furniture(
    fixed: Sequence[ObjectState], carried: Sequence[ObjectState], trajectory: Trajectory
) -> Iterator[ObjectState]:
    """Yield the furniture, with what the actions name elsewhere in its recorded place.

    What much lies on stays where it is if less would lie on it after the move.  The drawers and
    shelves of a piece move with it.
    """
    shifts = {
        piece.objectId: (name, shift)
        for name, piece, shift in _named_elsewhere(fixed, trajectory)
        if piece.objectType in type_facts.MOVED_FURNITURE_TYPES - type_facts.TALL_BOX_TABLE_TYPES
        or _explained(_moved(piece, shift), carried) >= _explained(piece, carried)
    }
    for obj in fixed:
        if obj.objectId in shifts:
            name, shift = shifts[obj.objectId]
            yield replace(_moved(obj, shift), objectId=name)
            continue
        hosts = (each for each in fixed if each.objectId in shifts and _is_part(obj, each))
        host = next(hosts, None)
        yield obj if host is None else _moved(obj, shifts[host.objectId][1])


def _named_elsewhere(
    fixed: Sequence[ObjectState], trajectory: Trajectory
) -> Iterator[tuple[str, ObjectState, _Shift]]:
    """Yield ids of which the nearest piece is not where they say, with the piece and its shift."""
    taken: set[str] = set()
    pairs = sorted(
        (hypot(*shift), name, piece.objectId, piece, shift)
        for name in dict.fromkeys(recorded_ids.ids_of_furniture(trajectory))
        for piece, shift in _candidates(name, fixed)
    )
    for away, name, object_id, piece, shift in pairs:
        if name not in taken and object_id not in taken:
            taken |= {name, object_id}
            least = _MIN_SHIFT_METRES if _is_centred(piece) else _OWN_PLACE_METRES
            if least < away <= _MAX_SHIFT_METRES:
                yield name, piece, shift


def _candidates(name: str, fixed: Sequence[ObjectState]) -> Iterator[tuple[ObjectState, _Shift]]:
    wanted = recorded_ids.RecordedId.parse(name)
    if wanted is None or wanted.suffix or wanted.type in type_facts.PARTS_OF_FURNITURE_TYPES:
        return
    for obj in fixed:
        if obj.objectType == current_type(wanted.type):
            (x, _, z), (wanted_x, _, wanted_z) = obj.position, wanted.position
            yield obj, (wanted_x - x, wanted_z - z)


def _is_centred(obj: ObjectState) -> bool:
    """Return whether the position of a piece is its middle, in all versions."""
    (x, _, z), (mid_x, _, mid_z) = obj.position, obj.box.center
    is_middle = hypot(mid_x - x, mid_z - z) <= _MAX_PIVOT_METRES
    return is_middle and obj.objectType in type_facts.MOVED_FURNITURE_TYPES


def _explained(piece: ObjectState, carried: Iterable[ObjectState]) -> int:
    return sum(carried_objects.explains(piece, obj) for obj in carried)


def _is_part(obj: ObjectState, piece: ObjectState) -> bool:
    """Return whether an object is a drawer or shelf of a piece of furniture."""
    x, y, z = obj.box.center
    is_within = piece.box.horizontal_distance(x, z) == 0.0
    is_within &= abs(y - piece.box.center[1]) <= piece.box.size[1] / 2
    return is_within and obj.objectType in type_facts.PARTS_OF_FURNITURE_TYPES


def _moved(obj: ObjectState, shift: _Shift) -> ObjectState:
    (x, y, z), (dx, dz) = obj.position, shift
    return replace(obj, position=(x + dx, y, z + dz), box=obj.box.translate(dx, 0.0, dz))
