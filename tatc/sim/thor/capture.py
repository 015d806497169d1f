"""A room file's worth of a running AI2-THOR's scene."""

from tatc.actions import GRID
from tatc.errors import ThorError
from tatc.sim.rooms.captured import captured_room
from tatc.sim.rooms.room import Room
from tatc.sim.thor.client import ThorClient
from tatc.sim.thor.moment import Reader, read_agent

SUFFIX = "_physics"
FIRST = "FloorPlan1"
"""The scene that AI2-THOR is started in where any will do: its client wants one."""


def capture_room(client: ThorClient, scene: str) -> Room:
    """Return the room of a scene as it is loaded: objects, boxes, knobs, free cells.

    Raises:
        MissingExtra: the client is not installed.
        ThorError: AI2-THOR does not start, lacks the scene, died or hangs.

    """
    name = scene.removesuffix(SUFFIX)
    metadata = client.load(name).metadata
    agent = read_agent(metadata["agent"])
    start = Reader(name).snapshot(metadata, agent)
    places = client.act("GetReachablePositions").value
    if not places:
        raise ThorError(
            f"AI2-THOR says of no place in {name} that a body can stand there",
            fix="capture another scene",
        )
    cells = ((round(p["x"] / GRID), round(p["z"] / GRID)) for p in places)
    return captured_room(name, start, cells)


def scenes_of(client: ThorClient) -> tuple[str, ...]:
    """Return the scenes of iTHOR that this AI2-THOR has, and its other ones if none.

    Raises:
        MissingExtra: the client is not installed.
        ThorError: AI2-THOR does not start, has no scene `FIRST`, died or hangs.

    """
    client.load(FIRST)
    listed = client.act("GetScenesInBuild").value or ()
    names = sorted(str(name).removesuffix(SUFFIX) for name in listed)
    numbered = [name for name in names if name.removeprefix("FloorPlan").isdigit()]
    return tuple(sorted(numbered or names, key=lambda name: (len(name), name)))
