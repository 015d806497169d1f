"""Where things can stand: the support surfaces of a receptacle, from its type and box.

A surface is a level rectangle with room above it. What lies open, such as a table or a
seat, has its surface where `tatc.camera.shapes` has it, so that what is put down stands
where the camera sees a board; heights in closed things and vessels are facts of
AI2-THOR, measured as the heights of resting objects' lower sides in the boxes of their
receptacles, over AI2-THOR 5.0.0 scene dumps and recorded TEACh start states. The height
of what already rests there is better than any rule: give it as `resting`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from tatc.camera.boards import STRAIGHT
from tatc.camera.cases import SHELVES, shelves_at
from tatc.camera.rects import Rect
from tatc.camera.shapes import surface_of
from tatc.sim.rigid import rotated
from tatc.state import Box, ObjectState, Vec3, turned

THIN = 0.05
"""The box of a counter thinner than this is its board alone, metres."""
NEAR = 0.35
"""A thing rests on a level this near to it, metres."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A level rectangle: `y` is its height, `x` and `z` its middle, in metres.

    `size` runs along its own axes (turned by `yaw` degrees), `headroom` is the free
    height above it, `inside` says that walls stand around it, `lattice` that it is one
    of AI2-THOR's areas, on which things stand at the points of a lattice.  What stands
    on it reaches no farther than `radius` from its middle, and stays off walls that
    stand `wall` metres within it.
    """

    y: float
    x: float
    z: float
    size: tuple[float, float]
    yaw: float
    headroom: float
    inside: bool
    lattice: bool = False
    radius: float = inf
    wall: float = 0.0


def cut_to(
    level: Surface, area: Rect, middle: tuple[float, float] = (0.0, 0.0), yaw: float = 0
) -> Surface:
    """Return a level cut down to an area along axes turned by yaw around a middle."""
    offset = ((area.x0 + area.x1) / 2, 0.0, (area.z0 + area.z1) / 2)
    x, _, z = rotated(offset, yaw)
    return replace(
        level,
        x=middle[0] + x,
        z=middle[1] + z,
        size=(area.x1 - area.x0, area.z1 - area.z0),
        yaw=yaw,
        lattice=True,
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    """Heights of a type's levels: a share of the box's height plus metres.

    No levels: it has the one that `tatc.camera.shapes` gives it.
    """

    levels: tuple[tuple[float, float], ...] = ()
    inside: bool = False
    roofed: bool = False
    margin: float = 0.0  # metres kept from each side of the box
    ends: float | None = None  # metres kept from the ends of its width, if other
    wall: float = 0.0  # metres of the area that its walls take


@dataclass(frozen=True, slots=True)
class _Dish:
    """A round vessel: its areas lie around the middle of its disc.

    `areas` are their sides and `rim` is the width between the walls, as shares of the
    disc's width; `floor` is the height of things in it over the box's lower side,
    metres.  All are fitted on where things lay in dishes at the end of sessions.
    """

    areas: tuple[tuple[float, float], ...]
    rim: float
    floor: float = 0.014


_BOARD = _Rule()
_OPEN = _Rule(((0.0, 0.01),), inside=True, margin=0.01)
_SHUT = _Rule(((0.0, 0.01),), inside=True, roofed=True, margin=0.02)

_DISHES = {
    "Bowl": _Dish(((0.58, 0.58),), rim=0.7),
    "Pan": _Dish(((0.75, 0.75),), rim=0.9),
    "Plate": _Dish(((0.96, 0.96),), rim=1.1),
    "Pot": _Dish(((0.57, 0.57),), rim=0.7),
}
_LOW_PLATE = _Dish(((0.94, 0.67), (0.67, 0.94)), rim=0.9)
"""A plate whose box is low: two strips across each other."""
LOW = 0.8
"""A plate's box is low where its height is less than this share of its width: of the
plates in recorded games that are lower most have strips, of higher ones most have not.
"""

_RULES: dict[str, _Rule] = {
    "ArmChair": _Rule(margin=0.17),
    "Bathtub": _BOARD,
    "BathtubBasin": _OPEN,
    "Bed": _Rule(margin=0.07),
    "Box": _Rule(((0.0, 0.02),), inside=True, margin=0.02),
    "Cabinet": _SHUT,
    "Chair": _Rule(margin=0.035),
    "CoffeeMachine": _Rule(((0.0, 0.06),), inside=True, roofed=True, margin=0.06),
    "CoffeeTable": _BOARD,
    "CounterTop": _BOARD,
    "Cup": _OPEN,
    "Desk": _BOARD,
    "DiningTable": _Rule(margin=0.01),
    "DogBed": _Rule(((0.35, 0.0),), margin=0.08),
    "Drawer": _Rule(((0.0, 0.02),), inside=True, roofed=True, margin=0.02),
    "Dresser": _BOARD,
    "Floor": _Rule(((1.0, 0.0),)),
    "Footstool": _Rule(((1.0, 0.0),)),
    "Fridge": _Rule(
        ((0.2, 0.0), (0.42, 0.0), (0.6, 0.0), (0.77, 0.0)),
        inside=True,
        roofed=True,
        margin=0.06,
    ),
    "GarbageCan": _Rule(((0.0, 0.05),), inside=True, margin=0.04),
    "LaundryHamper": _Rule(((0.0, 0.03),), inside=True, roofed=True, margin=0.04),
    "Microwave": _Rule(((0.0, 0.1),), inside=True, roofed=True, margin=0.05),
    "Mug": _OPEN,
    "Ottoman": _Rule(margin=0.025),
    "Safe": _Rule(((0.0, 0.04),), inside=True, roofed=True, margin=0.04),
    "Shelf": _Rule(roofed=True),
    "SideTable": _BOARD,
    "Sink": _Rule(((1.0, -0.12),), inside=True, margin=0.06, wall=0.02),
    "SinkBasin": replace(_OPEN, wall=0.02),
    "Sofa": _Rule(margin=0.165, ends=0.25),
    "Stool": _Rule(margin=0.035),
    "StoveBurner": _BOARD,
    "TVStand": _BOARD,
    "Toaster": _Rule(((0.45, 0.0),), inside=True, margin=0.03),
    "Toilet": _BOARD,
    # What hangs is measured from the holder's upper edge to the thing's lower one.
    "HandTowelHolder": _Rule(((1.0, -0.54),)),
    "ToiletPaperHanger": _Rule(((1.0, -0.19),)),
    "TowelHolder": _Rule(((1.0, -0.6),)),
}


def surfaces_of(
    thing: ObjectState, resting: Sequence[float] = ()
) -> tuple[Surface, ...]:
    """Return where things can stand on or in a receptacle, lowest surface first.

    `resting` are the heights (metres, world) of the lower sides of things known to
    rest on it when the scene began: a level takes the nearest of them within 0.35 m.
    Empty for a thing on which nothing can stand.
    """
    if thing.objectType in _DISHES:
        return _in_dish(thing)
    rule = _RULES.get(thing.objectType)
    if rule is None:
        return ()
    box = thing.box
    low = box.center[1] - box.size[1] / 2
    levels = [low + share * box.size[1] + plus for share, plus in rule.levels]
    if thing.objectType in SHELVES:
        levels = list(shelves_at(resting)) or levels
    levels = levels or [_board(thing)]
    ends = rule.margin if rule.ends is None else rule.ends
    inner = (
        max(box.size[0] - 2 * ends, 0.02),
        max(box.size[2] - 2 * rule.margin, 0.02),
    )
    roofs = [*levels[1:], low + box.size[1]]
    return tuple(
        Surface(
            y=(height := _known(level, resting)),
            x=box.center[0],
            z=box.center[2],
            size=inner,
            yaw=box.yaw,
            headroom=roof - height if rule.roofed else inf,
            inside=rule.inside,
            lattice=_is_area(thing),
            wall=rule.wall,
        )
        for level, roof in zip(levels, roofs, strict=True)
    )


def _in_dish(thing: ObjectState) -> tuple[Surface, ...]:
    """Return a dish's areas: around its position, which is the middle of its disc."""
    box, dish = thing.box, _DISHES[thing.objectType]
    disc = min(box.size[0], box.size[2])
    if thing.objectType == "Plate" and box.size[1] < LOW * disc:
        dish = _LOW_PLATE
    x, z = _kept_in(box, thing.position, disc)
    return tuple(
        Surface(
            y=box.center[1] - box.size[1] / 2 + dish.floor,
            x=x,
            z=z,
            size=(wide * disc, deep * disc),
            yaw=thing.rotation[1],
            headroom=inf,
            inside=True,
            lattice=True,
            radius=dish.rim * disc / 2,
        )
        for wide, deep in dish.areas
    )


