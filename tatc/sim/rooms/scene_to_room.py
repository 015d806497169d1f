"""Makes rooms from the state of an AI2-THOR scene, running or recorded."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from re import fullmatch

from tatc.base.errors import ThorError
from tatc.home import actions, assets, type_facts
from tatc.home.metadata import SIMBOT_FIELDS
from tatc.home.state import ABSENT, Box, ObjectState, RoomKind, Scene, Snapshot
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.floorplan.navigable_cells import clearance_grid
from tatc.sim.rooms import room, room_files
from tatc.sim.thor.client import ThorClient
from tatc.sim.thor.scenes import MetadataReader, read_agent

PHYSICS_SUFFIX = "_physics"
MIN_BOX_SIDE_METRES = 1e-3
"""The shortest side of a captured box, metres; AI2-THOR also has flat ones."""
_KIND_BY_SCENE_DIGIT = dict(zip("0234", RoomKind, strict=True))
_TYPES_TELLING_KIND = (
    (RoomKind.BATHROOM, frozenset({"Toilet", "Bathtub", "ShowerHead"})),
    (RoomKind.BEDROOM, frozenset({"Bed"})),
    (RoomKind.KITCHEN, frozenset({type_facts.BURNER_TYPE, "Fridge", "Microwave"})),
)
"""The types by which the kind of a room without an AI2-THOR number is recognized."""


def room_from_scene(name: str, start: Snapshot, cells: Iterable[tuple[int, int]] = ()) -> room.Room:
    """Return the room of a scene, without its agents and TEACh's simbot properties.

    Objects that room files cannot hold are left out too: those of unknown types, those more
    than 100 m from the origin, and those with an id that occurred before.
    """
    objects = list(_representable_objects(start.objects))
    names = {obj.objectId for obj in objects}
    return room.Room(
        name=name,
        kind=room_kind_of(name, objects),
        seed=0,
        agent_y=start.follower.position[1],
        objects=tuple(_as_room_object(obj, names) for obj in objects),
        cells=tuple(sorted(set(cells))),
    )


def room_kind_of(name: str, objects: Iterable[ObjectState]) -> RoomKind:
    """Return the kind of a room: by its AI2-THOR number, or else by its objects."""
    numbered = fullmatch(r"FloorPlan(?:([234])\d\d|\d{1,2})", name)
    if numbered:
        return _KIND_BY_SCENE_DIGIT[numbered[1] or "0"]
    types = {obj.objectType for obj in objects}
    found = (kind for kind, telling in _TYPES_TELLING_KIND if not telling.isdisjoint(types))
    return next(found, RoomKind.LIVING_ROOM)


def _representable_objects(objects: Iterable[ObjectState]) -> Iterator[ObjectState]:
    seen: set[str] = set()
    for obj in objects:
        near = max(map(abs, (*obj.position, *obj.box.center, *obj.box.size)))
        known = obj.objectType in assets.known_object_types() and obj.objectId not in seen
        if known and near <= room_files.MAX_COORDINATE_METRES:
            seen.add(obj.objectId)
            yield obj


def _as_room_object(obj: ObjectState, ids: set[str]) -> ObjectState:
    """Return an object as a room holds it, which knows only the ids of the room's objects."""

    def known(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name in ids and name != obj.objectId)

    width, height, depth = (max(side, MIN_BOX_SIDE_METRES) for side in obj.box.size)
    pitch, yaw, roll = (angle % 360.0 for angle in obj.rotation)
    return replace(
        obj,
        rotation=(pitch, yaw, roll),
        box=Box(obj.box.center, (width, height, depth), obj.box.yaw),
        parentReceptacles=known(obj.parentReceptacles or ()),
        controlledObjects=known(obj.controlledObjects) if obj.controlledObjects else None,
        mass=assets.known_object_types()[obj.objectType].mass,
        salientMaterials=assets.known_object_types()[obj.objectType].materials,
        **dict.fromkeys(SIMBOT_FIELDS, ABSENT),
    )


def recorded_room(
    scene: Scene,
    stood_on: Set[actions.Cell] = frozenset(),
    refused: Iterable[actions.Cell] = (),
    games: tuple[str, ...] = (),
) -> room.Room:
    """Return the room of a recorded start, under the name of its floor plan.

    Its objects have the ids, poses, boxes and states of the start.  Its cells are those that
    the Follower of the start can reach between the boxes, and those that people stood on in this
    floor plan.  A cell that was `refused` to people is free if others stood on it: furniture was
    moved, or a door stood open.  `games` are the ids of the games that show all this.
    """
    objects, follower = scene.initial.objects, scene.initial.follower
    clearance = clearance_grid(objects, follower.position)
    grid = WalkableGrid(scene, clearance, stood_on, set(refused) - stood_on)
    made = room_from_scene(scene.place, scene.initial, grid.reachable_cells | stood_on)
    return replace(made, games=games)


def capture_room(client: ThorClient, scene: str) -> room.Room:
    """Return the room of a scene as loaded: its objects, boxes, knobs and free cells."""
    name = scene.removesuffix(PHYSICS_SUFFIX)
    metadata = client.load(name).metadata
    start = MetadataReader(name).snapshot(metadata, read_agent(metadata["agent"]))
    positions = client.act("GetReachablePositions").return_value
    if not positions:
        why = f"AI2-THOR lists no position in {name} where a body can stand"
        raise ThorError(why, fix="capture another scene")
    return room_from_scene(name, start, (actions.cell_of(p["x"], p["z"]) for p in positions))


def list_scenes(client: ThorClient) -> tuple[str, ...]:
    """Return the names of AI2-THOR's iTHOR scenes, or of all its scenes if it has none of those."""
    client.load("FloorPlan1")  # any would do, and the client needs one
    listed = client.act("GetScenesInBuild").return_value or ()
    names = sorted(str(name).removesuffix(PHYSICS_SUFFIX) for name in listed)
    numbered = [name for name in names if name.removeprefix("FloorPlan").isdigit()]
    return tuple(sorted(numbered or names, key=lambda name: (len(name), name)))
