"""Room files: JSON that a person can write; shipped rooms by name.

One object is one line: `id`, `type`, `at` (its position), `yaw`, `box` (its middle,
its size along its own axes, and the box's yaw where that is not 0), and where needed
`in` (what it stands on or in), `controls` (a knob's burners), `states` (AI2-THOR's
flags that are true) and `temperature`.  Its type tells the rest.
"""

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tatc.errors import RoomFormatError, UnknownName
from tatc.metadata import FLAGS
from tatc.sim.rooms.reading import FORMAT, VERSION, read_room
from tatc.sim.rooms.room import Room, room_name
from tatc.state import ObjectState, RoomKind

LARGEST = 5_000_000
"""A room file is no larger than this, bytes."""


@cache
def room_names() -> tuple[str, ...]:
    """Return the names of the shipped rooms, kitchens first, then by number."""
    folder = files("tatc.sim.rooms").joinpath("data")
    if not folder.is_dir():
        return ()
    names = sorted(item.name for item in folder.iterdir())
    shipped = [n.removesuffix(".json") for n in names if n.endswith(".json")]
    order = [room_name(kind, 0)[:-3] for kind in RoomKind]
    return tuple(sorted(shipped, key=lambda name: order.index(name[:-3])))


def load_room(name: str | Path) -> Room:
    """Return a shipped room by its name, or the room of a file by its path.

    A text that ends in ".json" or holds a slash is a path.

    Raises:
        UnknownName: no shipped room has the name; close ones are offered.
        RoomFormatError: the file cannot be read or has a fault.

    """
    typed = str(name)
    if isinstance(name, Path) or typed.endswith(".json") or re.search(r"[/\\]", typed):
        return _read(Path(name))
    if typed not in room_names():
        raise UnknownName("room", typed, room_names(), fix="tatc rooms list shows all")
    return _shipped(typed)


@cache
def _shipped(name: str) -> Room:
    text = files("tatc.sim.rooms").joinpath("data", f"{name}.json").read_text("utf-8")
    return read_room(text, f"{name}.json")


def _read(path: Path) -> Room:
    where = str(path)
    try:
        if path.stat().st_size > LARGEST:
            raise RoomFormatError("is too large for a room", where=where)
        text = path.read_text("utf-8")
    except OSError as error:
        raise RoomFormatError(
            f"cannot be read: {error.strerror or error}",
            where=where,
            fix="give a room's name or the path of a room file",
        ) from error
    except UnicodeDecodeError as error:
        raise RoomFormatError("is not text in UTF-8", where=where) from error
    return read_room(text, where)


def write_room(room: Room) -> str:
    """Return the text of a room's file; `read_room` gives the same room back."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": room.name,
        "kind": room.kind.value,
        "seed": room.seed,
        "agent_y": room.agent_y,
    }
    lines = ",\n".join(f"  {_compact(_row(thing))}" for thing in room.objects)
    opening = json.dumps(head, indent=1)[:-2]
    return f'{opening},\n "objects": [\n{lines}\n ]\n}}\n'


def _row(thing: ObjectState) -> dict[str, Any]:
    box = thing.box
    row: dict[str, Any] = {
        "id": thing.objectId,
        "type": thing.objectType,
        "at": thing.position,
        "yaw": thing.rotation[1],
        "box": [*box.center, *box.size, *([box.yaw] if box.yaw else ())],
    }
    if thing.parentReceptacles:
        row["in"] = thing.parentReceptacles
    if thing.controlledObjects is not None:
        row["controls"] = thing.controlledObjects
    states = [flag for flag in FLAGS if getattr(thing, flag)]
    if states:
        row["states"] = states
    if thing.ObjectTemperature != "RoomTemp":
        row["temperature"] = thing.ObjectTemperature
    return row


def _compact(row: dict[str, Any]) -> str:
    return json.dumps({key: _short(value) for key, value in row.items()})


def _short(value: Any) -> Any:
    """Write whole numbers without a fraction, to keep the lines short."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_short(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
