"""AI2-THOR's own scenes as rooms, FloorPlan1 to FloorPlan430.

They lie in one archive, `data/ithor.zip`: for each of them a room file, and the boxes of what lies
askew.  Only what is asked for is read.  `NOTICE` says where they come from.
"""

import json
from functools import cache
from importlib.resources import files
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from tatc.base import errors, plain_text
from tatc.home.state import Box, RoomKind

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


def read_ithor_text(name: str) -> str:
    """Return the text of a scene's room file."""
    return _read_member(name, ROOM_SUFFIX)


def aligned_boxes(name: str) -> dict[str, Box]:
    """Return the boxes along the world's axes of a scene's loose objects that lie askew, by id.

    AI2-THOR measures them on the objects' shapes: they are narrower than those around their boxes.
    """
    rows: dict[str, list[float]] = json.loads(_read_member(name, BOXES_SUFFIX))
    return {each: Box((x, y, z), (a, b, c)) for each, (x, y, z, a, b, c) in rows.items()}


def _read_member(name: str, suffix: str) -> str:
    archive = files("tatc.sim.rooms").joinpath("data", ARCHIVE_NAME)
    try:
        with archive.open("rb") as stream, ZipFile(stream) as rooms:
            return rooms.read(f"{name}{suffix}").decode()
    except (OSError, KeyError, BadZipFile, ZlibError, ValueError, EOFError) as fault:
        why = f"{name} cannot be read: {fault}"
        raise errors.RoomFormatError(why, where=str(archive), fix="install tatc again") from fault
