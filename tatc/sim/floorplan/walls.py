"""Where a room's walls stand, from boxes alone.

The box of the floor reaches into the walls.  A light switch, a mirror or a painting
hangs on the wall and so shows where it is: bodies were recorded 0.2 m before such a
plane, and no nearer.  Where nothing hangs, fixed furniture at least cannot stand beyond
the wall.
"""

from collections.abc import Sequence

from tatc.camera.shell import BEHIND
from tatc.state import ObjectState

Point = tuple[float, float]
"""x and z, metres."""
Room = tuple[Point, Point]
"""The lowest and the highest x and z of a room."""

DEEPEST = 0.35
"""What hangs farther inside hangs on a wall within the room, metres."""
HUNG = frozenset(
    {
        "HandTowelHolder",
        "LightSwitch",
        "Mirror",
        "Painting",
        "Poster",
        "ToiletPaperHanger",
        "TowelHolder",
    }
)
"""Types that hang on walls."""
GROUND = frozenset({"Floor"})
"""Types on which bodies stand."""
THROUGH = GROUND | {"Blinds", "Curtains", "Window"}
"""Types that reach through walls, or say nothing of them."""


def extent(objects: Sequence[ObjectState]) -> Room | None:
    """Return the lowest and highest x, z of the floor, or of all objects.

    None if there is no object.
    """
    ground = [each for each in objects if each.objectType in GROUND] or objects
    corners = [corner for thing in ground for corner in thing.box.bounds()]
    if not corners:
        return None
    xs, zs = [x for x, _, _ in corners], [z for _, _, z in corners]
    return (min(xs), min(zs)), (max(xs), max(zs))


def walls(objects: Sequence[ObjectState], low: Point, high: Point) -> Room:
    """Return the inner faces of the walls; `low` and `high` bound the floor's box."""
    fixed = [
        (thing.objectType in HUNG, thing.box.bounds())
        for thing in objects
        if not thing.affordances.pickupable and thing.objectType not in THROUGH
    ]
    lows, highs = list(low), list(high)
    for axis in (0, 1):
        near = [(hung, a[2 * axis] - low[axis]) for hung, (a, _) in fixed]
        far = [(hung, high[axis] - b[2 * axis]) for hung, (_, b) in fixed]
        lows[axis] += _inset(near)
        highs[axis] -= _inset(far)
    return (lows[0], lows[1]), (highs[0], highs[1])


def _inset(gaps: Sequence[tuple[bool, float]]) -> float:
    """Return how far a wall stands inside the edge of the floor's box, metres.

    `gaps` say how far from that edge each fixed thing ends, and whether it hangs.
    """
    hung = [gap for hangs, gap in gaps if hangs and 0.0 <= gap <= DEEPEST]
    if hung:
        return min(hung)
    return min(BEHIND, max(0.0, min((gap for _, gap in gaps), default=BEHIND)))
