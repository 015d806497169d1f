"""Derive the support surfaces of a receptacle, on which objects stand, from type and box.

Open furniture has its surface where `tatc.home.camera.shapes` has it, so that objects stand where
the camera sees a board.  Heights in closed receptacles and vessels are those of the lower sides of
resting objects within their boxes, in AI2-THOR 5.0.0 scene dumps and recorded TEACh start states.
The heights of objects that already rest there are better than any rule (`resting_heights`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from tatc.home.camera.box_cutouts import MAX_STRAIGHT_COUNTER_METRES
from tatc.home.camera.door_geometry import group_shelf_heights
from tatc.home.camera.shapes import surface_height
from tatc.home.state import ObjectState
from tatc.home.type_facts import COUNTER_TYPE, FLOOR_TYPE, INNER_FLOOR_METRES, SHELF_HEIGHT_SHARES
from tatc.sim.embedded.placement.dish_surfaces import DISH_TYPES, dish_surfaces
from tatc.sim.embedded.placement.surface import Surface

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
