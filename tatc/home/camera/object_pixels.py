"""Which pixels show one object: its own solids are traced, and then only what may hide them.

Most of what `Geometry.trace_objects` says is not needed for that: a solid farther away hides
nothing, and a pixel in which one solid hides the object need not be traced again.  What is in a
closed drawer lies wholly behind one box, and then nothing is traced at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import Mask, intersect_rays
from tatc.home.camera.rays import FRAME_PIXELS, NEAR_PLANE_METRES, Eye, Floats, Ints, Rays

DEPTH_MARGIN_METRES = 1e-6
"""Far more than the rounding of a solid's least depth, metres."""
BOX_MARGIN_METRES = 1e-6
"""Far more than the rounding of where a ray meets a box, metres."""


@dataclass(frozen=True, slots=True)
class VisiblePart:
    """The pixels that show an object, row by row: their indices in the rows and columns asked for.

    `rays` and `depths` (metres) have the shape (pixels,).  `hiders` are the rows, in the geometry,
    of other objects' solids that between them hide the object from all its other pixels.
    """

    rows: Ints
    columns: Ints
    rays: Rays
    depths: Floats
    hiders: tuple[int, ...] = ()

    @staticmethod
    def empty(hiders: tuple[int, ...] = ()) -> "VisiblePart":
        """Return the part of an object that shows nowhere."""
        none, nowhere = np.zeros(0, dtype=np.int64), (np.zeros(0), np.zeros(0), np.zeros(0))
        return VisiblePart(none, none, Rays(nowhere, nowhere), np.zeros(0), hiders)

    def points(self, eye: Eye) -> Floats:
        """Return where the rays meet the object: (pixels, 3), world metres."""
        directions = np.stack(self.rays.direction, axis=-1)
        return np.array(eye.position) + directions * self.depths[:, None]

    def without(self, hidden: Mask, hider: int) -> "VisiblePart":
        """Return the part that is left where a solid hides these pixels."""
        left = np.flatnonzero(~hidden)
        (x, y, z), (ix, iy, iz) = self.rays
        rays = Rays((x[left], y[left], z[left]), (ix[left], iy[left], iz[left]))
        hiders = (*self.hiders, hider)
        return VisiblePart(self.rows[left], self.columns[left], rays, self.depths[left], hiders)


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    """Return where an object shows, as `Geometry.trace_objects` has it; columns and rows ascend."""
    box = _box_in_front(geometry, eye, index)
    if box is not None:
        return VisiblePart.empty((box,))
    part = unhidden_part(geometry, eye, index, columns, rows)
    if not len(part.depths):
        return part
    for row, wins_ties in _possible_occluders(geometry, eye, index, columns, rows, part):
        times = intersect_rays(geometry.prepared_solids[row], eye.position, part.rays)
        hidden = times <= part.depths if wins_ties else times < part.depths
        if hidden.any():
            part = part.without(hidden, row)
            if not len(part.depths):
                break
    return part


def _box_in_front(geometry: Geometry, eye: Eye, index: int) -> int | None:
    """Return the row of a closed box that hides the whole of an object, or None.

    What a convex solid hides is a convex region, so it is enough that the box hides the corners
    of the object's bounds.  Margins make the answer None where rounding could decide.
    """
    bounds, own = geometry.screen_bounds(eye), geometry.visible_rows_of(index)
    if not own:
        return None
    low, high = bounds.low[:, own].min(1), bounds.high[:, own].max(1)
    corners = np.array(list(product(*zip(low.tolist(), high.tolist(), strict=True))))
    if not corners.all():
        return None  # an eye exactly in the plane of a side, which would divide by zero
    boxes = _closed_boxes_over(geometry, eye, index)
    if not boxes:
        return None
    one = (bounds.low[:, boxes] + BOX_MARGIN_METRES) / corners[:, :, None]
    other = (bounds.high[:, boxes] - BOX_MARGIN_METRES) / corners[:, :, None]
    enter, leave = np.minimum(one, other).max(1), np.maximum(one, other).min(1)
    hides = ((0.0 < enter) & (enter <= leave) & (enter < 1.0 - BOX_MARGIN_METRES)).all(0)
    return boxes[int(hides.argmax())] if hides.any() else None


def _closed_boxes_over(geometry: Geometry, eye: Eye, index: int) -> list[int]:
    """Return the axis-aligned closed boxes in front of the near plane that may hide an object."""
    bounds, window = geometry.screen_bounds(eye), geometry.bounding_window(eye, index)
    left, top, right, bottom = bounds.pixel_bounds(FRAME_PIXELS)
    around = (left <= window.left) & (top <= window.top)
    around &= (right >= window.right) & (bottom >= window.bottom)
    around &= bounds.nearest_depths > NEAR_PLANE_METRES + BOX_MARGIN_METRES
    rows: list[int] = np.flatnonzero(around).tolist()
    solids, owners = geometry.prepared_solids, geometry.owners
    return [row for row in rows if solids[row].is_axis_aligned_box and owners[row] != index]


def unhidden_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    """Return the pixels that would show an object if nothing else were there; both ascend."""
    depths = np.full((len(rows), len(columns)), np.inf)
    rays = Rays.from_directions(eye.rays(columns, rows))
    left, top, right, bottom = geometry.screen_bounds(eye).pixel_bounds(FRAME_PIXELS)
    for row in geometry.visible_rows_of(index):
        i, j = np.searchsorted(rows, (top[row], bottom[row])).tolist()
        k, m = np.searchsorted(columns, (left[row], right[row])).tolist()
        if i < j and k < m:
            part = slice(i, j), slice(k, m)
            times = intersect_rays(geometry.prepared_solids[row], eye.position, rays.window(*part))
            np.minimum(depths[part], times, out=depths[part])
    at_rows, at_columns = at = np.nonzero(depths < np.inf)
    return VisiblePart(at_rows, at_columns, rays.of_pixels(*at), depths[at])


def _possible_occluders(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints, part: VisiblePart
) -> Iterator[tuple[int, bool]]:
    """Yield the rows of the solids that may hide a part of an object, the nearest first.

    With each comes whether its solid hides the object at exactly the same depth, as the first
    of two objects in the list does.
    """
    left, top, right, bottom = geometry.screen_bounds(eye).pixel_bounds(FRAME_PIXELS)
    nearest = geometry.screen_bounds(eye).nearest_depths
    across = (left <= columns[part.columns.max()]) & (right > columns[part.columns.min()])
    across &= (top <= rows[part.rows[-1]]) & (bottom > rows[part.rows[0]])
    found = np.flatnonzero(across & (nearest < part.depths.max() + DEPTH_MARGIN_METRES))
    by_depth: list[int] = found[nearest[found].argsort()].tolist()
    for row in by_depth:
        owner = geometry.owners[row]
        if owner != index:
            yield row, owner < index
