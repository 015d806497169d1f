"""What rays hit of an open case: its hollow interior, its shelves and its doors."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tatc.home.camera.door_geometry import DOOR_THICKNESS_METRES, door_panels, open_front
from tatc.home.camera.shapes import solids_of
from tatc.home.camera.solids import (
    BoxSide,
    Solid,
    axis_length,
    bottom_height,
    box_layer,
    point_from_side,
    to_box_axes,
)
from tatc.home.state import Box, ObjectState
from tatc.home.types.facts import (
    BACK_THICKNESSES_METRES,
    HINGED_DOOR_TYPES,
    INNER_FLOOR_METRES,
    SHELF_HEIGHT_SHARES,
)

SAME_SHELF_METRES = 0.05
"""Objects no farther apart in height than this rest on the same shelf, metres."""
SHELF_THICKNESS_METRES = 0.01
"""The thickness of a shelf, metres."""
SHELF_SETBACK_SHARE = 0.3
"""How far behind the front shelves begin, as a share of the case's depth.  The door is
inside the case's box, and recorded clicks from above passed shelves nearer than this."""
FLOOR_SETBACK_METRES = 0.1
"""How far behind the front the floor of a case begins, metres, so that what stands at the
front is visible from below."""
BACK_THICKNESS_METRES = 0.1
"""The thickness of a case's back, metres: clicks into the case end there."""


def measure_shelf_heights(objects: Sequence[ObjectState]) -> tuple[tuple[float, ...], ...]:
    """Return for each object the shelf heights that its contents reveal, metres.

    These are the heights of the undersides of portable objects in cases that have
    shelves.  Other objects have none.
    """
    cases = {o.objectId for o in objects if o.objectType in SHELF_HEIGHT_SHARES}
    found: dict[str, set[float]] = {}
    for obj in objects:
        if obj.affordances.pickupable and not obj.isPickedUp:
            for parent in cases.intersection(obj.parentReceptacles or ()):
                under = obj.box.center[1] - obj.box.size[1] / 2
                found.setdefault(parent, set()).add(under)
    return tuple(group_shelf_heights(found.get(o.objectId, ())) for o in objects)


def group_shelf_heights(heights: Iterable[float]) -> tuple[float, ...]:
    """Return the lowest height of each group that can rest on one shelf, in rising order."""
    kept: list[float] = []
    for height in sorted(heights):
        if not kept or height - kept[-1] > SAME_SHELF_METRES:
            kept.append(height)
    return tuple(kept)


def content_boxes(objects: Sequence[ObjectState]) -> tuple[tuple[Box, ...], ...]:
    """Return for each object with doors the boxes of the portable objects in it.

    Objects without doors have none.
    """
    found: dict[str, list[Box]] = {}
    for obj in objects:
        if obj.affordances.pickupable and not obj.isPickedUp:
            for parent in obj.parentReceptacles or ():
                found.setdefault(parent, []).append(obj.box)
    return tuple(
        tuple(found.get(o.objectId, ())) if o.objectType in HINGED_DOOR_TYPES else ()
        for o in objects
    )


def open_container_solids(
    obj: ObjectState, case: Box, shelves: Sequence[float] = (), inside: Sequence[Box] = ()
) -> tuple[Solid, ...]:
    """Return the solids of an open object whose box is `case` when it is closed.

    `shelves` are the heights of its shelves, metres; if empty, its type's are used.
    `inside` are the boxes of objects that stand in front of its back.
    """
    if obj.objectType not in HINGED_DOOR_TYPES:
        return solids_of(obj)
    front = open_front(obj, case)
    if front is None:
        return solids_of(replace(obj, box=case))
    return (
        *_interior_solids(obj, case, front, _back_thickness(obj, case, front, inside)),
        *_shelf_solids(obj, case, front, shelves),
        *door_panels(obj, case),
    )


def _back_thickness(obj: ObjectState, case: Box, front: BoxSide, inside: Sequence[Box]) -> float:
    """Return the thickness of a case's back, which ends behind the objects in the case."""
    depth = axis_length(case, front.axis)
    back = min(
        BACK_THICKNESSES_METRES.get(obj.objectType, BACK_THICKNESS_METRES),
        max(depth - DOOR_THICKNESS_METRES, 0.0),
    )
    for box in inside:
        low, high = box.bounds()
        for x in (low[0], high[0]):
            for z in (low[2], high[2]):
                ahead = to_box_axes(case, (x, 0.0, z))[front.axis] * front.sign
                back = min(back, max(ahead + depth / 2, 0.0))
    return back


def _interior_solids(obj: ObjectState, case: Box, front: BoxSide, back: float) -> tuple[Solid, ...]:
    """Return the hollow interior of an open object, in front of its thick back.

    `back` is the thickness of that back, metres.
    """
    depth = axis_length(case, front.axis)
    floor, *walls = solids_of(replace(obj, box=_trim_box(case, front, back, 0.0)))
    behind = _trim_box(case, front, back, min(FLOOR_SETBACK_METRES, (depth - back) / 2))
    thick = INNER_FLOOR_METRES.get(obj.objectType, floor.size[1])
    return (box_layer(behind, bottom_height(case), bottom_height(case) + thick), *walls)


def _shelf_solids(
    obj: ObjectState, case: Box, front: BoxSide, shelves: Sequence[float]
) -> tuple[Solid, ...]:
    kind, height = obj.objectType, case.size[1]
    bottom = case.center[1] - height / 2
    heights = shelves or [bottom + share * height for share in SHELF_HEIGHT_SHARES.get(kind, ())]
    inner = _trim_box(
        case, front, BACK_THICKNESS_METRES, SHELF_SETBACK_SHARE * axis_length(case, front.axis)
    )
    (x, _, z), (width, _, depth) = inner.center, inner.size
    return tuple(
        Solid(
            (x, y - SHELF_THICKNESS_METRES / 2, z), (width, SHELF_THICKNESS_METRES, depth), case.yaw
        )
        for y in heights
    )


def _trim_box(box: Box, front: BoxSide, behind: float, before: float) -> Box:
    """Return a box shortened by `behind` metres at its back and `before` at its front."""
    size = list(box.size)
    size[2 * front.axis] = max(size[2 * front.axis] - behind - before, 0.0)
    middle = point_from_side(box, front, (behind - before) / 2, 0.0)
    return Box(middle, (size[0], size[1], size[2]), box.yaw)
