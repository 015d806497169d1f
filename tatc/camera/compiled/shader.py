"""What colour each pixel has: worked out for runs of pixels that show one solid."""

# Here numbers stand in for arrays, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np

from tatc.camera import shading
from tatc.camera.air import Air
from tatc.camera.compiled.formulas import JIT, component, sources
from tatc.camera.geometry import NOTHING, Ids
from tatc.camera.patterns import PATTERNS, spot
from tatc.camera.rays import Eye, Floats, Rgb
from tatc.camera.shading import Grid


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

    return numba.njit(run, **JIT)


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
    return numba.njit(scope["choose"], **JIT)


_tint = _choice(tuple(PATTERNS.values()))


@numba.njit(**JIT)
def _survey(
    solid: Floats, eye: Floats, row: int, left: int, size: int, depths: Floats,
    places: Floats, rays: Floats, faces: Floats,
) -> None:  # fmt: skip
    """Find for a run of pixels where on a solid they lie, and which way it faces."""
    v = (size - 2 * row - 1) / size
    for i in range(depths.size):
        u = (2 * (left + i) + 1 - size) / size
        ray = (
            component(eye, 0, u, v),
            component(eye, 1, u, v),
            component(eye, 2, u, v),
        )
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


@numba.njit(**JIT)
def _light(
    solid: Floats, rays: Floats, faces: Floats, tints: Floats, air: Floats, grid: Grid,
    rgb: Rgb,
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
    @numba.njit(cache=True, **JIT)
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
                    _light(solid, lines, ways, shown, air, grid, part)
                left = right
        return rgb

    return shaded


_shade = _shader(sources())


def paint(seen: Ids, depths: Floats, eye: Eye, columns: Floats, air: Air) -> Rgb:
    """Return what `painting.paint` returns."""
    where = np.array([eye.position, *eye.axes])
    return _shade(seen, depths, where, columns, air.values, air.grid)
