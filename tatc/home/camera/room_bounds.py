"""The bounds of a room: its walls and ceiling, and the direction in which objects face.

AI2-THOR gives no walls.  They are placed at the edges of the floor's box, minus the part
of it that lies behind them; the ceiling is placed above the highest object.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.home.state import ObjectState, Vec3, yaw_sin_cos
from tatc.home.types.facts import FLOOR_TYPE

FLOOR_BEHIND_WALL_METRES = 0.14
"""How far a floor's box reaches behind the walls, metres (from AI2-THOR scene dumps)."""
MAX_WALL_INSET_METRES = 0.35
"""What hangs farther inside the edge of a floor's box hangs on a wall within the room, metres."""
MIN_CEILING_METRES = 2.4
"""The least height of a ceiling above the floor, metres."""
AGAINST_WALL_METRES = 0.3
"""An object nearer to a wall than this stands against it, metres."""
_CEILING_CLEARANCE_METRES = 0.02  # metres between the highest object and the ceiling


@dataclass(frozen=True, slots=True)
class RoomBounds:
    """A room's lowest and highest corner, inside its walls, in world coordinates."""

    low: Vec3
    high: Vec3


def room_bounds_of(objects: Sequence[ObjectState]) -> RoomBounds:
    """Return the bounds of the room around objects, of which there must be one at least.

    The walls follow from the boxes of the floors, or of all objects if there is no floor.
    """
    floors = [obj for obj in objects if obj.objectType == FLOOR_TYPE]
    edge = FLOOR_BEHIND_WALL_METRES if floors else 0.0
    bounds = [obj.box.bounds() for obj in floors or objects]
    x0, z0 = (min(low[i] for low, _ in bounds) + edge for i in (0, 2))
    x1, z1 = (max(high[i] for _, high in bounds) - edge for i in (0, 2))
    top = max(obj.box.bounds()[1][1] for obj in objects)
    return RoomBounds(
        (x0, 0.0, z0), (x1, max(top + _CEILING_CLEARANCE_METRES, MIN_CEILING_METRES), z1)
    )


def front_yaw(obj: ObjectState, bounds: RoomBounds) -> float:
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


def _wall_distance(obj: ObjectState, bounds: RoomBounds, yaw: float) -> float:
    """Return the distance from an object to the wall in the direction of a yaw, metres."""
    sine, cosine = yaw_sin_cos(round(yaw / 90.0) % 4 * 90.0)
    low, high = obj.box.bounds()
    if sine != 0.0:
        return bounds.high[0] - high[0] if sine > 0.0 else low[0] - bounds.low[0]
    return bounds.high[2] - high[2] if cosine > 0.0 else low[2] - bounds.low[2]
