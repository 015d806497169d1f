"""AI2-THOR object metadata, in and out: the dictionaries of its JSON <-> `ObjectState`.

Any AI2-THOR metadata can be read: that of a running simulator, of a scene dump, of a
state recorded in a TEACh game, of a room file.  What TEACh merged into it (the simbot
properties) is kept when it is there.  Faults raise `MetadataFault` with the path of the
field inside the object, so that a caller can add the file.
"""

from collections.abc import Mapping
from dataclasses import fields
from math import atan2, degrees, hypot, isfinite
from typing import Any, cast

from tatc.state import Absent, Affordances, Box, ObjectState, Vec3, turned

AFFORDANCES = tuple(field.name for field in fields(Affordances))
FLAGS = (
    "isToggled",
    "isBroken",
    "isFilledWithLiquid",
    "isDirty",
    "isUsedUp",
    "isCooked",
    "isSliced",
    "isOpen",
    "isPickedUp",
)
SIMBOT = (
    "simbotObjectClass",
    "simbotPickedUp",
    "simbotLastParentReceptacle",
    "simbotIsReceptacleOf",
    "simbotIsCooked",
    "simbotIsBoiled",
    "simbotIsFilledWithWater",
    "simbotIsFilledWithCoffee",
)
"""Every property that TEACh adds to an object (spec section 2.2)."""

_LIMIT = 1000.0  # metres; no home is larger, and beyond it arithmetic degrades
_TILT = 0.05  # metres a box edge may climb before its own axes are given up


class MetadataFault(ValueError):
    """An object's metadata lacks a field or holds an impossible value."""

    def __init__(self, field: str, why: str) -> None:
        """Name the field and what is wrong with it."""
        self.field = field
        self.why = why
        super().__init__(f"{field}: {why}")


def read_object(raw: Mapping[str, Any]) -> ObjectState:
    """Return the object that AI2-THOR metadata describes.

    The box is the oriented one where there is one and it stands upright, else the
    axis-aligned one.

    Raises:
        MetadataFault: a field is missing, of the wrong type, not finite or impossible.

    """
    rotation = read_vector(raw, "rotation")
    temperature = raw.get("ObjectTemperature", raw.get("temperature", "RoomTemp"))
    parents = _names(raw, "parentReceptacles")
    return ObjectState(
        objectId=_text(raw, "objectId"),
        objectType=_text(raw, "objectType"),
        name=_text(raw, "name"),
        affordances=Affordances(**{k: _flag(raw, k) for k in AFFORDANCES}),
        position=read_vector(raw, "position"),
        rotation=rotation,
        box=_read_box(raw, rotation[1]),
        mass=_number(raw["mass"], "mass") if raw.get("mass") is not None else 0.0,
        salientMaterials=_names(raw, "salientMaterials") or (),
        controlledObjects=_names(raw, "controlledObjects"),
        ObjectTemperature=str(temperature),
        parentReceptacles=parents,
        **{k: _flag(raw, k) for k in FLAGS},
        **read_simbot(raw),
    )


