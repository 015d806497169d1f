"""What solid pieces an object's box stands for, by its type and its state.

An AI2-THOR box is often not the thing itself: it holds the empty space inside a pot,
the volume above a counter in which things are looked for, the air under a table.  A
recipe per type (`recipes`) says which pieces of the box a ray can hit, so that what
lies in a sink, on a shelf or in an open fridge can be seen and clicked.

Three ideas cover all types.  A **surface** is the height at which things rest on an
object; it is measured from what rests there at the start (`surfaces_of`) and guessed
from the type where nothing does.  An **opening** says through which faces of a piece a
ray goes in; it then ends at the far side from within, unless something stands in
between.  The **body** of a piece is its box, an upright cylinder or a ball.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.camera.boards import Rect, rect_of
from tatc.camera.recipes import Body, Form, Opening, Recipe, recipe_of
from tatc.state import Box, ObjectState, Vec3, turned


@dataclass(frozen=True, slots=True)
class Solid:
    """One piece: an upright box, or the cylinder or ball that fills that box.

    `size` is full, along the piece's own axes; a cylinder has equal width and depth.  A
    ball has no opening.
    """

    center: Vec3
    size: Vec3
    yaw: float = 0.0
    body: Body = Body.BOX
    opening: Opening = Opening.NONE


SLIVER = 0.045
"""What a gap leaves of a board counts from this width on, metres."""
THICKNESS = 0.04
"""How thick boards are: counters, table tops, shelves (metres)."""

LONGEST = 2.5
"""No portable thing is longer; AI2-THOR 3.1.0 gives some rolls boxes of 25 m."""
SMALL = 0.1
"""What those count as, metres each way."""
DEEPER = 0.1
"""How far a sink's piece reaches below its box, so that its basin is met first."""
SHADE, POLE, FOOT = 0.28, 0.04, 0.04
"""A lamp: how much of its height is shade; how thick its pole and its foot are."""
FLOOR = 0.01
"""How thick the floor of a hollow thing is (metres)."""


def surface_of(thing: ObjectState, measured: float | None = None) -> float:
    """Return the height at which things rest on or in an object, metres.

    `measured` is what `surfaces_of` found; without it the type decides.  A type with no
    surface of its own gives the top of its box.
    """
    if measured is not None:
        return measured
    if thing.objectType == "Floor":
        return 0.0
    recipe = recipe_of(thing.objectType)
    low, high = _low(thing.box), _high(thing.box)
    if recipe.form in (Form.WHOLE, Form.WELL):
        return high
    if recipe.surface < 0:
        return max(high + recipe.surface, low)
    return min(low + recipe.surface, high)


def surfaces_of(objects: Sequence[ObjectState]) -> tuple[float | None, ...]:
    """Return for each object the height at which things are seen to rest on it.

    That is the lowest underside, next to the median one, of the portable objects whose
    parent it is; None where there is none, or where the type has no surface
    (AI2-THOR's boxes of furniture reach 5 to 30 cm above the surface, differently in
    each asset).  The rim of a sink or tub is the highest of the basins in it.
    """
    found: dict[str, list[float]] = {}
    for thing in objects:
        if thing.affordances.pickupable and not thing.isPickedUp:
            under = thing.box.center[1] - thing.box.size[1] / 2
            for parent in thing.parentReceptacles or ():
                found.setdefault(parent, []).append(under)
    basins = [thing for thing in objects if thing.objectType.endswith("Basin")]
    return tuple(
        _rim(thing, basins)
        if recipe_of(thing.objectType).form is Form.WELL
        else _measured(thing, found.get(thing.objectId, []))
        for thing in objects
    )


def _rim(well: ObjectState, basins: Sequence[ObjectState]) -> float | None:
    whole = rect_of(well)
    rims = [_high(b.box) for b in basins if rect_of(b).meets(whole)]
    return min(max(rims), _high(well.box)) if rims else None


