"""Loads rooms, shipped ones or the user's, and writes room files: JSON that people can write.

Each object is one line: `id`, `type`, `at` (its position), `yaw`, `box` (its centre, its size along
its own axes, and the box's yaw if that is not 0), and where needed `in` (what the object is on or
in), `controls` (a knob's burners), `states` (AI2-THOR's flags that are true) and `temperature`.
The type implies the rest.  A captured object that is unlike others of its type also has `name`,
`tilt` (degrees about its x and z) or `can` (all of its affordances).  A captured room also lists
`cells`: where an agent can stand, in steps of 0.25 m.  A room made of recorded games lists their
ids as `games`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.base import errors, json_fields
from tatc.base.files import MAX_STATE_OBJECTS, ROOM, parse_json, read_json
from tatc.base.json_fields import FieldError, short_repr
from tatc.home import actions, assets, metadata
from tatc.home.state import Affordances, Box, ObjectState, RoomKind, Vec3
from tatc.sim.rooms import ithor
from tatc.sim.rooms.room import Room, default_name, room_name

ROOM_FORMAT, ROOM_FORMAT_VERSION = "tatc room", 1
MAX_COORDINATE_METRES = 100.0  # the largest coordinate or size in a room file
TEMPERATURES = ("Cold", "Hot", "RoomTemp")


@cache
def room_names() -> tuple[str, ...]:
    """Return the names of the generated rooms by kind, kitchens first, then by number."""
    folder = files("tatc.sim.rooms").joinpath("data")
    if not folder.is_dir():
        return ()
    names = sorted(item.name for item in folder.iterdir())
    shipped = [n.removesuffix(".json") for n in names if n.endswith(".json")]
    order = [room_name(kind, 0)[:-3] for kind in RoomKind]
    return tuple(sorted(shipped, key=lambda name: order.index(name[:-3])))


def load_room(name: str | Path) -> Room:
    """Return a room, given its name or the path of its file.

    A name is that of a generated room, of one of the user's own, or else of one of AI2-THOR's
    scenes.  A string that ends in ".json" or contains a slash or backslash is a path.
    """
    path = file_of_room(name)
    if path is not None:
        return room_from_json(read_json(path, ROOM), str(path))
    return _load_shipped(str(name)) if name in room_names() else load_ithor_room(str(name))


def file_of_room(name: str | Path) -> Path | None:
    """Return the file that `load_room` reads of a room, None for a shipped one."""
    typed = str(name)
    if isinstance(name, Path) or typed.endswith(".json") or re.search(r"[/\\]", typed):
        return Path(name)
    if typed in room_names():
        return None
    own = user_rooms()
    if typed in own:
        return own[typed]
    if typed in ithor.ithor_names():
        return None
    known = ithor.nearest_names(typed) or (*shipped_names(), *own)
    raise errors.UnknownName("room", typed, known, fix="tatc rooms list shows all")


ROOM_GROUPS = {"iTHOR": "AI2-THOR's own scenes", "generated": "rooms that tatc made"}
"""The groups of rooms that ship, and what they are."""


def group_names(group: str) -> tuple[str, ...]:
    """Return the names of the rooms of a group; its name may be in any case."""
    found = {"ithor": ithor.ithor_names, "generated": room_names}.get(group.lower())
    if found is None:
        fix = "name ithor or generated"
        raise errors.UnknownName("group of rooms", group, ROOM_GROUPS, fix=fix)
    return found()


def shipped_names() -> tuple[str, ...]:
    """Return the names of all rooms that ship, AI2-THOR's scenes first."""
    return (*ithor.ithor_names(), *room_names())


@cache
def load_ithor_room(name: str) -> Room:
    """Return the room of one of AI2-THOR's scenes as it ships, whatever rooms the user has."""
    return parse_room(ithor.read_ithor_text(name), f"{ithor.ARCHIVE_NAME}/{name}.json")


@cache
def _load_shipped(name: str) -> Room:
    text = files("tatc.sim.rooms").joinpath("data", f"{name}.json").read_text("utf-8")
    return parse_room(text, f"{name}.json")


