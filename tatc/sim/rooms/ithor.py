"""AI2-THOR's own scenes as rooms, FloorPlan1 to FloorPlan430.

They lie in one archive, `data/ithor.zip`: for each of them a room file, and the boxes of what lies
askew.  Only what is asked for is read.  `NOTICE` says where they come from.

They are also read from the metadata that procthor publishes, `ai2thor-object-metadata.json` of
procthor 0.0.1.dev2: every object of every scene as AI2-THOR loads it.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from tatc.base import errors, plain_text
from tatc.base.json_fields import as_list, faults_under
from tatc.home import metadata, type_facts
from tatc.home.state import Box, ObjectState, RoomKind

ARCHIVE_NAME, ROOM_SUFFIX, BOXES_SUFFIX = "ithor.zip", ".json", "-boxes.json"
FIRST_PLAN_NUMBERS = dict(zip(RoomKind, (1, 201, 301, 401), strict=True))
"""The number of the first scene of each kind, in AI2-THOR's numbering."""
PLANS_PER_KIND = 30


def ithor_name(kind: RoomKind, number: int) -> str:
    """Return the name of a kind's scene of a number from 1 to 30, such as "FloorPlan203"."""
    return f"FloorPlan{FIRST_PLAN_NUMBERS[kind] + number - 1}"


@cache
def ithor_names() -> tuple[str, ...]:
    """Return the names of the scenes by kind, kitchens first, then by number."""
    numbers = range(1, PLANS_PER_KIND + 1)
    return tuple(ithor_name(kind, number) for kind in RoomKind for number in numbers)


def nearest_names(name: str) -> tuple[str, ...]:
    """Return the scene whose number is nearest to that of a floor plan; none for other names."""
    number = plain_text.whole_number(name.lower().removeprefix("floorplan"))
    if number is None or not name.lower().startswith("floorplan"):
        return ()
    return (min(ithor_names(), key=lambda each: abs(int(each[len("FloorPlan") :]) - number)),)


def aligned_boxes(name: str) -> dict[str, Box]:
    """Return the boxes along the world's axes of a scene's loose objects that lie askew, by id.

    AI2-THOR measures them on the objects' shapes: they are narrower than those around their boxes.
    """
    rows: dict[str, list[float]] = json.loads(read_ithor_text(name, BOXES_SUFFIX))
    return {each: Box((x, y, z), (a, b, c)) for each, (x, y, z, a, b, c) in rows.items()}


def read_ithor_text(name: str, suffix: str = ROOM_SUFFIX) -> str:
    """Return the text of a scene's room file, or of another of its files."""
    archive = files("tatc.sim.rooms").joinpath("data", ARCHIVE_NAME)
    try:
        with archive.open("rb") as stream, ZipFile(stream) as rooms:
            return rooms.read(f"{name}{suffix}").decode()
    except (OSError, KeyError, BadZipFile, ZlibError, ValueError, EOFError) as fault:
        why = f"{name} cannot be read: {fault}"
        raise errors.RoomFormatError(why, where=str(archive), fix="install tatc again") from fault


PROCTHOR_LISTS = dict(
    zip(("kitchens", "living_rooms", "bedrooms", "bathrooms"), RoomKind, strict=True)
)
"""The lists of procthor's file that hold the scenes of a kind, in the order of their numbers."""
MAX_FAUCET_GAP_METRES = 0.2
"""A faucet farther from every sink and tub, seen from above, is left out: procthor's file puts four
tubs' faucets at their scenes' origins, where AI2-THOR has none; all others are within 0.12 m."""


def procthor_plans(raw: Mapping[str, Any]) -> Iterator[tuple[str, tuple[ObjectState, ...]]]:
    """Yield each iTHOR scene of procthor's file: its name and its objects."""
    for name, objects, field in scene_entries(raw):
        yield name, read_scene(objects, field)


def scene_entries(raw: Mapping[str, Any]) -> Iterator[tuple[str, list[Any], str]]:
    """Yield each iTHOR scene of procthor's file: its name, its metadata, and their field."""
    for name, kind in PROCTHOR_LISTS.items():
        for i, objects in enumerate(as_list(raw[name], name)):
            field = f"{name}[{i}]"
            yield ithor_name(kind, i + 1), as_list(objects, field), field


def read_scene(entries: object, field: str) -> tuple[ObjectState, ...]:
    """Return the objects of a scene, without faucets that stand at no sink or tub."""
    objects = read_objects(entries, field)
    basins = [obj.box for obj in objects if obj.objectType in type_facts.SINK_TYPES]

    def is_stray(obj: ObjectState) -> bool:
        gaps = (box.horizontal_distance(obj.position[0], obj.position[2]) for box in basins)
        return obj.objectType == "Faucet" and all(gap > MAX_FAUCET_GAP_METRES for gap in gaps)

    return tuple(obj for obj in objects if not is_stray(obj))


def read_objects(entries: object, field: str) -> tuple[ObjectState, ...]:
    """Return the objects of a metadata dump, of which each id is read once."""
    by_id: dict[str, ObjectState] = {}
    for i, entry in enumerate(as_list(entries, field)):
        with faults_under(f"{field}[{i}]"):
            found = metadata.read_object(cast(Mapping[str, Any], entry))
        by_id.setdefault(found.objectId, found)
    return tuple(by_id.values())
