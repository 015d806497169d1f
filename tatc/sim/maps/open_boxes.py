"""The boxes of fixed objects, with their doors, as they stood open in recorded sessions.

A door swings the same way in every session of a floor plan: an open object's box is the
same in all recordings, to a millimetre.  Unlike the closed box, it shows at which end a
fridge's door hangs and whether a cabinet has one door or two.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.home.state import Box, ObjectState, Snapshot, Vec3
from tatc.home.types.facts import HINGED_DOOR_TYPES
from tatc.sim.transforms import rotate_yaw


@dataclass(frozen=True, slots=True)
class OpenBox:
    """The box of an open object, with its doors.

    `offset` leads from the centre of its closed box to the centre of its open box, along the
    axes of the closed box; `size` is the open box's.  Both in metres.
    """

    offset: Vec3
    size: Vec3

    def to_json(self) -> list[float]:
        """Return the offset and the size as six numbers."""
        return [*self.offset, *self.size]

    def to_world(self, closed_box: Box) -> Box:
        """Return the open box, in world coordinates, of an object with this closed box."""
        return Box(
            closed_box.translate(*rotate_yaw(self.offset, closed_box.yaw)).center,
            self.size,
            closed_box.yaw,
        )


def observed_open_boxes(start: Snapshot, end: Snapshot) -> Iterator[tuple[ObjectState, OpenBox]]:
    """Yield each object with doors that was opened or closed in a session, and its open box."""
    for before in start.objects:
        after = end.get(before.objectId)
        if before.objectType not in HINGED_DOOR_TYPES or after is None:
            continue
        if before.isOpen is not after.isOpen:
            closed, opened = (after, before) if before.isOpen else (before, after)
            yield opened, relative_open_box(closed.box, opened.box)


def relative_open_box(closed_box: Box, opened_box: Box) -> OpenBox:
    """Return an object's open box relative to its closed box."""
    (x, y, z), (nx, ny, nz) = closed_box.center, opened_box.center
    at = rotate_yaw((nx - x, ny - y, nz - z), -closed_box.yaw % 360.0)
    return OpenBox(round_vector(at, METRE_DIGITS), round_vector(opened_box.size, METRE_DIGITS))


# The precision with which a map keeps what recordings show.

METRE_DIGITS, DEGREE_DIGITS = 4, 2


def round_vector(values: Vec3, digits: int) -> Vec3:
    """Return three values rounded to this number of digits."""
    x, y, z = (round(value, digits) for value in values)
    return x, y, z
