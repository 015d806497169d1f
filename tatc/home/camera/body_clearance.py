"""How near a body may come to an object or an open door, seen from above.

Most boxes are exact: a move is refused where the body's radius of 0.2 m touches a box,
and succeeds elsewhere (recorded translations, to a few millimetres).  The few exceptions
are fitted on recorded translations and on ALFRED's cells.
"""

from collections.abc import Iterable, Sequence
from math import ceil, hypot

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import GRID_SIZE_METRES, HEADING_STEPS, Cell, cell_of
from tatc.home.body import BODY_HEIGHT_METRES, BODY_RADIUS_METRES, Body
from tatc.home.camera import door_geometry, shapes
from tatc.home.state import Box, ObjectState, Pose, yaw_sin_cos
from tatc.home.type_facts import BODY_MARGINS_METRES, FLAT_TYPES, FLOOR_TYPE, ROUND_FURNITURE_TYPES

Floats = NDArray[np.float64]

STEP_OVER_HEIGHT_METRES = 0.1  # the body walks over boxes whose top is lower than this, metres
SQUARE_TOLERANCE_METRES = 0.08
"""A box counts as square if its width and depth differ by less than this, metres."""
ROUND_MARGIN_METRES = 0.09
"""How far round furniture reaches beyond the circle inscribed in its box, metres."""
MIN_OVAL_TUB_WIDTH_METRES = 1.2
"""A bathtub at least this wide is round or stands across a corner, metres."""
MAX_FLAT_THICKNESS_METRES = 0.3
"""The box of a straight flat object (a curtain, a mirror) is no thicker than this, metres."""
BODY_CLEARANCE_METRES = 0.22  # distance that an open door must keep from the body's axis, metres


def can_block_body(obj: ObjectState, floor_y: float) -> bool:
    """Return whether an object can block a body that stands on a floor at `floor_y` (metres)."""
    if obj.objectType == FLOOR_TYPE or obj.isPickedUp:
        return False
    if obj.affordances.pickupable and max(obj.box.size) > shapes.MAX_PORTABLE_METRES:
        return False
    if is_deep_sheet(obj):
        return False
    middle, half = obj.box.center[1] - floor_y, obj.box.size[1] / 2
    return middle + half >= STEP_OVER_HEIGHT_METRES and middle - half <= BODY_HEIGHT_METRES


def is_deep_sheet(obj: ObjectState) -> bool:
    """Return whether an object is flat but not its box, which rounds a corner or fills a room."""
    width, _, depth = obj.box.size
    return obj.objectType in FLAT_TYPES and min(width, depth) > MAX_FLAT_THICKNESS_METRES


def can_block(body: Body, obj: ObjectState, floor_y: float) -> bool:
    """Return whether an object can block this body, which stands on a floor at `floor_y`."""
    is_passed = obj.affordances.pickupable and obj.box.size[1] <= body.passed_height_metres
    return not is_passed and can_block_body(obj, floor_y)


def distance_for(body: Body, object_type: str, box: Box, points: Floats) -> Floats:
    """Return the distance of points from an object for a body that may enter its box, metres."""
    overlap = body.overlaps_metres.get(object_type, 0.0)
    if is_round(object_type, box):
        overlap = body.round_overlaps_metres.get(object_type, overlap)
    return distances_to_objects([(object_type, box)], points)[0] + overlap


def find_blocks(body: Body, parts: Iterable[tuple[str, Box]]) -> Floats:
    """Return the parts (a type, a box) that are solid for a body: rows of their sides from above.

    The sides are the least x and z, and the greatest ones with the other sign.  What is within one
    of them is farther from all points.
    """
    odd = {"Bathtub", *ROUND_FURNITURE_TYPES, *body.overlaps_metres}
    odd |= {kind for kind, margin in BODY_MARGINS_METRES.items() if margin < 0.0}
    whole = (box.bounds() for kind, box in parts if box.yaw % 90.0 == 0.0 and kind not in odd)
    sides = [(a[0], a[2], -b[0], -b[2]) for a, b in whole]
    return np.reshape(sides, (-1, 4)) + 1e-6  # for rounding


def is_round(object_type: str, box: Box) -> bool:
    """Return whether an object is round, seen from above."""
    width, _, depth = box.size
    return abs(width - depth) < SQUARE_TOLERANCE_METRES and object_type in ROUND_FURNITURE_TYPES


