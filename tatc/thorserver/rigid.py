"""Turning an object about its own position, as a rigid thing."""

from dataclasses import replace
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from tatc.state import Box, ObjectState, Vec3, turned

_LEVEL = 1.0  # degrees of tilt that make no difference

Matrix = NDArray[np.float64]


def turned_to(thing: ObjectState, position: Vec3, rotation: Vec3) -> ObjectState:
    """Return a thing at a position and with a rotation, its box with it.

    A box stays upright: of a thing that is tilted anew it is the upright one around it.
    """
    if all(
        _near(a, b) for a, b in zip(thing.rotation[::2], rotation[::2], strict=True)
    ):
        box = _spun(thing, rotation[1] - thing.rotation[1])
    else:
        box = _tipped(thing, rotation)
    x, y, z = thing.position
    shift = position[0] - x, position[1] - y, position[2] - z
    return replace(thing, position=position, rotation=rotation, box=box.moved(*shift))


def _near(a: float, b: float) -> bool:
    return abs((a - b + 180.0) % 360.0 - 180.0) < _LEVEL


def _spun(thing: ObjectState, yaw: float) -> Box:
    """Return the box after a turn about the vertical through the position."""
    if yaw == 0.0:
        return thing.box
    sine, cosine = turned(yaw % 360.0)
    (px, _, pz), (x, y, z) = thing.position, thing.box.center
    dx, dz = x - px, z - pz
    center = (px + dx * cosine + dz * sine, y, pz - dx * sine + dz * cosine)
    return Box(center, thing.box.size, (thing.box.yaw + yaw) % 360.0)


def _tipped(thing: ObjectState, rotation: Vec3) -> Box:
    """Return the upright box, turned to the new yaw, around the tilted old one."""
    box = thing.box
    at = np.array(thing.position)
    halves = np.array(box.size) / 2
    signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    corners = (signs * halves) @ _matrix((0.0, box.yaw, 0.0)).T + box.center - at
    turn = _matrix(rotation) @ _matrix(thing.rotation).T
    level = _matrix((0.0, rotation[1], 0.0))
    own = corners @ turn.T @ level
    low, high = own.min(0), own.max(0)
    x, y, z = (((low + high) / 2) @ level.T + at).tolist()
    width, height, depth = (high - low).tolist()
    return Box((x, y, z), (width, height, depth), rotation[1] % 360.0)


def _matrix(rotation: Vec3) -> Matrix:
    """Return Unity's rotation: about z, then x, then y."""
    (sx, cx), (sy, cy), (sz, cz) = (
        (sin(radians(a)), cos(radians(a))) for a in rotation
    )
    about_x = np.array(((1, 0, 0), (0, cx, -sx), (0, sx, cx)))
    about_y = np.array(((cy, 0, sy), (0, 1, 0), (-sy, 0, cy)))
    about_z = np.array(((cz, -sz, 0), (sz, cz, 0), (0, 0, 1)))
    return about_y @ about_x @ about_z
