"""The bounds of a room: its walls and ceiling, and the direction in which objects face.

AI2-THOR gives no walls.  They are placed at the edges of the floor's box, minus the part
of it that lies behind them; the ceiling is placed above the highest object.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.home import state, type_facts
from tatc.home.camera.ray_intersection import PreparedSolid, prepare_solid
from tatc.home.camera.solids import OpenFaces, Solid, bounding_rect, footprint_of

FLOOR_BEHIND_WALL_METRES = 0.14
"""How far a floor's box reaches behind the walls, metres (from AI2-THOR scene dumps)."""
MAX_WALL_INSET_METRES = 0.35
"""What hangs farther inside the edge of a floor's box hangs on a wall within the room, metres."""
MIN_CEILING_METRES = 2.4
AGAINST_WALL_METRES = 0.3  # an object nearer to a wall than this stands against it, metres
_CEILING_CLEARANCE_METRES = 0.02  # metres between the highest object and the ceiling

WallBounds = tuple[state.Vec2, state.Vec2]  # the lowest and the highest x and z of a room


@dataclass(frozen=True, slots=True)
class RoomBounds:
    """A room's lowest and highest corner, inside its walls, in world coordinates."""

    low: state.Vec3
    high: state.Vec3


@state.kept_by_shape
def room_bounds_of(objects: Sequence[state.ObjectState]) -> RoomBounds:
    """Return the bounds of the room around objects, of which there must be one at least.

    The walls follow from the boxes of the floors, or of all objects if there is no floor.
    """
    has_floor = any(obj.objectType == type_facts.FLOOR_TYPE for obj in objects)
    edge = FLOOR_BEHIND_WALL_METRES if has_floor else 0.0
    (x0, z0), (x1, z1) = floor_extent(objects)
    top = max(obj.box.top for obj in objects) + _CEILING_CLEARANCE_METRES
    high = x1 - edge, max(top, MIN_CEILING_METRES), z1 - edge
    return RoomBounds((x0 + edge, 0.0, z0 + edge), high)


def front_yaw(obj: state.ObjectState, bounds: RoomBounds) -> float:
    """Return the yaw in which an object's front faces, degrees.

    This is the object's own yaw, unless its back stands against no wall and another side
    does; then it faces away from the nearest wall.  Portable objects keep their own.
    """
    own = obj.rotation[1]
    if obj.affordances.pickupable:
        return own
    gaps = [_wall_distance(obj, bounds, own + turn) for turn in (180.0, 0.0, 90.0, 270.0)]
    nearest = gaps.index(min(gaps))
    if gaps[0] < AGAINST_WALL_METRES or gaps[nearest] >= AGAINST_WALL_METRES:
        return own
    return own + (0.0, 180.0, 270.0, 90.0)[nearest]


def _wall_distance(obj: state.ObjectState, bounds: RoomBounds, yaw: float) -> float:
    """Return the distance from an object to the wall in the direction of a yaw, metres."""
    sine, cosine = state.yaw_sin_cos(round(yaw / 90.0) % 4 * 90.0)
    low, high = obj.box.bounds()
    if sine != 0.0:
        return bounds.high[0] - high[0] if sine > 0.0 else low[0] - bounds.low[0]
    return bounds.high[2] - high[2] if cosine > 0.0 else low[2] - bounds.low[2]


def floor_extent(
    objects: Sequence[state.ObjectState], default: state.Vec2 = (0.0, 0.0)
) -> WallBounds:
    """Return the lowest and highest x, z of the floor, else of all objects, else the default."""
    ground = [each for each in objects if each.objectType == type_facts.FLOOR_TYPE] or objects
    if not ground:
        return default, default
    area = bounding_rect([footprint_of(obj.box) for obj in ground])
    return (area.x0, area.z0), (area.x1, area.z1)


@state.kept_by_shape
def estimate_walls(
    fixtures: Sequence[state.ObjectState], low: state.Vec2, high: state.Vec2
) -> WallBounds:
    """Return the inner faces of the walls; `low` and `high` bound the floor's box.

    The floor's box reaches into the walls.  A light switch, a mirror or a painting shows where its
    wall is: in recordings bodies came within 0.2 m of such a plane, and no nearer.  Where nothing
    hangs, the wall is at least behind all fixed furniture.
    """
    fixed = [
        (obj.objectType in type_facts.WALL_MOUNTED_TYPES, obj.box.bounds())
        for obj in fixtures
        if obj.objectType not in type_facts.WALL_PIERCING_TYPES
    ]
    lows, highs = list(low), list(high)
    for axis in (0, 1):
        near = [(hung, a[2 * axis] - low[axis]) for hung, (a, _) in fixed]
        far = [(hung, high[axis] - b[2 * axis]) for hung, (_, b) in fixed]
        lows[axis] += _wall_inset(near)
        highs[axis] -= _wall_inset(far)
    return (lows[0], lows[1]), (highs[0], highs[1])


def _wall_inset(gaps: Sequence[tuple[bool, float]]) -> float:
    """Return how far a wall is inside the edge of the floor's box, metres.

    `gaps` say of each fixed object whether it hangs on a wall, and how far from that edge it ends.
    """
    hung = [gap for hangs, gap in gaps if hangs and 0.0 <= gap <= MAX_WALL_INSET_METRES]
    if hung:
        return min(hung)
    nearest = min((gap for _, gap in gaps), default=FLOOR_BEHIND_WALL_METRES)
    return min(FLOOR_BEHIND_WALL_METRES, max(0.0, nearest))


def prepare_room_solid(bounds: RoomBounds) -> PreparedSolid:
    """Return the room as a hollow solid, whose far side rays hit from within."""
    x, y, z = ((a + b) / 2 for a, b in zip(bounds.low, bounds.high, strict=True))
    size = state.subtract(bounds.high, bounds.low)
    return prepare_solid(Solid((x, y, z), size, open_faces=OpenFaces.ALL))