def format_room(room: Room) -> str:
    """Return the text of a room's file, from which `parse_room` returns the same room."""
    head = {
        "format": ROOM_FORMAT,
        "version": ROOM_FORMAT_VERSION,
        "name": room.name,
        "kind": room.kind.value,
        "seed": room.seed,
        "agent_y": room.agent_y,
    }
    rows = (
        {key: _without_fractions(value) for key, value in _object_row(obj).items()}
        for obj in room.objects
    )
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    opening = json.dumps(head, indent=1)[:-2]
    if room.games:
        opening += f',\n "games": {json.dumps(room.games)}'
    if room.cells:
        opening += f',\n "cells": {json.dumps(room.cells)}'
    return f'{opening},\n "objects": [\n{lines}\n ]\n}}\n'


def _object_row(obj: ObjectState) -> dict[str, Any]:
    box = obj.box
    row: dict[str, Any] = {
        "id": obj.objectId,
        "type": obj.objectType,
        "at": obj.position,
        "yaw": obj.rotation[1],
        "box": [*box.center, *box.size, *([box.yaw] if box.yaw else ())],
    }
    if obj.parentReceptacles:
        row["in"] = obj.parentReceptacles
    if obj.controlledObjects is not None:
        row["controls"] = obj.controlledObjects
    states = [flag for flag in metadata.STATE_FLAG_FIELDS if getattr(obj, flag)]
    if states:
        row["states"] = states
    if obj.ObjectTemperature != "RoomTemp":
        row["temperature"] = obj.ObjectTemperature
    return row | _untypical_fields(obj)


def _untypical_fields(obj: ObjectState) -> dict[str, Any]:
    """Return the fields that an object's type and id do not imply."""
    row: dict[str, Any] = {}
    if obj.name != default_name(obj.objectType, obj.objectId):
        row["name"] = obj.name
    if obj.rotation[0] or obj.rotation[2]:
        row["tilt"] = [obj.rotation[0], obj.rotation[2]]
    if obj.affordances != assets.known_object_types()[obj.objectType].affordances:
        row["can"] = [name for name in metadata.AFFORDANCE_FIELDS if getattr(obj.affordances, name)]
    return row


def _without_fractions(value: Any) -> Any:
    """Return a value with whole floats as integers, to keep the lines short."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_without_fractions(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def user_rooms_folder() -> Path:
    """Return the folder of the user's rooms, which may not exist yet."""
    return user_data_path("tatc") / "rooms"


def user_rooms(folder: Path | None = None) -> dict[str, Path]:
    """Return the paths of the user's room files, or a folder's, by room name, sorted by name."""
    folder = folder or user_rooms_folder()
    found = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {path.name.removesuffix(".json"): path for path in found}


def parse_room(content: str, where: str) -> Room:
    """Return the room that a file's text describes; `where` names the file in errors."""
    return room_from_json(parse_json(content.encode(), where, ROOM), where)


def room_from_json(raw: object, where: str) -> Room:
    """Return the room in JSON; a `RoomFormatError` names the file (`where`) and the wrong field."""
    with json_fields.errors_in(where, errors.RoomFormatError):
        return _parse_root(json_fields.as_mapping(raw, ""))


def _parse_root(root: Mapping[str, Any]) -> Room:
    _one_of(root, "format", (ROOM_FORMAT,))
    if json_fields.as_integer(_required(root, "version"), "version") != ROOM_FORMAT_VERSION:
        raise FieldError("version", f"is not {ROOM_FORMAT_VERSION}", "this tatc reads no other")
    _required(root, "objects")
    objects = json_fields.read_list(root, "objects", _parse_object, MAX_STATE_OBJECTS)
    _check_references(objects)
    if not any(obj.objectType == "Floor" for obj in objects):
        raise FieldError("objects", "has no Floor", 'add an object of type "Floor"')
    return Room(
        name=json_fields.get_file_name(root, "name"),
        kind=RoomKind(_one_of(root, "kind", [kind.value for kind in RoomKind])),
        seed=json_fields.as_integer(_required(root, "seed"), "seed"),
        agent_y=json_fields.as_number(_required(root, "agent_y"), "agent_y", MAX_COORDINATE_METRES),
        objects=objects,
        cells=_parse_cells(root),
        games=json_fields.get_names(root, "games") or (),
    )


def _required(raw: Mapping[str, Any], field: str) -> Any:
    if field not in raw:
        raise FieldError(field, "is missing", "add it")
    return raw[field]


def _one_of(raw: Mapping[str, Any], field: str, known: Sequence[str]) -> str:
    value = _required(raw, field)
    if value not in known:
        near = get_close_matches(short_repr(value).strip("'"), known, n=2) or known[:3]
        offer = " or ".join(repr(name) for name in near)
        raise FieldError(field, f"is unknown: {short_repr(value)}", f"did you mean {offer}?")
    return value


