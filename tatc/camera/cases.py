"""What rays hit of a case that stands open: its hollow, its shelves and its doors."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tatc.camera.doors import PANEL, SWING, front_of, panels_of
from tatc.camera.shapes import solids_of
from tatc.camera.sides import Side, length, own, world
from tatc.camera.solid import Solid, layer, low_of
from tatc.state import Box, ObjectState

SHELVES = {"Fridge": (0.42, 0.6, 0.77)}
"""How high shelves are in a case, as shares of its height (AI2-THOR scene dumps):
where nothing in it shows them, for they differ from fridge to fridge by 30 cm."""
SAME = 0.05
"""Things no farther apart in height than this rest on one shelf, metres."""
SHELF = 0.01
"""How thick a shelf is, metres."""
LIP = 0.3
"""How far behind the front shelves begin, as a share of the case's depth: the door is
in the case's box, and recorded clicks from above passed shelves nearer than this."""
FREE = 0.1
"""How far behind the front the floor of a case begins, metres: from below one sees what
stands at the front."""
FLOORS = {"Microwave": 0.1}
"""How far above a case's lower side its floor is, metres: things stood so high over it
at the starts and ends of sessions (9.6 to 11.2 cm)."""
BACK = 0.1
"""How thick the back of a case is, metres: clicks into it end there."""
BACKS = {"Fridge": 0.18}
"""Types with a thicker one, in recorded clicks that were not too far away."""


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


def insides_of(objects: Sequence[ObjectState]) -> tuple[tuple[Box, ...], ...]:
    """Return for each object the boxes of portable things in it, where it has doors."""
    found: dict[str, list[Box]] = {}
    for thing in objects:
        if thing.affordances.pickupable and not thing.isPickedUp:
            for parent in thing.parentReceptacles or ():
                found.setdefault(parent, []).append(thing.box)
    return tuple(
        tuple(found.get(o.objectId, ())) if o.objectType in SWING else ()
        for o in objects
    )


def solids_when_open(
    thing: ObjectState,
    shut: Box,
    shelves: Sequence[float] = (),
    inside: Sequence[Box] = (),
) -> tuple[Solid, ...]:
    """Return what rays hit of an open thing whose box is `shut` when it is closed.

    `shelves` are the heights of its shelves, the type's own where there are none;
    `inside` are boxes of things that stand before its back.
    """
    if thing.objectType not in SWING:
        return solids_of(thing)
    front = front_of(thing, shut)
    if front is None:
        return solids_of(replace(thing, box=shut))
    return (
        *_hollow(thing, shut, front, _back(thing, shut, front, inside)),
        *_boards(thing, shut, front, shelves),
        *panels_of(thing, shut),
    )


def _back(thing: ObjectState, shut: Box, front: Side, inside: Sequence[Box]) -> float:
    """Return how thick the back of a case is: no thicker than things stand before."""
    depth = length(shut, front.axis)
    back = min(BACKS.get(thing.objectType, BACK), max(depth - PANEL, 0.0))
    for box in inside:
        low, high = box.bounds()
        for x in (low[0], high[0]):
            for z in (low[2], high[2]):
                ahead = own(shut, (x, 0.0, z))[front.axis] * front.way
                back = min(back, max(ahead + depth / 2, 0.0))
    return back


def _hollow(
    thing: ObjectState, shut: Box, front: Side, back: float
) -> tuple[Solid, ...]:
    """Return the hollow of an open thing, with a thick back."""
    depth = length(shut, front.axis)
    floor, *walls = solids_of(replace(thing, box=_cut(shut, front, back, 0.0)))
    behind = _cut(shut, front, back, min(FREE, (depth - back) / 2))
    thick = FLOORS.get(thing.objectType, floor.size[1])
    return (layer(behind, low_of(shut), low_of(shut) + thick), *walls)


def _boards(
    thing: ObjectState, shut: Box, front: Side, shelves: Sequence[float]
) -> tuple[Solid, ...]:
    kind, height = thing.objectType, shut.size[1]
    bottom = shut.center[1] - height / 2
    heights = shelves or [bottom + share * height for share in SHELVES.get(kind, ())]
    inner = _cut(shut, front, BACK, LIP * length(shut, front.axis))
    (x, _, z), (width, _, depth) = inner.center, inner.size
    return tuple(
        Solid((x, y - SHELF / 2, z), (width, SHELF, depth), shut.yaw) for y in heights
    )


def _cut(box: Box, front: Side, behind: float, before: float) -> Box:
    """Return a box without so many metres at its back and at its front."""
    size = list(box.size)
    size[2 * front.axis] = max(size[2 * front.axis] - behind - before, 0.0)
    middle = world(box, front, (behind - before) / 2, 0.0)
    return Box(middle, (size[0], size[1], size[2]), box.yaw)
