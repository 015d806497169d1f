"""A room: its objects as they are before the start of a session is drawn."""

from dataclasses import dataclass

from tatc.home.camera.room_bounds import FLOOR_BEHIND_WALL_METRES
from tatc.home.state import ObjectState, RoomKind


@dataclass(frozen=True, slots=True)
class Room:
    """A furnished room.

    `seed` is the one it was generated from (0 for a room made by hand); `agent_y` is the
    height of the agents' positions in metres.  `cells` are where an agent can stand, x and z
    in steps of 0.25 m; it is empty if that is not known.
    """

    name: str
    kind: RoomKind
    seed: int
    agent_y: float
    objects: tuple[ObjectState, ...]
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def walls(self) -> tuple[float, float, float, float]:
        """The positions of the walls: least x, least z, greatest x, greatest z, metres."""
        bounds = [t.box.bounds() for t in self.objects if t.objectType == "Floor"]
        return (
            round(min(low[0] for low, _ in bounds) + FLOOR_BEHIND_WALL_METRES, 3),
            round(min(low[2] for low, _ in bounds) + FLOOR_BEHIND_WALL_METRES, 3),
            round(max(high[0] for _, high in bounds) - FLOOR_BEHIND_WALL_METRES, 3),
            round(max(high[2] for _, high in bounds) - FLOOR_BEHIND_WALL_METRES, 3),
        )

    @property
    def floor_area(self) -> float:
        """The area between the walls in square metres."""
        x0, z0, x1, z1 = self.walls
        return round(max(x1 - x0, 0.0) * max(z1 - z0, 0.0), 2)


def room_name(kind: RoomKind, seed: int) -> str:
    """Return the name of the room of a kind and a seed, such as "living-room-03"."""
    return f"{kind.value.lower().replace(' ', '-')}-{seed:02d}"
