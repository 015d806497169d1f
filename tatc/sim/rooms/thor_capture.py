"""Captures a scene of a running AI2-THOR as a room."""

from tatc.base.errors import ThorError
from tatc.home.actions import cell_of
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.scene_to_room import room_from_scene
from tatc.sim.thor.client import ThorClient
from tatc.sim.thor.metadata_reader import MetadataReader, read_agent

PHYSICS_SUFFIX = "_physics"
PROBE_SCENE = "FloorPlan1"
"""The scene in which AI2-THOR is started where any would do; its client needs one."""


def capture_room(client: ThorClient, scene: str) -> Room:
    """Return the room of a scene as loaded: its objects, boxes, knobs and free cells."""
    name = scene.removesuffix(PHYSICS_SUFFIX)
    metadata = client.load(name).metadata
    agent = read_agent(metadata["agent"])
    start = MetadataReader(name).snapshot(metadata, agent)
    positions = client.act("GetReachablePositions").return_value
    if not positions:
        raise ThorError(
            f"AI2-THOR lists no position in {name} where a body can stand",
            fix="capture another scene",
        )
    cells = (cell_of(p["x"], p["z"]) for p in positions)
    return room_from_scene(name, start, cells)


def list_scenes(client: ThorClient) -> tuple[str, ...]:
    """Return the names of AI2-THOR's iTHOR scenes, or of all its scenes if it has none of those."""
    client.load(PROBE_SCENE)
    listed = client.act("GetScenesInBuild").return_value or ()
    names = sorted(str(name).removesuffix(PHYSICS_SUFFIX) for name in listed)
    numbered = [name for name in names if name.removeprefix("FloorPlan").isdigit()]
    return tuple(sorted(numbered or names, key=lambda name: (len(name), name)))