def _kept_in(box: Box, point: Vec3, disc: float) -> tuple[float, float]:
    """Return the x, z nearest to a point where a disc stays within a box."""
    sine, cosine = turned(box.yaw)
    dx, dz = point[0] - box.center[0], point[2] - box.center[2]
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    wide, deep = (box.size[0] - disc) / 2, (box.size[2] - disc) / 2
    along = min(max(along, -wide), wide)
    across = min(max(across, -deep), deep)
    return (
        box.center[0] + along * cosine + across * sine,
        box.center[2] + across * cosine - along * sine,
    )


def _is_area(thing: ObjectState) -> bool:
    """Whether a receptacle has one area; the floor and bent counters have several."""
    if thing.objectType == "CounterTop":
        return min(thing.box.size[0], thing.box.size[2]) <= STRAIGHT
    return thing.objectType != "Floor"


def _board(thing: ObjectState) -> float:
    box = thing.box
    if thing.objectType == "CounterTop":
        high = box.center[1] + box.size[1] / 2
        return high if box.size[1] < THIN else high - min(box.size[1] - 0.01, 0.1)
    return surface_of(thing)


def _known(level: float, resting: Sequence[float]) -> float:
    """Return the height that resting things show near a level, else the level."""
    near = [height for height in resting if abs(height - level) < NEAR]
    return min(near, key=lambda height: (abs(height - level), height), default=level)
