"""What opening does to a box: drawers slide out, doors stand out from their case.

The facts are those of recorded end states (AI2-THOR 3.1.0).  A drawer comes out by four
fifths of its depth.  A box with a door grows by the door's width.  A cabinet's own
position marks its hinge, a little behind its front; one that is wide, or whose position
is near the middle, has two doors, each half as wide.  So has a wide fridge whose
position is in its middle; another's one door hangs at either side, but never where the
body of who opens it would stand in it, and lies beside its case when open.  That of a
microwave opens to the left of who stands before it.

A drawer takes along what was put into it.  What lay in it when the session began stays
where it lay, in the open air behind the drawer: so did all 13 things of recorded
drawers that were left open, and all 5 that were put into one went back with it.
"""

from collections.abc import Callable
from dataclasses import replace

from tatc.camera.sides import Side, grown_on, length, nearest, own, world
from tatc.camera.solid import Solid
from tatc.state import ABSENT, Box, ObjectState, Vec3

SLIDE = 0.8
"""How much of its depth a drawer comes out."""
SWING = {"Cabinet": 0.97, "Fridge": 0.82, "Microwave": 0.6, "Safe": 0.75}
"""How far a door stands out when open, as a share of the front's width."""
PAIR = {"Cabinet": 0.5, "Fridge": 0.42}
"""How far two doors stand out, as a share of the front's width."""
WIDE = 0.845
"""A cabinet wider than this has two doors, metres."""
PANEL = 0.03
"""How thick a door is, metres; it stands within the width of its case."""
OUTSIDE = {"Fridge": 0.12}
"""How thick doors are that stand beside the opening, and leave it free, metres."""
EITHER = frozenset({"Fridge", "Safe"})
"""Types whose one door hangs at either side."""
BROAD, CENTRED = 0.88, 0.016
"""A fridge as wide as this, whose position is so near to its middle, has two doors."""
BODY = 0.22
"""Metres around the middle of a body in which no door stands."""
_METRES = 4  # to how many digits it is told how far a box stands over its case
_ASIDE = 0.05  # metres that a box grows at a side where an open door hangs
_EDGE = 0.6  # a hinge is this far from the middle, in halves of the width
_TWO = 0.7  # two doors stand out by less, one stands out by more: shares of the width


def shut_box(thing: ObjectState) -> Box | None:
    """Return the box of a fixed thing that is shut but can be opened, else None."""
    able = thing.affordances
    fixed = able.openable and not able.pickupable
    return thing.box if fixed and not thing.isOpen else None


def opened(thing: ObjectState, point: Vec3, body: Vec3 | None = None) -> ObjectState:
    """Return a shut thing opened by a click at this point of it.

    `body` is where the agent that opens it stands: not where the door comes to be.
    """
    if thing.objectType == "Drawer":
        return _slid(thing, nearest(thing.box, point))
    if thing.objectType not in SWING:
        return replace(thing, isOpen=True)
    front = _hinged_front(thing) or nearest(thing.box, point)
    width, box, swing = length(thing.box, front.across), thing.box, SWING
    hinges = _hinges(thing, front, body)
    if thing.objectType in OUTSIDE:
        for end in hinges:
            box = _grown(box, Side(front.across, end), OUTSIDE[thing.objectType])
    if len(hinges) > 1:
        swing = PAIR
    box = _grown(box, front, swing[thing.objectType] * width)
    return replace(thing, isOpen=True, box=box)


def goes_along(thing: ObjectState, find: Callable[[str], ObjectState | None]) -> bool:
    """Return whether what lies in a drawer moves with it: an agent put it there.

    For what lies in a dish that is whether the dish was.  `find` returns objects by id.
    """
    parents = map(find, thing.parentReceptacles or ())
    dishes = [p for p in parents if p is not None and p.affordances.pickupable]
    if dishes:
        return any(goes_along(dish, find) for dish in dishes)
    return thing.simbotPickedUp is not ABSENT and bool(thing.simbotPickedUp)


def left_behind(thing: ObjectState, drawer: str) -> ObjectState:
    """Return what a drawer with this id does not take along: it is in it no longer."""
    within = sorted(set(thing.parentReceptacles or ()) - {drawer})
    return replace(thing, parentReceptacles=tuple(within) or None)


def front_of(thing: ObjectState, shut: Box) -> Side | None:
    """Return the side on which an open thing's box is larger than `shut`, or None."""
    return grown_on(thing.box, shut, PANEL)


def swung_out(thing: ObjectState, shut: Box, *, seen: bool = False) -> tuple[Box, ...]:
    """Return what of an open thing stands out: the drawer itself, or its doors.

    Nothing where a door could be at either of two places; where the thing was `seen` to
    stand open so in a recording, its box tells at which.
    """
    if thing.objectType == "Drawer":
        return (thing.box,)
    front = front_of(thing, shut)
    if front is None or (thing.objectType in EITHER and not seen):
        return ()
    panels = panels_of(thing, shut)
    if len(panels) > 1 and not _paired(thing, shut, front):
        return ()
    return tuple(Box(p.center, p.size, p.yaw) for p in panels)