def distances_to_objects(parts: Sequence[tuple[str, Box]], points: Floats) -> Floats:
    """Return points' (x, z) distances from objects (a type, a box), metres: (objects, points)."""
    gaps = distances_to_boxes((box for _, box in parts), points)
    for gap, (kind, box) in zip(gaps, parts, strict=True):
        gap -= BODY_MARGINS_METRES.get(kind, 0.0)
        width, _, depth = box.size
        if is_round(kind, box):
            dx, dz = points[:, 0] - box.center[0], points[:, 1] - box.center[2]
            radius = (width + depth) / 4 + ROUND_MARGIN_METRES
            np.maximum(gap, np.hypot(dx, dz) - radius, out=gap)
        elif kind == "Bathtub" and min(width, depth) >= MIN_OVAL_TUB_WIDTH_METRES:
            np.maximum(gap, _distance_to_ellipse(box, points), out=gap)
    return gaps


def distances_to_boxes(boxes: Iterable[Box], points: Floats) -> Floats:
    """Return points' (x, z) distances from boxes seen from above, metres: (boxes, points).

    They are negative inside a box.
    """
    sides = [(*yaw_sin_cos(b.yaw), *b.center[::2], *b.size[::2]) for b in boxes]
    sine, cosine, x, z, width, depth = np.array(sides, np.float64).reshape(-1, 6).T[..., None]
    dx, dz = points[:, 0] - x, points[:, 1] - z
    along = np.abs(dx * cosine - dz * sine) - width / 2
    across = np.abs(dx * sine + dz * cosine) - depth / 2
    corner: Floats = np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0))
    return np.where((along > 0) & (across > 0), corner, np.maximum(along, across))


def _distance_to_ellipse(box: Box, points: Floats) -> Floats:
    """Return the approximate distance of points from the ellipse in a box, metres."""
    sine, cosine = yaw_sin_cos(box.yaw)
    dx, dz = points[:, 0] - box.center[0], points[:, 1] - box.center[2]
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    a, b = box.size[0] / 2, box.size[2] / 2
    far = np.hypot(along / a, across / b)
    slope = np.hypot(along / a**2, across / b**2)
    # One step of Newton's method towards the ellipse; the slope is 0 at its centre.
    return np.where(slope > 0, far * (far - 1) / np.maximum(slope, 1e-9), -min(a, b))


def is_in_door_path(pose: Pose, opened: ObjectState, closed: Box, *, is_seen: bool = False) -> bool:
    """Return whether a body at a pose would touch the open door or drawer of an object.

    `closed` is its box while closed.  False where the boxes do not tell on which side the door is
    hinged; with `is_seen` the open box is from a view, which shows where the door is.
    """
    doors = door_geometry.open_door_boxes(opened, closed, is_recorded=is_seen)
    return any(door.horizontal_distance(pose.x, pose.z) < BODY_CLEARANCE_METRES for door in doors)


def door_blocking_step(
    here: Cell, there: Cell, opened: Iterable[tuple[ObjectState, Box]]
) -> str | None:
    """Return the id of the open door or drawer that blocks a step between cells, or None.

    It is the first that a body would touch there and not here; each comes with its closed box.
    """
    for obj, closed in opened:
        doors = door_geometry.open_door_boxes(obj, closed)
        touched = [any(_touches(door, cell) for door in doors) for cell in (here, there)]
        if touched == [False, True]:
            return obj.objectId
    return None


def steps_blocked_by_door(opened: ObjectState, closed: Box) -> list[tuple[Cell, Cell]]:
    """Return all steps between neighbouring cells that an open door blocks, sorted.

    `closed` is its box while closed.
    """
    touched = set[Cell]()
    for door in door_geometry.open_door_boxes(opened, closed):
        x, z = cell_of(door.center[0], door.center[2])
        wide, _, deep = door.size
        reach = ceil((hypot(wide, deep) / 2 + BODY_RADIUS_METRES) / GRID_SIZE_METRES) + 1
        span = range(-reach, reach + 1)
        around = ((x + dx, z + dz) for dx in span for dz in span)
        touched.update(cell for cell in around if _touches(door, cell))
    steps = (((x - dx, z - dz), (x, z)) for x, z in touched for dx, dz in HEADING_STEPS)
    return sorted(step for step in steps if step[0] not in touched)


def _touches(door: Box, cell: Cell) -> bool:
    x, z = (at * GRID_SIZE_METRES for at in cell)
    return door.horizontal_distance(x, z) < BODY_RADIUS_METRES
