"""Which look each type of object has: its pattern and colours, from `looks.json`.

A look may offer several sets of colours; which one a thing has depends on its id alone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from zlib import crc32

from tatc.rendering.textures import TEXTURES
from tatc.state import ObjectState

RgbColour = tuple[float, float, float]
"""Red, green and blue from 0 to 255."""

DEFAULT_MATERIAL = "Other"
"""The look of types that have none of their own."""
WATER_COLOUR, COFFEE_COLOUR = (111.0, 166.0, 204.0), (58.0, 34.0, 20.0)
COOKED_COLOUR = (70.0, 40.0, 18.0)
_COOKED_BLEND_SHARE = 0.55  # how much of its colour cooking takes


@dataclass(frozen=True, slots=True)
class Material:
    """How a type looks: a pattern's number, sets of three colours, and two numbers.

    What `p` and `q` mean is the pattern's affair; `gloss` is how much it shines.
    """

    texture: int
    colours: tuple[tuple[RgbColour, RgbColour, RgbColour], ...]
    p: float = 0.0
    q: float = 0.0
    gloss: float = 0.0


@cache
def all_materials() -> Mapping[str, Material]:
    """Return all looks by type, and those of rooms as "Wall:Kitchen"."""
    text = files("tatc.rendering").joinpath("materials.json").read_text("utf-8")
    return {name: _read_material(entry) for name, entry in json.loads(text).items()}


def material_of_type(kind: str) -> Material:
    """Return the look of a type."""
    return all_materials().get(kind) or all_materials()[DEFAULT_MATERIAL]


def object_seed(object_id: str) -> int:
    """Return a number that differs from object to object."""
    return crc32(object_id.encode())


def object_colours(material: Material, obj: ObjectState) -> tuple[RgbColour, RgbColour, RgbColour]:
    """Return a thing's three colours, as its state has changed them."""
    first, second, third = material.colours[object_seed(obj.objectId) % len(material.colours)]
    if obj.isCooked or obj.simbotIsCooked is True:
        first, second = (
            _blend_colours(c, COOKED_COLOUR, _COOKED_BLEND_SHARE) for c in (first, second)
        )
    if obj.affordances.canFillWithLiquid:
        third = COFFEE_COLOUR if obj.simbotIsFilledWithCoffee is True else WATER_COLOUR
    return first, second, third


def _blend_colours(one: RgbColour, other: RgbColour, share: float) -> RgbColour:
    r, g, b = (a + (c - a) * share for a, c in zip(one, other, strict=True))
    return r, g, b


def _read_material(entry: Mapping[str, Any]) -> Material:
    sets = tuple(_read_colours(texts) for texts in entry["colours"])
    number = list(TEXTURES).index(entry["pattern"])
    rest = {name: float(entry.get(name, 0.0)) for name in ("p", "q", "gloss")}
    return Material(number, sets, **rest)


def _read_colours(texts: list[str]) -> tuple[RgbColour, RgbColour, RgbColour]:
    """Return three colours; the first stands in for those that are left out."""
    read = [_parse_colour(text) for text in texts]
    first, second, third = (read + [read[0]] * 2)[:3]
    return first, second, third


def _parse_colour(text: str) -> RgbColour:
    value = int(text.removeprefix("#"), 16)
    return float(value >> 16), float(value >> 8 & 255), float(value & 255)
