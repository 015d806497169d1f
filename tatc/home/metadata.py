"""Read and write AI2-THOR's object metadata: JSON dictionaries to and from `ObjectState`.

The metadata may come from a running simulator, a scene dump, a state recorded in a TEACh game, or a
room file.  The simbot properties that TEACh adds to it are kept if present.  A fault raises
`MetadataError` with the path of the field inside the object, to which a caller can add the file.

Missing affordances and flags are false, because AI2-THOR's versions differ in which they
list.  Missing lists are empty or unknown.  Identity, position, rotation and the
axis-aligned box are required.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import product
from math import atan2, degrees, fsum, hypot
from typing import Any, cast

from tatc.base import json_fields
from tatc.home.state import Absent, Affordances, Box, ObjectState, Vec3, yaw_sin_cos

MetadataError = json_fields.FieldError
"""Raised when an object cannot be read; its path is the field's inside the object."""

AFFORDANCE_FIELDS = tuple(field.name for field in fields(Affordances))
"""What an object can do or have done to it, by AI2-THOR's names; fixed for a session."""
_OBJECT_FIELDS = tuple(field.name for field in fields(ObjectState))
STATE_FLAG_FIELDS = tuple(name for name in _OBJECT_FIELDS if name.startswith("is"))
"""What is true or false of an object at a moment, by AI2-THOR's names."""
SIMBOT_FIELDS = tuple(name for name in _OBJECT_FIELDS if name.startswith("simbot"))
"""Every property that TEACh adds to an object (spec section 2.2)."""

_MAX_TILT_METRES = 0.05  # metres a box edge may rise before the oriented box is not used
_MAX_CORNER_ERROR_METRES = 0.05  # metres by which eight points may miss the corners of a box

_SIMBOT_LIST_FIELDS = frozenset({"simbotObjectClass", "simbotIsReceptacleOf"})


def read_object(raw: Mapping[str, Any]) -> ObjectState:
    """Return the object that metadata describe, with the oriented box if that is upright."""
    raw = json_fields.as_mapping(raw, "")
    rotation = get_vector(raw, "rotation")
    mass = 0.0 if raw.get("mass") is None else json_fields.as_number(raw["mass"], "mass")
    if mass < 0:
        raise MetadataError("mass", f"is negative: {mass!r}")
    # AI2-THOR's versions have two names for the field.
    names = ("ObjectTemperature", "temperature")
    temperatures = (json_fields.get_text(raw, name) for name in names if name in raw)
    return ObjectState(
        objectId=json_fields.get_text(raw, "objectId"),
        objectType=json_fields.get_text(raw, "objectType"),
        name=json_fields.get_text(raw, "name"),
        affordances=Affordances(**{k: json_fields.get_flag(raw, k) for k in AFFORDANCE_FIELDS}),
        position=get_vector(raw, "position"),
        rotation=rotation,
        box=_read_box(raw, rotation[1]),
        mass=mass,
        salientMaterials=json_fields.get_names(raw, "salientMaterials") or (),
        controlledObjects=json_fields.get_names(raw, "controlledObjects"),
        ObjectTemperature=next(temperatures, "RoomTemp"),
        parentReceptacles=json_fields.get_names(raw, "parentReceptacles"),
        **{k: json_fields.get_flag(raw, k) for k in STATE_FLAG_FIELDS},
        **{name: _read_simbot_field(raw, name) for name in SIMBOT_FIELDS if name in raw},
    )


def write_aligned_box(box: Box) -> dict[str, Any]:
    """Return AI2-THOR metadata for the box along the world's axes that is around a box."""
    low, high = box.bounds()
    x, y, z = zip(high, low, strict=True)
    return {
        "cornerPoints": [list(corner) for corner in product(x, y, z)],
        "center": write_vector(box.center),
        "size": write_vector((high[0] - low[0], high[1] - low[1], high[2] - low[2])),
    }


def write_object(obj: ObjectState) -> dict[str, Any]:
    """Return AI2-THOR metadata for an object, with TEACh's properties merged in."""
    box = obj.box
    raw: dict[str, Any] = {
        "name": obj.name,
        "position": write_vector(obj.position),
        "rotation": write_vector(obj.rotation),
        "objectType": obj.objectType,
        "objectId": obj.objectId,
        "mass": obj.mass,
        "salientMaterials": list(obj.salientMaterials) or None,
        "ObjectTemperature": obj.ObjectTemperature,
        "openness": 1.0 if obj.isOpen else 0.0,
        "parentReceptacles": _list_or_none(obj.parentReceptacles),
        "controlledObjects": _list_or_none(obj.controlledObjects),
        "axisAlignedBoundingBox": write_aligned_box(box),
        "objectOrientedBoundingBox": {"cornerPoints": [list(each) for each in _box_corners(box)]}
        if obj.affordances.can_be_moved
        else None,
    }
    raw |= {name: getattr(obj.affordances, name) for name in AFFORDANCE_FIELDS}
    raw |= {name: getattr(obj, name) for name in STATE_FLAG_FIELDS}
    return raw | write_simbot(obj)


