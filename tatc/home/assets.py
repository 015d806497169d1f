"""Facts about AI2-THOR's object types and assets, whatever room they stand in.

`type_defaults.json` holds facts of types, gathered over AI2-THOR's scenes: sizes (along the
object's own x, up, its own z; metres) at the 10th, 50th and 90th percentile, the usual mass and
materials, and the affordances that most instances have in TEACh.  An asset is a single model of a
type, one of about two dozen prefabs: state files do not name it, but type, mass and size tell it.
`assets.json` holds what is known of each, in its own axes (x right, y up, z forward), metres and
degrees, with sources.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Any, Literal

from tatc.base.files import package_table
from tatc.home import type_facts as facts
from tatc.home.state import Affordances, Vec3

MAX_EDGE_DIFFERENCE_METRES = 0.002
"""An object is an instance of an asset if none of its edges differs by more.

Recorded boxes of food differ from the sizes in `assets.json` by 3.4 mm at most."""
MAX_MASS_DIFFERENCE_KG = 0.001


@dataclass(frozen=True, slots=True)
class PieceOffset:
    """Where a piece lies when its whole is cut, from the whole's position, in its axes.

    `size` is that of its box: across, upwards and along the row of pieces; None if it is not known.
    """

    offset: Vec3
    yaw: float
    size: Vec3 | None = None


def piece_offsets(object_type: str, mass: float, size: Vec3) -> tuple[PieceOffset, ...]:
    """Return where the pieces of a whole lie in its prefab, the thick first piece first.

    Empty if the asset is not known.  `mass` is the whole's, kg, and `size` has the edges of its
    box, metres, in any order.
    """
    found = _asset_of("food", object_type, mass, size)
    if found is None:
        return ()
    sizes = found.get("sizes") or [None] * len(found["pieces"])
    return tuple(
        PieceOffset((x, y, z), yaw, None if edges is None else (edges[0], edges[1], edges[2]))
        for (x, y, z, yaw), edges in zip(found["pieces"], sizes, strict=True)
    )


@dataclass(frozen=True, slots=True)
class DishArea:
    """A receptacle trigger box of a dish, seen from above, in the dish's own axes.

    `x` and `z` lead from the dish's position to its middle, `size` is in metres, `yaw` in degrees.
    """

    x: float
    z: float
    size: tuple[float, float]
    yaw: float


@dataclass(frozen=True, slots=True)
class DishGeometry:
    """The shape of a dish: its areas, how high it is, and how deep its floor lies, metres.

    `height` is that of its rim above the lower side of its box, and `depth` is how far its
    inner floor is below the upper side of the box.  AI2-THOR 3.1.0 reports boxes that contain
    the trigger boxes, so that a plate's box is several times as high as the plate.

    `rest` is how far above the floor its areas lie: in a deep bowl, food is put between the
    walls and not on the floor.  `rim` is how far from the middle the rim is in the way of
    food, as a share of the half width or, in a dish with one area, of the area's half sides;
    None if only the type says it.

    `raised` is where the rim carries food, in metres: the distance from the middle at which that
    begins, how much higher than on the floor such food lies, and how far from the middle it may
    reach; None if it is not known.
    """

    height: float
    depth: float
    areas: tuple[DishArea, ...]
    rest: float = 0.0
    rim: float | None = None
    raised: tuple[float, float, float] | None = None


def dish_geometry(object_type: str, mass: float, size: Vec3) -> DishGeometry | None:
    """Return the shape of a dish, None if its asset is not known."""
    found = _asset_of("dishes", object_type, mass, size)
    if found is None:
        return None
    areas = (DishArea(x, z, (wide, deep), yaw) for x, z, wide, deep, yaw in found["areas"])
    rest, rim, raised = found.get("rest", 0.0), found.get("rim"), found.get("raised")
    if raised is not None:
        raised = (raised[0], raised[1], raised[2])
    return DishGeometry(found["height"], found["depth"], tuple(areas), rest, rim, raised)


def radius_of_round_dish(object_type: str, width: float, areas: Sequence[DishArea]) -> float:
    """Return the radius, metres, of the rim of a dish with crossed areas and a box this wide."""
    if object_type in facts.ROUND_WALL_RATIOS:
        return facts.ROUND_WALL_RATIOS[object_type] * max(max(area.size) for area in areas) / 2
    return facts.ROUND_RIM_RATIOS[object_type] * width / 2


def wall_in_square_dish(object_type: str, width: float, area: DishArea) -> float:
    """Return how far within a dish's single area its type's rim is in the way, metres."""
    if object_type in facts.SQUARE_WIDTH_RIM_RATIOS:
        between_rims = facts.SQUARE_WIDTH_RIM_RATIOS[object_type] * width
    else:
        between_rims = facts.SQUARE_RIM_RATIOS[object_type] * min(area.size)
    return max(0.0, min(area.size) - between_rims) / 2


def attach_point(object_type: str, mass: float, size: Vec3) -> tuple[Vec3, float] | None:
    """Return where what a toaster or coffee machine takes snaps to; None if its asset is not known.

    That is the offset of the object's position in the fixture's own axes, and the object's yaw.
    """
    found = _asset_of("fixtures", object_type, mass, size)
    if found is None:
        return None
    x, y, z, yaw = found["attach"]
    return (x, y, z), yaw


def door_hinge(object_type: str, mass: float, size: Vec3) -> Literal["left", "right"] | None:
    """Return at which end of its front a fridge's one door hangs, for who faces the front.

    None if the asset is not known, or has two doors.
    """
    found = _asset_of("fridges", object_type, mass, size)
    return None if found is None else found["hinge"]


_assets = partial(package_table, "tatc.home", "assets.json")


@lru_cache(maxsize=2048)
def _asset_of(group: str, object_type: str, mass: float, size: Vec3) -> Mapping[str, Any] | None:
    """Return the asset of a type whose mass and edges are nearest to an object's."""
    near: list[tuple[float, str]] = []
    for name, asset in _assets()[group].items():
        if asset["type"] == object_type and abs(asset["mass"] - mass) <= MAX_MASS_DIFFERENCE_KG:
            pairs = zip(sorted(size), sorted(asset["edges"]), strict=True)
            difference = max(abs(a - b) for a, b in pairs)
            if difference <= MAX_EDGE_DIFFERENCE_METRES:
                near.append((difference, name))
    return _assets()[group][min(near)[1]] if near else None