def _measured(thing: ObjectState, heights: Sequence[float]) -> float | None:
    movable = thing.affordances.pickupable or thing.objectType == "Floor"
    if movable or recipe_of(thing.objectType).form is Form.WHOLE:
        return None
    middle, half = thing.box.center[1], thing.box.size[1] / 2
    inside = sorted(h for h in heights if abs(h - middle) <= half + THICKNESS)
    if not inside:
        return None
    # Not the median itself: what lies a little lower would be under the board.
    median = inside[len(inside) // 2]
    return next(height for height in inside if height >= median - THICKNESS)


def solids_of(
    thing: ObjectState, surface: float | None = None, gaps: Sequence[Rect] = ()
) -> tuple[Solid, ...]:
    """Return the pieces of an object that a ray can hit, in world axes.

    `surface` is the measured height of its surface, where one is known; `gaps` are
    the holes of its board (`boards.gaps_of`).  An object that is held has no pieces:
    it moves with the camera, and where in the view it stands is nowhere recorded.
    """
    if thing.isPickedUp:
        return ()
    recipe = recipe_of(thing.objectType)
    opening = recipe.hollow
    if thing.isOpen and recipe.hollow_open is not None:
        opening = recipe.hollow_open
    box = _shrunk(thing, recipe)
    pieces = _cut(box, surface_of(thing, surface), recipe, opening)
    if recipe.core:
        pieces.append(_core(box, thing.rotation[1], recipe.core))
    if recipe.legs:
        pieces += _legs(box, pieces[0], recipe.legs)
    if not gaps or opening is not recipe.hollow:
        return tuple(pieces)
    least = SLIVER if recipe.form is Form.BOARD else 0.0
    return tuple(piece for whole in pieces for piece in _pierced(whole, gaps, least))


def _cut(box: Box, surface: float, recipe: Recipe, opening: Opening) -> list[Solid]:
    low, high = _low(box), _high(box)
    match recipe.form:
        case Form.WHOLE if opening is Opening.NONE:
            return [_piece(box, low, high, recipe)]
        case Form.WHOLE:
            # A floor of its own, or the board it stands on would be hit instead.
            floor = min(low + FLOOR, high)
            bottom = _piece(box, low, floor, recipe)
            return [bottom, _piece(box, floor, high, recipe, opening)]
        case Form.WELL:
            return [_piece(box, low - DEEPER, surface, recipe, opening)]
        case Form.LOW:
            return [_piece(box, low, surface, recipe, opening)]
        case Form.SEAT:
            seat = _piece(box, low, surface, recipe)
            return [seat, _piece(box, surface, high, recipe, Opening.ALL)]
        case Form.LAMP:
            return _lamp(box, recipe)
        case Form.BOARD:
            return [_piece(box, surface - THICKNESS, surface, recipe)]
        case Form.CASE:
            under = max(surface - THICKNESS, low)
            board = _piece(box, under, surface, recipe)
            return [board, _piece(box, low, under, recipe, Opening.ALL)]


def _lamp(box: Box, recipe: Recipe) -> list[Solid]:
    low, high = _low(box), _high(box)
    (x, y, z), (width, height, depth) = box.center, box.size
    shade, foot = high - SHADE * height, low + FOOT
    pole = Box((x, y, z), (POLE, height, POLE), box.yaw)
    stand = Box((x, y, z), (width / 2, height, depth / 2), box.yaw)
    return [
        _piece(box, shade, high, recipe),
        _piece(pole, foot, shade, recipe),
        _piece(stand, low, foot, recipe),
    ]


def _legs(box: Box, board: Solid, thick: float) -> list[Solid]:
    """Return four legs between the foot of a box and the board in it."""
    low, high = _low(box), board.center[1] - board.size[1] / 2
    if high - low < thick:
        return []
    (x, _, z), (width, _, depth) = box.center, box.size
    sine, cosine = turned(box.yaw)
    u, w = (max(side - thick, 0.0) / 2 for side in (width, depth))
    size = (thick, high - low, thick)
    return [
        Solid(
            (
                x + a * u * cosine + b * w * sine,
                (low + high) / 2,
                z + b * w * cosine - a * u * sine,
            ),
            size,
            box.yaw,
        )
        for a in (-1, 1)
        for b in (-1, 1)
    ]


def _core(box: Box, turn: float, share: float) -> Solid:
    """Return the solid back of a box whose object looks along a yaw."""
    (x, y, z), (width, height, depth) = box.center, box.size
    quarter = round((turn - box.yaw) / 90.0) % 4
    deep = width if quarter % 2 else depth
    sine, cosine = turned((box.yaw + 90.0 * quarter) % 360.0)
    back = (1.0 - share) * deep / 2
    size = (width, height, share * depth)
    if quarter % 2:
        size = (share * width, height, depth)
    return Solid((x - back * sine, y, z - back * cosine), size, box.yaw)


def _pierced(solid: Solid, gaps: Sequence[Rect], least: float) -> list[Solid]:
    """Return what is left of a piece along the world's axes around gaps.

    What is no wider than `least` metres is dropped.
    """
    (x, y, z), (width, height, depth) = solid.center, solid.size
    pieces = [Rect(x - width / 2, z - depth / 2, x + width / 2, z + depth / 2)]
    for gap in gaps:
        pieces = [rest for piece in pieces for rest in piece.without(gap)]
    whole = [p for p in pieces if min(p.x1 - p.x0, p.z1 - p.z0) > least]
    return [
        Solid(
            ((piece.x0 + piece.x1) / 2, y, (piece.z0 + piece.z1) / 2),
            (piece.x1 - piece.x0, height, piece.z1 - piece.z0),
            opening=solid.opening,
        )
        for piece in whole
    ]


def _low(box: Box) -> float:
    return box.center[1] - box.size[1] / 2


def _high(box: Box) -> float:
    return box.center[1] + box.size[1] / 2


def _shrunk(thing: ObjectState, recipe: Recipe) -> Box:
    """Return the part of an object's box that its pieces are cut from."""
    (x, y, z), (width, height, depth) = thing.box.center, thing.box.size
    if thing.affordances.pickupable and max(width, height, depth) > LONGEST:
        return Box(thing.position, (SMALL, SMALL, SMALL))
    if recipe.body is Body.TUBE:
        # A pan's handle is in its box; its position is that of its bowl.
        side = min(width, depth)
        sine, cosine = turned(thing.box.yaw)
        dx, dz = thing.position[0] - x, thing.position[2] - z
        along = _clamped(dx * cosine - dz * sine, (width - side) / 2)
        across = _clamped(dx * sine + dz * cosine, (depth - side) / 2)
        x += along * cosine + across * sine
        z += across * cosine - along * sine
        width = depth = side
    size = (width * recipe.width, height, depth * recipe.width)
    return Box((x, y, z), size, thing.box.yaw)


def _clamped(value: float, most: float) -> float:
    return min(max(value, -most), most)


def _piece(
    box: Box,
    low: float,
    high: float,
    recipe: Recipe,
    opening: Opening = Opening.NONE,
) -> Solid:
    x, _, z = box.center
    width, _, depth = box.size
    center = (x, (low + high) / 2, z)
    size = (width, max(high - low, 0.0), depth)
    return Solid(center, size, box.yaw, recipe.body, opening)
