"""The room around the objects: where its walls stand, and which way things face.

AI2-THOR names no walls; they stand where the box of the floor ends, less what of it
lies behind them, and the ceiling over the highest thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.state import ObjectState, Vec3, turned

BEHIND = 0.14
"""How far a floor's box reaches behind the walls, metres (AI2-THOR scene dumps)."""
LOWEST_CEILING = 2.4
"""No ceiling is lower than this, metres above the floor."""
CLOSE = 0.3
"""What stands this near to a wall stands against it, metres."""
_ROOM = 0.02  # metres between the highest thing and the ceiling


@dataclass(frozen=True, slots=True)
class Shell:
    """A room's lowest and highest corner, inside its walls."""

    low: Vec3
    high: Vec3


def shell_of(objects: Sequence[ObjectState]) -> Shell:
    """Return the shell around objects: from the floors' boxes, or from all things'."""
    floors = [thing for thing in objects if thing.objectType == "Floor"]
    edge = BEHIND if floors else 0.0
    bounds = [thing.box.bounds() for thing in floors or objects]
    x0, z0 = (min(low[i] for low, _ in bounds) + edge for i in (0, 2))
    x1, z1 = (max(high[i] for _, high in bounds) - edge for i in (0, 2))
    top = max(thing.box.bounds()[1][1] for thing in objects)
    return Shell((x0, 0.0, z0), (x1, max(top + _ROOM, LOWEST_CEILING), z1))


def front_of(thing: ObjectState, shell: Shell) -> float:
    """Return the yaw that an object's front looks along, degrees.

    That is its own, unless another side than its back stands against a wall.
    """
    own = thing.rotation[1]
    if thing.affordances.pickupable:
        return own
    gaps = [_gap(thing, shell, own + turn) for turn in (180.0, 0.0, 90.0, 270.0)]
    nearest = gaps.index(min(gaps))
    if gaps[0] < CLOSE or gaps[nearest] >= CLOSE:
        return own
    return own + (0.0, 180.0, 270.0, 90.0)[nearest]


def _gap(thing: ObjectState, shell: Shell, yaw: float) -> float:
    """Return how far an object is from the wall that a yaw points to, metres."""
    sine, cosine = turned(round(yaw / 90.0) % 4 * 90.0)
    low, high = thing.box.bounds()
    if sine != 0.0:
        return shell.high[0] - high[0] if sine > 0.0 else low[0] - shell.low[0]
    return shell.high[2] - high[2] if cosine > 0.0 else low[2] - shell.low[2]
