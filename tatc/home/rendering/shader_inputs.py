"""The numbers that `shading` needs for each solid of a room, cached and updated.

A solid's row says where the solid is, where its object is and faces, and how it looks: the
material of each type is in `materials.json`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from zlib import crc32

import numpy as np

from tatc.base.files import package_table
from tatc.home.camera import geometry, rays, room_bounds, solids
from tatc.home.camera.ray_intersection import PreparedSolid
from tatc.home.rendering import shading, textures
from tatc.home.state import ObjectState, RoomKind, Vec3, yaw_off_axis_degrees, yaw_sin_cos
from tatc.home.type_facts import BURNER_TYPE, FLOOR_TYPE

RgbColour = tuple[float, float, float]  # red, green and blue from 0 to 255
ColourSet = tuple[RgbColour, RgbColour, RgbColour]

DEFAULT_MATERIAL = "Other"  # the material of types that have none of their own
WATER_COLOUR, COFFEE_COLOUR = (111.0, 166.0, 204.0), (58.0, 34.0, 20.0)
COOKED_COLOUR = (70.0, 40.0, 18.0)
MIN_WALL_CABINET_METRES = 1.2
"""A cabinet whose underside is higher than this hangs on the wall, metres."""
_COOKED_BLEND_SHARE = 0.55  # how much of the cooked colour is mixed in
_MAX_HALF_BACK_METRES = 0.06  # half the thickness of a chair's back is less
_MIN_HALF_SIZE_METRES = 1e-3  # the least half size that an object counts as
_LEGS_TEXTURE, _WOOD_TEXTURE = (list(textures.TEXTURES).index(name) for name in ("legs", "wood"))


@dataclass(frozen=True, slots=True)
class Material:
    """How a type looks: its texture's number, its sets of three colours, and parameters.

    An object's id alone decides which set of colours it has.  What `p` and `q` mean depends on the
    texture; `gloss` is how much the surface shines.
    """

    texture: int
    colours: tuple[ColourSet, ...]
    p: float = 0.0
    q: float = 0.0
    gloss: float = 0.0


@cache
def all_materials() -> Mapping[str, Material]:
    """Return all materials by type; those of rooms have names such as "Wall:Kitchen"."""
    found: dict[str, Material] = {}
    for name, entry in package_table("tatc.home.rendering", "materials.json").items():
        colours = tuple(_read_colours(texts) for texts in entry["colours"])
        numbers = {each: float(entry.get(each, 0.0)) for each in ("p", "q", "gloss")}
        found[name] = Material(list(textures.TEXTURES).index(entry["pattern"]), colours, **numbers)
    return found


def _read_colours(texts: Sequence[str]) -> ColourSet:
    """Return three colours; the first replaces those that are left out."""
    values = [int(text.removeprefix("#"), 16) for text in texts]
    read = [(float(n >> 16), float(n >> 8 & 255), float(n & 255)) for n in values]
    first, second, third = (read + [read[0]] * 2)[:3]
    return first, second, third


def material_of_type(kind: str) -> Material:
    """Return the material of a type, `DEFAULT_MATERIAL` if it has none."""
    return all_materials().get(kind) or all_materials()[DEFAULT_MATERIAL]


def object_seed(object_id: str) -> int:
    """Return a number that varies from object to object: the CRC-32 of the id."""
    return crc32(object_id.encode())


def _painted_colours(material: Material, own: int, paint: str) -> ColourSet:
    """Return a set of a material's colours by its number, or with `paint` one of its texture's."""
    if not paint or list(textures.TEXTURES)[material.texture] == "cut":  # food stays what it is
        return material.colours[own]
    alike = (each.colours for each in all_materials().values() if each.texture == material.texture)
    choices = [*chain.from_iterable(alike)]
    return choices[(choices.index(material.colours[own]) + object_seed(paint)) % len(choices)]


def object_colours(material: Material, obj: ObjectState, paint: str = "") -> ColourSet:
    """Return an object's three colours: cooking browns two, and the third may be its liquid's."""
    own = object_seed(obj.objectId) % len(material.colours)
    first, second, third = _painted_colours(material, own, paint and paint + obj.objectType)
    if obj.isCooked or obj.simbotIsCooked is True:
        first, second = _cooked(first), _cooked(second)
    if obj.affordances.canFillWithLiquid:
        third = COFFEE_COLOUR if obj.simbotIsFilledWithCoffee is True else WATER_COLOUR
    return first, second, third


def _cooked(colour: RgbColour) -> RgbColour:
    pairs = zip(colour, COOKED_COLOUR, strict=True)
    r, g, b = (raw + (cooked - raw) * _COOKED_BLEND_SHARE for raw, cooked in pairs)
    return r, g, b


class ShaderInputs:
    """The rows of a room's solids, and last that of the room around them."""

    def __init__(self, kind: RoomKind, shell: room_bounds.RoomBounds, paint: str = "") -> None:
        """Take a room's kind, for the materials of floor and walls, its bounds, and the paint."""
        self._paint = paint
        self._room_kind = kind.value.title().replace(" ", "")
        self._room_bounds = shell
        self.room_solid = room_bounds.prepare_room_solid(shell)
        self._cached: dict[int, tuple[PreparedSolid, ObjectState | None]] = {}
        self._rows = np.empty((1, shading.INPUT_COUNT))
        walls = material_of_type(f"Wall:{self._room_kind}")
        self._rows[0] = _static_row(self.room_solid, walls, paint)

    def updated_rows(
        self, solids: Sequence[PreparedSolid], owners: Sequence[int], objects: Sequence[ObjectState]
    ) -> rays.Floats:
        """Return a row for each solid, and a last one for the room; only changes are computed."""
        missing = len(solids) + 1 - len(self._rows)
        if missing > 0:
            more = np.empty((missing, shading.INPUT_COUNT))
            self._rows = np.concatenate([self._rows[:-1], more, self._rows[-1:]])
        for row, (target, owner) in enumerate(zip(solids, owners, strict=True)):
            if owner >= len(objects):
                continue  # it is hidden: its object no longer exists
            obj = None if owner == geometry.NO_OBJECT else objects[owner]
            before = self._cached.get(row)
            if before is None or before[0] is not target or before[1] is not obj:
                self._cached[row] = target, obj
                self._rows[row] = self._object_row(target, obj)
        return self._rows

    def _object_row(self, target: PreparedSolid, obj: ObjectState | None) -> list[float]:
        if obj is None:
            gap = self._room_bounds.high[1] - target.center[1] - target.half[1]
            if gap > _MIN_HALF_SIZE_METRES:
                return _static_row(target, material_of_type("Stove"), self._paint)  # no object
            return [*_solid_inputs(target), *self._rows[-1, shading.OBJECT_X :].tolist()]  # a wall
        room_own = f"{obj.objectType}:{self._room_kind}"
        look = material_of_type(room_own if obj.objectType == FLOOR_TYPE else obj.objectType)
        quarter = round(room_bounds.front_yaw(obj, self._room_bounds) / 90.0) % 4
        yaw = quarter * 90.0 + yaw_off_axis_degrees(obj.box.yaw)
        has_legs, thin = look.texture == _LEGS_TEXTURE, min(target.half[0], target.half[2])
        hangs, is_hot = obj.box.bottom > MIN_WALL_CABINET_METRES, obj.ObjectTemperature == "Hot"
        return [
            *_solid_inputs(target),
            *_object_inputs(target, obj, yaw, has_legs),
            float(_WOOD_TEXTURE if has_legs and thin < _MAX_HALF_BACK_METRES else look.texture),
            *chain(*object_colours(look, obj, self._paint)),
            float(hangs) if obj.objectType == "Cabinet" else look.p,
            look.q,
            float(obj.isToggled or (obj.objectType == BURNER_TYPE and is_hot)),
            float(obj.isFilledWithLiquid),
            float(obj.isDirty),
            look.gloss,
            object_seed(obj.objectId) % 997 / 997.0,
        ]