def read_simbot(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the simbot properties that `raw` carries, lists as tuples."""
    return {
        k: tuple(cast(list[str], raw[k])) if isinstance(raw[k], list) else raw[k]
        for k in SIMBOT
        if k in raw
    }


def write_object(thing: ObjectState) -> dict[str, Any]:
    """Return AI2-THOR metadata for an object, with TEACh's properties merged in."""
    box = thing.box
    low, high = box.bounds()
    raw: dict[str, Any] = {
        "name": thing.name,
        "position": write_vector(thing.position),
        "rotation": write_vector(thing.rotation),
        "objectType": thing.objectType,
        "objectId": thing.objectId,
        "mass": thing.mass,
        "salientMaterials": list(thing.salientMaterials) or None,
        "ObjectTemperature": thing.ObjectTemperature,
        "openness": 1.0 if thing.isOpen else 0.0,
        "parentReceptacles": _listed(thing.parentReceptacles),
        "controlledObjects": _listed(thing.controlledObjects),
        "axisAlignedBoundingBox": {
            "cornerPoints": [
                [x, y, z]
                for x in (high[0], low[0])
                for y in (high[1], low[1])
                for z in (high[2], low[2])
            ],
            "center": write_vector(box.center),
            "size": write_vector(
                (high[0] - low[0], high[1] - low[1], high[2] - low[2])
            ),
        },
        "objectOrientedBoundingBox": _write_oriented(thing),
    }
    for name in AFFORDANCES:
        raw[name] = getattr(thing.affordances, name)
    for name in FLAGS:
        raw[name] = getattr(thing, name)
    return raw | write_simbot(thing)


def write_simbot(thing: ObjectState) -> dict[str, Any]:
    """Return the simbot properties that are set on an object, tuples as lists."""
    values = ((name, getattr(thing, name)) for name in SIMBOT)
    return {
        name: list(cast(tuple[str, ...], value)) if isinstance(value, tuple) else value
        for name, value in values
        if not isinstance(value, Absent)
    }


def read_vector(raw: Mapping[str, Any], field: str) -> Vec3:
    """Return the {x, y, z} under `field` as a tuple.

    Raises:
        MetadataFault: it is missing, not three numbers, or not within 1,000 m.

    """
    vector = raw.get(field)
    if not isinstance(vector, Mapping):
        raise MetadataFault(field, "should be an object with x, y and z")
    point = cast(Mapping[str, Any], vector)
    x, y, z = (_number(point.get(axis), f"{field}.{axis}") for axis in "xyz")
    return x, y, z


def write_vector(point: Vec3) -> dict[str, float]:
    """Return a tuple as AI2-THOR's {x, y, z}."""
    return {"x": point[0], "y": point[1], "z": point[2]}


def _number(value: Any, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MetadataFault(field, f"should be a number, is {value!r}")
    if not isfinite(value) or abs(value) > _LIMIT:
        raise MetadataFault(field, f"is impossible: {value!r}")
    return float(value)


def _text(raw: Mapping[str, Any], field: str) -> str:
    value = raw.get(field)
    if not isinstance(value, str) or not value:
        raise MetadataFault(field, f"should be a text, is {value!r}")
    return value


def _flag(raw: Mapping[str, Any], field: str) -> bool:
    value = raw.get(field, False)
    if not isinstance(value, bool):
        raise MetadataFault(field, f"should be true or false, is {value!r}")
    return value


def _names(raw: Mapping[str, Any], field: str) -> tuple[str, ...] | None:
    value = raw.get(field)
    if value is None:
        return None
    if not isinstance(value, list):
        raise MetadataFault(field, "should be a list of texts or null")
    names = cast(list[Any], value)
    if not all(isinstance(name, str) for name in names):
        raise MetadataFault(field, "should be a list of texts or null")
    return tuple(names)


def _listed(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


def _read_box(raw: Mapping[str, Any], yaw: float) -> Box:
    oriented = raw.get("objectOrientedBoundingBox")
    if oriented is not None:
        box = _read_oriented(oriented, yaw)
        if box is not None:
            return box
    aligned = raw.get("axisAlignedBoundingBox")
    if not isinstance(aligned, Mapping):
        raise MetadataFault("axisAlignedBoundingBox", "is missing")
    aligned = cast(Mapping[str, Any], aligned)
    try:
        center, size = read_vector(aligned, "center"), read_vector(aligned, "size")
    except MetadataFault as fault:
        raise MetadataFault(
            f"axisAlignedBoundingBox.{fault.field}", fault.why
        ) from fault
    if min(size) < 0:
        raise MetadataFault("axisAlignedBoundingBox.size", "is negative")
    return Box(center, size)


def _read_oriented(oriented: Any, yaw: float) -> Box | None:
    """Return the box of eight corners, or None where it is tilted.

    AI2-THOR lists the bottom four in a ring, then the top four above them; the first
    edge runs along the object's own x axis.
    """
    corners: Any = oriented.get("cornerPoints") if oriented else None
    if not isinstance(corners, list) or len(cast(list[Any], corners)) != 8:
        raise MetadataFault("objectOrientedBoundingBox", "should have eight corners")
    field = "objectOrientedBoundingBox.cornerPoints"
    points = [[_number(v, field) for v in corner] for corner in cast(Any, corners)]
    if any(len(point) != 3 for point in points):
        raise MetadataFault(field, "should hold three numbers each")
    along, up, across = (
        [b - a for a, b in zip(points[0], points[i], strict=True)] for i in (1, 4, 3)
    )
    if max(abs(along[1]), abs(across[1]), hypot(up[0], up[2])) > _TILT:
        return None
    x, y, z = (sum(point[axis] for point in points) / 8 for axis in range(3))
    size = hypot(*along), hypot(*up), hypot(*across)
    if hypot(along[0], along[2]) > 1e-4:
        yaw = degrees(atan2(-along[2], along[0]))
    return Box((x, y, z), size, round(yaw, 4) % 360.0)


def _write_oriented(thing: ObjectState) -> dict[str, Any] | None:
    able = thing.affordances
    if not (able.pickupable or able.moveable):
        return None
    return {"cornerPoints": [list(_corner(thing.box, i)) for i in range(8)]}


def _corner(box: Box, i: int) -> Vec3:
    sine, cosine = turned(box.yaw)
    along = (-0.5, 0.5, 0.5, -0.5)[i % 4] * box.size[0]
    across = (-0.5, -0.5, 0.5, 0.5)[i % 4] * box.size[2]
    up = (-0.5, 0.5)[i // 4] * box.size[1]
    x, y, z = box.center
    return (
        x + along * cosine + across * sine,
        y + up,
        z - along * sine + across * cosine,
    )
