"""Objects moved as rigid bodies: boxes, rotations (in Unity's order), receptacles and ids."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from math import asin, atan2, cos, degrees, radians, sin

import numpy as np
from numpy.typing import NDArray

from tatc.home.containment import holder_of, lowest_first
from tatc.home.state import Box, ObjectState, Vec3, subtract, unused_id, yaw_sin_cos
from tatc.sim.embedded.placement import placement_search, support_surfaces
from tatc.sim.embedded.world_state import WorldState

_TILT_TOLERANCE_DEGREES = 1.0  # a smaller change of tilt is ignored
_ANGLE_DIGITS = 6
_GIMBAL_LOCK_TOLERANCE = 1e-9
_MAX_OVERHANG_METRES = 0.03  # that an object's centre may lie beyond a surface's edge
_MAX_GAP_METRES = 0.12  # that it may float above a surface or sink into it
_SAME_HEIGHT_METRES = 0.02  # surfaces whose heights differ by less are equally good
_CENTIMETRE = Decimal("0.01")
Matrix = NDArray[np.float64]


def move_object_to(obj: ObjectState, position: Vec3, rotation: Vec3) -> ObjectState:
    """Return an object at a position (metres) with a rotation (degrees), in an upright box."""
    tilts = zip(obj.rotation[::2], rotation[::2], strict=True)
    if all(abs((a - b + 180.0) % 360.0 - 180.0) < _TILT_TOLERANCE_DEGREES for a, b in tilts):
        box = _box_turned_by_yaw(obj, rotation[1] - obj.rotation[1])
    else:
        box = _upright_box_after_tilt(obj, rotation)
    shifted = box.translate(*subtract(position, obj.position))
    return replace(obj, position=position, rotation=rotation, box=shifted)


def unturned_object(held: ObjectState, unturned: ObjectState) -> ObjectState:
    """Return a held object, where it is, with the rotation and the box from before its turn."""
    box = unturned.box.translate(*subtract(held.position, unturned.position))
    return replace(held, rotation=unturned.rotation, box=box)


def _box_turned_by_yaw(obj: ObjectState, yaw: float) -> Box:
    """Return the box after a turn about the vertical axis through the object's position."""
    if yaw == 0.0:
        return obj.box
    sine, cosine = yaw_sin_cos(yaw % 360.0)
    (px, _, pz), (x, y, z) = obj.position, obj.box.center
    dx, dz = x - px, z - pz
    center = (px + dx * cosine + dz * sine, y, pz - dx * sine + dz * cosine)
    return Box(center, obj.box.size, (obj.box.yaw + yaw) % 360.0)


def _upright_box_after_tilt(obj: ObjectState, rotation: Vec3) -> Box:
    """Return the upright box with the new yaw around the tilted old box."""
    box = obj.box
    at = np.array(obj.position)
    halves = np.array(box.size) / 2
    signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    corners = (signs * halves) @ rotation_matrix((0.0, box.yaw, 0.0)).T + box.center - at
    turn = rotation_matrix(rotation) @ rotation_matrix(obj.rotation).T
    level = rotation_matrix((0.0, rotation[1], 0.0))
    own = corners @ turn.T @ level
    low, high = own.min(0), own.max(0)
    x, y, z = (((low + high) / 2) @ level.T + at).tolist()
    width, height, depth = (high - low).tolist()
    return Box((x, y, z), (width, height, depth), rotation[1] % 360.0)


def combined_rotation(second: Vec3, first: Vec3) -> Vec3:
    """Return the rotation that does `first`, then `second` about the outer axes; degrees."""
    return euler_angles(rotation_matrix(second) @ rotation_matrix(first))


def rotation_matrix(rotation: Vec3) -> Matrix:
    """Return the matrix of Unity's rotation: about z, then about x, then about y."""
    (sx, cx), (sy, cy), (sz, cz) = ((sin(radians(a)), cos(radians(a))) for a in rotation)
    about_x = np.array(((1, 0, 0), (0, cx, -sx), (0, sx, cx)))
    about_y = np.array(((cy, 0, sy), (0, 1, 0), (-sy, 0, cy)))
    about_z = np.array(((cz, -sz, 0), (sz, cz, 0), (0, 0, 1)))
    return about_y @ about_x @ about_z


