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

from tatc.camera.box_cutouts import MAX_STRAIGHT_COUNTER_METRES
from tatc.camera.open_containers import group_shelf_heights
from tatc.camera.rects import Rect
from tatc.camera.shapes import surface_height
from tatc.sim.transforms import rotate_yaw
from tatc.state import Box, ObjectState, Vec3, yaw_sin_cos
from tatc.thor_types.facts import COUNTER_TYPE, FLOOR_TYPE, INNER_FLOOR_METRES, SHELF_HEIGHT_SHARES

THIN_COUNTER_METRES = 0.05
"""The box of a counter thinner than this is its board alone, metres."""
RESTING_LEVEL_TOLERANCE_METRES = 0.35
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


def crop_surface(
    surface: Surface, area: Rect, middle: tuple[float, float] = (0.0, 0.0), yaw: float = 0
) -> Surface:
    """Return a level cut down to an area along axes turned by yaw around a middle."""
    offset = ((area.x0 + area.x1) / 2, 0.0, (area.z0 + area.z1) / 2)
    x, _, z = rotate_yaw(offset, yaw)
    return replace(
        surface,
        x=middle[0] + x,
        z=middle[1] + z,
        size=(area.x1 - area.x0, area.z1 - area.z0),
        yaw=yaw,
        lattice=True,
    )


@dataclass(frozen=True, slots=True)
class _SurfaceRule:
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
class _DishRule:
    """A round vessel: its areas lie around the middle of its disc.

    `areas` are their sides and `rim` is the width between the walls, as shares of the
    disc's width; `floor` is the height of things in it over the box's lower side,
    metres.  All are fitted on where things lay in dishes at the end of sessions.
    """

    areas: tuple[tuple[float, float], ...]
    rim: float
    floor: float = 0.014


_FLAT_TOP = _SurfaceRule()
_OPEN_CONTAINER = _SurfaceRule(((0.0, 0.01),), inside=True, margin=0.01)
_CLOSED_CONTAINER = _SurfaceRule(((0.0, 0.01),), inside=True, roofed=True, margin=0.02)

_DISH_RULES = {
    "Bowl": _DishRule(((0.58, 0.58),), rim=0.7),
    "Pan": _DishRule(((0.75, 0.75),), rim=0.9),
    "Plate": _DishRule(((0.96, 0.96),), rim=1.1),
    "Pot": _DishRule(((0.57, 0.57),), rim=0.7),
}
_LOW_PLATE_RULE = _DishRule(((0.94, 0.67), (0.67, 0.94)), rim=0.9)
"""A plate whose box is low: two strips across each other."""
LOW_PLATE_RATIO = 0.8
"""A plate's box is low where its height is less than this share of its width: of the
plates in recorded games that are lower most have strips, of higher ones most have not.
"""

_SURFACE_RULES: dict[str, _SurfaceRule] = {
    "ArmChair": _SurfaceRule(margin=0.17),
    "Bathtub": _FLAT_TOP,
    "BathtubBasin": _OPEN_CONTAINER,
    "Bed": _SurfaceRule(margin=0.07),
    "Box": _SurfaceRule(((0.0, 0.02),), inside=True, margin=0.02),
    "Cabinet": _CLOSED_CONTAINER,
    "Chair": _SurfaceRule(margin=0.035),
    "CoffeeMachine": _SurfaceRule(((0.0, 0.06),), inside=True, roofed=True, margin=0.06),
    "CoffeeTable": _FLAT_TOP,
    "CounterTop": _FLAT_TOP,
    "Cup": _OPEN_CONTAINER,
    "Desk": _FLAT_TOP,
    "DiningTable": _SurfaceRule(margin=0.01),
    "DogBed": _SurfaceRule(((0.35, 0.0),), margin=0.08),
    "Drawer": _SurfaceRule(((0.0, 0.02),), inside=True, roofed=True, margin=0.02),
    "Dresser": _FLAT_TOP,
    "Floor": _SurfaceRule(((1.0, 0.0),)),
    "Footstool": _SurfaceRule(((1.0, 0.0),)),
    "Fridge": _SurfaceRule(
        tuple((share, 0.0) for share in (0.2, *SHELF_HEIGHT_SHARES["Fridge"])),
        inside=True,
        roofed=True,
        margin=0.06,
    ),
    "GarbageCan": _SurfaceRule(((0.0, 0.05),), inside=True, margin=0.04),
    "LaundryHamper": _SurfaceRule(((0.0, 0.03),), inside=True, roofed=True, margin=0.04),
    "Microwave": _SurfaceRule(
        ((0.0, INNER_FLOOR_METRES["Microwave"]),), inside=True, roofed=True, margin=0.05
    ),
    "Mug": _OPEN_CONTAINER,
    "Ottoman": _SurfaceRule(margin=0.025),
    "Safe": _SurfaceRule(((0.0, 0.04),), inside=True, roofed=True, margin=0.04),
    "Shelf": _SurfaceRule(roofed=True),
    "SideTable": _FLAT_TOP,
    "Sink": _SurfaceRule(((1.0, -0.12),), inside=True, margin=0.06, wall=0.02),
    "SinkBasin": replace(_OPEN_CONTAINER, wall=0.02),
    "Sofa": _SurfaceRule(margin=0.165, ends=0.25),
    "Stool": _SurfaceRule(margin=0.035),
    "StoveBurner": _FLAT_TOP,
    "TVStand": _FLAT_TOP,
    "Toaster": _SurfaceRule(((0.45, 0.0),), inside=True, margin=0.03),
    "Toilet": _FLAT_TOP,
    # What hangs is measured from the holder's upper edge to the thing's lower one.
    "HandTowelHolder": _SurfaceRule(((1.0, -0.54),)),
    "ToiletPaperHanger": _SurfaceRule(((1.0, -0.19),)),
    "TowelHolder": _SurfaceRule(((1.0, -0.6),)),
}


