"""Objects made by hand from a type and a box."""

from collections.abc import Sequence
from typing import Any

from tatc.home.state import Affordances, Box, ObjectState, Snapshot, Vec3

PORTABLE = Affordances(pickupable=True)


def make_object(
    kind: str, center: Vec3, size: Vec3 = (0.1, 0.1, 0.1), *, yaw: float = 0.0, **state: Any
) -> ObjectState:
    """Return an object of a type that fills a box; its position is the box's middle."""
    values: dict[str, Any] = {
        "objectId": f"{kind}|{center[0]}|{center[1]}|{center[2]}",
        "objectType": kind,
        "name": kind,
        "affordances": Affordances(),
        "position": center,
        "rotation": (0.0, yaw, 0.0),
        "box": Box(center, size, yaw),
    }
    return ObjectState(**(values | state))


def with_objects(state: Snapshot, objects: Sequence[ObjectState]) -> Snapshot:
    """Return a state with other objects."""
    return Snapshot.from_objects(objects, state.commander, state.follower)
