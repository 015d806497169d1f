"""Frames in machine code, with numba: the very formulas that numpy works with.

`tracing` and `shading` are written for numbers and arrays alike.  Here they are
compiled for one pixel, so that a frame is worked out square by square without arrays in
between.  Nothing is reordered or fused: the outcome is numpy's to the last bit.  This
module is imported only where frames are drawn and numba is installed.
"""

# Here numbers stand in for arrays, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from zlib import crc32

import numba
import numpy as np
from numba.extending import overload, register_jitable

from tatc.camera import shading, tracing
from tatc.camera.air import Air
from tatc.camera.geometry import NOTHING, Geometry, Ids
from tatc.camera.patterns import (
    PATTERNS,
    food,
    fronts,
    furniture,
    rooms,
    spot,
    things,
    vessels,
)
from tatc.camera.rays import TINY, Eye, Floats, Ints, Rgb
from tatc.camera.recipes import Body
from tatc.camera.shading import Grid
from tatc.camera.tracing import BALL, OPEN_ABOVE, SHUT, TUBE, Target, crossing

# What is divided by zero is infinite, as in numpy.
_JIT: dict[str, Any] = {"error_model": "numpy"}

TILE = 16
"""Pixels along the side of the squares that a frame is worked out in."""


def _sources() -> int:
    """Return a number that changes with the sources of the formulas.

    numba keeps machine code from run to run and looks for changes in this file alone;
    with this number in a function's closure it looks at the others, too.
    """
    here = Path(tracing.__file__).parent
    files = (
        here / "tracing.py",
        here / "shading.py",
        *sorted(here.glob("patterns/*.py")),
    )
    return crc32(b"".join(file.read_bytes() for file in files))


@overload(tracing.pick)
def _pick(condition: Any, one: Any, other: Any) -> Callable[..., Any]:
    def choose(condition: Any, one: Any, other: Any) -> Any:
        return one if condition else other

    return choose


@overload(shading.cell)
def _cell(number: Any) -> Callable[..., Any]:
    def whole(number: Any) -> Any:
        return int(number)

    return whole


