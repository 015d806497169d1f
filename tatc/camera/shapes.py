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

from tatc.camera.parts import core, faucet, lamp, legs, plant, toilet
from tatc.camera.recipes import Body, Form, Opening, Recipe, recipe_of
from tatc.camera.rects import Rect, rect_of
from tatc.camera.solid import Solid, high_of, layer, low_of
from tatc.state import Box, ObjectState, turned

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
REST = 0.3
"""How far backs and arms reach above a seat, metres; boxes reach higher."""
FLOOR = 0.01
"""How thick the floor of a hollow thing is (metres)."""
_TOPPED = frozenset({Form.WHOLE, Form.WELL, Form.PLANT, Form.FAUCET})
_PARTS = frozenset({Form.LAMP, Form.PLANT, Form.FAUCET, Form.TOILET})


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
    low, high = low_of(thing.box), high_of(thing.box)
    if recipe.form in _TOPPED:
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
    rims = [high_of(b.box) for b in basins if rect_of(b).meets(whole)]
    return min(max(rims), high_of(well.box)) if rims else None


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
    top = surface_of(thing, surface)
    if recipe.form in _PARTS:
        pieces = _parts(thing, box, recipe.form, top)
    else:
        pieces = _cut(box, top, recipe, opening)
    if recipe.core:
        pieces.append(core(box, thing.rotation[1], recipe.core))
    if recipe.legs:
        pieces += legs(box, pieces[0], recipe.legs)
    if not gaps or opening is not recipe.hollow:
        return tuple(pieces)
    least = SLIVER if recipe.form is Form.BOARD else 0.0
    return tuple(piece for whole in pieces for piece in _pierced(whole, gaps, least))


def _cut(box: Box, surface: float, recipe: Recipe, opening: Opening) -> list[Solid]:
    low, high = low_of(box), high_of(box)
    match recipe.form:
        case Form.WHOLE if opening is Opening.NONE:
            return [layer(box, low, high, recipe.body)]
        case Form.WHOLE:
            # A floor of its own, or the board it stands on would be hit instead.
            floor = min(low + FLOOR, high)
            bottom = layer(box, low, floor, recipe.body)
            return [bottom, layer(box, floor, high, recipe.body, opening)]
        case Form.WELL:
            return [layer(box, low - DEEPER, surface, recipe.body, opening)]
        case Form.LOW:
            return [layer(box, low, surface, recipe.body, opening)]
        case Form.SEAT:
            seat = layer(box, low, surface, recipe.body)
            back = min(high, surface + REST)
            return [seat, layer(box, surface, back, recipe.body, Opening.ALL)]
        case Form.BOARD:
            return [layer(box, surface - THICKNESS, surface, recipe.body)]
        case Form.CASE:
            under = max(surface - THICKNESS, low)
            board = layer(box, under, surface, recipe.body)
            return [board, layer(box, low, under, recipe.body, Opening.ALL)]
        case _:
            return []


def _parts(thing: ObjectState, box: Box, form: Form, top: float) -> list[Solid]:
    match form:
        case Form.LAMP:
            return lamp(box)
        case Form.PLANT:
            return plant(thing.box, box, thing.position)
        case Form.TOILET:
            return toilet(box, thing.position, thing.rotation[1], top)
        case _:
            return faucet(box, thing.position)


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
