"""What a room is: its objects as they stand before a session's start is drawn."""

from dataclasses import dataclass

from tatc.camera.room_bounds import FLOOR_BEHIND_WALL_METRES
from tatc.state import ObjectState, RoomKind


@dataclass(frozen=True, slots=True)
class Room:
    """A furnished room.

    `seed` made it (0 for a room made by hand), `agent_y` is the height of the agents'
    positions in metres.  `cells` are where a body can stand, where that is known.
    """

    name: str
    kind: RoomKind
    seed: int
    agent_y: float
    objects: tuple[ObjectState, ...]
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def walls(self) -> tuple[float, float, float, float]:
        """Where the walls are: lowest x, lowest z, highest x, highest z."""
        bounds = [t.box.bounds() for t in self.objects if t.objectType == "Floor"]
        return (
            round(min(low[0] for low, _ in bounds) + FLOOR_BEHIND_WALL_METRES, 3),
            round(min(low[2] for low, _ in bounds) + FLOOR_BEHIND_WALL_METRES, 3),
            round(max(high[0] for _, high in bounds) - FLOOR_BEHIND_WALL_METRES, 3),
            round(max(high[2] for _, high in bounds) - FLOOR_BEHIND_WALL_METRES, 3),
        )

    @property
    def floor_area(self) -> float:
        """The area between the walls, square metres."""
        x0, z0, x1, z1 = self.walls
        return round(max(x1 - x0, 0.0) * max(z1 - z0, 0.0), 2)


def room_name(kind: RoomKind, seed: int) -> str:
    """Return the name of a kind's room with a seed: "living-room-03"."""
    return f"{kind.value.lower().replace(' ', '-')}-{seed:02d}"
