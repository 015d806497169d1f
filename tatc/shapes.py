"""What solid pieces an object's box stands for, by its type and its state.

An AI2-THOR box is often not the thing itself: it holds the empty space inside a pot,
the volume above a counter in which things are looked for, the air under a table.  A
`Recipe` per type says which pieces of the box a ray can hit, so that what lies in a
sink, on a shelf or in an open fridge can be seen and clicked.

Three ideas cover all types.  A **surface** is the height at which things rest on an
object; it is measured from what rests there at the start (`surfaces_of`) and guessed
from the type where nothing does.  An **opening** says through which faces of a piece a
ray goes in; it then ends at the far side from within, unless something stands in
between.  A **round** piece is an upright cylinder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from tatc.state import Box, ObjectState, Vec3


class Opening(Enum):
    """Through which faces a ray enters a piece; it hits the far side from within."""

    NONE = auto()
    TOP = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Solid:
    """One piece: an upright box, or the upright cylinder that fills that box.

    `size` is full, along the piece's own axes; a round piece has equal width and depth.
    """

    center: Vec3
    size: Vec3
    yaw: float = 0.0
    round: bool = False
    opening: Opening = Opening.NONE


class Form(Enum):
    """How the pieces are cut out of an object's box."""

    WHOLE = auto()  # the box itself
    LOW = auto()  # the box up to the surface
    BOARD = auto()  # a board under the surface
    CASE = auto()  # a board, and below it a case that is open to rays
    SEAT = auto()  # the box up to the surface, and above it a shell: a back, arms


@dataclass(frozen=True, slots=True)
class Recipe:
    """How objects of a type are cut.

    `surface` guesses the height at which things rest: metres above the box's bottom, or
    below its top where negative.  `hollow` is the opening, `hollow_open` that of the
    object when it is open; `inset` takes metres off each side.
    """

    form: Form = Form.WHOLE
    surface: float = 0.0
    hollow: Opening = Opening.NONE
    hollow_open: Opening | None = None
    round: bool = False
    inset: float = 0.0


THICKNESS = 0.04
"""How thick boards are: counters, table tops, shelves (metres)."""

_PLAIN = Recipe()
_ROUND = Recipe(round=True)
_VESSEL = Recipe(hollow=Opening.TOP, round=True)
_BASIN = Recipe(hollow=Opening.TOP)
_CLOSET = Recipe(hollow_open=Opening.ALL)
_TRAY = Recipe(hollow_open=Opening.TOP)
_TABLE = Recipe(Form.BOARD, surface=-0.12)
_CASE = Recipe(Form.CASE, surface=-0.12)
_SEAT = Recipe(Form.SEAT, surface=-0.5)

RECIPES: dict[str, Recipe] = {
    "Floor": Recipe(Form.BOARD),
    "CounterTop": Recipe(Form.BOARD, surface=-0.1),
    "Shelf": Recipe(Form.BOARD, surface=0.01),
    "DiningTable": _TABLE,
    "CoffeeTable": _TABLE,
    "SideTable": _CASE,
    "Desk": _CASE,
    "Dresser": _CASE,
    "TVStand": _CASE,
    "ShelvingUnit": _CASE,
    "Bed": Recipe(Form.SEAT, surface=-0.35),
    "Sofa": _SEAT,
    "ArmChair": _SEAT,
    "Chair": _SEAT,
    "Stool": Recipe(Form.LOW, surface=-0.18),
    "Ottoman": Recipe(Form.LOW, surface=-0.11),
    "Toilet": Recipe(Form.SEAT, surface=-0.2),
    "StoveBurner": Recipe(Form.LOW, surface=0.02),
    "Plate": Recipe(Form.LOW, surface=0.03, round=True),
    "Cabinet": _CLOSET,
    "Fridge": _CLOSET,
    "Microwave": _CLOSET,
    "Safe": _CLOSET,
    "Drawer": _TRAY,
    "Box": _TRAY,
    "LaundryHamper": _TRAY,
    "Sink": _BASIN,
    "SinkBasin": _BASIN,
    "Bathtub": _BASIN,
    "BathtubBasin": _BASIN,
    "Toaster": _BASIN,
    "GarbageCan": _BASIN,
    "CoffeeMachine": Recipe(hollow=Opening.ALL),
    "ToiletPaperHanger": Recipe(hollow=Opening.ALL),
    "Pot": _VESSEL,
    "Pan": _VESSEL,
    "Bowl": _VESSEL,
    "Mug": _VESSEL,
    "Cup": _VESSEL,
    "Apple": _ROUND,
    "Tomato": _ROUND,
    "Potato": _ROUND,
    "Bottle": _ROUND,
    "WineBottle": _ROUND,
    "SoapBottle": _ROUND,
    "SaltShaker": _ROUND,
    "PepperShaker": _ROUND,
    "Vase": _ROUND,
    "Candle": _ROUND,
    "PaperTowelRoll": _ROUND,
    "BasketBall": _ROUND,
}
"""Types that are more than their box; every other type is its plain box."""


