"""How opening changes a box: drawers slide out, and doors stick out from their case.

Here is also what rays hit of an open case: its hollow interior, its shelves and its doors.  The
facts come from recorded end states (AI2-THOR 3.1.0).  A drawer slides out by four
fifths of its depth.  The box of an object with a door grows by the door's width.

- A cabinet's position marks its hinge, a little behind its front.  A cabinet that is wide,
  or whose position is near the middle, has two doors, each half as wide.
- A fridge's one door hangs where its prefab has it, if its asset is known.  Of the others, a
  wide one whose position is in its middle has two doors, and any other has one door, which
  hangs at either side, but never where it would stand in the body of the agent who opens it.
  When open, a door lies beside the case.
- A microwave's door opens to the left of someone who stands in front of it.

A drawer carries what an agent put into it.  What lay in it when the session began stays
where it lay, in the open air behind the drawer.  In the recordings, all 13 objects in
drawers that were left open stayed, and all 5 that were put into one moved back with it.
"""

from collections.abc import Callable, Sequence

from tatc.home import assets, type_facts as facts
from tatc.home.camera import shapes, solids
from tatc.home.state import ABSENT, Box, ObjectState, Vec3, subtract, translate

DRAWER_SLIDE_SHARE = 0.8  # the share of its depth by which a drawer slides out
DOUBLE_DOOR_CABINET_METRES = 0.845  # a cabinet wider than this has two doors, metres
DOOR_THICKNESS_METRES = 0.03
"""The thickness of a door, metres; the door lies within the width of its case."""
DOUBLE_DOOR_FRIDGE_METRES, CENTRED_POSITION_METRES = 0.88, 0.016
"""A fridge at least this wide, with its position this near its middle, has two doors."""
DOOR_BODY_CLEARANCE_METRES = 0.22
"""No door opens within this distance of the middle of an agent's body, metres."""
SAME_SHELF_METRES = 0.05
"""Objects no farther apart in height than this rest on the same shelf, metres."""
SHELF_THICKNESS_METRES = 0.01
SHELF_SETBACK_SHARE = 0.3
"""How far behind the front shelves begin, as a share of the case's depth.  The door is
inside the case's box, and recorded clicks from above passed shelves nearer than this."""
FLOOR_SETBACK_METRES = 0.1
"""How far behind its front a case's floor begins, metres: what stands there shows from below."""
BACK_THICKNESS_METRES = 0.1
"""The thickness of a case's back, metres: clicks into the case end there."""
_OVERHANG_DIGITS = 4  # decimals to which an overhang is rounded
_MIN_OVERHANG_METRES = 0.05  # a box grows by more at the side of an open door
_HINGE_EDGE_SHARE = 0.6  # a hinge is farther from the middle, in half widths
# Two doors stick out by less than this share of the width, one door by more.
_MAX_DOUBLE_DOOR_SHARE = 0.7


def closed_box(obj: ObjectState) -> Box | None:
    """Return the box of a closed object that can be opened but not picked up, else None."""
    able = obj.affordances
    return obj.box if able.openable and not able.pickupable and not obj.isOpen else None


def open_object(obj: ObjectState, point: Vec3, body: Vec3 | None = None) -> ObjectState:
    """Return an object as opened by a click at `point`; no door ends up in the agent's `body`."""
    if obj.objectType == "Drawer":
        front = solids.nearest_side(obj.box, point)
        out = DRAWER_SLIDE_SHARE * solids.axis_length(obj.box, front.axis)
        there = solids.point_from_side(obj.box, front, out, 0.0)
        return translate(obj, subtract(there, obj.box.center)).with_values(isOpen=True)
    if obj.objectType not in facts.HINGED_DOOR_TYPES:
        return obj.with_values(isOpen=True)
    front = next(iter(sides_at_hinge(obj)), None) or solids.nearest_side(obj.box, point)
    width, box = solids.axis_length(obj.box, front.along_axis), obj.box
    hinges = _hinge_ends(obj, front, body)
    if (thick := facts.OUTER_DOOR_THICKNESSES_METRES.get(obj.objectType)) is not None:
        for end in hinges:
            box = _resize_box(box, solids.BoxSide(front.along_axis, end), 0.0, thick)
    swing = facts.DOUBLE_DOOR_SWING_SHARES if len(hinges) > 1 else facts.DOOR_SWING_SHARES
    box = _resize_box(box, front, 0.0, swing[obj.objectType] * width)
    return obj.with_values(isOpen=True, box=box)


