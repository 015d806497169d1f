"""Rooms made of what AI2-THOR tells of a scene, running or recorded."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from re import fullmatch

from tatc.metadata import SIMBOT
from tatc.sim.rooms.catalogue import kinds
from tatc.sim.rooms.reading import FARTHEST
from tatc.sim.rooms.room import Room
from tatc.sim.stoves import BURNER
from tatc.state import ABSENT, Box, ObjectState, RoomKind, Snapshot

THINNEST = 1e-3
"""No side of a captured box is shorter, metres: AI2-THOR has flat ones."""
_KINDS = dict(zip("0234", RoomKind, strict=True))
_TELLING = (
    (RoomKind.BATHROOM, frozenset({"Toilet", "Bathtub", "ShowerHead"})),
    (RoomKind.BEDROOM, frozenset({"Bed"})),
    (RoomKind.KITCHEN, frozenset({BURNER, "Fridge", "Microwave"})),
)
"""What tells the kind of a room that has no number of AI2-THOR's."""


def captured_room(
    name: str, start: Snapshot, cells: Iterable[tuple[int, int]] = ()
) -> Room:
    """Return the room of a scene; its agents and TEACh's properties are left out.

    What the room's files cannot hold is left out too: types that nobody knows, things
    farther than 100 m away, second things of one id.
    """
    objects = list(_kept(start.objects))
    names = {thing.objectId for thing in objects}
    return Room(
        name=name,
        kind=kind_of(name, objects),
        seed=0,
        agent_y=start.follower.position[1],
        objects=tuple(_within(thing, names) for thing in objects),
        cells=tuple(sorted(set(cells))),
    )


def kind_of(name: str, objects: Iterable[ObjectState]) -> RoomKind:
    """Return the kind of a room: by AI2-THOR's number, else by what stands in it."""
    numbered = fullmatch(r"FloorPlan(?:([234])\d\d|\d{1,2})", name)
    if numbered:
        return _KINDS[numbered[1] or "0"]
    types = {thing.objectType for thing in objects}
    found = (kind for kind, telling in _TELLING if not telling.isdisjoint(types))
    return next(found, RoomKind.LIVING_ROOM)


def _kept(objects: Iterable[ObjectState]) -> Iterator[ObjectState]:
    seen: set[str] = set()
    for thing in objects:
        near = max(map(abs, (*thing.position, *thing.box.center, *thing.box.size)))
        known = thing.objectType in kinds() and thing.objectId not in seen
        if known and near <= FARTHEST:
            seen.add(thing.objectId)
            yield thing


def _within(thing: ObjectState, names: set[str]) -> ObjectState:
    """Return a thing as a room holds it."""
    width, height, depth = (max(side, THINNEST) for side in thing.box.size)
    burners = thing.controlledObjects
    rotation = thing.rotation
    return replace(
        thing,
        rotation=(rotation[0] % 360.0, rotation[1] % 360.0, rotation[2] % 360.0),
        box=Box(thing.box.center, (width, height, depth), thing.box.yaw),
        parentReceptacles=_known(thing.parentReceptacles or (), thing, names),
        controlledObjects=None if not burners else _known(burners, thing, names),
        mass=kinds()[thing.objectType].mass,
        salientMaterials=kinds()[thing.objectType].materials,
        **dict.fromkeys(SIMBOT, ABSENT),
    )


def _known(ids: Iterable[str], thing: ObjectState, names: set[str]) -> tuple[str, ...]:
    return tuple(name for name in ids if name in names and name != thing.objectId)