def recipe_of(thing: ObjectState) -> Recipe:
    """Return how an object of this type is cut."""
    return RECIPES.get(thing.objectType, _PLAIN)


def surface_of(thing: ObjectState, measured: float | None = None) -> float:
    """Return the height at which things rest on or in an object, metres.

    `measured` is what `surfaces_of` found; without it the type decides.  A type with no
    surface of its own gives the top of its box.
    """
    if measured is not None:
        return measured
    if thing.objectType == "Floor":
        return 0.0
    recipe = recipe_of(thing)
    middle, height = thing.box.center[1], thing.box.size[1]
    if recipe.form is Form.WHOLE:
        return middle + height / 2
    if recipe.surface < 0:
        return middle + max(height / 2 + recipe.surface, 0.0)
    return middle - height / 2 + min(recipe.surface, height)


def surfaces_of(objects: Sequence[ObjectState]) -> tuple[float | None, ...]:
    """Return for each object the height at which things are seen to rest on it.

    That is the median of the undersides of the portable objects whose parent it is;
    None where there is none, or where the type has no surface (AI2-THOR's boxes of
    furniture reach 5 to 30 cm above the surface, differently in each asset).
    """
    found: dict[str, list[float]] = {}
    for thing in objects:
        if thing.affordances.pickupable and not thing.isPickedUp:
            under = thing.box.center[1] - thing.box.size[1] / 2
            for parent in thing.parentReceptacles or ():
                found.setdefault(parent, []).append(under)
    return tuple(_measured(thing, found.get(thing.objectId)) for thing in objects)


def _measured(thing: ObjectState, heights: list[float] | None) -> float | None:
    measurable = recipe_of(thing).form not in (Form.WHOLE,)
    if not heights or not measurable or thing.affordances.pickupable:
        return None
    if thing.objectType == "Floor":
        return None
    middle, half = thing.box.center[1], thing.box.size[1] / 2
    inside = sorted(h for h in heights if abs(h - middle) <= half + THICKNESS)
    return inside[len(inside) // 2] if inside else None


def solids_of(thing: ObjectState, surface: float | None = None) -> tuple[Solid, ...]:
    """Return the pieces of an object that a ray can hit, in world axes.

    `surface` is the measured height of its surface, where one is known.  An object
    that is held has no pieces: it moves with the camera, and TEACh's own renderings
    are not at hand to say where in the view it stands.
    """
    if thing.isPickedUp:
        return ()
    recipe = recipe_of(thing)
    opening = recipe.hollow
    if thing.isOpen and recipe.hollow_open is not None:
        opening = recipe.hollow_open
    box = _shrunk(thing.box, recipe)
    if recipe.form is Form.WHOLE:
        return (_piece(box, _low(box), _high(box), recipe, opening),)
    return tuple(_cut(box, surface_of(thing, surface), recipe, opening))


def _cut(box: Box, surface: float, recipe: Recipe, opening: Opening) -> list[Solid]:
    low, high = _low(box), _high(box)
    if recipe.form is Form.LOW:
        return [_piece(box, low, surface, recipe, opening)]
    if recipe.form is Form.SEAT:
        seat = _piece(box, low, surface, recipe, opening)
        return [seat, _piece(box, surface, high, recipe, Opening.ALL)]
    board = _piece(box, surface - THICKNESS, surface, recipe, opening)
    if recipe.form is Form.CASE and surface - THICKNESS > low:
        case = _piece(box, low, surface - THICKNESS, recipe, Opening.ALL)
        return [board, case]
    return [board]


def _low(box: Box) -> float:
    return box.center[1] - box.size[1] / 2


def _high(box: Box) -> float:
    return box.center[1] + box.size[1] / 2


def _shrunk(box: Box, recipe: Recipe) -> Box:
    width, height, depth = box.size
    if recipe.round:
        width = depth = min(width, depth)
    width, depth = (max(s - 2 * recipe.inset, 0.01) for s in (width, depth))
    return Box(box.center, (width, height, depth), box.yaw)


def _piece(
    box: Box, low: float, high: float, recipe: Recipe, opening: Opening
) -> Solid:
    x, _, z = box.center
    width, _, depth = box.size
    center = (x, (low + high) / 2, z)
    size = (width, max(high - low, 0.0), depth)
    return Solid(center, size, box.yaw, recipe.round, opening)
