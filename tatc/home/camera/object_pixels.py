"""Which pixels show one object: its own solids are traced, and then only what may hide them.

Most of what `Geometry.trace_objects` says is not needed for that: a solid farther away hides
nothing, and a pixel in which one solid hides the object need not be traced again.  What is in a
closed drawer lies wholly behind one box, and then nothing is traced at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import Mask, intersect_rays
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Floats, Ints, Rays

DEPTH_MARGIN_METRES = 1e-6  # far more than the rounding of a solid's least depth, metres


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
    def empty() -> "VisiblePart":
        """Return the part of an object that shows nowhere."""
        none, nowhere = np.zeros(0, dtype=np.int64), (np.zeros(0), np.zeros(0), np.zeros(0))
        return VisiblePart(none, none, Rays(nowhere, nowhere), np.zeros(0))

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