def surfaces_of(obj: ObjectState, resting_heights: Sequence[float] = ()) -> tuple[Surface, ...]:
    """Return where things can stand on or in a receptacle, lowest surface first.

    `resting_heights` are the heights (metres, world) of the lower sides of things known to
    rest on it when the scene began: a level takes the nearest of them within 0.35 m.
    Empty for a thing on which nothing can stand.
    """
    if obj.objectType in _DISH_RULES:
        return _dish_surfaces(obj)
    rule = _SURFACE_RULES.get(obj.objectType)
    if rule is None:
        return ()
    box = obj.box
    low = box.center[1] - box.size[1] / 2
    levels = [low + share * box.size[1] + offset for share, offset in rule.levels]
    if obj.objectType in SHELF_HEIGHT_SHARES:
        levels = list(group_shelf_heights(resting_heights)) or levels
    levels = levels or [_board_height(obj)]
    ends = rule.margin if rule.ends is None else rule.ends
    inner = (max(box.size[0] - 2 * ends, 0.02), max(box.size[2] - 2 * rule.margin, 0.02))
    roofs = [*levels[1:], low + box.size[1]]
    return tuple(
        Surface(
            y=(height := _observed_height(level, resting_heights)),
            x=box.center[0],
            z=box.center[2],
            size=inner,
            yaw=box.yaw,
            headroom=roof - height if rule.roofed else inf,
            inside=rule.inside,
            lattice=_is_single_area(obj),
            wall=rule.wall,
        )
        for level, roof in zip(levels, roofs, strict=True)
    )


def _dish_surfaces(obj: ObjectState) -> tuple[Surface, ...]:
    """Return a dish's areas: around its position, which is the middle of its disc."""
    box, dish = obj.box, _DISH_RULES[obj.objectType]
    disc = min(box.size[0], box.size[2])
    if obj.objectType == "Plate" and box.size[1] < LOW_PLATE_RATIO * disc:
        dish = _LOW_PLATE_RULE
    x, z = _clamp_disc_to_box(box, obj.position, disc)
    return tuple(
        Surface(
            y=box.center[1] - box.size[1] / 2 + dish.floor,
            x=x,
            z=z,
            size=(wide * disc, deep * disc),
            yaw=obj.rotation[1],
            headroom=inf,
            inside=True,
            lattice=True,
            radius=dish.rim * disc / 2,
        )
        for wide, deep in dish.areas
    )


def _clamp_disc_to_box(box: Box, point: Vec3, disc: float) -> tuple[float, float]:
    """Return the x, z nearest to a point where a disc stays within a box."""
    sine, cosine = yaw_sin_cos(box.yaw)
    dx, dz = point[0] - box.center[0], point[2] - box.center[2]
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    wide, deep = (box.size[0] - disc) / 2, (box.size[2] - disc) / 2
    along = min(max(along, -wide), wide)
    across = min(max(across, -deep), deep)
    return (
        box.center[0] + along * cosine + across * sine,
        box.center[2] + across * cosine - along * sine,
    )


def _is_single_area(obj: ObjectState) -> bool:
    """Whether a receptacle has one area; the floor and bent counters have several."""
    if obj.objectType == COUNTER_TYPE:
        return min(obj.box.size[0], obj.box.size[2]) <= MAX_STRAIGHT_COUNTER_METRES
    return obj.objectType != FLOOR_TYPE


def _board_height(obj: ObjectState) -> float:
    box = obj.box
    if obj.objectType == COUNTER_TYPE:
        high = box.center[1] + box.size[1] / 2
        return high if box.size[1] < THIN_COUNTER_METRES else high - min(box.size[1] - 0.01, 0.1)
    return surface_height(obj)


def _observed_height(level: float, resting_heights: Sequence[float]) -> float:
    """Return the height that resting things show near a level, else the level."""
    near = [
        height for height in resting_heights if abs(height - level) < RESTING_LEVEL_TOLERANCE_METRES
    ]
    return min(near, key=lambda height: (abs(height - level), height), default=level)
