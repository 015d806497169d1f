"""The known object types: their usual sizes, mass, materials and affordances.

`type_defaults.json` holds facts gathered over AI2-THOR's scenes: sizes (along the object's
own x, up, its own z; metres) at the 10th, 50th and 90th percentile, the usual mass and
materials, and the affordances that most instances have in TEACh.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tatc.home.state import Affordances, Vec3


@dataclass(frozen=True, slots=True)
class ObjectType:
    """An object type and what its instances are usually like.

    The sizes are percentiles in metres: the 10th, the 50th and the 90th.
    """

    name: str
    small: Vec3
    usual: Vec3
    large: Vec3
    mass: float
    materials: tuple[str, ...]
    affordances: Affordances

    def size_between(self, share: float) -> Vec3:
        """Return an interpolated size: small at share 0, usual at 0.5, large at 1."""
        low, high, part = (
            (self.small, self.usual, share * 2)
            if share < 0.5
            else (self.usual, self.large, share * 2 - 1)
        )
        x, y, z = (round(a + (b - a) * part, 3) for a, b in zip(low, high, strict=True))
        return x, y, z


@cache
def known_object_types() -> Mapping[str, ObjectType]:
    """Return the known object types by their names, sorted by name."""
    text = files("tatc.home").joinpath("type_defaults.json").read_text("utf-8")
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