@dataclass(frozen=True, slots=True)
class ObjectType:
    """An object type and its usual instances; sizes are 10th, 50th, 90th percentiles, metres."""

    name: str
    small: Vec3
    usual: Vec3
    large: Vec3
    mass: float
    materials: tuple[str, ...]
    affordances: Affordances

    def size_between(self, share: float) -> Vec3:
        """Return an interpolated size: small at share 0, usual at 0.5, large at 1."""
        low, high, part = self.small, self.usual, share * 2
        if share >= 0.5:
            low, high, part = self.usual, self.large, share * 2 - 1
        x, y, z = (round(a + (b - a) * part, 3) for a, b in zip(low, high, strict=True))
        return x, y, z


@cache
def known_object_types() -> Mapping[str, ObjectType]:
    """Return the known object types by their names, sorted by name."""
    raw: dict[str, dict[str, Any]] = package_table("tatc.home", "type_defaults.json")
    return MappingProxyType({name: _object_type(name, row) for name, row in raw.items()})


def _object_type(name: str, row: dict[str, Any]) -> ObjectType:
    small, usual, large = ((float(x), float(y), float(z)) for x, y, z in row["size"])
    return ObjectType(
        name=name,
        small=small,
        usual=usual,
        large=large,
        mass=row["mass"],
        materials=tuple(row["made"]),
        affordances=Affordances(**dict.fromkeys(row["can"], True)),
    )
