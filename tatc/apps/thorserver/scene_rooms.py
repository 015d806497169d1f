"""Finds the room that serves an AI2-THOR scene.

The room of the scene's name in the folder that the server is started with comes first, and
then the one in the user's data folder.  Without one,
"FloorPlan3" is the third shipped kitchen, "FloorPlan201" the first living room, and so on,
in AI2-THOR's numbering.  A room's own name is also the name of a scene.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tatc.base.errors import RoomFormatError
from tatc.home.state import RoomKind
from tatc.sim.rooms import Room, load_room, room_names
from tatc.sim.rooms.room_files import user_rooms

FIRST_SCENE_NUMBERS = dict(zip(RoomKind, (0, 200, 300, 400), strict=True))
"""The number before the first scene of each kind, in AI2-THOR's numbering."""
SCENE_SUFFIX = "_physics"


@dataclass(frozen=True, slots=True)
class ServedScene:
    """A scene and the room that serves it; `source` is the room's name or file."""

    scene: str
    room: Room
    source: str


def find_served_scene(scene: str, folder: Path | None = None) -> ServedScene | None:
    """Return the room that serves a scene; None if there is none.

    `folder` has rooms that come before the user's.

    Raises:
        RoomFormatError: the user's own room of that name has a fault.

    """
    name = scene.removesuffix(SCENE_SUFFIX)
    own = _own_rooms(folder)
    if name in own:
        return ServedScene(scene, load_room(own[name]), str(own[name]))
    shipped = _shipped_scenes().get(name)
    return None if shipped is None else ServedScene(scene, load_room(shipped), shipped)


def scene_names(folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of all scenes that can be served, sorted."""
    return tuple(sorted(_servable_names(_own_rooms(folder))))


def _own_rooms(folder: Path | None) -> dict[str, Path]:
    return user_rooms() | (user_rooms(folder) if folder else {})


def _servable_names(own: Mapping[str, Path]) -> Iterator[str]:
    for name in {**_shipped_scenes(), **own}:
        try:
            if name in own:
                load_room(own[name])
        except RoomFormatError:
            continue
        yield f"{name}{SCENE_SUFFIX}" if name.startswith("FloorPlan") else name


def _shipped_scenes() -> dict[str, str]:
    """Return the names of the shipped rooms by the names of the scenes that they serve."""
    found: dict[str, str] = {}
    for name in room_names():
        number = FIRST_SCENE_NUMBERS[load_room(name).kind] + int(name.rsplit("-", 1)[1])
        found[f"FloorPlan{number}"] = name
    return found | {name: name for name in room_names()}
