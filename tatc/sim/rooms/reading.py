"""Reads the text of a room file; each fault is named with its file and field."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from math import isfinite
from typing import Any, NoReturn, cast
from zlib import crc32

from tatc.errors import RoomFormatError
from tatc.metadata import FLAGS
from tatc.sim.rooms.catalogue import kinds
from tatc.sim.rooms.room import Room
from tatc.state import Box, ObjectState, RoomKind

FORMAT = "tatc room"
VERSION = 1
FARTHEST = 100.0
"""Nothing in a room is farther from the origin, metres."""
MOST_OBJECTS = 2000
TEMPERATURES = ("Cold", "Hot", "RoomTemp")


def read_room(text: str, where: str) -> Room:
    """Return the room that a file's text describes; `where` names the file.

    Raises:
        RoomFormatError: the text has a fault.

    """
    root = _Field(where, "", _parsed(text, where))
    if root.at("format").value != FORMAT:
        root.at("format").fail(f"is not {FORMAT!r}", "room files begin with it")
    if root.at("version").value != VERSION:
        root.at("version").fail(f"is not {VERSION}", "this tatc reads no other")
    rows = root.at("objects").items(most=MOST_OBJECTS)
    objects = tuple(_object(row) for row in rows)
    _check_names(rows, objects)
    if not any(thing.objectType == "Floor" for thing in objects):
        root.at("objects").fail("has no Floor", 'add an object of type "Floor"')
    kind = root.at("kind")
    return Room(
        name=root.at("name").text(),
        kind=RoomKind(kind.one_of([k.value for k in RoomKind])),
        seed=root.at("seed").whole(),
        agent_y=root.at("agent_y").number(),
        objects=objects,
    )


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        why = f"is not JSON: line {error.lineno}, {error.msg}"
    except RecursionError:
        why = "is nested too deep"
    raise RoomFormatError(why, where=where, fix="mend it or make it anew")


class _Field:
    """A value of the file with the path that leads to it."""

    def __init__(self, where: str, path: str, value: Any) -> None:
        self.where, self.path, self.value = where, path, value

    def fail(self, why: str, fix: str = "") -> NoReturn:
        where = f"{self.where}: {self.path}" if self.path else self.where
        raise RoomFormatError(why, where=where, fix=fix)

    def _table(self) -> Mapping[str, Any]:
        value = self.value
        if not isinstance(value, dict):
            self.fail("should be a JSON object, {...}")
        return cast(Mapping[str, Any], value)

    def has(self, key: str) -> bool:
        return key in self._table()

    def at(self, key: str) -> "_Field":
        path = f"{self.path}.{key}" if self.path else key
        table = self._table()
        if key not in table:
            _Field(self.where, path, None).fail("is missing", "add it")
        return _Field(self.where, path, table[key])

    def items(self, least: int = 0, most: int = MOST_OBJECTS) -> list["_Field"]:
        value = self.value
        if not isinstance(value, list):
            self.fail("should be a list, [...]")
        found = cast(Sequence[Any], value)
        if not least <= len(found) <= most:
            self.fail(f"has {len(found)} entries, should have {least} to {most}")
        return [
            _Field(self.where, f"{self.path}[{i}]", item)
            for i, item in enumerate(found)
        ]

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            self.fail(f"should be a text, is {self.value!r}")
        return self.value

    def whole(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail(f"should be a whole number, is {self.value!r}")
        return self.value

    def number(self) -> float:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(f"should be a number, is {value!r}")
        if not isfinite(value) or abs(value) > FARTHEST * 10:
            self.fail(f"is impossible: {value!r}")
        return float(value)

    def numbers(self, least: int, most: int) -> list[float]:
        return [item.number() for item in self.items(least, most)]

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def one_of(self, known: Sequence[str]) -> str:
        if self.value not in known:
            near = get_close_matches(str(self.value), known, n=2)
            offer = " or ".join(repr(name) for name in near or known[:4])
            self.fail(f"is not known: {self.value!r}", f"did you mean {offer}?")
        return self.value


def _object(row: _Field) -> ObjectState:
    kind = kinds()[row.at("type").one_of(list(kinds()))]
    name = row.at("id").text()
    at = _point(row.at("at"))
    yaw = row.at("yaw").number() % 360.0
    thing = ObjectState(
        objectId=name,
        objectType=kind.name,
        name=f"{kind.name}_{crc32(name.encode()):08x}",
        affordances=kind.can,
        position=at,
        rotation=(0.0, yaw, 0.0),
        box=_box(row.at("box")),
        mass=kind.mass,
        salientMaterials=kind.materials,
        controlledObjects=row.at("controls").texts() if row.has("controls") else None,
        parentReceptacles=row.at("in").texts() if row.has("in") else (),
    )
    if row.has("states"):
        for state in row.at("states").items():
            thing = replace(thing, **{state.one_of(FLAGS): True})
    if row.has("temperature"):
        degree = row.at("temperature").one_of(TEMPERATURES)
        thing = replace(thing, ObjectTemperature=degree)
    return thing


def _point(field: _Field) -> tuple[float, float, float]:
    x, y, z = field.numbers(3, 3)
    if max(abs(x), abs(y), abs(z)) > FARTHEST:
        field.fail(f"is farther than {FARTHEST:g} m from the origin")
    return x, y, z


def _box(field: _Field) -> Box:
    x, y, z, width, height, depth, *rest = field.numbers(6, 7)
    if min(width, height, depth) <= 0:
        field.fail("has a size that is not above 0", "give middle x y z, size x y z")
    if max(abs(x), abs(y), abs(z), width, height, depth) > FARTHEST:
        field.fail(f"reaches farther than {FARTHEST:g} m")
    return Box((x, y, z), (width, height, depth), rest[0] % 360.0 if rest else 0.0)


def _check_names(rows: Sequence[_Field], objects: Sequence[ObjectState]) -> None:
    """Check that ids are unique and that what objects name is there."""
    known: set[str] = set()
    for row, thing in zip(rows, objects, strict=True):
        if thing.objectId in known:
            row.at("id").fail(f"is there twice: {thing.objectId!r}")
        known.add(thing.objectId)
    for row, thing in zip(rows, objects, strict=True):
        named = {"in": thing.parentReceptacles, "controls": thing.controlledObjects}
        for key, names in named.items():
            for name in names or ():
                if name not in known or name == thing.objectId:
                    row.at(key).fail(f"names {name!r}, which is not in the room")
