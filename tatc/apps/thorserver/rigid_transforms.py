"""Rotations in Unity's order of axes, and objects that are moved as rigid bodies."""

from dataclasses import replace
from math import asin, atan2, cos, degrees, radians, sin

import numpy as np
from numpy.typing import NDArray

from tatc.home.state import Box, ObjectState, Vec3, yaw_sin_cos

_TILT_TOLERANCE_DEGREES = 1.0  # a smaller change of tilt is ignored

_ANGLE_DIGITS = 6
_GIMBAL_LOCK_TOLERANCE = 1e-9

Matrix = NDArray[np.float64]


def move_object_to(obj: ObjectState, position: Vec3, rotation: Vec3) -> ObjectState:
    """Return an object at a position (metres) with a rotation (degrees), its box moved too.

    Boxes are always upright: if the tilt changes, the box becomes the upright one around
    the tilted old box.
    """
    if all(_is_same_angle(a, b) for a, b in zip(obj.rotation[::2], rotation[::2], strict=True)):
        box = _box_turned_by_yaw(obj, rotation[1] - obj.rotation[1])
    else:
        box = _upright_box_after_tilt(obj, rotation)
    x, y, z = obj.position
    shift = position[0] - x, position[1] - y, position[2] - z
    return replace(obj, position=position, rotation=rotation, box=box.translate(*shift))


def _is_same_angle(a: float, b: float) -> bool:
    return abs((a - b + 180.0) % 360.0 - 180.0) < _TILT_TOLERANCE_DEGREES


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
