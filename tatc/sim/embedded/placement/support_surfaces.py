"""Derive the support surfaces of a receptacle, on which objects stand, from type and box.

Open furniture has its surface where `tatc.home.camera.shapes` has it, so that objects stand where
the camera sees a board.  Heights in closed receptacles and vessels are those of the lower sides of
resting objects within their boxes, in AI2-THOR 5.0.0 scene dumps and recorded TEACh start states.
The heights of objects that already rest there are better than any rule (`resting_heights`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, inf

from tatc.home.assets import (
    DishArea,
    DishGeometry,
    dish_geometry,
    radius_of_round_dish,
    wall_in_square_dish,
)
from tatc.home.camera.box_cutouts import MAX_STRAIGHT_COUNTER_METRES
from tatc.home.camera.clicks import dish_floor_height
from tatc.home.camera.door_geometry import group_shelf_heights
from tatc.home.camera.shapes import surface_height
from tatc.home.camera.solids import Rect, to_box_axes
from tatc.home.state import Box, ObjectState, Vec3, yaw_sin_cos
from tatc.home.type_facts import COUNTER_TYPE, FLOOR_TYPE, INNER_FLOOR_METRES, SHELF_HEIGHT_SHARES
from tatc.sim.transforms import rotate_yaw


@dataclass(frozen=True, slots=True)
class Surface:
    """A horizontal rectangle: `y` is its height, `x` and `z` are its middle (world, metres).

    `size` is along its own axes, which have the yaw `yaw` (degrees).  `headroom` is the free
    height above it, metres.  `inside` says whether walls stand around it.  `lattice` says
    whether it is one of AI2-THOR's areas, on which objects stand at lattice points.

    An object on it reaches no farther than `radius` from its middle, and stays off walls
    that are `wall` metres thick, measured inwards from its edges.  Points of its lattice that
    are nearer to its middle than `hole` metres are none of it.

    `trigger_box` says that the rectangle is exactly that of a receptacle trigger box of
    AI2-THOR, with the yaw at which objects are tried first.
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
    hole: float = 0.0
    trigger_box: bool = False

    def to_axes(self, x: float, z: float) -> tuple[float, float]:
        """Return a point of the world along the surface's axes, from its middle, metres."""
        sine, cosine = yaw_sin_cos(self.yaw)
        dx, dz = x - self.x, z - self.z
        return dx * cosine - dz * sine, dx * sine + dz * cosine

    def to_world(self, along: float, across: float) -> tuple[float, float]:
        """Return the world's x and z of a point given along the surface's axes."""
        sine, cosine = yaw_sin_cos(self.yaw)
        return (self.x + along * cosine + across * sine, self.z - along * sine + across * cosine)

    def beyond_edges(self, point: Vec3) -> tuple[float, float]:
        """Return how far a point is beyond the edges along each axis, negative within, metres."""
        along, across = self.to_axes(point[0], point[2])
        return abs(along) - self.size[0] / 2, abs(across) - self.size[1] / 2

    def distance_to(self, point: Vec3) -> float:
        """Return the horizontal distance of a point from the surface, metres; 0 on it."""
        along, across = self.beyond_edges(point)
        return hypot(max(along, 0.0), max(across, 0.0))

    def crop(
        self, area: Rect, middle: tuple[float, float] = (0.0, 0.0), yaw: float = 0
    ) -> "Surface":
        """Return the surface reduced to one of its areas, with a lattice.

        `area` is along axes with the yaw `yaw` (degrees) and with their origin at `middle` (x
        and z, world, metres).
        """
        x, _, z = rotate_yaw(((area.x0 + area.x1) / 2, 0.0, (area.z0 + area.z1) / 2), yaw)
        size = area.x1 - area.x0, area.z1 - area.z0
        at = middle[0] + x, middle[1] + z
        return replace(self, x=at[0], z=at[1], size=size, yaw=yaw, lattice=True)


REST_ABOVE_FLOOR_METRES = 0.005
"""How far above a dish's floor AI2-THOR puts the lower side of an object (its own constant)."""


@dataclass(frozen=True, slots=True)
class _DishRule:
    """A round vessel, whose areas are centred on the middle of its disc.

    `areas` are the sizes of its areas and `rim` is the width between its walls, as shares of
    the disc's width.  `floor` is the height of objects in it above the box's lower side,
    metres.  All are fitted to where objects lay in dishes at the end of recorded sessions.
    """

    areas: tuple[tuple[float, float], ...]
    rim: float
    floor: float = 0.014


