"""What a room is: its objects as they stand before a session's start is drawn."""

from dataclasses import dataclass

from tatc.state import ObjectState, RoomKind


@dataclass(frozen=True, slots=True)
class Room:
    """A furnished room.

    `seed` made it (0 for a room made by hand), `agent_y` is the height of the agents'
    positions in metres.
    """

    name: str
    kind: RoomKind
    seed: int
    agent_y: float
    objects: tuple[ObjectState, ...]

    @property
    def floor_area(self) -> float:
        """The area of the floor, square metres."""
        floors = [t.box.size for t in self.objects if t.objectType == "Floor"]
        return round(sum(x * z for x, _, z in floors), 2)
