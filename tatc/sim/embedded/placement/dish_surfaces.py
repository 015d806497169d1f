"""Where objects are put in plates, bowls, pots and pans.

The areas of a dish of a known asset are the receptacle trigger boxes of its prefab: two that
cross each other, mostly where it is round, or one.  All food that was put into such dishes in
recorded sessions lies on the lattices of these boxes.  The areas of other dishes are shares of
the dish's width, fitted to recorded end states.
"""

from dataclasses import dataclass, replace
from math import inf

from tatc.home import assets, state
from tatc.home.camera import clicks, solids
from tatc.sim.embedded.placement.surface import Surface

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


def dish_surfaces(obj: state.ObjectState) -> tuple[Surface, ...]:
    """Return a dish's areas: those of its asset if that is known, or shares of its width."""
    known = known_dish(obj)
    return areas_by_shares(obj) if known is None else _trigger_boxes(obj, known)


def surfaces_on_rim(obj: state.ObjectState) -> tuple[Surface, ...]:
    """Return the areas of a dish whose asset is known, for food that leans on its rim.

    AI2-THOR also tries the points at which the rim carries food; they lie a few millimetres
    higher and nearer to the edge.  Empty if nothing is known of the rim but the type's share.
    """
    known = known_dish(obj)
    if known is None or known.rim is None:
        return ()
    return _trigger_boxes(obj, replace(known, rim=None))


def known_dish(obj: state.ObjectState) -> assets.DishGeometry | None:
    """Return the geometry of a dish's asset; None if it is not known or no dish."""
    return assets.dish_geometry(obj.objectType, obj.mass, obj.box.size)


def _trigger_boxes(obj: state.ObjectState, dish: assets.DishGeometry) -> tuple[Surface, ...]:
    x, _, z = obj.position
    y = clicks.dish_floor_height(obj, dish) + dish.rest + REST_ABOVE_FLOOR_METRES
    # Two areas that do not cross are one inside the other, in a dish whose corners are free.
    is_round = len({area.yaw for area in dish.areas}) > 1
    kind, width = obj.objectType, min(obj.box.size[0], obj.box.size[2])
    radius = inf  # how far from the middle of a round dish its rim is in the way
    if is_round and dish.rim is None:
        radius = assets.radius_of_round_dish(kind, width, dish.areas)
    elif is_round and dish.rim is not None:
        radius = dish.rim * width / 2
    surfaces: list[Surface] = []
    for area in dish.areas:
        dx, _, dz = state.rotate_yaw((area.x, 0.0, area.z), obj.rotation[1])
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


def _rim_width(kind: str, width: float, dish: assets.DishGeometry, area: assets.DishArea) -> float:
    if dish.rim is None:
        return assets.wall_in_square_dish(kind, width, area)
    return (1.0 - dish.rim) * min(area.size) / 2


def _raised(surface: Surface, rim: tuple[float, float, float]) -> Surface:
    """Return the part of a dish's area whose points lie on its rim (`DishGeometry.raised`)."""
    start, rise, end = rim
    if surface.radius < inf:
        return replace(surface, y=surface.y + rise, hole=start, radius=end)
    wall = max(0.0, min(surface.size) / 2 - end)
    return replace(surface, y=surface.y + rise, hole=start, wall=wall)


def areas_by_shares(obj: state.ObjectState) -> tuple[Surface, ...]:
    """Return a dish's areas as shares of its width, around its position, its asset known or not."""
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


def _clamp_disc_to_box(box: state.Box, point: state.Vec3, disc: float) -> tuple[float, float]:
    sine, cosine = state.yaw_sin_cos(box.yaw)
    along, across = solids.to_box_axes(box, point)
    wide, deep = (box.size[0] - disc) / 2, (box.size[2] - disc) / 2
    along = min(max(along, -wide), wide)
    across = min(max(across, -deep), deep)
    return (
        box.center[0] + along * cosine + across * sine,
        box.center[2] + across * cosine - along * sine,
    )
