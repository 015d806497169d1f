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

from tatc.camera.patterns import PATTERNS
from tatc.state import ObjectState

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 255."""

OTHER = "Other"
"""The look of types that have none of their own."""
WATER, COFFEE = (111.0, 166.0, 204.0), (58.0, 34.0, 20.0)
CHARRED = (70.0, 40.0, 18.0)
_COOKED = 0.55  # how much of its colour cooking takes


@dataclass(frozen=True, slots=True)
class Look:
    """How a type looks: a pattern's number, sets of three colours, and two numbers.

    What `p` and `q` mean is the pattern's affair; `gloss` is how much it shines.
    """

    pattern: int
    colours: tuple[tuple[Colour, Colour, Colour], ...]
    p: float = 0.0
    q: float = 0.0
    gloss: float = 0.0


@cache
def looks() -> Mapping[str, Look]:
    """Return all looks by type, and those of rooms as "Wall:Kitchen"."""
    text = files("tatc.camera").joinpath("looks.json").read_text("utf-8")
    return {name: _look(entry) for name, entry in json.loads(text).items()}


def look_of(kind: str) -> Look:
    """Return the look of a type."""
    return looks().get(kind) or looks()[OTHER]


def seed_of(object_id: str) -> int:
    """Return a number that differs from object to object."""
    return crc32(object_id.encode())


def colours_of(look: Look, thing: ObjectState) -> tuple[Colour, Colour, Colour]:
    """Return a thing's three colours, as its state has changed them."""
    first, second, third = look.colours[seed_of(thing.objectId) % len(look.colours)]
    if thing.isCooked or thing.simbotIsCooked is True:
        first, second = (_mixed(c, CHARRED, _COOKED) for c in (first, second))
    if thing.affordances.canFillWithLiquid:
        third = COFFEE if thing.simbotIsFilledWithCoffee is True else WATER
    return first, second, third


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    r, g, b = (a + (c - a) * share for a, c in zip(one, other, strict=True))
    return r, g, b


def _look(entry: Mapping[str, Any]) -> Look:
    sets = tuple(_colours(texts) for texts in entry["colours"])
    number = list(PATTERNS).index(entry["pattern"])
    rest = {name: float(entry.get(name, 0.0)) for name in ("p", "q", "gloss")}
    return Look(number, sets, **rest)


def _colours(texts: list[str]) -> tuple[Colour, Colour, Colour]:
    """Return three colours; the first stands in for those that are left out."""
    read = [_colour(text) for text in texts]
    first, second, third = (read + [read[0]] * 2)[:3]
    return first, second, third


def _colour(text: str) -> Colour:
    value = int(text.removeprefix("#"), 16)
    return float(value >> 16), float(value >> 8 & 255), float(value & 255)
