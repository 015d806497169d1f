"""What rays hit: the solids of all objects, kept in arrays that follow the world.

One ray is tried on the boxes around all solids at once and then, nearest first, on the
few solids themselves; frames and windows are painted solid by solid.  Both ways end in
the same exact tests (`tracing`), so one ray and a frame always agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click
from tatc.camera.cutting import Cutting
from tatc.camera.outlines import Outlines, Window
from tatc.camera.rays import FRAME, Eye, Floats, Ints, pixel_of
from tatc.camera.solid import Solid
from tatc.camera.structure import stoves_of
from tatc.camera.tracing import NEAR, Rays, Target, bounds, meet, meet_many, target_of
from tatc.state import ObjectState, Vec3

Ids = NDArray[np.int32]

NOTHING = -1
"""The object index of a pixel whose ray hits no solid."""

_NOWHERE = 1e9  # bounds turned inside out this far are never hit
_ROUGH = 0.02  # metres that may stick out of what encloses an object
_SLACK = 1e-9  # metres that bounds are wider than their solid, for rounding


@dataclass(frozen=True, slots=True)
class Hit:
    """What a ray hits first: an object, how far from the eye (metres), and where."""

    index: int
    distance: float
    point: Vec3


class Geometry:
    """The solids of a list of objects, for rays; indices are those of the list.

    It changes only through its own methods, which take microseconds.
    What a ray hits depends on the objects alone, not on the order of changes.
    """

    def __init__(
        self,
        objects: Sequence[ObjectState],
        surfaces: Sequence[float | None] | None = None,
    ) -> None:
        """Take the solids of all objects.

        `surfaces` are the heights at which things rest (`shapes.surfaces_of`); left
        out, they are measured on these objects.  What is shut now and opens later has
        doors then.
        """
        self._cutting = Cutting(objects, surfaces)
        self._targets: list[Target] = []
        self._owners: list[int] = []
        self._rows: list[list[int]] = []
        self._low, self._high = np.empty((3, 256)), np.empty((3, 256))
        self._view: Outlines | None = None
        for body in stoves_of(objects):
            self._fill(self._new_row(NOTHING, target_of(body)))
        for i, thing in enumerate(objects):
            self._rows.append([])
            self._put(i, self._cutting.solids(i, thing))

    def __len__(self) -> int:
        return len(self._rows)

    def update(self, index: int, thing: ObjectState) -> None:
        """Take the solids of an object anew after it changed."""
        self._put(index, self._cutting.solids(index, thing))

    def surface(self, index: int) -> float | None:
        """Return the measured height at which things rest on an object, metres."""
        return self._cutting.surface(index)

    def append(self, thing: ObjectState) -> None:
        """Add an object at the end of the list."""
        self._cutting.append()
        self._rows.append([])
        self.update(len(self._rows) - 1, thing)

    def set_solids(self, index: int, solids: Sequence[Solid]) -> None:
        """Let an object have these solids until its next update."""
        self._put(index, solids)

    def hide(self, index: int) -> None:
        """Let rays pass through an object until its next update."""
        self._put(index, ())

    def first(self, eye: Eye, click: Click) -> Hit | None:
        """Return what the ray through the clicked pixel hits first, or None."""
        return self.cast(eye, eye.ray(*pixel_of(click)))

    def cast(self, eye: Eye, direction: Vec3) -> Hit | None:
        """Return what a ray from the eye hits first, or None.

        `direction` is one metre deep and has no component that is exactly zero, as
        `Eye.ray` gives it.  Where two objects are hit at exactly one distance, the
        first in the list is meant.
        """
        dx, dy, dz = direction
        inverse = np.array((1 / dx, 1 / dy, 1 / dz) * 2)[:, None]
        times = self._seen_by(eye).planes(direction) * inverse
        enter, leave = times[:3].max(0), times[3:].min(0)
        tried = np.flatnonzero((enter <= leave) & (leave > NEAR))
        best, owner = inf, NOTHING
        for near, row in sorted(
            zip(enter[tried].tolist(), tried.tolist(), strict=True)
        ):
            if near > best:
                break
            time = meet(self._targets[row], eye.position, direction)
            if time < best or (time == best < inf and self._owners[row] < owner):
                best, owner = time, self._owners[row]
        if owner == NOTHING:
            return None
        best = float(best)  # exact tests of turned solids give numpy's own floats
        x, y, z = eye.position
        point = (x + best * dx, y + best * dy, z + best * dz)
        return Hit(owner, best * sqrt(dx * dx + dy * dy + dz * dz), point)

    def frame(self, eye: Eye, size: int = FRAME) -> tuple[Ids, Floats]:
        """Return what a whole frame shows: object indices, and depths in metres.

        Both have the shape (rows, columns); where nothing is hit the index is `NOTHING`
        and the depth infinite.  Depth is along the view, as AI2-THOR's is.
        """
        return self.pixels(eye, np.arange(size), np.arange(size), size)

    def pixels(
        self, eye: Eye, columns: Ints, rows: Ints, size: int = FRAME
    ) -> tuple[Ids, Floats]:
        """Return what the pixels where columns and rows cross show, as `frame` does.

        Both must be in rising order.
        """
        solids, depths = self.seen(eye, columns, rows, size)
        owners = np.array([*self._owners, NOTHING], dtype=np.int32)
        return owners[solids], depths

    def seen(
        self, eye: Eye, columns: Ints, rows: Ints, size: int
    ) -> tuple[Ids, Floats]:
        """Return which solids the pixels show, `NOTHING` for none, and the depths.

        Where two are met at one depth, it is that of the first object in the list.
        """
        seen = np.full((len(rows), len(columns)), NOTHING, dtype=np.int32)
        depths = np.full(seen.shape, inf)
        rays = Rays.of(eye.rays(columns, rows, size))
        windows = self._seen_by(eye).windows(size)
        left, right = np.searchsorted(columns, windows[::2])
        top, bottom = np.searchsorted(rows, windows[1::2])
        found = np.flatnonzero((left < right) & (top < bottom)).tolist()
        for row in sorted(found, key=self._owners.__getitem__):
            part = slice(top[row], bottom[row]), slice(left[row], right[row])
            times = meet_many(self._targets[row], eye.position, rays.part(*part))
            closer = times < depths[part]
            depths[part][closer] = times[closer]
            seen[part][closer] = row
        return seen, depths

    @property
    def targets(self) -> Sequence[Target]:
        """All solids, those that are hidden too; `owners` are their objects."""
        return self._targets

    @property
    def owners(self) -> Sequence[int]:
        """The index of each solid's object."""
        return self._owners

    @property
    def shown(self) -> Sequence[int]:
        """Which of the solids are not hidden."""
        low = self._low[0, : len(self._targets)]
        return np.flatnonzero(low < _NOWHERE / 2).tolist()

    def windows(self, eye: Eye, size: int) -> Ints:
        """Return for each solid where in a frame it can be: left, top, right, bottom.

        The right is not above the left where it is not seen at all.
        """
        return self._seen_by(eye).windows(size)

    def nearest(self, eye: Eye) -> Floats:
        """Return for each solid a depth before which no ray meets it."""
        view, forward = self._seen_by(eye), np.array(eye.axes[0])[:, None]
        return np.minimum(view.low * forward, view.high * forward).sum(0)

    def window(self, eye: Eye, window: Window) -> Ids:
        """Return the object indices of a rectangle of the frame: rows, columns."""
        columns = np.arange(window.left, window.right)
        return self.pixels(eye, columns, np.arange(window.top, window.bottom))[0]

    def extent(self, index: int) -> tuple[Vec3, Vec3] | None:
        """Return the lowest and highest corner around an object's solids, or None."""
        rows = self._live(index)
        if not rows:
            return None
        low, high = self._low[:, rows].min(1), self._high[:, rows].max(1)
        return _vector(low), _vector(high)

    def mask_pixels(self, eye: Eye, index: int) -> int:
        """Return how many pixels of the frame show an object."""
        shown = self.window(eye, self.rectangle(eye, index))
        return int(np.count_nonzero(shown == index))

    def rectangle(self, eye: Eye, index: int) -> Window:
        """Return a rectangle of the frame that holds every pixel of an object."""
        found = self._seen_by(eye).windows(FRAME)[:, self._live(index)]
        if not found.size:
            return Window(0, 0, 0, 0)
        left, top = found[:2].min(1).tolist()
        right, bottom = found[2:].max(1).tolist()
        return Window(left, top, right, bottom)

    def enclosed(self, index: int) -> bool:
        """Whether an object stands inside another's closed box, seen from nowhere.

        Two centimetres that stick out below or at a side do not count: boxes are rough.
        """
        extent = self.extent(index)
        if extent is None:
            return False
        low, high = np.array(extent)
        rough = np.minimum(_ROUGH, (high - low) / 4.0)
        low, high = low + rough, high - rough * (1.0, 0.0, 1.0)
        rows = len(self._targets)
        around = (self._low[:, :rows] <= low[:, None]).all(0)
        around &= (self._high[:, :rows] >= high[:, None]).all(0)
        return any(
            self._targets[row].plain and self._owners[row] != index
            for row in np.flatnonzero(around).tolist()
        )

    def _live(self, index: int) -> list[int]:
        return [r for r in self._rows[index] if self._low[0, r] < _NOWHERE]

    def _put(self, index: int, solids: Sequence[Solid]) -> None:
        rows = self._rows[index]
        for i, solid in enumerate(solids):
            target = target_of(solid)
            if i == len(rows):
                rows.append(self._new_row(index, target))
            row = rows[i]
            self._targets[row] = target
            self._fill(row)
        gone = rows[len(solids) :]
        self._low[:, gone], self._high[:, gone] = _NOWHERE, -_NOWHERE
        self._view = None

    def _fill(self, row: int) -> None:
        """Note the box around a row's target."""
        low, high = bounds(self._targets[row])
        self._low[:, row], self._high[:, row] = low, high
        self._low[:, row] -= _SLACK
        self._high[:, row] += _SLACK

    def _new_row(self, owner: int, target: Target) -> int:
        if len(self._targets) == self._low.shape[1]:
            self._low = np.concatenate([self._low, self._low], axis=1)
            self._high = np.concatenate([self._high, self._high], axis=1)
        self._targets.append(target)
        self._owners.append(owner)
        return len(self._targets) - 1

    def _seen_by(self, eye: Eye) -> Outlines:
        view = self._view
        if view is None or (view.eye is not eye and view.eye != eye):
            rows = len(self._targets)
            view = self._view = Outlines(eye, self._low[:, :rows], self._high[:, :rows])
        return view


def _vector(values: Floats) -> Vec3:
    x, y, z = values.tolist()
    return x, y, z
