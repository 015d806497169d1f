"""The scenes that the server can load, the rooms that serve them, and what is known of these."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tatc.base.errors import RoomFormatError
from tatc.home.state import Box
from tatc.session import worlds
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.rooms import Room, ithor_names, load_room, room_files, room_names, shipped_names
from tatc.sim.rooms.ithor import aligned_boxes

SCENE_SUFFIX = "_physics"


@dataclass(frozen=True, slots=True)
class ServedScene:
    """A scene and the room that serves it; `source` is the room's name or file.

    `aligned_boxes` are AI2-THOR's own boxes along the world's axes of objects that lie askew.
    """

    scene: str
    room: Room
    source: str
    aligned_boxes: Mapping[str, Box] = field(default_factory=dict[str, Box])

    @property
    def is_shipped(self) -> bool:
        """Whether the room is one that tatc ships, not a user's file."""
        return self.source == self.room.name

    @property
    def recorded_map(self) -> RecordedMap | None:
        """What recordings show of the floor plan, but for the games that the room was made of.

        None for a user's room that names no games: any game could be the one that it was made of.
        """
        if not self.is_shipped and not self.room.games:
            return None
        known = worlds.load_map_for(worlds.SHIPPED_MAP, self.room.name, None)
        return known and known.without_games(*self.room.games)


def find_served_scene(scene: str, folder: Path | None = None) -> ServedScene | None:
    """Return the room that serves a scene; None if there is none.

    The room of the scene's name in `folder` comes first, then the user's own, then AI2-THOR's
    scene as it ships.  A room's own name is also the name of a scene.
    """
    name = scene.removesuffix(SCENE_SUFFIX)
    own = _own_rooms(folder)
    if name in own:
        return ServedScene(scene, load_room(own[name]), str(own[name]))
    if name in ithor_names():
        return ServedScene(scene, load_room(name), name, aligned_boxes(name))
    return ServedScene(scene, load_room(name), name) if name in room_names() else None


def scene_names(folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of all scenes that can be served, sorted."""
    own, found = _own_rooms(folder), list[str]()
    for name in dict.fromkeys((*shipped_names(), *own)):
        with suppress(RoomFormatError):
            if name in own:
                load_room(own[name])
            found.append(f"{name}{SCENE_SUFFIX}" if name.startswith("FloorPlan") else name)
    return tuple(sorted(found))


def _own_rooms(folder: Path | None) -> dict[str, Path]:
    return room_files.user_rooms() | (room_files.user_rooms(folder) if folder else {})