def is_carried_by_drawer(obj: ObjectState, find: Callable[[str], ObjectState | None]) -> bool:
    """Whether an object in a drawer moves with the drawer: whether an agent put it there.

    In a portable receptacle, the receptacle decides; `find` returns the object with an id, or None.
    """
    parents = map(find, obj.parentReceptacles or ())
    dishes = [p for p in parents if p is not None and p.affordances.pickupable]
    if dishes:
        return any(is_carried_by_drawer(dish, find) for dish in dishes)
    return obj.simbotPickedUp is not ABSENT and bool(obj.simbotPickedUp)


def remove_from_drawer(obj: ObjectState, drawer: str) -> ObjectState:
    """Return an object that a drawer with an id leaves behind, without it as its parent."""
    within = sorted(set(obj.parentReceptacles or ()) - {drawer})
    return obj.with_values(parentReceptacles=tuple(within) or None)


def open_front(obj: ObjectState, case: Box) -> solids.BoxSide | None:
    """Return the side on which an open object's box outgrows `case`, its closed one, or None."""
    return solids.side_towards(case, obj.box.center, DOOR_THICKNESS_METRES)


def open_door_boxes(obj: ObjectState, case: Box, *, is_recorded: bool = False) -> tuple[Box, ...]:
    """Return the boxes of what sticks out of an open object: the drawer itself, or its doors.

    () if the door could be at either of two places, unless the open box `is_recorded`.
    """
    if obj.objectType == "Drawer":
        return (obj.box,)
    front = open_front(obj, case)
    if front is None:
        return ()
    is_double = _is_double_door(obj, case, front)
    is_known = is_recorded or is_double or obj.objectType not in facts.EITHER_HINGE_TYPES
    if not (is_known or _end_of_known_asset(obj, case, front)):
        return ()
    panels = door_panels(obj, case)
    if len(panels) > 1 and not is_double:
        return ()
    return tuple(Box(p.center, p.size, p.yaw) for p in panels)


def door_panels(obj: ObjectState, case: Box) -> tuple[solids.Solid, ...]:
    """Return the doors of an open object, none if its box has not grown.

    If a single door could be at either of two places, both are returned.
    """
    front = open_front(obj, case)
    if front is None:
        return ()
    return tuple(_panel_solid(obj, case, front, end) for end in _panel_ends(obj, case, front))


def sides_at_hinge(obj: ObjectState) -> tuple[solids.BoxSide, ...]:
    """Return the sides of a cabinet that may be its front, by its hinge, the likelier first.

    A cabinet's position marks a hinge, at the very edge of the front's width and a little
    behind the front.  Of two sides that it is near, the front is therefore the farther one.
    Empty if the position marks no hinge.
    """
    if obj.objectType != "Cabinet":
        return ()
    offsets = solids.to_box_axes(obj.box, obj.position)
    halves = [solids.axis_length(obj.box, axis) / 2 for axis in (0, 1)]
    near = [axis for axis in (0, 1) if abs(offsets[axis]) > _HINGE_EDGE_SHARE * halves[axis]]
    near.sort(key=lambda axis: abs(offsets[axis]) - halves[axis])
    return tuple(solids.BoxSide(axis, 1 if offsets[axis] > 0 else -1) for axis in near)


