"""The true boxes of furniture that stands askew.

AI2-THOR gives fixed things no box of their own: what is built in askew, such as a sink
across the corner of a kitchen, has the box along the world's axes that holds it.  Its
own is found back from the angle at which it stands.
"""

from collections.abc import Sequence
from math import sqrt

from tatc.camera.rays import sine_cosine
from tatc.state import Box, ObjectState, Vec3, off_quarters

LEAST = 3.0
"""Degrees off the world's axes from which on a thing stands askew."""
LONGER = {"Sink": 1.75, "SinkBasin": 1.75, "Bathtub": 1.75, "BathtubBasin": 1.75}
"""How many times as long as deep things are, by type; others are as long as deep."""
DEEP = {
    "Blinds": 0.1,
    "CounterTop": 0.65,
    "Curtains": 0.1,
    "Mirror": 0.1,
    "Painting": 0.1,
    "Window": 0.1,
}
"""How deep things are whose depth is known, metres."""
_UNKNOWN = frozenset({"Faucet"})  # parts of it stick out
_CLEAR = 0.3  # from this cosine on two sides of a box tell both of the thing's own


def true_boxes(objects: Sequence[ObjectState]) -> tuple[Box | None, ...]:
    """Return for each object its own box where it stands askew, else None."""
    middle = _middle(objects)
    askew = [thing for thing in objects if _tells(thing) and _off(thing)]
    return tuple(
        _true_box(thing, _angle(thing, askew), middle) if _tells(thing) else None
        for thing in objects
    )


def _tells(thing: ObjectState) -> bool:
    """Whether an object's rotation tells how it stands in its box."""
    able = thing.affordances
    if able.pickupable or able.moveable or thing.objectType in _UNKNOWN:
        return False
    return thing.box.yaw % 90.0 == 0.0


def _off(thing: ObjectState) -> float:
    """Return how far an object is turned from its nearest quarter, 0 for a little."""
    off = off_quarters(thing.rotation[1])
    return off if abs(off) > LEAST else 0.0


def _angle(thing: ObjectState, askew: Sequence[ObjectState]) -> float:
    """Return how far an object is turned, a sink at least as its basin is."""
    own, (low, high) = _off(thing), thing.box.bounds()
    if own or thing.objectType not in LONGER:
        return own
    return next(
        (
            _off(basin)
            for basin in askew
            if basin.objectType == f"{thing.objectType}Basin"
            and all(low[i] < basin.box.center[i] < high[i] for i in (0, 2))
        ),
        0.0,
    )


def _true_box(thing: ObjectState, angle: float, middle: Vec3) -> Box | None:
    if not angle:
        return None
    sine, cosine = (abs(part) for part in sine_cosine(angle))
    x, height, z = thing.box.size
    double = cosine * cosine - sine * sine
    if double > _CLEAR:
        width = (x * cosine - z * sine) / double
        depth = (z * cosine - x * sine) / double
    else:
        width, depth = _in_a_corner(thing, angle, middle)
    if min(width, depth) <= 0.0:
        return None
    return Box(thing.box.center, (width, height, depth), angle)


def _in_a_corner(thing: ObjectState, angle: float, middle: Vec3) -> tuple[float, float]:
    """Return the width and depth of what stands half-way between two axes.

    Only their sum is known: the type says how they share it, and the long side stands
    across the corner of the room that the thing is in.
    """
    kind, both = thing.objectType, (thing.box.size[0] + thing.box.size[2]) / sqrt(2.0)
    deep = DEEP.get(kind, both / (1.0 + LONGER.get(kind, 1.0)))
    x, z = (thing.box.center[i] - middle[i] for i in (0, 2))
    # A box's width runs along (1, -1) where it is turned by 45 degrees: across a corner
    # whose x and z have one sign.
    across = (x * z > 0.0) == (angle > 0.0)
    return (both - deep, deep) if across else (deep, both - deep)


def _middle(objects: Sequence[ObjectState]) -> Vec3:
    """Return the middle of the box around all objects."""
    bounds = [thing.box.bounds() for thing in objects]
    x, y, z = (
        (
            min((low[i] for low, _ in bounds), default=0.0)
            + max((high[i] for _, high in bounds), default=0.0)
        )
        / 2
        for i in (0, 1, 2)
    )
    return x, y, z
