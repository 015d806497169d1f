"""The area of an armchair or sofa: its seat, before the backrest.

It ends 3 cm behind the front and three tenths of the depth before the back (medians of 18
armchairs and 27 sofas of recorded sessions, by the lattices on which people put things).
"""

from dataclasses import replace

from tatc.home.state import Box, ObjectState
from tatc.home.types.facts import BACKREST_TYPES
from tatc.sim.transforms import rotate_yaw

FRONT_MARGIN_METRES, BACK_SHARE = 0.03, 0.3
"""How far an area ends behind the front, metres, and before the back, as a share of the depth."""
_ALIGNED_DEGREES = 1.0  # degrees by which a box may differ from its object's axes


def seat_area_box(seat: ObjectState, centred: tuple[float, float]) -> Box | None:
    """Return the part of a seat's box over its area.

    `centred` is the size of the area along the axes of the box if it were in the middle
    (metres); it keeps its width.  None for what has no backrest, and where the box is not
    along the seat's own axes.
    """
    turns = (seat.rotation[1] - seat.box.yaw) / 90.0
    if seat.objectType not in BACKREST_TYPES or abs(turns - round(turns)) * 90 > _ALIGNED_DEGREES:
        return None
    is_crosswise = round(turns) % 2 == 1
    (along, height, across) = seat.box.size
    depth = along if is_crosswise else across
    width = centred[1 if is_crosswise else 0]
    back = BACK_SHARE * depth
    deep = depth - back - FRONT_MARGIN_METRES
    # AI2-THOR's seats face along their own z axis.
    x, _, z = rotate_yaw((0.0, 0.0, (back - FRONT_MARGIN_METRES) / 2), seat.rotation[1])
    center = seat.box.center[0] + x, seat.box.center[1], seat.box.center[2] + z
    size = (deep, height, width) if is_crosswise else (width, height, deep)
    return replace(seat.box, center=center, size=size)
