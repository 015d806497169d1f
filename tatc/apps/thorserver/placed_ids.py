"""The ids of objects, which AI2-THOR makes of their types and positions.

It makes them when it loads a scene, and again when it sets the poses of objects: in recorded
TEACh games, which begin so, the id of every object that can be moved is that of its position.
"""

from collections.abc import Iterable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from tatc.home.state import ObjectState, Vec3

_CENTIMETRE = Decimal("0.01")


def id_at(object_type: str, position: Vec3) -> str:
    """Return the id of an object at a position, such as "Mug|+00.32|-00.91|00.00"."""
    return "|".join((object_type, *map(_format_coordinate, position)))


def with_ids_of_positions(
    fixed: Iterable[ObjectState], placed: Iterable[ObjectState]
) -> list[ObjectState]:
    """Return objects with the ids of where they are; two of one type at one place differ.

    Args:
        fixed: objects that keep their ids.
        placed: objects that were put somewhere.

    """
    found = list(fixed)
    taken = {obj.objectId for obj in found}
    for number, obj in enumerate(placed):
        name = id_at(obj.objectType, obj.position)
        if name in taken:
            name = f"{name}_copy_{number}"
        taken.add(name)
        found.append(obj if obj.objectId == name else replace(obj, objectId=name))
    return found


def _format_coordinate(metres: float) -> str:
    """Return a coordinate as AI2-THOR writes it: what is a little below 0 has no sign.

    .NET rounds the seven digits that it shows of a single-precision number, halves away
    from 0.
    """
    rounded = Decimal(f"{metres:.7g}").quantize(_CENTIMETRE, ROUND_HALF_UP)
    sign = "+" if metres >= 0 else "-" if rounded else ""
    return f"{sign}{abs(rounded):05}"
