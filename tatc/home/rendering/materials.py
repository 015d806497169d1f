"""The material of each type of object: its texture and colours, from `materials.json`.

A material may offer several sets of colours; an object's id alone decides which set it has.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from zlib import crc32

from tatc.home.rendering.textures import TEXTURES
from tatc.home.state import ObjectState

RgbColour = tuple[float, float, float]
"""Red, green and blue from 0 to 255."""

DEFAULT_MATERIAL = "Other"
"""The material of types that have none of their own."""
WATER_COLOUR, COFFEE_COLOUR = (111.0, 166.0, 204.0), (58.0, 34.0, 20.0)
COOKED_COLOUR = (70.0, 40.0, 18.0)
_COOKED_BLEND_SHARE = 0.55  # how much of the cooked colour is mixed in


@dataclass(frozen=True, slots=True)
class Material:
    """How a type looks: its texture's number, its sets of three colours, and parameters.

    What `p` and `q` mean depends on the texture; `gloss` is how much the surface shines.
    """

    texture: int
    colours: tuple[tuple[RgbColour, RgbColour, RgbColour], ...]
    p: float = 0.0
    q: float = 0.0
    gloss: float = 0.0


@cache
def all_materials() -> Mapping[str, Material]:
    """Return all materials by type; those of rooms have names such as "Wall:Kitchen"."""
    text = files("tatc.home.rendering").joinpath("materials.json").read_text("utf-8")
    return {name: _read_material(entry) for name, entry in json.loads(text).items()}


def material_of_type(kind: str) -> Material:
    """Return the material of a type, `DEFAULT_MATERIAL` if it has none."""
    return all_materials().get(kind) or all_materials()[DEFAULT_MATERIAL]


def object_seed(object_id: str) -> int:
    """Return a number that varies from object to object: the CRC-32 of the id."""
    return crc32(object_id.encode())


def object_colours(material: Material, obj: ObjectState) -> tuple[RgbColour, RgbColour, RgbColour]:
    """Return an object's three colours, changed by its state.

    Cooking browns the first two.  The third colour of an object that can be filled is that
    of its liquid: coffee or water.
    """
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
    """Return three colours; the first replaces those that are left out."""
    read = [_parse_colour(text) for text in texts]
    first, second, third = (read + [read[0]] * 2)[:3]
    return first, second, third


def _parse_colour(text: str) -> RgbColour:
    value = int(text.removeprefix("#"), 16)
    return float(value >> 16), float(value >> 8 & 255), float(value & 255)
