"""How fixed things stand open in recorded sessions: the boxes of them and their doors.

AI2-THOR's doors swing alike in every session of a floor plan: an open thing's box is
the same to a millimetre in all recordings.  It tells at which end a fridge's door hangs
and whether a cabinet has one door or two, which shut boxes do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.camera.doors import SWING
from tatc.sim.maps.digits import METRES, rounded
from tatc.sim.rigid import rotated
from tatc.state import Box, ObjectState, Snapshot, Vec3


@dataclass(frozen=True, slots=True)
class OpenBox:
    """The box of an open thing, doors and all.

    `at` leads from the middle of its box when it is shut to that when it is open, along
    the axes of the former; `size` is that of the open one.
    """

    at: Vec3
    size: Vec3

    def listed(self) -> list[float]:
        """Return it as six numbers."""
        return [*self.at, *self.size]

    def around(self, shut: Box) -> Box:
        """Return the box of a thing that stands open where its box is `shut`."""
        return Box(shut.moved(*rotated(self.at, shut.yaw)).center, self.size, shut.yaw)


def open_boxes(start: Snapshot, end: Snapshot) -> Iterator[tuple[ObjectState, OpenBox]]:
    """Yield what has doors and was opened, or shut, between a start and an end."""
    for before in start.objects:
        after = end.get(before.objectId)
        if before.objectType not in SWING or after is None:
            continue
        if before.isOpen is not after.isOpen:
            shut, wide = (after, before) if before.isOpen else (before, after)
            yield wide, open_box(shut.box, wide.box)


def open_box(shut: Box, wide: Box) -> OpenBox:
    """Return a thing's open box as seen from its box when it is shut."""
    (x, y, z), (nx, ny, nz) = shut.center, wide.center
    at = rotated((nx - x, ny - y, nz - z), -shut.yaw % 360.0)
    return OpenBox(rounded(at, METRES), rounded(wide.size, METRES))
