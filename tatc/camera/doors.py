"""What opening does to a shape: drawers slide out, doors stand out from their case.

The facts are those of recorded end states (AI2-THOR 3.1.0): a drawer comes out by four
fifths of its depth; the box of a cabinet grows by its door's width, of which the
cabinet's own position marks the hinge; a fridge's door opens to either side, a
microwave's to the left of who stands before it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tatc.camera.shapes import Solid, solids_of
from tatc.state import Box, ObjectState, Vec3, turned

SLIDE = 0.8
"""How much of its depth a drawer comes out."""
SWING = {"Cabinet": 0.97, "Fridge": 0.82, "Microwave": 0.6, "Safe": 0.75}
"""How far doors stand out when open, as a share of the front's width."""
PANEL = 0.03
"""How thick a door is, metres."""
SHELVES = {"Fridge": (0.42, 0.6, 0.77)}
"""How high shelves are in a case, as shares of its height (AI2-THOR scene dumps):
where nothing in it shows them, for they differ from fridge to fridge by 30 cm."""
SAME = 0.05
"""Things no farther apart in height than this rest on one shelf, metres."""
SHELF = 0.01
"""How thick a shelf is, metres."""
BACK = 0.1
"""How thick the back of a case is, metres: clicks into it end there."""
_EDGE = 0.6  # a hinge is this far from the middle, in halves of the width


@dataclass(frozen=True, slots=True)
class _Front:
    """The side that opens: its axis (the box's own x 0, z 1), and which way."""

    axis: int
    way: int


def shut_box(thing: ObjectState) -> Box | None:
    """Return the box of a fixed thing that is shut but can be opened, else None."""
    able = thing.affordances
    fixed = able.openable and not able.pickupable
    return thing.box if fixed and not thing.isOpen else None


def opened(thing: ObjectState, point: Vec3) -> ObjectState:
    """Return a shut thing opened by a click at this point of it."""
    front = _front_at(thing, point)
    if thing.objectType == "Drawer":
        return _slid(thing, front)
    share = SWING.get(thing.objectType)
    if share is None:
        return replace(thing, isOpen=True)
    width = _side(thing.box, 1 - front.axis)
    return replace(thing, isOpen=True, box=_grown(thing.box, front, share * width))


def shelves_of(objects: Sequence[ObjectState]) -> tuple[tuple[float, ...], ...]:
    """Return for each object the heights of shelves that what rests in it shows.

    They are those of the lower sides of portable things in cases that have shelves, and
    none for other objects.
    """
    cases = {o.objectId for o in objects if o.objectType in SHELVES}
    found: dict[str, set[float]] = {}
    for thing in objects:
        if thing.affordances.pickupable and not thing.isPickedUp:
            for parent in cases.intersection(thing.parentReceptacles or ()):
                under = thing.box.center[1] - thing.box.size[1] / 2
                found.setdefault(parent, set()).add(under)
    return tuple(shelves_at(found.get(o.objectId, ())) for o in objects)


def shelves_at(heights: Iterable[float]) -> tuple[float, ...]:
    """Return the lowest of each group of heights that one shelf can hold."""
    kept: list[float] = []
    for height in sorted(heights):
        if not kept or height - kept[-1] > SAME:
            kept.append(height)
    return tuple(kept)


def solids_when_open(
    thing: ObjectState, shut: Box, shelves: Sequence[float] = ()
) -> tuple[Solid, ...]:
    """Return what rays hit of an open thing whose box is `shut` when it is closed.

    `shelves` are the heights of its shelves, the type's own where there are none.
    """
    if thing.objectType not in SWING:
        return solids_of(thing)
    front = _front_of(thing.box, shut)
    if front is None:
        return solids_of(replace(thing, box=shut))
    return (*_case(thing, shut, front, shelves), *panels_of(thing, shut))


def swung_out(thing: ObjectState, shut: Box) -> Box | None:
    """Return what of an open thing stands out: the drawer itself, or its one door.

    None where nothing does, or where either of two doors could be the one there is.
    """
    if thing.objectType == "Drawer":
        return thing.box
    doors = panels_of(thing, shut)
    if len(doors) != 1:
        return None
    return Box(doors[0].center, doors[0].size, doors[0].yaw)


def panels_of(thing: ObjectState, shut: Box) -> tuple[Solid, ...]:
    """Return the doors of an open thing: two where either could be the one there is."""
    front = _front_of(thing.box, shut)
    if front is None:
        return ()
    hinges = _hinges(thing, shut, front)
    return tuple(_panel(thing.box, shut, front, hinge) for hinge in hinges)


