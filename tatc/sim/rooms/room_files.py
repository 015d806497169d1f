"""Loads rooms, shipped ones or the user's, and writes room files: JSON that people can write.

Each object is one line: `id`, `type`, `at` (its position), `yaw`, `box` (its centre, its
size along its own axes, and the box's yaw if that is not 0), and where needed `in` (what
the object is on or in), `controls` (a knob's burners), `states` (AI2-THOR's flags that are
true) and `temperature`.  The type implies the rest.  A captured object that is unlike
others of its type also has `name`, `tilt` (degrees about its x and z) or `can` (all of its
affordances).  A captured room also lists `cells`: where an agent can stand, in steps of
0.25 m.
"""

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.base.errors import UnknownName
from tatc.base.file_limits import ROOM
from tatc.base.file_reading import read_json
from tatc.home.metadata import AFFORDANCE_FIELDS, STATE_FLAG_FIELDS
from tatc.home.object_types import known_object_types
from tatc.home.state import ObjectState, RoomKind
from tatc.sim.rooms.object_creation import default_name
from tatc.sim.rooms.room import Room, room_name
from tatc.sim.rooms.room_parsing import ROOM_FORMAT, ROOM_FORMAT_VERSION, parse_room, room_from_json


@cache
def room_names() -> tuple[str, ...]:
    """Return the names of the shipped rooms by kind, kitchens first, then by number."""
    folder = files("tatc.sim.rooms").joinpath("data")
    if not folder.is_dir():
        return ()
    names = sorted(item.name for item in folder.iterdir())
    shipped = [n.removesuffix(".json") for n in names if n.endswith(".json")]
    order = [room_name(kind, 0)[:-3] for kind in RoomKind]
    return tuple(sorted(shipped, key=lambda name: order.index(name[:-3])))


def load_room(name: str | Path) -> Room:
    """Return a room, given its name or the path of its file.

    A name is that of a shipped room or of one of the user's own.  A string that ends in
    ".json" or contains a slash or backslash is a path.

    Raises:
        RoomFormatError: the file cannot be read or has a fault.

    """
    typed = str(name)
    if isinstance(name, Path) or typed.endswith(".json") or re.search(r"[/\\]", typed):
        return _load_file(Path(name))
    if typed in room_names():
        return _load_shipped(typed)
    own = user_rooms()
    if typed in own:
        return _load_file(own[typed])
    known = (*room_names(), *own)
    raise UnknownName("room", typed, known, fix="tatc rooms list shows all")


@cache
def _load_shipped(name: str) -> Room:
    text = files("tatc.sim.rooms").joinpath("data", f"{name}.json").read_text("utf-8")
    return parse_room(text, f"{name}.json")


def _load_file(path: Path) -> Room:
    return room_from_json(read_json(path, ROOM), str(path))


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
    lines = ",\n".join(f"  {_compact_json(_object_row(obj))}" for obj in room.objects)
    opening = json.dumps(head, indent=1)[:-2]
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
    states = [flag for flag in STATE_FLAG_FIELDS if getattr(obj, flag)]
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
    if obj.affordances != known_object_types()[obj.objectType].affordances:
        row["can"] = [name for name in AFFORDANCE_FIELDS if getattr(obj.affordances, name)]
    return row


def _compact_json(row: dict[str, Any]) -> str:
    return json.dumps({key: _without_fractions(value) for key, value in row.items()})


def _without_fractions(value: Any) -> Any:
    """Return a value with whole floats as integers, to keep the lines short."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_without_fractions(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


# The user's own rooms: files in tatc's data folder, found by name.


def user_rooms_folder() -> Path:
    """Return the folder of the user's rooms, which may not exist yet."""
    return user_data_path("tatc") / "rooms"


def user_rooms(folder: Path | None = None) -> dict[str, Path]:
    """Return the paths of the user's room files by room name, sorted by name.

    With a folder, they are the room files there.
    """
    folder = folder or user_rooms_folder()
    found = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {path.name.removesuffix(".json"): path for path in found}