def _parse_object(row: Mapping[str, Any]) -> ObjectState:
    kind = assets.known_object_types()[_one_of(row, "type", tuple(assets.known_object_types()))]
    name = json_fields.get_text(row, "id")
    x, y, z = _parse_numbers(row, "at", 3)
    pitch, roll = _parse_numbers(row, "tilt", 2, limit=360.0) if "tilt" in row else (0.0, 0.0)
    obj = ObjectState(
        objectId=name,
        objectType=kind.name,
        name=json_fields.get_text(row, "name") if "name" in row else default_name(kind.name, name),
        affordances=_parse_affordances(row, kind),
        position=(x, y, z),
        rotation=(pitch, json_fields.as_number(_required(row, "yaw"), "yaw", 360.0) % 360.0, roll),
        box=_parse_box(row),
        mass=kind.mass,
        salientMaterials=kind.materials,
        controlledObjects=json_fields.get_names(row, "controls"),
        parentReceptacles=json_fields.get_names(row, "in") or (),
    )
    if "temperature" in row:
        obj = replace(obj, ObjectTemperature=_one_of(row, "temperature", TEMPERATURES))
    for state in json_fields.get_names(row, "states") or ():
        flag = _one_of({"states": state}, "states", metadata.STATE_FLAG_FIELDS)
        obj = replace(obj, **{flag: True})
    return obj


def _parse_affordances(row: Mapping[str, Any], object_type: assets.ObjectType) -> Affordances:
    if "can" not in row:
        return object_type.affordances
    names = json_fields.get_names(row, "can") or ()
    listed = [_one_of({"can": name}, "can", metadata.AFFORDANCE_FIELDS) for name in names]
    return Affordances(**dict.fromkeys(listed, True))


def _parse_cells(root: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Return the cells on which an agent can stand, sorted and each once."""
    found: set[tuple[int, int]] = set()
    for i, cell in enumerate(json_fields.as_list(root.get("cells", []), "cells")):
        where = f"cells[{i}]"
        pair = json_fields.as_list(cell, where)
        if len(pair) != 2:
            raise FieldError(where, f"should be two numbers, is {short_repr(pair)}")
        x, z = (json_fields.as_integer(value, where) for value in pair)
        if max(abs(x), abs(z)) * actions.GRID_SIZE_METRES > MAX_COORDINATE_METRES:
            raise FieldError(where, f"is too far away: {short_repr(pair)}")
        found.add((x, z))
    return tuple(sorted(found))


def _parse_numbers(
    row: Mapping[str, Any], field: str, *counts: int, limit: float = MAX_COORDINATE_METRES
) -> list[float]:
    values = json_fields.as_list(_required(row, field), field)
    if len(values) not in counts:
        wanted = " or ".join(str(count) for count in counts)
        raise FieldError(field, f"should be {wanted} numbers, is {short_repr(values)}")
    limits = [limit] * 6 + [360.0]  # the seventh is a yaw
    return [
        json_fields.as_number(value, f"{field}[{i}]", limit)
        for i, (value, limit) in enumerate(zip(values, limits, strict=False))
    ]


def _parse_box(row: Mapping[str, Any]) -> Box:
    x, y, z, width, height, depth, *yaw = _parse_numbers(row, "box", 6, 7)
    size: Vec3 = (width, height, depth)
    if min(size) <= 0:
        why = f"has a size that is not above 0: {short_repr(list(size))}"
        raise FieldError("box", why, "give its middle x y z, then its size x y z")
    return Box((x, y, z), size, yaw[0] % 360.0 if yaw else 0.0)


def _check_references(objects: Sequence[ObjectState]) -> None:
    """Check that ids are unique and that each id an object refers to is another object's."""
    known: set[str] = set()
    for i, obj in enumerate(objects):
        if obj.objectId in known:
            raise FieldError(f"objects[{i}].id", f"is used twice: {obj.objectId}")
        known.add(obj.objectId)
    for i, obj in enumerate(objects):
        named = {"in": obj.parentReceptacles, "controls": obj.controlledObjects}
        for field, found in named.items():
            for name in found or ():
                if name not in known or name == obj.objectId:
                    why = f"names {short_repr(name)}, which is not another of its objects"
                    raise FieldError(f"objects[{i}].{field}", why)