def _static_row(target: PreparedSolid, material: Material, paint: str) -> list[float]:
    """Return the row of a solid without an object; it is aligned with the world's axes."""
    return [
        *_solid_inputs(target),
        *target.center,
        0.0,
        1.0,
        *target.half,
        float(material.texture),
        *chain(*_painted_colours(material, 0, paint)),
        material.p,
        material.q,
        *(0.0, 0.0, 0.0, material.gloss, 0.5),
    ]


def _solid_inputs(target: PreparedSolid) -> tuple[float, ...]:
    over = (1.0 / max(half, _MIN_HALF_SIZE_METRES) for half in target.half)
    body = float(target.shape.value)
    if target.shape is solids.SolidShape.DISC:
        body += target.half.index(min(target.half))  # which side is its axis
    return (*target.center, target.sine, target.cosine, *over, body)


def _object_inputs(
    target: PreparedSolid, obj: ObjectState, yaw: float, on_legs: bool
) -> tuple[float, ...]:
    """Return an object's centre, turn, and half sizes along its own axes.

    A cylinder's are its own, whatever else is in the box; an object on legs ends at its seat.
    """
    x, y, z = obj.box.center
    width, height, depth = obj.box.size
    if round((yaw - obj.box.yaw) / 90.0) % 2:
        width, depth = depth, width
    if target.shape is solids.SolidShape.CYLINDER:
        (x, _, z), width = target.center, 2 * target.half[0]
        depth = width
    if on_legs:
        y, height = target.center[1], 2 * target.half[1]
    sine, cosine = yaw_sin_cos(yaw)
    half: Vec3 = (width / 2, height / 2, depth / 2)
    return (x, y, z, sine, cosine, *(max(h, _MIN_HALF_SIZE_METRES) for h in half))