_DISH_RULES = {
    "Bowl": _DishRule(((0.58, 0.58),), rim=0.7),
    "Pan": _DishRule(((0.75, 0.75),), rim=0.9),
    "Plate": _DishRule(((0.96, 0.96),), rim=1.1),
    "Pot": _DishRule(((0.57, 0.57),), rim=0.7),
}
_LOW_PLATE_RULE = _DishRule(((0.94, 0.67), (0.67, 0.94)), rim=0.9)
"""A plate with a low box: two strips that cross each other."""
LOW_PLATE_RATIO = 0.8
"""A plate's box is low if its height is less than this share of its width.

In recorded games, most plates below this share have strips, and most above it do not."""
DISH_TYPES = frozenset(_DISH_RULES)


def dish_surfaces(obj: ObjectState) -> tuple[Surface, ...]:
    """Return a dish's areas: those of its asset if that is known, or shares of its width.

    The areas of an asset are the receptacle trigger boxes of its prefab: two that cross each other,
    mostly where it is round, or one.  All food in recorded dishes lies on these boxes' lattices.
    """
    known = known_dish(obj)
    return areas_by_shares(obj) if known is None else _trigger_boxes(obj, known)


def surfaces_on_rim(obj: ObjectState) -> tuple[Surface, ...]:
    """Return the areas of a dish whose asset is known, for food that leans on its rim.

    AI2-THOR also tries the points at which the rim carries food; they lie a few millimetres
    higher and nearer to the edge.  Empty if nothing is known of the rim but the type's share.
    """
    known = known_dish(obj)
    if known is None or known.rim is None:
        return ()
    return _trigger_boxes(obj, replace(known, rim=None))


def known_dish(obj: ObjectState) -> DishGeometry | None:
    """Return the geometry of a dish's asset; None if it is not known or no dish."""
    return dish_geometry(obj.objectType, obj.mass, obj.box.size)


def _trigger_boxes(obj: ObjectState, dish: DishGeometry) -> tuple[Surface, ...]:
    """Return the areas of a dish of a known asset."""
    x, _, z = obj.position
    y = dish_floor_height(obj, dish) + dish.rest + REST_ABOVE_FLOOR_METRES
    # Two areas that do not cross are one inside the other, in a dish whose corners are free.
    is_round = len({area.yaw for area in dish.areas}) > 1
    kind, width = obj.objectType, min(obj.box.size[0], obj.box.size[2])
    radius = inf  # how far from the middle of a round dish its rim is in the way
    if is_round and dish.rim is None:
        radius = radius_of_round_dish(kind, width, dish.areas)
    elif is_round and dish.rim is not None:
        radius = dish.rim * width / 2
    surfaces: list[Surface] = []
    for area in dish.areas:
        dx, _, dz = rotate_yaw((area.x, 0.0, area.z), obj.rotation[1])
        surface = Surface(
            y=y,
            x=x + dx,
            z=z + dz,
            size=area.size,
            yaw=(obj.rotation[1] + area.yaw) % 360.0,
            headroom=inf,
            inside=True,
            lattice=True,
            radius=radius,
            wall=0.0 if is_round else _rim_width(kind, width, dish, area),
            trigger_box=True,
        )
        surfaces.append(surface)
    if dish.raised is not None:
        surfaces += [_raised(each, dish.raised) for each in surfaces]
    return tuple(surfaces)


def _rim_width(object_type: str, width: float, dish: DishGeometry, area: DishArea) -> float:
    """Return how far within the edge of a dish's single area its rim is in the way, metres."""
    if dish.rim is None:
        return wall_in_square_dish(object_type, width, area)
    return (1.0 - dish.rim) * min(area.size) / 2


def _raised(surface: Surface, rim: tuple[float, float, float]) -> Surface:
    """Return the part of a dish's area whose points lie on its rim (`DishGeometry.raised`)."""
    start, rise, end = rim
    if surface.radius < inf:
        return replace(surface, y=surface.y + rise, hole=start, radius=end)
    wall = max(0.0, min(surface.size) / 2 - end)
    return replace(surface, y=surface.y + rise, hole=start, wall=wall)