def write_simbot(obj: ObjectState) -> dict[str, Any]:
    """Return the simbot properties that are set on an object, with tuples as lists."""
    return {
        name: list(cast(tuple[str, ...], value)) if isinstance(value, tuple) else value
        for name, value in ((name, getattr(obj, name)) for name in SIMBOT_FIELDS)
        if not isinstance(value, Absent)
    }


def write_vector(point: Vec3) -> dict[str, float]:
    """Return a point as AI2-THOR's {x, y, z}."""
    return {"x": point[0], "y": point[1], "z": point[2]}


def read_corners(corners: object, field: str) -> list[list[float]]:
    """Return the eight points of `cornerPoints`, each as three numbers."""
    given = json_fields.as_list(corners, field)
    if len(given) != 8:
        raise MetadataError(field, f"should have eight corners, has {len(given)}")
    points: list[list[float]] = []
    for i, corner in enumerate(given):
        where = f"{field}[{i}]"
        values = json_fields.as_list(corner, where)
        if len(values) != 3:
            raise MetadataError(where, f"should hold three numbers, has {len(values)}")
        points.append([json_fields.as_number(value, where) for value in values])
    return points


def _read_simbot_field(raw: Mapping[str, Any], name: str) -> Any:
    value = raw[name]
    if name in _SIMBOT_LIST_FIELDS:
        return json_fields.get_names(raw, name) or ()
    if name == "simbotLastParentReceptacle":
        return None if value is None else json_fields.get_text(raw, name)
    if not isinstance(value, int) or value not in (0, 1):
        why = f"should be true, false, 1 or 0, is {json_fields.short_repr(value)}"
        raise MetadataError(name, why)
    return value


def _list_or_none(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


def _read_box(raw: Mapping[str, Any], yaw: float) -> Box:
    field = "axisAlignedBoundingBox"
    sides = json_fields.as_mapping(raw.get(field), field)
    with json_fields.faults_under(field):
        center, size = get_vector(sides, "center"), get_vector(sides, "size")
    if min(size) < 0:
        raise MetadataError(f"{field}.size", f"is negative: {min(size)!r}")
    oriented = raw.get("objectOrientedBoundingBox")
    box = None if oriented is None else _read_oriented(oriented, yaw)
    return box or Box(center, size)


def _read_oriented(oriented: object, yaw: float) -> Box | None:
    """Return the box that eight corners span, or None if it is tilted or not given.

    AI2-THOR lists the bottom four in a ring, then the top four above them; the first
    edge runs along the object's own x axis.
    """
    corners = json_fields.as_mapping(oriented, "objectOrientedBoundingBox").get("cornerPoints")
    if corners is None:
        return None
    points = read_corners(corners, "objectOrientedBoundingBox.cornerPoints")
    first, *others = (points[i] for i in (0, 1, 4, 3))
    along, up, across = ([b - a for a, b in zip(first, each, strict=True)] for each in others)
    _check_corners(points, along, up, across)
    if max(abs(along[1]), abs(across[1]), hypot(up[0], up[2])) > _MAX_TILT_METRES:
        return None
    x, y, z = (fsum(point[axis] for point in points) / 8 for axis in range(3))
    size = hypot(*along), hypot(*up), hypot(*across)
    if hypot(along[0], along[2]) > 1e-4:
        yaw = degrees(atan2(-along[2], along[0]))
    return Box((x, y, z), size, round(yaw, 4) % 360.0)


def _check_corners(
    points: list[list[float]], along: list[float], up: list[float], across: list[float]
) -> None:
    for i, edges in ((2, (along, across)), (5, (along, up)), (7, (across, up))):
        for axis in range(3):
            wanted = points[0][axis] + edges[0][axis] + edges[1][axis]
            if abs(points[i][axis] - wanted) > _MAX_CORNER_ERROR_METRES:
                field = f"objectOrientedBoundingBox.cornerPoints[{i}]"
                raise MetadataError(field, "does not lie where these corners of a box meet")


def _box_corners(box: Box) -> Iterator[Vec3]:
    """Yield the corners of a box in the order in which `_read_oriented` finds them."""
    sine, cosine = yaw_sin_cos(box.yaw)
    (x, y, z), (width, height, depth) = box.center, box.size
    for up in (-0.5, 0.5):
        for i, k in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            along, across = i * width, k * depth
            yield (
                x + along * cosine + across * sine,
                y + up * height,
                z - along * sine + across * cosine,
            )


def get_vector(raw: Mapping[str, Any], field: str) -> Vec3:
    """Return the {x, y, z} under `field` as a tuple, or raise a FieldError."""
    point = raw.get(field)
    if not isinstance(point, Mapping):
        raise json_fields.FieldError(field, json_fields.describe_mismatch("x, y, z", point))
    point = cast(Mapping[str, Any], point)
    x, y, z = (json_fields.as_number(point.get(axis), f"{field}.{axis}") for axis in "xyz")
    return x, y, z
