"""The true boxes of furniture that is turned off the world's axes.

AI2-THOR gives fixed objects no oriented box.  One that is built in at an angle, such as a
sink across the corner of a kitchen, only has the box along the world's axes that encloses
it.  Its own box is reconstructed from the angle at which it stands.
"""

from collections.abc import Sequence
from math import sqrt

from tatc.home.camera.rays import snapped_sin_cos
from tatc.home.state import Box, ObjectState, Vec3, yaw_off_axis_degrees
from tatc.home.types.facts import BASIN_TYPE_BY_SINK, SINK_TYPES, SKEW_DEPTHS_METRES

MIN_OFF_AXIS_DEGREES = 3.0
"""An object turned off the world's axes by more than this stands at an angle, degrees."""
SINK_LENGTH_TO_DEPTH_RATIO = 1.75
"""How many times as long as deep sinks and tubs are; other objects are square."""
_UNRELIABLE_TYPES = frozenset({"Faucet"})  # parts of it stick out
# If the cosine of twice the angle exceeds this, the sides of the enclosing box determine
# both sides of the object's own box.
_MIN_DOUBLE_ANGLE_COSINE = 0.3


def estimate_oriented_boxes(objects: Sequence[ObjectState]) -> tuple[Box | None, ...]:
    """Return for each object its own box if it stands at an angle, else None."""
    middle = _scene_center(objects)
    oblique = [obj for obj in objects if _has_reliable_rotation(obj) and _off_axis_degrees(obj)]
    return tuple(
        _oriented_box(obj, _object_angle(obj, oblique), middle)
        if _has_reliable_rotation(obj)
        else None
        for obj in objects
    )


def _has_reliable_rotation(obj: ObjectState) -> bool:
    """Whether an object's rotation shows how it stands in its box."""
    able = obj.affordances
    if able.pickupable or able.moveable or obj.objectType in _UNRELIABLE_TYPES:
        return False
    return obj.box.yaw % 90.0 == 0.0


def _off_axis_degrees(obj: ObjectState) -> float:
    """Return how far an object is turned off the nearest quarter turn, degrees.

    0 if that is no more than `MIN_OFF_AXIS_DEGREES`.
    """
    off = yaw_off_axis_degrees(obj.rotation[1])
    return off if abs(off) > MIN_OFF_AXIS_DEGREES else 0.0


def _object_angle(obj: ObjectState, oblique: Sequence[ObjectState]) -> float:
    """Return how far an object is turned off the axes, degrees, 0 for none.

    A sink or tub that is not turned itself takes the angle of its basin.
    """
    own, (low, high) = _off_axis_degrees(obj), obj.box.bounds()
    if own or obj.objectType not in SINK_TYPES:
        return own
    return next(
        (
            _off_axis_degrees(basin)
            for basin in oblique
            if basin.objectType == BASIN_TYPE_BY_SINK.get(obj.objectType)
            and all(low[i] < basin.box.center[i] < high[i] for i in (0, 2))
        ),
        0.0,
    )


def _oriented_box(obj: ObjectState, angle: float, middle: Vec3) -> Box | None:
    if not angle:
        return None
    sine, cosine = (abs(part) for part in snapped_sin_cos(angle))
    x, height, z = obj.box.size
    double = cosine * cosine - sine * sine
    if double > _MIN_DOUBLE_ANGLE_COSINE:
        width = (x * cosine - z * sine) / double
        depth = (z * cosine - x * sine) / double
    else:
        width, depth = _diagonal_size(obj, angle, middle)
    if min(width, depth) <= 0.0:
        return None
    return Box(obj.box.center, (width, height, depth), angle)


def _diagonal_size(obj: ObjectState, angle: float, middle: Vec3) -> tuple[float, float]:
    """Return the width and depth of an object turned about half-way between two axes.

    Only their sum is known.  The object's type says how it is divided, and the long side
    lies across the corner of the room that the object is in.
    """
    kind, both = obj.objectType, (obj.box.size[0] + obj.box.size[2]) / sqrt(2.0)
    ratio = SINK_LENGTH_TO_DEPTH_RATIO if kind in SINK_TYPES else 1.0
    deep = SKEW_DEPTHS_METRES.get(kind, both / (1.0 + ratio))
    x, z = (obj.box.center[i] - middle[i] for i in (0, 2))
    # The width of a box turned by 45 degrees runs along (1, -1): across a corner whose x
    # and z have the same sign.
    across = (x * z > 0.0) == (angle > 0.0)
    return (both - deep, deep) if across else (deep, both - deep)


def _scene_center(objects: Sequence[ObjectState]) -> Vec3:
    """Return the centre of the box around all objects."""
    bounds = [obj.box.bounds() for obj in objects]
    x, y, z = (
        (
            min((low[i] for low, _ in bounds), default=0.0)
            + max((high[i] for _, high in bounds), default=0.0)
        )
        / 2
        for i in (0, 1, 2)
    )
    return x, y, z