def euler_angles(matrix: Matrix) -> Vec3:
    """Return the angles about x, y and z of a rotation, degrees from 0 to 360.

    Where x is 90 or 270, y and z turn about the same axis; then z is 0.
    """
    x = asin(max(min(-float(matrix[1, 2]), 1.0), -1.0))
    if abs(matrix[1, 2]) < 1 - _GIMBAL_LOCK_TOLERANCE:
        y = atan2(matrix[0, 2], matrix[2, 2])
        z = atan2(matrix[1, 0], matrix[1, 1])
    else:
        y = atan2(-matrix[2, 0], matrix[0, 0])
        z = 0.0
    ax, ay, az = (round(degrees(angle), _ANGLE_DIGITS) % 360.0 for angle in (x, y, z))
    return ax, ay, az


def with_current_parents(state: WorldState, moved: Iterable[ObjectState]) -> Iterator[ObjectState]:
    """Yield moved objects with the receptacles that they are in now, by their positions.

    What is held or cut is left out.  The lowest come first, so that an object on a plate finds the
    plate in its new place.
    The caller must put each object into the world before it asks for the next.
    """
    for obj in lowest_first(each for each in moved if not (each.isPickedUp or each.isSliced)):
        host = holder_of(obj, state.objects, partial(_rank, state))
        parents_at = placement_search.parent_receptacles_at
        parents = () if host is None else parents_at(state, host, obj.box)
        yield replace(obj, parentReceptacles=parents or None)


def _rank(state: WorldState, host: ObjectState, obj: ObjectState) -> tuple[int, float] | None:
    """Return a surface's distance in height, then its area; None if the object lies on none."""
    if host.isPickedUp or not host.affordances.receptacle:
        return None
    ranks = (
        (round(abs(obj.box.bottom - each.y) / _SAME_HEIGHT_METRES), each.size[0] * each.size[1])
        for each in support_surfaces.surfaces_of(host, state.resting_heights.get(host.objectId, ()))
        if max(each.beyond_edges(obj.box.center)) <= _MAX_OVERHANG_METRES
    )
    near = (rank for rank in ranks if rank[0] < _MAX_GAP_METRES / _SAME_HEIGHT_METRES)
    best = min(near, default=None)
    return None if best is None or _is_within(state, host, obj) else best


def _is_within(state: WorldState, inner: ObjectState, outer: ObjectState) -> bool:
    """Return whether an object is another one, or in it at any depth."""
    left, met = [inner.objectId], set[str]()
    while left and outer.objectId not in left:
        name = left.pop()
        found = None if name in met else state.find(name)
        met.add(name)
        left += () if found is None else found.parentReceptacles or ()
    return bool(left)


def id_at(object_type: str, position: Vec3) -> str:
    """Return the id of an object at a position, such as "Mug|+00.32|-00.91|00.00".

    AI2-THOR makes ids so when it loads a scene, and again when it sets the poses of objects: in
    recorded TEACh games, which begin so, the id of every movable object is that of its position.
    """
    return "|".join((object_type, *map(_format_coordinate, position)))


def with_ids_of_positions(
    fixed: Iterable[ObjectState], placed: Iterable[ObjectState]
) -> list[ObjectState]:
    """Return fixed objects, and placed ones with ids of where they are, each its own."""
    found = list(fixed)
    taken = {obj.objectId for obj in found}
    for obj in placed:
        name = unused_id(id_at(obj.objectType, obj.position), taken)
        taken.add(name)
        found.append(obj if obj.objectId == name else replace(obj, objectId=name))
    return found


def without_loose_ends(
    objects: Iterable[ObjectState], held: Collection[str | None]
) -> list[ObjectState]:
    """Return objects that are in, and control, nothing else; only what is `held` is picked up."""
    found = list(objects)
    ids = {obj.objectId for obj in found}
    for i, obj in enumerate(found):
        parents, controlled = obj.parentReceptacles or (), obj.controlledObjects or ()
        is_held = obj.isPickedUp and obj.objectId in held
        if is_held is not obj.isPickedUp or not ids.issuperset((*parents, *controlled)):
            found[i] = replace(
                obj,
                isPickedUp=is_held,
                parentReceptacles=tuple(each for each in parents if each in ids) or None,
                controlledObjects=tuple(each for each in controlled if each in ids) or None,
            )
    return found


def _format_coordinate(metres: float) -> str:
    """Return a coordinate as AI2-THOR writes it: what is a little below 0 has no sign.

    .NET rounds the seven digits that it shows of a single-precision number, halves away from 0.
    """
    rounded = Decimal(f"{metres:.7g}").quantize(_CENTIMETRE, ROUND_HALF_UP)
    sign = "+" if metres >= 0 else "-" if rounded else ""
    return f"{sign}{abs(rounded):05}"