def _hinge_ends(obj: ObjectState, front: solids.BoxSide, body: Vec3 | None) -> tuple[int, ...]:
    """Return the ends (-1, 1) of its front where a closed object's doors hang, if known."""
    case = obj.box
    if obj.objectType == "Cabinet":
        broad = solids.axis_length(case, front.along_axis) > DOUBLE_DOOR_CABINET_METRES
        return (-1, 1) if broad else _ends_marked_by_position(obj, case, front)
    if obj.objectType != "Fridge":
        return ()
    if known := _end_of_known_asset(obj, case, front):
        return known
    off = solids.to_box_axes(case, obj.position)[front.axis]
    width = solids.axis_length(case, front.along_axis)
    if width >= DOUBLE_DOOR_FRIDGE_METRES and abs(off) < CENTRED_POSITION_METRES:
        return (-1, 1)
    out = facts.DOOR_SWING_SHARES["Fridge"] * width
    wide = obj.with_values(box=_resize_box(case, front, 0.0, out))
    doors = [_panel_solid(wide, case, front, end) for end in (-1, 1)]
    clear = [
        body is None
        or Box(door.center, door.size, door.yaw).horizontal_distance(body[0], body[2])
        >= DOOR_BODY_CLEARANCE_METRES
        for door in doors
    ]
    return () if clear[0] is clear[1] else ((-1,) if clear[0] else (1,))


def _panel_ends(obj: ObjectState, case: Box, front: solids.BoxSide) -> tuple[int, ...]:
    if obj.objectType == "Cabinet":
        two = _is_double_door(obj, case, front)
        return (-1, 1) if two else _ends_marked_by_position(obj, case, front)
    if obj.objectType == "Microwave":
        # To the left of someone who looks at the front.
        return (front.sign if front.axis == 1 else -front.sign,)
    grown = (end for end in (-1, 1) if _overhang(obj, case, front, end) > _MIN_OVERHANG_METRES)
    return _end_of_known_asset(obj, case, front) or tuple(grown) or (-1, 1)


def _end_of_known_asset(obj: ObjectState, case: Box, front: solids.BoxSide) -> tuple[int, ...]:
    hinge = assets.door_hinge(obj.objectType, obj.mass, case.size)
    if hinge is None:
        return ()
    right = front.sign if front.axis == 0 else -front.sign
    return (right,) if hinge == "right" else (-right,)


def _ends_marked_by_position(obj: ObjectState, case: Box, front: solids.BoxSide) -> tuple[int, ...]:
    """Return the end that a cabinet's position marks as its hinge, both if it marks none."""
    half = solids.axis_length(case, front.along_axis) / 2
    off = solids.to_box_axes(case, obj.position)[front.along_axis] / half
    if abs(off) <= _HINGE_EDGE_SHARE:
        return (-1, 1)
    return (1,) if off > 0 else (-1,)


def _overhang(obj: ObjectState, case: Box, front: solids.BoxSide, end: int) -> float:
    """Return how far a box reaches beyond its case at an end of its front, metres."""
    axis = front.along_axis
    grown = (solids.axis_length(obj.box, axis) - solids.axis_length(case, axis)) / 2
    off = solids.to_box_axes(case, obj.box.center)[axis]
    return max(round(grown + end * off, _OVERHANG_DIGITS), 0.0)


def _is_double_door(obj: ObjectState, case: Box, front: solids.BoxSide) -> bool:
    out = solids.axis_length(obj.box, front.axis) - solids.axis_length(case, front.axis)
    return out < _MAX_DOUBLE_DOOR_SHARE * solids.axis_length(case, front.along_axis)


def _panel_solid(obj: ObjectState, case: Box, front: solids.BoxSide, end: int) -> solids.Solid:
    depth = solids.axis_length(case, front.axis)
    out = solids.axis_length(obj.box, front.axis) - depth
    over = _overhang(obj, case, front, end)
    thick, within = DOOR_THICKNESS_METRES + over, DOOR_THICKNESS_METRES
    if obj.objectType in facts.OUTER_DOOR_THICKNESSES_METRES:
        thick, within = facts.OUTER_DOOR_THICKNESSES_METRES[obj.objectType], 0.0
        if over > _MIN_OVERHANG_METRES:
            thick = over
    along = end * (solids.axis_length(case, front.along_axis) - (2 * within - thick)) / 2
    size = solids.with_length((thick, case.size[1], thick), front.axis, out)
    center = solids.point_from_side(case, front, (depth + out) / 2, along)
    return solids.Solid(center, size, case.yaw)


