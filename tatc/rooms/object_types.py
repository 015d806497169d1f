"""What is known of each type of object: its usual sizes, mass, materials, affordances.

`types.json` holds facts of AI2-THOR gathered over its scenes: sizes (along the
object's own x, up, its own z; metres) at the 10th, 50th and 90th percentile, the usual
mass and materials, and the affordances its instances mostly carry in TEACh.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tatc.state import Affordances, Vec3


@dataclass(frozen=True, slots=True)
class ObjectType:
    """One type of object and what its instances are usually like."""

    name: str
    small: Vec3
    usual: Vec3
    large: Vec3
    mass: float
    materials: tuple[str, ...]
    affordances: Affordances

    def size_between(self, share: float) -> Vec3:
        """Return the size at a share of the way (0 to 1) from small to large."""
        low, high, part = (
            (self.small, self.usual, share * 2)
            if share < 0.5
            else (self.usual, self.large, share * 2 - 1)
        )
        x, y, z = (round(a + (b - a) * part, 3) for a, b in zip(low, high, strict=True))
        return x, y, z


@cache
def known_object_types() -> Mapping[str, ObjectType]:
    """Return every known type of object by its name, in name order."""
    text = files("tatc.rooms").joinpath("object_types.json").read_text("utf-8")
    raw: dict[str, dict[str, Any]] = json.loads(text)
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
