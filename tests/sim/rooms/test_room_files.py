"""Room files: the same back, and one line for whatever is wrong with one."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import RoomFormatError, UnknownName
from tatc.home.state import Affordances, RoomKind
from tatc.sim.rooms import format_room, generate_room, load_room, room_names
from tatc.sim.rooms.room_files import parse_room

Damage = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def text() -> str:
    return format_room(generate_room(RoomKind.BATHROOM, 5))


@pytest.mark.parametrize("kind", RoomKind)
def test_a_room_comes_back_as_it_was_written(kind: RoomKind):
    room = generate_room(kind, 31)
    assert parse_room(format_room(room), "a file") == room


def test_what_is_unlike_its_type_comes_back_too():
    room = generate_room(RoomKind.BATHROOM, 5)
    first, *others = room.objects
    odd = replace(first, name="Odd_1(Clone)", rotation=(12.5, 0.0, 350.0))
    odd = replace(odd, affordances=Affordances(moveable=True))
    made = replace(room, objects=(odd, *others), cells=((-3, 2), (0, 0)))
    assert parse_room(format_room(made), "a file") == made


def test_a_room_is_loaded_by_name_and_by_path(tmp_path: Path, text: str):
    file = tmp_path / "mine.json"
    file.write_text(text)
    assert load_room(file) == load_room(str(file)) == parse_room(text, "")
    assert load_room("kitchen-02").name == "kitchen-02"


def test_kitchens_come_first_and_in_the_order_of_their_numbers():
    names = room_names()
    assert names[:3] == ("kitchen-01", "kitchen-02", "kitchen-03")
    assert names[-1].startswith("bathroom-")


def test_an_unknown_name_offers_near_ones():
    with pytest.raises(UnknownName, match=r"unknown room 'kitchn-01'.*'kitchen-01'"):
        load_room("kitchn-01")


def first_of_type(raw: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(row for row in raw["objects"] if row["type"] == kind)


def set_field(kind: str, key: str, value: Any) -> Damage:
    def damage(raw: dict[str, Any]) -> None:
        first_of_type(raw, kind)[key] = value

    return damage


def drop_field(kind: str, key: str) -> Damage:
    return lambda raw: first_of_type(raw, kind).pop(key)


def set_top_level(key: str, value: Any) -> Damage:
    return lambda raw: raw.update({key: value})


NAN, MANY = float("nan"), 10**400
DAMAGES: dict[str, tuple[Damage, str]] = {
    "no format": (lambda raw: raw.pop("format"), "format: is missing"),
    "another format": (set_top_level("format", "blueprint"), "format: is unknown"),
    "no version": (lambda raw: raw.pop("version"), "version: is missing"),
    "a newer version": (set_top_level("version", 99), "version: is not 1"),
    "a version in words": (set_top_level("version", "one"), "version: should be a whole number"),
    "no name": (lambda raw: raw.pop("name"), "name: is missing"),
    "an empty name": (set_top_level("name", ""), "name: should be a text"),
    "a name elsewhere": (set_top_level("name", "../attic"), "name: should be a printable name"),
    "a name of a number": (set_top_level("name", 7), "name: should be a text"),
    "no kind": (lambda raw: raw.pop("kind"), "kind: is missing"),
    "an unknown kind": (set_top_level("kind", "Kitchn"), "kind: is unknown: 'Kitchn'"),
    "a list for a kind": (set_top_level("kind", []), "kind: is unknown"),
    "no seed": (lambda raw: raw.pop("seed"), "seed: is missing"),
    "half a seed": (set_top_level("seed", 1.5), "seed: should be a whole number"),
    "a true seed": (set_top_level("seed", True), "seed: should be a whole number"),
    "no height": (lambda raw: raw.pop("agent_y"), "agent_y: is missing"),
    "no number": (set_top_level("agent_y", "0.9"), "agent_y: should be a number"),
    "not a number": (set_top_level("agent_y", NAN), "agent_y: is impossible"),
    "a height of kilometres": (set_top_level("agent_y", 1e6), "agent_y: is impossible"),
    "a huge height": (set_top_level("agent_y", MANY), "agent_y: is impossible"),
    "no objects": (lambda raw: raw.pop("objects"), "objects: is missing"),
    "objects as a table": (set_top_level("objects", {}), "objects: should be a list"),
    "no object": (set_top_level("objects", []), "objects: has no Floor"),
    "an object of text": (set_top_level("objects", ["Mug"]), "objects[0]: should be an object"),
    "too many": (set_top_level("objects", [{}] * 3000), "objects: has more than"),
    # What stands on it names it.
    "no floor": (lambda raw: raw["objects"].remove(first_of_type(raw, "Floor")), ""),
    "no id": (drop_field("Cloth", "id"), "].id: is missing"),
    "an empty id": (set_field("Cloth", "id", ""), "].id: should be a text"),
    "no type": (drop_field("Cloth", "type"), "].type: is missing"),
    "an unknown type": (set_field("Cloth", "type", "Clothh"), "].type: is unknown: 'Clothh'"),
    "a type of null": (set_field("Cloth", "type", None), "].type: is unknown: None"),
    "no place": (drop_field("Cloth", "at"), "].at: is missing"),
    "two numbers": (set_field("Cloth", "at", [1, 2]), "].at: should be 3 numbers"),
    "four numbers": (set_field("Cloth", "at", [1, 2, 3, 4]), "].at: should be 3 numbers"),
    "a place in words": (set_field("Cloth", "at", "here"), "].at: should be a list"),
    "a text in a place": (set_field("Cloth", "at", [1, "2", 3]), "].at[1]: should be a number"),
    "infinitely far": (set_field("Cloth", "at", [0, 0, float("inf")]), "].at[2]: is impossible"),
    "too far": (set_field("Cloth", "at", [0, 0, 5000]), "].at[2]: is impossible"),
    "no yaw": (drop_field("Cloth", "yaw"), "].yaw: is missing"),
    "a yaw in words": (set_field("Cloth", "yaw", "north"), "].yaw: should be a number"),
    "a wild yaw": (set_field("Cloth", "yaw", 1e9), "].yaw: is impossible"),
    "no box": (drop_field("Cloth", "box"), "].box: is missing"),
    "a short box": (set_field("Cloth", "box", [0, 0, 0]), "].box: should be 6 or 7 numbers"),
    "a flat box": (set_field("Cloth", "box", [0, 0, 0, 1, 0, 1]), "].box: has a size"),
    "a negative box": (set_field("Cloth", "box", [0, 0, 0, 1, -1, 1]), "].box: has a size"),
    "a giant's box": (set_field("Cloth", "box", [0, 0, 0, 1, 900, 1]), "].box[4]: is impossible"),
    "in nothing known": (set_field("Cloth", "in", ["Moon"]), "].in: names 'Moon'"),
    "in a text": (set_field("Cloth", "in", "Moon"), "].in: should be a list"),
    "controls nothing": (set_field("Cloth", "controls", ["Tap"]), "].controls: names 'Tap'"),
    "an unknown state": (set_field("Cloth", "states", ["isWet"]), "].states: is unknown"),
    "states as a text": (set_field("Cloth", "states", "isDirty"), "].states: should be a"),
    "a name that is none": (set_field("Cloth", "name", ""), "].name: should be a text"),
    "half a tilt": (set_field("Cloth", "tilt", [90]), "].tilt: should be 2 numbers"),
    "a wild tilt": (set_field("Cloth", "tilt", [0, 1e9]), "].tilt[1]: is impossible"),
    "a tilt in words": (set_field("Cloth", "tilt", "a bit"), "].tilt: should be a list"),
    "an unknown ability": (set_field("Cloth", "can", ["fly"]), "].can: is unknown: 'fly'"),
    "cells in words": (set_top_level("cells", "all"), "cells: should be a list"),
    "a cell of three": (set_top_level("cells", [[1, 2, 3]]), "cells[0]: should be two numbers"),
    "half a cell": (set_top_level("cells", [[1, 0.5]]), "cells[0]: should be a whole number"),
    "a cell far away": (set_top_level("cells", [[1, 5000]]), "cells[0]: is too far away"),
    "games in words": (set_top_level("games", "all"), "games: should be a list"),
    "a game by number": (set_top_level("games", [7]), "games: should be a list of texts"),
    "an unknown warmth": (set_field("Cloth", "temperature", "Tepid"), "].temperature: is unknown"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_room_gives_one_line_with_file_and_field(name: str, text: str, tmp_path: Path):
    damage, where = DAMAGES[name]
    raw = json.loads(text)
    damage(raw)
    file = tmp_path / "hole.json"
    file.write_text(json.dumps(raw))
    with pytest.raises(RoomFormatError) as caught:
        load_room(file)
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert where in message
    assert "\n" not in message


def test_an_id_that_is_there_twice_is_named(text: str):
    raw = json.loads(text)
    raw["objects"][1]["id"] = raw["objects"][0]["id"]
    with pytest.raises(RoomFormatError, match=r"objects\[1\].id: is used twice"):
        parse_room(json.dumps(raw), "a file")


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "kitchen", '{"a": }', "[" * 100_000])
def test_what_is_no_room_gives_one_line(content: str, tmp_path: Path):
    file = tmp_path / "bad.json"
    file.write_text(content)
    with pytest.raises(RoomFormatError, match=r"bad\.json"):
        load_room(file)


def test_what_cannot_be_read_says_why(text: str, tmp_path: Path):
    (tmp_path / "half.json").write_text(text[: len(text) // 2])
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff\xfe")
    for name, why in (
        ("half.json", r"line \d+ column \d+: is not JSON"),
        ("none.json", "no such file"),
        ("picture.json", "UTF-8"),
        ("", "folder"),
    ):
        with pytest.raises(RoomFormatError, match=why):
            load_room(tmp_path / name)