def areas_by_shares(obj: ObjectState) -> tuple[Surface, ...]:
    """Return a dish's areas as shares of its width, whether or not its asset is known.

    They are centred on the dish's position, which is the middle of its disc.
    """
    box, dish = obj.box, _DISH_RULES[obj.objectType]
    disc = min(box.size[0], box.size[2])
    if obj.objectType == "Plate" and box.size[1] < LOW_PLATE_RATIO * disc:
        dish = _LOW_PLATE_RULE
    x, z = _clamp_disc_to_box(box, obj.position, disc)
    return tuple(
        Surface(
            y=box.bottom + dish.floor,
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
    """Return the centre (x, z) nearest to a point at which a disc is within a box."""
    sine, cosine = yaw_sin_cos(box.yaw)
    along, across = to_box_axes(box, point)
    wide, deep = (box.size[0] - disc) / 2, (box.size[2] - disc) / 2
    along = min(max(along, -wide), wide)
    across = min(max(across, -deep), deep)
    return (
        box.center[0] + along * cosine + across * sine,
        box.center[2] + across * cosine - along * sine,
    )


THIN_COUNTER_METRES = 0.05
"""A counter whose box is thinner than this consists of its board only, metres."""
RESTING_LEVEL_TOLERANCE_METRES = 0.35
"""An object rests on a surface whose height by rule is this near to its own, metres."""


@dataclass(frozen=True, slots=True)
class _SurfaceRule:
    """The surfaces of a type.

    Each of `levels` is a height above the lower side of the box: a share of the box's height
    plus metres.  A type without levels has the surface of `tatc.home.camera.shapes`.  `inside`
    says whether walls stand around the surfaces, `roofed` whether the next level or the top
    of the box limits the height above them.
    """

    levels: tuple[tuple[float, float], ...] = ()
    inside: bool = False
    roofed: bool = False
    margin: float = 0.0  # metres between the box and the surface, on each side
    ends: float | None = None  # the same at both ends of its width, if it differs
    wall: float = 0.0  # metres by which walls cover the edges of the area


_FLAT_TOP = _SurfaceRule()
_OPEN_CONTAINER = _SurfaceRule(((0.0, 0.01),), inside=True, margin=0.01)
_CLOSED_CONTAINER = _SurfaceRule(((0.0, 0.01),), inside=True, roofed=True, margin=0.02)

_SURFACE_RULES: dict[str, _SurfaceRule] = {
    "ArmChair": _SurfaceRule(margin=0.17),
    "Bathtub": _FLAT_TOP,
    "BathtubBasin": _OPEN_CONTAINER,
    "Bed": _SurfaceRule(margin=0.07),
    "Box": _SurfaceRule(((0.0, 0.02),), inside=True, margin=0.02),
    "Cabinet": _CLOSED_CONTAINER,
    "Cart": _FLAT_TOP,
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
    # The levels of hangers are the lower edges of what hangs there, below the holder's top.
    "HandTowelHolder": _SurfaceRule(((1.0, -0.54),)),
    "ToiletPaperHanger": _SurfaceRule(((1.0, -0.19),)),
    "TowelHolder": _SurfaceRule(((1.0, -0.6),)),
}


def surfaces_of(obj: ObjectState, resting_heights: Sequence[float] = ()) -> tuple[Surface, ...]:
    """Return the surfaces of a receptacle, lowest first; empty if nothing can stand on it.

    `resting_heights` are the heights of the lower sides of objects that rested on it when
    the scene began (world, metres).  Each surface takes the nearest of them that is within
    0.35 m of its height by rule.
    """
    if obj.objectType in DISH_TYPES:
        return dish_surfaces(obj)
    rule = _SURFACE_RULES.get(obj.objectType)
    if rule is None:
        return ()
    box = obj.box
    low = box.bottom
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


def _is_single_area(obj: ObjectState) -> bool:
    """Return whether a surface is one area: the floor and L-shaped counters have several."""
    if obj.objectType == COUNTER_TYPE:
        return min(obj.box.size[0], obj.box.size[2]) <= MAX_STRAIGHT_COUNTER_METRES
    return obj.objectType != FLOOR_TYPE


def _board_height(obj: ObjectState) -> float:
    box = obj.box
    if obj.objectType == COUNTER_TYPE:
        high = box.top
        return high if box.size[1] < THIN_COUNTER_METRES else high - min(box.size[1] - 0.01, 0.1)
    return surface_height(obj)


def _observed_height(level: float, resting_heights: Sequence[float]) -> float:
    """Return the resting height nearest to a level, or the level itself if none is near."""
    ranked = sorted((abs(height - level), height) for height in resting_heights)
    is_near = ranked and ranked[0][0] < RESTING_LEVEL_TOLERANCE_METRES
    return ranked[0][1] if is_near else level