def measure_shelf_heights(obj: ObjectState, inside: Sequence[Box]) -> tuple[float, ...]:
    """Return an object's shelf heights, metres: the undersides of what is portable in a case."""
    if obj.objectType not in facts.SHELF_HEIGHT_SHARES:
        return ()
    return tuple(solids.lowest_of_groups((box.bottom for box in inside), SAME_SHELF_METRES))


def content_boxes(objects: Sequence[ObjectState]) -> tuple[tuple[Box, ...], ...]:
    """Return for each object with doors the boxes of the portable objects in it, else none."""
    found: dict[str, list[Box]] = {}
    for obj in objects:
        if obj.affordances.pickupable and not obj.isPickedUp:
            for parent in obj.parentReceptacles or ():
                found.setdefault(parent, []).append(obj.box)
    return tuple(
        tuple(found.get(o.objectId, ())) if o.objectType in facts.HINGED_DOOR_TYPES else ()
        for o in objects
    )


def open_container_solids(
    obj: ObjectState, case: Box, shelves: Sequence[float] = (), inside: Sequence[Box] = ()
) -> tuple[solids.Solid, ...]:
    """Return the solids of an open object whose box is `case` when it is closed.

    `shelves` are the heights of its shelves, metres; if empty, its type's are used.
    `inside` are the boxes of objects that stand in front of its back.
    """
    if obj.objectType not in facts.HINGED_DOOR_TYPES:
        return shapes.solids_of(obj)
    front = open_front(obj, case)
    if front is None:
        return shapes.solids_of(obj.with_values(box=case))
    back = _back_thickness(obj, case, front, inside)
    hollow = _interior_solids(obj, case, front, back)
    return (*hollow, *_shelf_solids(obj, case, front, shelves), *door_panels(obj, case))


def _back_thickness(
    obj: ObjectState, case: Box, front: solids.BoxSide, inside: Sequence[Box]
) -> float:
    """Return the thickness of a case's back, which ends behind the objects in the case."""
    depth = solids.axis_length(case, front.axis)
    usual = facts.BACK_THICKNESSES_METRES.get(obj.objectType, BACK_THICKNESS_METRES)
    back = min(usual, max(depth - DOOR_THICKNESS_METRES, 0.0))
    for box in inside:
        low, high = box.bounds()
        for x in (low[0], high[0]):
            for z in (low[2], high[2]):
                ahead = solids.to_box_axes(case, (x, 0.0, z))[front.axis] * front.sign
                back = min(back, max(ahead + depth / 2, 0.0))
    return back


def _interior_solids(
    obj: ObjectState, case: Box, front: solids.BoxSide, back: float
) -> tuple[solids.Solid, ...]:
    depth = solids.axis_length(case, front.axis)
    floor, *walls = shapes.solids_of(obj.with_values(box=_resize_box(case, front, -back, 0.0)))
    behind = _resize_box(case, front, -back, -min(FLOOR_SETBACK_METRES, (depth - back) / 2))
    thick = facts.INNER_FLOOR_METRES.get(obj.objectType, floor.size[1])
    return (solids.box_layer(behind, case.bottom, case.bottom + thick), *walls)


def _shelf_solids(
    obj: ObjectState, case: Box, front: solids.BoxSide, shelves: Sequence[float]
) -> tuple[solids.Solid, ...]:
    shares = facts.SHELF_HEIGHT_SHARES.get(obj.objectType, ())
    heights = shelves or [case.bottom + share * case.size[1] for share in shares]
    setback = SHELF_SETBACK_SHARE * solids.axis_length(case, front.axis)
    inner = _resize_box(case, front, -BACK_THICKNESS_METRES, -setback)
    (x, _, z), (width, _, depth), thick = inner.center, inner.size, SHELF_THICKNESS_METRES
    size = width, thick, depth
    return tuple(solids.Solid((x, y - thick / 2, z), size, case.yaw) for y in heights)


def _resize_box(box: Box, front: solids.BoxSide, at_back: float, at_front: float) -> Box:
    """Return a box that reaches farther at its back and its front, by so many metres."""
    length = max(solids.axis_length(box, front.axis) + at_back + at_front, 0.0)
    middle = solids.point_from_side(box, front, (at_front - at_back) / 2, 0.0)
    return Box(middle, solids.with_length(box.size, front.axis, length), box.yaw)
