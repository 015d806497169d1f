"""How fixed things stand open in recorded sessions: the boxes of them and their doors.

AI2-THOR's doors swing alike in every session of a floor plan: an open thing's box is
the same to a millimetre in all recordings.  It tells at which end a fridge's door hangs
and whether a cabinet has one door or two, which shut boxes do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.sim.maps.rounding import METRE_DIGITS, round_vector
from tatc.sim.transforms import rotate_yaw
from tatc.state import Box, ObjectState, Snapshot, Vec3
from tatc.thor_types.facts import HINGED_DOOR_TYPES


@dataclass(frozen=True, slots=True)
class OpenBox:
    """The box of an open thing, doors and all.

    `offset` leads from the middle of its box when it is shut to that when it is open, along
    the axes of the former; `size` is that of the open one.
    """

    offset: Vec3
    size: Vec3

    def to_json(self) -> list[float]:
        """Return it as six numbers."""
        return [*self.offset, *self.size]

    def to_world(self, closed_box: Box) -> Box:
        """Return the box of a thing that stands open where its box is `closed_box`."""
        return Box(
            closed_box.translate(*rotate_yaw(self.offset, closed_box.yaw)).center,
            self.size,
            closed_box.yaw,
        )


def observed_open_boxes(start: Snapshot, end: Snapshot) -> Iterator[tuple[ObjectState, OpenBox]]:
    """Yield what has doors and was opened, or shut, between a start and an end."""
    for before in start.objects:
        after = end.get(before.objectId)
        if before.objectType not in HINGED_DOOR_TYPES or after is None:
            continue
        if before.isOpen is not after.isOpen:
            shut, wide = (after, before) if before.isOpen else (before, after)
            yield wide, relative_open_box(shut.box, wide.box)


def relative_open_box(closed_box: Box, opened_box: Box) -> OpenBox:
    """Return a thing's open box as seen from its box when it is shut."""
    (x, y, z), (nx, ny, nz) = closed_box.center, opened_box.center
    at = rotate_yaw((nx - x, ny - y, nz - z), -closed_box.yaw % 360.0)
    return OpenBox(round_vector(at, METRE_DIGITS), round_vector(opened_box.size, METRE_DIGITS))