def _case(
    thing: ObjectState, shut: Box, front: _Front, shelves: Sequence[float]
) -> tuple[Solid, ...]:
    """Return the hollow of an open thing, with a thick back, and its shelves."""
    own = [0.0, 0.0]
    own[front.axis] = front.way * BACK / 2
    size = list(shut.size)
    size[2 * front.axis] = max(size[2 * front.axis] - BACK, PANEL)
    width, height, depth = size
    x, y, z = _world(shut, own[0], own[1])
    hollow = replace(thing, box=Box((x, y, z), (width, height, depth), shut.yaw))
    bottom = shut.center[1] - height / 2
    heights = shelves or [
        bottom + share * height for share in SHELVES.get(thing.objectType, ())
    ]
    boards = (
        Solid((x, y - SHELF / 2, z), (width, SHELF, depth), shut.yaw) for y in heights
    )
    return (*solids_of(hollow), *boards)


def _front_at(thing: ObjectState, point: Vec3) -> _Front:
    """Return the upright side of the box that a point is nearest to."""
    offsets = _own(thing.box, point)
    axis = 0 if _depth(thing.box, offsets, 0) > _depth(thing.box, offsets, 1) else 1
    return _Front(axis, 1 if offsets[axis] >= 0 else -1)


def _depth(box: Box, offsets: tuple[float, float], axis: int) -> float:
    """Return how far out along an axis a point is, 0 at the side itself."""
    return abs(offsets[axis]) - _side(box, axis) / 2


def _front_of(grown: Box, shut: Box) -> _Front | None:
    """Return the side that an open box has grown on."""
    offsets = _own(shut, grown.center)
    axis = 0 if abs(offsets[0]) > abs(offsets[1]) else 1
    if abs(offsets[axis]) < PANEL:
        return None
    return _Front(axis, 1 if offsets[axis] > 0 else -1)


def _hinges(thing: ObjectState, shut: Box, front: _Front) -> tuple[int, ...]:
    """Return on which sides of the front the doors hang: -1, 1 or both."""
    if thing.objectType == "Cabinet":
        across = 1 - front.axis
        off = _own(shut, thing.position)[across] / (_side(shut, across) / 2)
        if abs(off) > _EDGE:
            return (1,) if off > 0 else (-1,)
    if thing.objectType == "Microwave":
        # To the left of one who looks at the front.
        return (front.way if front.axis == 1 else -front.way,)
    return (-1, 1)


def _panel(grown: Box, shut: Box, front: _Front, hinge: int) -> Solid:
    """Return an open door: a board that stands out from one edge of the front."""
    out = _side(grown, front.axis) - _side(shut, front.axis)
    across = 1 - front.axis
    own = [0.0, 0.0]
    own[front.axis] = front.way * (_side(shut, front.axis) + out) / 2
    own[across] = hinge * (_side(shut, across) - PANEL) / 2
    size = [PANEL, shut.size[1], PANEL]
    size[2 * front.axis] = out
    return Solid(_world(shut, own[0], own[1]), (size[0], size[1], size[2]), shut.yaw)


def _slid(thing: ObjectState, front: _Front) -> ObjectState:
    box = thing.box
    own = [0.0, 0.0]
    own[front.axis] = front.way * SLIDE * _side(box, front.axis)
    there = _world(box, own[0], own[1])
    (x, y, z), (ax, ay, az) = thing.position, box.center
    shift = there[0] - ax, there[1] - ay, there[2] - az
    moved = x + shift[0], y + shift[1], z + shift[2]
    return replace(thing, isOpen=True, position=moved, box=box.moved(*shift))


def _grown(box: Box, front: _Front, by: float) -> Box:
    own = [0.0, 0.0]
    own[front.axis] = front.way * by / 2
    size = list(box.size)
    size[2 * front.axis] += by
    return Box(_world(box, own[0], own[1]), (size[0], size[1], size[2]), box.yaw)


def _side(box: Box, axis: int) -> float:
    return box.size[2 * axis]


def _own(box: Box, point: Vec3) -> tuple[float, float]:
    """Return a point along a box's own x and z, from its middle."""
    sine, cosine = turned(box.yaw)
    dx, dz = point[0] - box.center[0], point[2] - box.center[2]
    return dx * cosine - dz * sine, dx * sine + dz * cosine


def _world(box: Box, along: float, across: float) -> Vec3:
    sine, cosine = turned(box.yaw)
    x, y, z = box.center
    return (x + along * cosine + across * sine, y, z - along * sine + across * cosine)
