"""Reads the text of a room file; each fault is named with its file and field."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from tatc.actions import GRID
from tatc.errors import RoomFormatError
from tatc.fields import (
    FieldFault,
    bare_name,
    listing,
    mapping,
    names,
    number,
    shown,
    text,
    whole,
)
from tatc.metadata import AFFORDANCES, FLAGS
from tatc.sim.rooms.catalogue import ObjectKind, kinds
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.things import own_name
from tatc.state import Affordances, Box, ObjectState, RoomKind, Vec3

FORMAT = "tatc room"
VERSION = 1
FARTHEST = 100.0
"""Nothing in a room is farther from the origin, metres."""
MOST_OBJECTS = 2000
TEMPERATURES = ("Cold", "Hot", "RoomTemp")


def read_room(content: str, where: str) -> Room:
    """Return the room that a file's text describes; `where` names the file.

    Raises:
        RoomFormatError: the text has a fault.

    """
    try:
        return _room(mapping(json.loads(content), ""))
    except FieldFault as fault:
        place = f"{where}: {fault.field}" if fault.field else where
        raise RoomFormatError(fault.why, where=place, fix=fault.fix) from fault
    except json.JSONDecodeError as error:
        why = f"is not JSON: line {error.lineno}, {error.msg}"
    except RecursionError:
        why = "is nested too deep"
    except ValueError as error:
        why = f"is not JSON that can be read: {error}"
    raise RoomFormatError(why, where=where, fix="mend it or make it anew")


def _room(root: Mapping[str, Any]) -> Room:
    _one_of(root, "format", (FORMAT,))
    if whole(_there(root, "version"), "version") != VERSION:
        raise FieldFault("version", f"is not {VERSION}", "this tatc reads no other")
    rows = listing(_there(root, "objects"), "objects")
    if len(rows) > MOST_OBJECTS:
        raise FieldFault("objects", f"has more than {MOST_OBJECTS} entries")
    objects: list[ObjectState] = []
    for i, row in enumerate(rows):
        try:
            objects.append(_object(mapping(row, "")))
        except FieldFault as fault:
            raise fault.within(f"objects[{i}]") from fault
    _check_names(objects)
    if not any(thing.objectType == "Floor" for thing in objects):
        raise FieldFault("objects", "has no Floor", 'add an object of type "Floor"')
    return Room(
        name=bare_name(root, "name"),
        kind=RoomKind(_one_of(root, "kind", [kind.value for kind in RoomKind])),
        seed=whole(_there(root, "seed"), "seed"),
        agent_y=number(_there(root, "agent_y"), "agent_y", FARTHEST),
        objects=tuple(objects),
        cells=_cells(root),
    )


def _there(raw: Mapping[str, Any], field: str) -> Any:
    if field not in raw:
        raise FieldFault(field, "is missing", "add it")
    return raw[field]


def _one_of(raw: Mapping[str, Any], field: str, known: Sequence[str]) -> str:
    value = _there(raw, field)
    if value not in known:
        near = get_close_matches(str(value), known, n=2) or known[:3]
        offer = " or ".join(repr(name) for name in near)
        raise FieldFault(field, f"is unknown: {shown(value)}", f"did you mean {offer}?")
    return value


def _object(row: Mapping[str, Any]) -> ObjectState:
    kind = kinds()[_one_of(row, "type", tuple(kinds()))]
    name = text(row, "id")
    x, y, z = _numbers(row, "at", 3)
    thing = ObjectState(
        objectId=name,
        objectType=kind.name,
        name=text(row, "name") if "name" in row else own_name(kind.name, name),
        affordances=_affordances(row, kind),
        position=(x, y, z),
        rotation=_rotation(row),
        box=_box(row),
        mass=kind.mass,
        salientMaterials=kind.materials,
        controlledObjects=names(row, "controls"),
        parentReceptacles=names(row, "in") or (),
    )
    if "temperature" in row:
        heat = _one_of(row, "temperature", TEMPERATURES)
        thing = replace(thing, ObjectTemperature=heat)
    for state in names(row, "states") or ():
        flag = _one_of({"states": state}, "states", FLAGS)
        thing = replace(thing, **{flag: True})
    return thing


def _rotation(row: Mapping[str, Any]) -> Vec3:
    x, z = _tilt(row) if "tilt" in row else (0.0, 0.0)
    return x, number(_there(row, "yaw"), "yaw", 360.0) % 360.0, z


def _tilt(row: Mapping[str, Any]) -> tuple[float, float]:
    angles = listing(row["tilt"], "tilt")
    if len(angles) != 2:
        raise FieldFault("tilt", f"should be 2 numbers, is {shown(angles)}")
    x, z = (number(angle, f"tilt[{i}]", 360.0) for i, angle in enumerate(angles))
    return x, z


def _affordances(row: Mapping[str, Any], kind: ObjectKind) -> Affordances:
    if "can" not in row:
        return kind.can
    listed = [_one_of({"can": n}, "can", AFFORDANCES) for n in names(row, "can") or ()]
    return Affordances(**dict.fromkeys(listed, True))


def _cells(root: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Return where a body can stand, in order."""
    found: set[tuple[int, int]] = set()
    for i, cell in enumerate(listing(root.get("cells", []), "cells")):
        where = f"cells[{i}]"
        pair = listing(cell, where)
        if len(pair) != 2:
            raise FieldFault(where, f"should be two numbers, is {shown(pair)}")
        x, z = (whole(value, where) for value in pair)
        if max(abs(x), abs(z)) * GRID > FARTHEST:
            raise FieldFault(where, f"is too far away: {shown(pair)}")
        found.add((x, z))
    return tuple(sorted(found))


def _numbers(row: Mapping[str, Any], field: str, *counts: int) -> list[float]:
    values = listing(_there(row, field), field)
    if len(values) not in counts:
        wanted = " or ".join(str(count) for count in counts)
        raise FieldFault(field, f"should be {wanted} numbers, is {shown(values)}")
    limits = [FARTHEST] * 6 + [360.0]
    return [
        number(value, f"{field}[{i}]", limit)
        for i, (value, limit) in enumerate(zip(values, limits, strict=False))
    ]


def _box(row: Mapping[str, Any]) -> Box:
    x, y, z, width, height, depth, *yaw = _numbers(row, "box", 6, 7)
    size: Vec3 = (width, height, depth)
    if min(size) <= 0:
        why = f"has a size that is not above 0: {shown(list(size))}"
        raise FieldFault("box", why, "give its middle x y z, then its size x y z")
    return Box((x, y, z), size, yaw[0] % 360.0 if yaw else 0.0)


def _check_names(objects: Sequence[ObjectState]) -> None:
    """Check that ids are unique and that what objects name is there."""
    known: set[str] = set()
    for i, thing in enumerate(objects):
        if thing.objectId in known:
            raise FieldFault(f"objects[{i}].id", f"is there twice: {thing.objectId}")
        known.add(thing.objectId)
    for i, thing in enumerate(objects):
        named = {"in": thing.parentReceptacles, "controls": thing.controlledObjects}
        for field, found in named.items():
            for name in found or ():
                if name not in known or name == thing.objectId:
                    raise FieldFault(
                        f"objects[{i}].{field}",
                        f"names {shown(name)}, which is not another of its objects",
                    )
