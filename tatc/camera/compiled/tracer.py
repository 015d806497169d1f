"""Which solid each pixel shows: worked out square by square, the nearest first."""

# Here numbers stand in for arrays, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numba
import numpy as np

from tatc.camera.compiled.formulas import JIT, component, sources
from tatc.camera.geometry import NOTHING, Geometry, Ids
from tatc.camera.rays import Eye, Floats, Ints
from tatc.camera.recipes import Body
from tatc.camera.tracing import BALL, DISC, OPEN_ABOVE, SHUT, TUBE, Target, crossing

TILE = 16
"""Pixels along the side of the squares that a frame is worked out in."""


@numba.njit(**JIT)
def _aim(rays: Floats, eye: Floats, part: Any, size: int) -> None:
    """Fill in the rays of a square, as `Eye.rays` gives them, and one over each."""
    top, bottom, left, right = part
    for row in range(top, bottom):
        v = (size - 2 * row - 1) / size
        for column in range(left, right):
            u = (2 * column + 1 - size) / size
            for axis in range(3):
                value = component(eye, axis, u, v)
                rays[axis, row - top, column - left] = value
                rays[axis + 3, row - top, column - left] = 1.0 / value


def _painter(body: int, is_turned: bool, opening: int) -> Callable[..., None]:
    """Return what tries a solid of one kind on the rays of a square in its window.

    That the kind is fixed lets the compiler take several rays at a time.
    """

    def paint(
        solid: Floats,
        rank: int,
        rays: Floats,
        start: Any,
        window: Any,
        depths: Floats,
        ranks: Ints,
    ) -> None:
        half = solid[3], solid[4], solid[5]
        sine, cosine = solid[6], solid[7]
        x, y, z = start
        if is_turned:
            x, z = x * cosine - z * sine, x * sine + z * cosine
        top, bottom, left, right = window
        for row in range(top, bottom):
            across, along = rays[0, row, left:right], rays[2, row, left:right]
            over_x, over_z = rays[3, row, left:right], rays[5, row, left:right]
            dy, iy = rays[1, row, 0], rays[4, row, 0]
            near, best = depths[row, left:right], ranks[row, left:right]
            for i in range(near.size):
                dx, dz, ix, iz = across[i], along[i], over_x[i], over_z[i]
                if is_turned:
                    dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
                    ix, iz = 1.0 / dx, 1.0 / dz
                kind = body, opening
                time = crossing(kind, half, (x, y, z), (dx, dy, dz), (ix, iy, iz))
                closer = (time < near[i]) | ((time == near[i]) & (rank < best[i]))
                near[i] = time if closer else near[i]
                best[i] = rank if closer else best[i]

    return numba.njit(paint, **JIT)


_BOX = Body.BOX.value
_ANY = 0  # stands for an opening that is neither of the other two
_box, _cup, _pane = (_painter(_BOX, False, o) for o in (SHUT, OPEN_ABOVE, _ANY))
_box_turned, _cup_turned, _pane_turned = (
    _painter(_BOX, True, o) for o in (SHUT, OPEN_ABOVE, _ANY)
)
_tube, _vessel, _ring = (_painter(TUBE, False, o) for o in (SHUT, OPEN_ABOVE, _ANY))
_ball, _disc = (_painter(body, True, SHUT) for body in (BALL, DISC))


@numba.njit(**JIT)
def _paint_smooth(solid: Floats, rest: Any) -> None:
    """Try a ball or a disc, which are never open."""
    if solid[8] == BALL:
        _ball(solid, *rest)
    else:
        _disc(solid, *rest)


@numba.njit(**JIT)
def _paint(
    solid: Floats,
    rank: int,
    rays: Floats,
    start: Any,
    window: Any,
    depths: Floats,
    ranks: Ints,
) -> None:
    """Try a solid on the rays of a square in its window of it."""
    rest = rank, rays, start, window, depths, ranks
    is_turned, is_round, opening = solid[6] != 0.0, solid[8] == TUBE, solid[9]
    if solid[8] == BALL or solid[8] == DISC:
        _paint_smooth(solid, rest)
    elif opening == SHUT:
        if is_round:
            _tube(solid, *rest)
        elif is_turned:
            _box_turned(solid, *rest)
        else:
            _box(solid, *rest)
    elif opening == OPEN_ABOVE:
        if is_round:
            _vessel(solid, *rest)
        elif is_turned:
            _cup_turned(solid, *rest)
        else:
            _cup(solid, *rest)
    elif is_round:
        _ring(solid, *rest)
    elif is_turned:
        _pane_turned(solid, *rest)
    else:
        _pane(solid, *rest)


