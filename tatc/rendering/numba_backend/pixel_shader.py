"""Colour the pixels of a frame, one run of pixels that show the same solid at a time."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np

from tatc.camera.geometry import NO_OBJECT, IndexArray
from tatc.camera.rays import Eye, Floats, Rgb
from tatc.rendering import shading
from tatc.rendering.ambient_occlusion import AmbientOcclusion
from tatc.rendering.numba_backend.jit_formulas import JIT_OPTIONS, ray_component, source_checksum
from tatc.rendering.shading import OcclusionGrid
from tatc.rendering.textures import TEXTURES, surface_point


def _make_texture_runner(
    pattern: Callable[[surface_point.SurfacePoint], surface_point.TextureSample],
) -> Callable[..., None]:
    """Return a function that evaluates a texture for a run of pixels showing one solid.

    The nine rows of `places` hold the position, the normal and the ray at each surface
    point; the other numbers of a `SurfacePoint` are the solid's.  The four rows of `tints`
    receive the numbers of a `TextureSample`.
    """

    def run(solid: Floats, places: Floats, tints: Floats) -> None:
        x, y, z, fx, fy, fz, dx, dy, dz = places
        second, third, bright, glow = tints
        for i in range(x.size):
            place = surface_point.SurfacePoint(
                x[i],
                y[i],
                z[i],
                fx[i],
                fy[i],
                fz[i],
                solid[shading.OBJECT_HALF_X],
                solid[shading.OBJECT_HALF_Y],
                solid[shading.OBJECT_HALF_Z],
                dx[i],
                dy[i],
                dz[i],
                solid[shading.PARAMETER_P],
                solid[shading.PARAMETER_Q],
                solid[shading.IS_ON],
                solid[shading.IS_FULL],
                solid[shading.SEED],
            )
            tint = pattern(place)
            second[i], third[i], bright[i], glow[i] = tint

    return numba.njit(run, **JIT_OPTIONS)


def _make_texture_dispatcher(patterns: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that evaluates the texture with a given number for a run of pixels.

    Its source is generated, one branch per texture, because that is the only form in which
    the compiler calls one of many functions without a detour through memory.
    """
    names = {f"pattern_{i}": _make_texture_runner(pattern) for i, pattern in enumerate(patterns)}
    lines = [
        f"    if number == {i}:\n        {name}(solid, places, tints)\n"
        for i, name in enumerate(names)
    ]
    scope: dict[str, Any] = dict(names)
    exec("def choose(number, solid, places, tints):\n" + "".join(lines), scope)
    return numba.njit(scope["choose"], **JIT_OPTIONS)


_run_texture = _make_texture_dispatcher(tuple(TEXTURES.values()))


@numba.njit(**JIT_OPTIONS)
def _locate_surface_points(
    solid: Floats, eye: Floats, row: int, left: int, size: int, depths: Floats,
    places: Floats, rays: Floats, faces: Floats,
) -> None:  # fmt: skip
    """Find where on a solid a run of pixels lies, and the surface normals there.

    `places`, `rays` and `faces` receive the results, one column per pixel.
    """
    v = (size - 2 * row - 1) / size
    for i in range(depths.size):
        u = (2 * (left + i) + 1 - size) / size
        ray = (
            ray_component(eye, 0, u, v),
            ray_component(eye, 1, u, v),
            ray_component(eye, 2, u, v),
        )
        at = (
            eye[0, 0] + depths[i] * ray[0],
            eye[0, 1] + depths[i] * ray[1],
            eye[0, 2] + depths[i] * ray[2],
        )
        face = shading.surface_normal(solid, at, ray)
        place = shading.surface_point_at(solid, at, face, ray)
        places[0, i], places[1, i], places[2, i] = place.x, place.y, place.z
        places[3, i], places[4, i], places[5, i] = place.fx, place.fy, place.fz
        places[6, i], places[7, i], places[8, i] = place.dx, place.dy, place.dz
        rays[0, i], rays[1, i], rays[2, i] = ray
        rays[3, i], rays[4, i], rays[5, i] = at
        faces[0, i], faces[1, i], faces[2, i] = face


@numba.njit(**JIT_OPTIONS)
def _light_pixels(
    solid: Floats, rays: Floats, faces: Floats, tints: Floats, light: Floats, grid: OcclusionGrid,
    rgb: Rgb,
) -> None:  # fmt: skip
    """Light a run of pixels, and write their colours to `rgb`."""
    dirty = solid[shading.IS_DIRTY] != 0.0
    for i in range(len(rgb)):
        ray, at = ((rays[0, i], rays[1, i], rays[2, i]), (rays[3, i], rays[4, i], rays[5, i]))
        face = faces[0, i], faces[1, i], faces[2, i]
        dirt = 0.0
        if dirty:
            place = shading.surface_point_at(solid, at, face, ray)
            dirt = shading.dirt_share(place)
        open_ = shading.sample_occlusion(light, grid, at, face)
        tint = tints[0, i], tints[1, i], tints[2, i], tints[3, i]
        parts = shading.lit_colour(solid, tint, dirt, face, ray, open_)
        rgb[i, 0] = int(shading.to_byte(parts[0]))
        rgb[i, 1] = int(shading.to_byte(parts[1]))
        rgb[i, 2] = int(shading.to_byte(parts[2]))


def _make_frame_shader(stamp: int) -> Callable[..., Rgb]:
    @numba.njit(cache=True, **JIT_OPTIONS)
    def shaded(
        seen: IndexArray,
        depths: Floats,
        eye: Floats,
        columns: Floats,
        light: Floats,
        grid: OcclusionGrid,
    ) -> Rgb:
        size = len(seen)
        rgb = np.full((size, size, 3), shading.BACKGROUND_GREY + 0 * stamp, dtype=np.uint8)
        places, tints = np.empty((9, size)), np.empty((4, size))
        rays, faces = np.empty((6, size)), np.empty((3, size))
        for row in range(size):
            left = 0
            while left < size:
                number, right = seen[row, left], left + 1
                while right < size and seen[row, right] == number:
                    right += 1
                if number != NO_OBJECT:
                    solid, n = columns[number], right - left
                    near = depths[row, left:right]
                    points, lines = places[:, :n], rays[:, :n]
                    paths, shown = faces[:, :n], tints[:, :n]
                    _locate_surface_points(solid, eye, row, left, size, near, points, lines, paths)
                    _run_texture(int(solid[shading.TEXTURE]), solid, points, shown)
                    part = rgb[row, left:right]
                    _light_pixels(solid, lines, paths, shown, light, grid, part)
                left = right
        return rgb

    return shaded


_frame_shader = _make_frame_shader(source_checksum())


def shade_frame(
    frame: IndexArray, depths: Floats, eye: Eye, inputs: Floats, occlusion: AmbientOcclusion
) -> Rgb:
    """Return what `numpy_backend.shade_frame` returns."""
    where = np.array([eye.position, *eye.axes])
    return _frame_shader(frame, depths, where, inputs, occlusion.light, occlusion.grid)