def _formulas(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """Yield the functions of a module that are not compiled in a way of their own."""
    for value in vars(module).values():
        own = isinstance(value, FunctionType) and value.__module__ == module.__name__
        if own and value not in (tracing.pick, shading.cell):
            yield value


for _module in (spot, food, fronts, furniture, rooms, things, vessels, shading):
    for _formula in _formulas(_module):
        register_jitable(**_JIT)(_formula)
for _formula in (tracing.between, tracing.tube, tracing.ball, crossing):
    register_jitable(**_JIT)(_formula)


def _runner(pattern: Callable[[spot.Spot], spot.Tint]) -> Callable[..., None]:
    """Return what works a pattern out for a run of pixels that show one solid.

    `places` has the first nine numbers of a spot in its rows, `tints` the four of a
    tint; the other numbers of the spots are the solid's.
    """

    def run(solid: Floats, places: Floats, tints: Floats) -> None:
        x, y, z, fx, fy, fz, dx, dy, dz = places
        second, third, bright, glow = tints
        for i in range(x.size):
            place = spot.Spot(
                x[i],
                y[i],
                z[i],
                fx[i],
                fy[i],
                fz[i],
                solid[shading.HALF_X],
                solid[shading.HALF_Y],
                solid[shading.HALF_Z],
                dx[i],
                dy[i],
                dz[i],
                solid[shading.P],
                solid[shading.Q],
                solid[shading.ON],
                solid[shading.FULL],
                solid[shading.SEED],
            )
            tint = pattern(place)
            second[i], third[i], bright[i], glow[i] = tint

    return numba.njit(run, **_JIT)


def _choice(patterns: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that works out the pattern with a number for a run of pixels.

    It is written out, for the compiler knows no other way to call one of many functions
    without a detour through memory.
    """
    names = {f"pattern_{i}": _runner(pattern) for i, pattern in enumerate(patterns)}
    lines = [
        f"    if number == {i}:\n        {name}(solid, places, tints)\n"
        for i, name in enumerate(names)
    ]
    scope: dict[str, Any] = dict(names)
    exec("def choose(number, solid, places, tints):\n" + "".join(lines), scope)
    return numba.njit(scope["choose"], **_JIT)


_tint = _choice(tuple(PATTERNS.values()))


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


@numba.njit(**_JIT)
def _part(eye: Floats, axis: int, u: float, v: float) -> float:
    """Return one component of a ray, as `Eye.ray` gives it."""
    value = (eye[1, axis] + u * eye[2, axis]) + v * eye[3, axis]
    return value if value != 0.0 else TINY


@numba.njit(**_JIT)
def _aim(rays: Floats, eye: Floats, part: Any, size: int) -> None:
    """Fill in the rays of a square, as `Eye.rays` gives them, and one over each."""
    top, bottom, left, right = part
    for row in range(top, bottom):
        v = (size - 2 * row - 1) / size
        for column in range(left, right):
            u = (2 * column + 1 - size) / size
            for axis in range(3):
                value = _part(eye, axis, u, v)
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

    return numba.njit(paint, **_JIT)


_BOX = Body.BOX.value
_ANY = 0  # stands for an opening that is neither of the other two
_box, _cup, _pane = (_painter(_BOX, False, o) for o in (SHUT, OPEN_ABOVE, _ANY))
_box_turned, _cup_turned, _pane_turned = (
    _painter(_BOX, True, o) for o in (SHUT, OPEN_ABOVE, _ANY)
)
_tube, _vessel, _ring = (_painter(TUBE, False, o) for o in (SHUT, OPEN_ABOVE, _ANY))
_ball = _painter(BALL, True, SHUT)


@numba.njit(**_JIT)
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
    if solid[8] == BALL:
        _ball(solid, *rest)
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
    @numba.njit(cache=True, **_JIT)
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


@numba.njit(**_JIT)
def _survey(
    solid: Floats, eye: Floats, row: int, left: int, size: int, depths: Floats,
    places: Floats, rays: Floats, faces: Floats,
) -> None:  # fmt: skip
    """Find for a run of pixels where on a solid they lie, and which way it faces."""
    v = (size - 2 * row - 1) / size
    for i in range(depths.size):
        u = (2 * (left + i) + 1 - size) / size
        ray = (_part(eye, 0, u, v), _part(eye, 1, u, v), _part(eye, 2, u, v))
        at = (
            eye[0, 0] + depths[i] * ray[0],
            eye[0, 1] + depths[i] * ray[1],
            eye[0, 2] + depths[i] * ray[2],
        )
        face = shading.facing(solid, at, ray)
        place = shading.spot_on(solid, at, face, ray)
        places[0, i], places[1, i], places[2, i] = place.x, place.y, place.z
        places[3, i], places[4, i], places[5, i] = place.fx, place.fy, place.fz
        places[6, i], places[7, i], places[8, i] = place.dx, place.dy, place.dz
        rays[0, i], rays[1, i], rays[2, i] = ray
        rays[3, i], rays[4, i], rays[5, i] = at
        faces[0, i], faces[1, i], faces[2, i] = face


@numba.njit(**_JIT)
def _light(
    solid: Floats, places: Floats, rays: Floats, faces: Floats, tints: Floats,
    air: Floats, grid: Grid, rgb: Rgb,
) -> None:  # fmt: skip
    """Let light fall on a run of pixels."""
    dirty = solid[shading.DIRT] != 0.0
    for i in range(len(rgb)):
        ray, at = (
            (rays[0, i], rays[1, i], rays[2, i]),
            (rays[3, i], rays[4, i], rays[5, i]),
        )
        face = faces[0, i], faces[1, i], faces[2, i]
        dirt = 0.0
        if dirty:
            place = shading.spot_on(solid, at, face, ray)
            dirt = shading.grime(place)
        open_ = shading.openness(air, grid, at, face)
        tint = tints[0, i], tints[1, i], tints[2, i], tints[3, i]
        parts = shading.colour(solid, tint, dirt, face, ray, open_)
        rgb[i, 0] = int(shading.byte(parts[0]))
        rgb[i, 1] = int(shading.byte(parts[1]))
        rgb[i, 2] = int(shading.byte(parts[2]))


def _shader(stamp: int) -> Callable[..., Rgb]:
    @numba.njit(cache=True, **_JIT)
    def shaded(
        seen: Ids, depths: Floats, eye: Floats, columns: Floats, air: Floats, grid: Grid
    ) -> Rgb:
        size = len(seen)
        rgb = np.full((size, size, 3), shading.NOWHERE + 0 * stamp, dtype=np.uint8)
        places, tints = np.empty((9, size)), np.empty((4, size))
        rays, faces = np.empty((6, size)), np.empty((3, size))
        for row in range(size):
            left = 0
            while left < size:
                number, right = seen[row, left], left + 1
                while right < size and seen[row, right] == number:
                    right += 1
                if number != NOTHING:
                    solid, n = columns[number], right - left
                    near = depths[row, left:right]
                    spots, lines = places[:, :n], rays[:, :n]
                    ways, shown = faces[:, :n], tints[:, :n]
                    _survey(solid, eye, row, left, size, near, spots, lines, ways)
                    _tint(int(solid[shading.KIND]), solid, spots, shown)
                    part = rgb[row, left:right]
                    _light(solid, spots, lines, ways, shown, air, grid, part)
                left = right
        return rgb

    return shaded


def _filler(stamp: int) -> Callable[..., None]:
    @numba.njit(cache=True, **_JIT)
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
                ray = (_part(eye, 0, u, v), _part(eye, 1, u, v), _part(eye, 2, u, v))
                over = 1.0 / ray[0], 1.0 / ray[1], 1.0 / ray[2]
                time = crossing((_BOX, _ANY), half, start, ray, over)
                if time < inf:
                    seen[row, column] = number
                    depths[row, column] = time

    return filled


_trace = _tracer(_sources())
_fill = _filler(_sources())
_shade = _shader(_sources())


def surround(seen: Ids, depths: Floats, eye: Eye, around: Target, number: int) -> None:
    """Do what `painting.surround` does."""
    where = np.array([eye.position, *eye.axes])
    _fill(seen, depths, where, np.array(_numbers(around)), number)


def paint(seen: Ids, depths: Floats, eye: Eye, columns: Floats, air: Air) -> Rgb:
    """Return what `painting.paint` returns."""
    where = np.array([eye.position, *eye.axes])
    return _shade(seen, depths, where, columns, air.values, air.grid)