def _tracer(stamp: int) -> Callable[..., tuple[Ids, Floats]]:
    @numba.njit(cache=True, **JIT)
    def traced(
        solids: Floats,
        ranks: Ints,
        rows: Ints,
        windows: Ints,
        nearest: Floats,
        eye: Floats,
        size: int,
    ) -> tuple[Ids, Floats]:
        seen = np.full((size, size), NOTHING + 0 * stamp, dtype=np.int32)
        depths = np.full((size, size), inf)
        rays = np.empty((6, TILE, TILE))
        near, best = np.empty((TILE, TILE)), np.empty((TILE, TILE), dtype=np.int64)
        for top in range(0, size, TILE):
            for left in range(0, size, TILE):
                part = top, min(top + TILE, size), left, min(left + TILE, size)
                tall, wide = part[1] - top, part[3] - left
                _aim(rays, eye, part, size)
                near[:], best[:] = inf, len(rows)
                far = inf
                for i in range(len(solids)):
                    if nearest[i] > far:
                        break
                    window = (
                        max(top, windows[i, 1]) - top,
                        min(part[1], windows[i, 3]) - top,
                        max(left, windows[i, 0]) - left,
                        min(part[3], windows[i, 2]) - left,
                    )
                    if window[0] >= window[1] or window[2] >= window[3]:
                        continue
                    start = (
                        eye[0, 0] - solids[i, 0],
                        eye[0, 1] - solids[i, 1],
                        eye[0, 2] - solids[i, 2],
                    )
                    _paint(solids[i], ranks[i], rays, start, window, near, best)
                    far = near[:tall, :wide].max()
                for row in range(tall):
                    for column in range(wide):
                        if near[row, column] < inf:
                            seen[top + row, left + column] = rows[best[row, column]]
                            depths[top + row, left + column] = near[row, column]
        return seen, depths

    return traced


def _filler(stamp: int) -> Callable[..., None]:
    @numba.njit(cache=True, **JIT)
    def filled(
        seen: Ids, depths: Floats, eye: Floats, solid: Floats, number: int
    ) -> None:
        size = len(seen)
        half = solid[3], solid[4], solid[5]
        start = (
            eye[0, 0] - solid[0] + 0 * stamp,
            eye[0, 1] - solid[1],
            eye[0, 2] - solid[2],
        )
        for row in range(size):
            v = (size - 2 * row - 1) / size
            for column in range(size):
                if seen[row, column] != NOTHING:
                    continue
                u = (2 * column + 1 - size) / size
                ray = (
                    component(eye, 0, u, v),
                    component(eye, 1, u, v),
                    component(eye, 2, u, v),
                )
                over = 1.0 / ray[0], 1.0 / ray[1], 1.0 / ray[2]
                time = crossing((_BOX, _ANY), half, start, ray, over)
                if time < inf:
                    seen[row, column] = number
                    depths[row, column] = time

    return filled


_trace = _tracer(sources())
_fill = _filler(sources())


def trace(geometry: Geometry, eye: Eye, size: int) -> tuple[Ids, Floats]:
    """Return what `Geometry.seen` returns for a whole frame."""
    windows, nearest = geometry.windows(eye, size), geometry.nearest(eye)
    found = np.flatnonzero((windows[0] < windows[2]) & (windows[1] < windows[3]))
    found = found[np.argsort(nearest[found], kind="stable")]
    targets = [geometry.targets[row] for row in found.tolist()]
    owners = np.array(geometry.owners, dtype=np.int64)[found]
    rows = found[np.lexsort((found, owners))]
    ranks = np.empty(len(found), dtype=np.int64)
    ranks[np.lexsort((found, owners))] = np.arange(len(found))
    return _trace(
        np.array([_numbers(target) for target in targets]).reshape(-1, 10),
        ranks,
        rows,
        np.ascontiguousarray(windows[:, found].T),
        nearest[found],
        np.array([eye.position, *eye.axes]),
        size,
    )


def _numbers(target: Target) -> tuple[float, ...]:
    turn = target.sine, target.cosine
    kind = float(target.body.value), float(target.opening.value)
    return (*target.center, *target.half, *turn, *kind)


def surround(seen: Ids, depths: Floats, eye: Eye, around: Target, number: int) -> None:
    """Do what `painting.surround` does."""
    where = np.array([eye.position, *eye.axes])
    _fill(seen, depths, where, np.array(_numbers(around)), number)
