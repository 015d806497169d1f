"""How objects of each type are cut into the pieces that a ray can hit: a table.

Every type that is more than its box has a `Recipe`; `shapes` follows it.  Surfaces are
what recorded start states show where nothing rests on a thing (AI2-THOR 3.1.0, whose
boxes of furniture take in the air above them).
"""

from dataclasses import dataclass
from enum import Enum, auto


class Opening(Enum):
    """Through which faces a ray enters a piece; it hits the far side from within."""

    NONE = auto()
    TOP = auto()
    ALL = auto()


class Body(Enum):
    """What fills the box of a piece."""

    BOX = 0
    TUBE = 1  # an upright cylinder
    BALL = 2  # an ellipsoid
    DISC = 3  # a cylinder along the box's shortest side


class Form(Enum):
    """How the pieces are cut out of an object's box."""

    WHOLE = auto()  # the box itself
    WELL = auto()  # the box up to its rim, deeper than the basin in it
    LOW = auto()  # the box up to the surface
    BOARD = auto()  # a board under the surface
    CASE = auto()  # a board, and below it a case that is open to rays
    LAMP = auto()  # a shade on a pole on a foot
    PLANT = auto()  # leaves over a pot
    FAUCET = auto()  # a pipe, its handles and its spout
    TOILET = auto()  # a seat before a tank
    SEAT = auto()  # the box up to the surface, and above it a shell: a back, arms


@dataclass(frozen=True, slots=True)
class Recipe:
    """How objects of a type are cut.

    `surface` guesses the height at which things rest: metres above the box's bottom, or
    below its top where negative.  `hollow` is the opening, `hollow_open` that of the
    object when it is open; `width` is the share of the box's width and depth kept.
    `core` is the share of the depth, from the object's back, that is solid; `legs` is
    how thick the four legs under a board are, metres, 0 for none.
    """

    form: Form = Form.WHOLE
    surface: float = 0.0
    hollow: Opening = Opening.NONE
    hollow_open: Opening | None = None
    body: Body = Body.BOX
    width: float = 1.0
    core: float = 0.0
    legs: float = 0.0


_PLAIN = Recipe()
_ROUND = Recipe(body=Body.TUBE)
_BALL = Recipe(body=Body.BALL)
_DISC = Recipe(body=Body.DISC)
_VESSEL = Recipe(hollow=Opening.TOP, body=Body.TUBE)
_BASIN = Recipe(Form.LOW, surface=0.01)
_WELL = Recipe(Form.WELL, hollow=Opening.ALL)
_BIN = Recipe(hollow=Opening.TOP)
_CLOSET = Recipe(hollow_open=Opening.ALL)
_TRAY = Recipe(hollow_open=Opening.TOP)
_PANE = Recipe(hollow=Opening.ALL)
_TABLE = Recipe(Form.BOARD, surface=-0.12, legs=0.05)
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
    "Bed": Recipe(Form.LOW, surface=-0.35),
    "Sofa": _SEAT,
    "ArmChair": _SEAT,
    "Chair": Recipe(Form.LOW, surface=-0.5, core=0.09),
    "Stool": Recipe(Form.LOW, surface=-0.18),
    "Ottoman": Recipe(Form.LOW, surface=-0.11),
    "Toilet": Recipe(Form.TOILET, surface=-0.2),
    "StoveBurner": Recipe(Form.LOW, surface=0.02),
    "Plate": Recipe(Form.LOW, surface=0.018, body=Body.TUBE),
    "Cabinet": _CLOSET,
    "Fridge": _CLOSET,
    "Microwave": _CLOSET,
    "Safe": _CLOSET,
    "Drawer": _TRAY,
    "Box": Recipe(hollow_open=Opening.TOP, width=0.8),
    "LaundryHamper": _TRAY,
    "Sink": _WELL,
    "SinkBasin": _BASIN,
    "Bathtub": Recipe(Form.WELL, hollow=Opening.TOP),
    "BathtubBasin": _BASIN,
    "Toaster": Recipe(Form.LOW, surface=0.15),
    "GarbageCan": _BIN,
    "DogBed": _BIN,
    "CoffeeMachine": Recipe(Form.LOW, surface=0.05, core=0.55),
    "ToiletPaperHanger": Recipe(hollow=Opening.ALL),
    "HousePlant": Recipe(Form.PLANT, body=Body.TUBE, width=0.6),
    "Faucet": Recipe(Form.FAUCET),
    "Television": _PANE,
    "Window": _PANE,
    "Curtains": _PANE,
    "Blinds": _PANE,
    "Mirror": _PANE,
    "Painting": _PANE,
    "Pot": _VESSEL,
    "Pan": Recipe(Form.LOW, surface=0.02, body=Body.TUBE),
    "Bowl": _VESSEL,
    "Mug": _VESSEL,
    "Cup": _VESSEL,
    "Apple": _BALL,
    "Tomato": _BALL,
    "Potato": _BALL,
    "Egg": _BALL,
    "Lettuce": _BALL,
    "BreadSliced": _DISC,
    "LettuceSliced": _DISC,
    "PotatoSliced": _DISC,
    "TomatoSliced": _DISC,
    "FloorLamp": Recipe(Form.LAMP, body=Body.TUBE),
    "Bottle": _ROUND,
    "WineBottle": _ROUND,
    "SoapBottle": _ROUND,
    "SaltShaker": _ROUND,
    "PepperShaker": _ROUND,
    "Vase": _ROUND,
    "Candle": _ROUND,
    "PaperTowelRoll": _ROUND,
    "BasketBall": _BALL,
}
"""Types that are more than their box; every other type is its plain box."""


def recipe_of(kind: str) -> Recipe:
    """Return how objects of a type are cut; the plain box for one not in the table."""
    return RECIPES.get(kind, _PLAIN)
