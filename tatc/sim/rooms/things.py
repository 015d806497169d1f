"""Makes single objects in AI2-THOR's vocabulary: ids, positions, boxes."""

from zlib import crc32

from tatc.sim.rooms.catalogue import kinds
from tatc.state import Box, ObjectState, Vec3

ROUND = frozenset(
    {"Apple", "BasketBall", "Bread", "Egg", "Lettuce", "Potato", "Tomato"}
)
"""Types whose position is the middle of the box, not the middle of its lower side."""
FRONTED = frozenset({"Cabinet", "Drawer"})
"""Types whose position is the middle of the front, where the handle is."""
OVERHEAD = 1.3
"""What begins higher than this hangs over the furniture, metres."""


def make(
    kind: str,
    center: Vec3,
    size: Vec3,
    yaw: float,
    *,
    parents: tuple[str, ...] = (),
    controls: tuple[str, ...] | None = None,
    owner: str = "",
) -> ObjectState:
    """Return an object of a known type with its box at a place.

    What cannot be moved has a box along the world's axes, as AI2-THOR gives it.  An
    `owner` id becomes the head of the id, as a basin's sink is.
    """
    facts = kinds()[kind]
    able = facts.can
    box = Box(_round(center), _round(size), yaw % 360.0)
    if not (able.pickupable or able.moveable):
        box = _aligned(box)
    at = _position(kind, box, yaw)
    name = f"{owner}|{kind}" if owner else object_id(kind, at)
    return ObjectState(
        objectId=name,
        objectType=kind,
        name=own_name(kind, name),
        affordances=able,
        position=at,
        rotation=(0.0, yaw % 360.0, 0.0),
        box=box,
        mass=facts.mass,
        salientMaterials=facts.materials,
        controlledObjects=controls,
        parentReceptacles=parents,
        isOpen=kind in ("Box", "Laptop"),
    )


def own_name(kind: str, object_id: str) -> str:
    """Return the name of an object that has none of its own."""
    return f"{kind}_{crc32(object_id.encode()):08x}"


def object_id(kind: str, at: Vec3) -> str:
    """Return AI2-THOR's id of an object of a type that begins at a point."""
    return "|".join((kind, *(f"{round(v, 2) + 0.0:+06.2f}" for v in at)))


def _aligned(box: Box) -> Box:
    low, high = box.bounds()
    x, y, z = (b - a for a, b in zip(low, high, strict=True))
    return Box(box.center, _round((x, y, z)))


def _position(kind: str, box: Box, yaw: float) -> Vec3:
    x, y, z = box.center
    if kind in FRONTED:
        dx, dz = heading(yaw)
        half = abs(dx) * box.size[0] / 2 + abs(dz) * box.size[2] / 2
        return _round((x + dx * half, y, z + dz * half))
    if kind in ROUND:
        return box.center
    return _round((x, y - box.size[1] / 2, z))


def heading(yaw: float) -> tuple[float, float]:
    """Return the x and z of the way that a quarter-turn yaw faces."""
    return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[round(yaw / 90.0) % 4]


def _round(point: Vec3) -> Vec3:
    x, y, z = (round(v, 4) + 0.0 for v in point)
    return x, y, z
