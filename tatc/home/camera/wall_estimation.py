"""Where a room's walls are, from boxes alone.

The box of the floor reaches into the walls.  A light switch, a mirror or a painting
hangs on a wall and so shows where it is: in recordings bodies came within 0.2 m of such
a plane, and no nearer.  Where nothing hangs, the wall is at least behind all fixed
furniture.
"""

from collections.abc import Sequence

from tatc.home.camera.room_bounds import FLOOR_BEHIND_WALL_METRES, MAX_WALL_INSET_METRES
from tatc.home.state import ObjectState
from tatc.home.types.facts import FLOOR_TYPE, WALL_MOUNTED_TYPES, WALL_PIERCING_TYPES

Point = tuple[float, float]
"""x and z, metres."""
WallBounds = tuple[Point, Point]
"""The lowest and the highest x and z of a room."""


def floor_extent(objects: Sequence[ObjectState]) -> WallBounds | None:
    """Return the lowest and highest x, z of the floor, or of all objects if there is none.

    None if there are no objects.
    """
    ground = [each for each in objects if each.objectType == FLOOR_TYPE] or objects
    corners = [corner for obj in ground for corner in obj.box.bounds()]
    if not corners:
        return None
    xs, zs = [x for x, _, _ in corners], [z for _, _, z in corners]
    return (min(xs), min(zs)), (max(xs), max(zs))


def estimate_walls(objects: Sequence[ObjectState], low: Point, high: Point) -> WallBounds:
    """Return the inner faces of the walls; `low` and `high` bound the floor's box."""
    fixed = [
        (obj.objectType in WALL_MOUNTED_TYPES, obj.box.bounds())
        for obj in objects
        if not obj.affordances.pickupable and obj.objectType not in WALL_PIERCING_TYPES
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
    return min(
        FLOOR_BEHIND_WALL_METRES,
        max(0.0, min((gap for _, gap in gaps), default=FLOOR_BEHIND_WALL_METRES)),
    )