def panels_of(thing: ObjectState, shut: Box) -> tuple[Solid, ...]:
    """Return the doors of an open thing: at both places where either could be it."""
    front = front_of(thing, shut)
    if front is None:
        return ()
    ends = _ends(thing, shut, front)
    return tuple(_panel(thing, shut, front, end) for end in ends)


def _hinged_front(thing: ObjectState) -> Side | None:
    """Return the front of a cabinet whose position marks a hinge, or None.

    A hinge is at the very edge of the front's width and a little behind the front, so
    of two sides that it is near to, the front is the one that is farther away.
    """
    if thing.objectType != "Cabinet":
        return None
    offsets = own(thing.box, thing.position)
    halves = [length(thing.box, axis) / 2 for axis in (0, 1)]
    near = [axis for axis in (0, 1) if abs(offsets[axis]) > _EDGE * halves[axis]]
    if not near:
        return None
    axis = max(near, key=lambda axis: halves[axis] - abs(offsets[axis]))
    return Side(axis, 1 if offsets[axis] > 0 else -1)


def _hinges(thing: ObjectState, front: Side, body: Vec3 | None) -> tuple[int, ...]:
    """Return at which ends of its front a shut thing's doors hang, none if unknown."""
    shut = thing.box
    if thing.objectType == "Cabinet":
        broad = length(shut, front.across) > WIDE
        return (-1, 1) if broad else _marked(thing, shut, front)
    if thing.objectType != "Fridge":
        return ()
    off = own(shut, thing.position)[front.axis]
    if length(shut, front.across) >= BROAD and abs(off) < CENTRED:
        return (-1, 1)
    out = SWING["Fridge"] * length(shut, front.across)
    wide = replace(thing, box=_grown(shut, front, out))
    doors = [_panel(wide, shut, front, end) for end in (-1, 1)]
    boxes = [Box(door.center, door.size, door.yaw) for door in doors]
    clear = [body is None or box.away(body[0], body[2]) >= BODY for box in boxes]
    return () if clear[0] is clear[1] else ((-1,) if clear[0] else (1,))


def _ends(thing: ObjectState, shut: Box, front: Side) -> tuple[int, ...]:
    """Return at which ends (-1, 1) of its front an open thing's doors may hang."""
    if thing.objectType == "Cabinet":
        two = _paired(thing, shut, front)
        return (-1, 1) if two else _marked(thing, shut, front)
    if thing.objectType == "Microwave":
        # To the left of one who looks at the front.
        return (front.way if front.axis == 1 else -front.way,)
    return _beside(thing, shut, front) or (-1, 1)


def _marked(cabinet: ObjectState, shut: Box, front: Side) -> tuple[int, ...]:
    """Return the end that a cabinet's position marks as a hinge, both if it is none."""
    off = own(shut, cabinet.position)[front.across] / (length(shut, front.across) / 2)
    if abs(off) <= _EDGE:
        return (-1, 1)
    return (1,) if off > 0 else (-1,)


def _beside(thing: ObjectState, shut: Box, front: Side) -> tuple[int, ...]:
    """Return at which ends of its front a box has grown beyond its case."""
    return tuple(end for end in (-1, 1) if _over(thing, shut, front, end) > _ASIDE)


def _over(thing: ObjectState, shut: Box, front: Side, end: int) -> float:
    """Return by how much a box stands over its case at an end of its front."""
    grown = (length(thing.box, front.across) - length(shut, front.across)) / 2
    off = own(shut, thing.box.center)[front.across]
    return max(round(grown + end * off, _METRES), 0.0)


def _paired(thing: ObjectState, shut: Box, front: Side) -> bool:
    """Say whether what stands out of an open thing are two doors, not one."""
    out = length(thing.box, front.axis) - length(shut, front.axis)
    return out < _TWO * length(shut, front.across)


def _panel(thing: ObjectState, shut: Box, front: Side, end: int) -> Solid:
    """Return an open door: a board that stands out at one end of the front."""
    depth = length(shut, front.axis)
    out = length(thing.box, front.axis) - depth
    over = _over(thing, shut, front, end)
    thick, within = PANEL + over, PANEL
    if thing.objectType in OUTSIDE:
        thick, within = OUTSIDE[thing.objectType], 0.0
        if over > _ASIDE:
            thick = over
    along = end * (length(shut, front.across) - (2 * within - thick)) / 2
    size = [thick, shut.size[1], thick]
    size[2 * front.axis] = out
    center = world(shut, front, (depth + out) / 2, along)
    return Solid(center, (size[0], size[1], size[2]), shut.yaw)


def _slid(thing: ObjectState, front: Side) -> ObjectState:
    box = thing.box
    there = world(box, front, SLIDE * length(box, front.axis), 0.0)
    (x, y, z), (ax, ay, az) = thing.position, box.center
    shift = there[0] - ax, there[1] - ay, there[2] - az
    moved = x + shift[0], y + shift[1], z + shift[2]
    return replace(thing, isOpen=True, position=moved, box=box.moved(*shift))


def _grown(box: Box, front: Side, by: float) -> Box:
    size = list(box.size)
    size[2 * front.axis] += by
    return Box(world(box, front, by / 2, 0.0), (size[0], size[1], size[2]), box.yaw)
