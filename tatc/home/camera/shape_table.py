"""A table of how objects of each type are cut into the solids that a ray can hit.

Every type that is not simply its box has a `TypeShape`, which `shapes` applies.  The
surface offsets are for objects on which nothing rests; they come from recorded start
states (AI2-THOR 3.1.0, whose boxes of furniture include the air above them).
"""

from dataclasses import dataclass
from enum import Enum, auto

from tatc.home.type_facts import BACKREST_TYPES, BASIN_TYPES, HINGED_DOOR_TYPES


class OpenFaces(Enum):
    """The faces through which a ray enters a solid, to hit its far side from within."""

    NONE = auto()
    TOP = auto()
    ALL = auto()


class SolidShape(Enum):
    """The shape that fills the box of a solid."""

    BOX = 0
    CYLINDER = 1  # an upright cylinder
    ELLIPSOID = 2
    DISC = 3  # a cylinder along the box's shortest side


class ShapeTemplate(Enum):
    """How the solids are cut out of an object's box."""

    WHOLE = auto()  # the box itself
    UP_TO_RIM = auto()  # the box up to its rim, and lower than the basin in it
    UP_TO_SURFACE = auto()  # the box up to the surface
    BOARD = auto()  # a board under the surface
    TABLE_WITH_BASE = auto()  # a board, and below it a case that rays enter
    LAMP = auto()  # a shade on a pole on a foot
    PLANT = auto()  # leaves over a pot
    FAUCET = auto()  # a pipe, its handles and its spout
    TOILET = auto()  # a seat in front of a tank
    SEAT_WITH_BACK = auto()  # the box up to the surface, and above it a hollow back and arms


@dataclass(frozen=True, slots=True)
class TypeShape:
    """How objects of a type are cut into solids.

    Attributes:
        template: How the solids are cut out of the box.
        surface_offset: A guess of the height at which objects rest: metres above the
            box's bottom, or below its top if negative.
        open_faces: The faces that rays enter.
        open_faces_when_open: The same while the object is open; None for no difference.
        shape: What fills the box of each solid.
        width_share: The share of the box's width and depth that is kept.
        back_share: The share of the depth, from the object's back, that is solid.
        leg_thickness: The thickness of the four legs under a board, metres, 0 for none.

    """

    template: ShapeTemplate = ShapeTemplate.WHOLE
    surface_offset: float = 0.0
    open_faces: OpenFaces = OpenFaces.NONE
    open_faces_when_open: OpenFaces | None = None
    shape: SolidShape = SolidShape.BOX
    width_share: float = 1.0
    back_share: float = 0.0
    leg_thickness: float = 0.0


_PLAIN_BOX = TypeShape()
_CYLINDER = TypeShape(shape=SolidShape.CYLINDER)
_ELLIPSOID = TypeShape(shape=SolidShape.ELLIPSOID)
_DISC = TypeShape(shape=SolidShape.DISC)
_VESSEL = TypeShape(open_faces=OpenFaces.TOP, shape=SolidShape.CYLINDER)
_BASIN = TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=0.01)
_OPEN_TOP = TypeShape(open_faces=OpenFaces.TOP)
_DOORED_CASE = TypeShape(open_faces_when_open=OpenFaces.ALL)
_OPENS_AT_TOP = TypeShape(open_faces_when_open=OpenFaces.TOP)
_SEE_THROUGH = TypeShape(open_faces=OpenFaces.ALL)
_TABLE = TypeShape(ShapeTemplate.BOARD, surface_offset=-0.12, leg_thickness=0.05)
_TABLE_WITH_BASE = TypeShape(ShapeTemplate.TABLE_WITH_BASE, surface_offset=-0.12)
_LAMP = TypeShape(ShapeTemplate.LAMP, shape=SolidShape.CYLINDER)
_SEAT = TypeShape(ShapeTemplate.SEAT_WITH_BACK, surface_offset=-0.5)

TYPE_SHAPES: dict[str, TypeShape] = {
    "Floor": TypeShape(ShapeTemplate.BOARD),
    "CounterTop": TypeShape(ShapeTemplate.BOARD, surface_offset=-0.1),
    "Shelf": TypeShape(ShapeTemplate.BOARD, surface_offset=0.01),
    **dict.fromkeys(("DiningTable", "CoffeeTable"), _TABLE),
    **dict.fromkeys(
        ("Cart", "SideTable", "Desk", "Dresser", "TVStand", "ShelvingUnit"), _TABLE_WITH_BASE
    ),
    "Bed": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=-0.35),
    **dict.fromkeys(sorted(BACKREST_TYPES), _SEAT),
    "Chair": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=-0.5, back_share=0.09),
    "Stool": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=-0.18),
    "Ottoman": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=-0.11),
    "Toilet": TypeShape(ShapeTemplate.TOILET, surface_offset=-0.2),
    "StoveBurner": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=0.02),
    "Plate": TypeShape(
        ShapeTemplate.UP_TO_SURFACE, surface_offset=0.018, shape=SolidShape.CYLINDER
    ),
    **dict.fromkeys(sorted(HINGED_DOOR_TYPES), _DOORED_CASE),
    **dict.fromkeys(("Drawer", "LaundryHamper"), _OPENS_AT_TOP),
    "Box": TypeShape(open_faces_when_open=OpenFaces.TOP, width_share=0.8),
    "Sink": TypeShape(ShapeTemplate.UP_TO_RIM, open_faces=OpenFaces.ALL),
    "Bathtub": TypeShape(ShapeTemplate.UP_TO_RIM, open_faces=OpenFaces.TOP),
    **dict.fromkeys(sorted(BASIN_TYPES), _BASIN),
    "Toaster": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=0.15),
    **dict.fromkeys(("GarbageCan", "DogBed"), _OPEN_TOP),
    "CoffeeMachine": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=0.05, back_share=0.55),
    "HousePlant": TypeShape(ShapeTemplate.PLANT, shape=SolidShape.CYLINDER, width_share=0.6),
    "Faucet": TypeShape(ShapeTemplate.FAUCET),
    **dict.fromkeys(
        ("Television", "Window", "Curtains", "Blinds", "Mirror", "Painting", "ToiletPaperHanger"),
        _SEE_THROUGH,
    ),
    "Pan": TypeShape(ShapeTemplate.UP_TO_SURFACE, surface_offset=0.02, shape=SolidShape.CYLINDER),
    **dict.fromkeys(("Pot", "Bowl", "Mug", "Cup"), _VESSEL),
    **dict.fromkeys(
        ("Apple", "Tomato", "Potato", "Egg", "Lettuce", "BasketBall", "Vase"), _ELLIPSOID
    ),
    # Recorded clicks pass the corners of their boxes.
    **dict.fromkeys(("Kettle", "Statue", "Watch"), _ELLIPSOID),
    **dict.fromkeys(("BreadSliced", "LettuceSliced", "PotatoSliced", "TomatoSliced"), _DISC),
    **dict.fromkeys(("DeskLamp", "FloorLamp"), _LAMP),
    **dict.fromkeys(("Bottle", "WineBottle", "SoapBottle"), _CYLINDER),
    **dict.fromkeys(("SaltShaker", "PepperShaker", "Candle", "PaperTowelRoll"), _CYLINDER),
}
"""The shapes of types that are not simply their box; every other type is its plain box."""


def shape_of_type(kind: str) -> TypeShape:
    """Return how objects of a type are cut; as a plain box if it is not in the table."""
    return TYPE_SHAPES.get(kind, _PLAIN_BOX)
