"""Creates single objects with ids, positions and boxes like AI2-THOR's."""

from zlib import crc32

from tatc.home.assets import known_object_types
from tatc.home.state import Box, ObjectState, Vec3
from tatc.home.type_facts import CENTRE_POSITION_TYPES, FRONT_TYPES, STARTS_OPEN_TYPES
from tatc.sim.transforms import subtract

OVERHEAD_BOTTOM_METRES = 1.3
"""An object whose lower side is higher than this hangs above the furniture."""


def create_object(
    object_type: str,
    center: Vec3,
    size: Vec3,
    yaw: float,
    *,
    parents: tuple[str, ...] = (),
    controls: tuple[str, ...] | None = None,
    owner: str = "",
) -> ObjectState:
    """Return an object of a known type, whose box has a centre and size (metres) and yaw (degrees).

    The size is along the object's own axes.  The box of an object that cannot be moved is aligned
    with the world's axes instead, as in AI2-THOR.  `parents` are the ids of the receptacles that
    it is in or on, `controls` those of a knob's burners; the object's id begins with `owner`, the
    id of such as a basin's sink.
    """
    facts = known_object_types()[object_type]
    able = facts.affordances
    box = Box(_round_vector(center), _round_vector(size), yaw % 360.0)
    if not (able.pickupable or able.moveable):
        low, high = box.bounds()
        box = Box(box.center, _round_vector(subtract(high, low)))
    at = _object_position(object_type, box, yaw)
    name = f"{owner}|{object_type}" if owner else object_id(object_type, at)
    return ObjectState(
        objectId=name,
        objectType=object_type,
        name=default_name(object_type, name),
        affordances=able,
        position=at,
        rotation=(0.0, yaw % 360.0, 0.0),
        box=box,
        mass=facts.mass,
        salientMaterials=facts.materials,
        controlledObjects=controls,
        parentReceptacles=parents,
        isOpen=object_type in STARTS_OPEN_TYPES,
    )


def default_name(object_type: str, object_id: str) -> str:
    """Return the `name` of an object for which no other name is known."""
    return f"{object_type}_{crc32(object_id.encode()):08x}"


def object_id(object_type: str, at: Vec3) -> str:
    """Return the id that AI2-THOR gives an object of a type created at a position."""
    return "|".join((object_type, *(f"{round(v, 2) + 0.0:+06.2f}" for v in at)))


def _object_position(object_type: str, box: Box, yaw: float) -> Vec3:
    x, y, z = box.center
    if object_type in FRONT_TYPES:
        dx, dz = facing_direction(yaw)
        half = abs(dx) * box.size[0] / 2 + abs(dz) * box.size[2] / 2
        return _round_vector((x + dx * half, y, z + dz * half))
    if object_type in CENTRE_POSITION_TYPES:
        return box.center
    return _round_vector((x, y - box.size[1] / 2, z))


def facing_direction(yaw: float) -> tuple[float, float]:
    """Return the unit vector (x, z) that a yaw faces, rounded to a quarter turn."""
    return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[round(yaw / 90.0) % 4]


def _round_vector(point: Vec3) -> Vec3:
    x, y, z = (round(v, 4) + 0.0 for v in point)
    return x, y, z
