"""The renderer's numba backend: it compiles the same formulas that numpy evaluates.

The formulas of `textures` and `shading` are compiled for one pixel, as `camera.numba_solids`
compiles those of the rays, and give what numpy gives to the last bit.  In each band of rows, all
pixels that show one solid are coloured together.  The pixels of a block lie side by side in
`work`, a flat array with a constant number of places for each of a pixel's numbers.  So the
compiler knows that the numbers do not overlap, and computes several pixels at a time.
"""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tatc.home.camera import numba_solids
from tatc.home.camera.geometry import NO_OBJECT, IndexArray
from tatc.home.camera.numba_frames import trace_frame as trace_frame
from tatc.home.camera.rays import Eye, Floats, Ints, Rgb
from tatc.home.rendering import numpy_backend, shading
from tatc.home.rendering.ambient_occlusion import AmbientOcclusion
from tatc.home.rendering.shading import OcclusionGrid
from tatc.home.rendering.textures import TEXTURE_MODULES, TEXTURES, module_functions, surface_point

BLOCK_PIXELS = 512
"""The most pixels that are coloured at a time: their numbers stay in the processor's cache."""
_STEP_PIXELS = 8  # a block is filled up to a multiple of this, so that no pixel is left over

# Where each number of a block's pixels begins in `work`: where its ray passes through the frame
# and meets the solid, where that is, the normal there, the texture's sample, the cell and the
# place in it where ambient occlusion is sampled, its value, and the colour.
(
    _U, _V, _DEPTH, _X, _Y, _Z, _FX, _FY, _FZ, _SECOND, _THIRD, _BRIGHT, _GLOW,
    _CELL, _CELL_U, _CELL_V, _CELL_W, _OPEN, _RED, _GREEN, _BLUE, _END,
) = range(0, 22 * BLOCK_PIXELS, BLOCK_PIXELS)  # fmt: skip


@numba_solids.overload(shading.to_index)
def _to_index_overload(number: Any) -> Callable[..., Any]:
    def whole(number: Any) -> Any:
        return int(number)

    return whole


for _module in (surface_point, *TEXTURE_MODULES, shading):
    for _formula in module_functions(_module):
        if _formula is not shading.to_index:  # it has an overload above
            numba_solids.register_formula(_formula)
_FOLDER = Path(__file__).parent
_FORMULA_FILES = (_FOLDER / "shading.py", *sorted((_FOLDER / "textures").glob("*.py")))


@numba_solids.compiled
def _ray_at(eye: Floats, work: Floats, i: int) -> Any:
    u, v = work[i + _U], work[i + _V]
    return (
        numba_solids.ray_component(eye, 0, u, v),
        numba_solids.ray_component(eye, 1, u, v),
        numba_solids.ray_component(eye, 2, u, v),
    )


@numba_solids.compiled
def _surface_point_at(solid: Floats, eye: Floats, work: Floats, i: int) -> Any:
    """Return the point that a block's pixel shows, once it has been located."""
    at = work[i + _X], work[i + _Y], work[i + _Z]
    face = work[i + _FX], work[i + _FY], work[i + _FZ]
    return shading.surface_point_at(solid, at, face, _ray_at(eye, work, i))


@numba_solids.compiled
def _locate_pixels(
    solid: Floats, eye: Floats, work: Floats, pixels: int, grid: OcclusionGrid
) -> None:
    for i in range(min(pixels, BLOCK_PIXELS)):
        ray, depth = _ray_at(eye, work, i), work[i + _DEPTH]
        at = eye[0, 0] + depth * ray[0], eye[0, 1] + depth * ray[1], eye[0, 2] + depth * ray[2]
        face = shading.surface_normal(solid, at, ray)
        cell, place = shading.occlusion_cell(grid, at, face)
        work[i + _X], work[i + _Y], work[i + _Z] = at
        work[i + _FX], work[i + _FY], work[i + _FZ] = face
        work[i + _CELL] = cell
        work[i + _CELL_U], work[i + _CELL_V], work[i + _CELL_W] = place


def _make_texture_runner(
    pattern: Callable[[surface_point.SurfacePoint], surface_point.TextureSample],
) -> Callable[..., None]:
    def run(solid: Floats, eye: Floats, work: Floats, pixels: int) -> None:
        for i in range(min(pixels, BLOCK_PIXELS)):
            tint = pattern(_surface_point_at(solid, eye, work, i))
            work[i + _SECOND], work[i + _THIRD], work[i + _BRIGHT], work[i + _GLOW] = tint

    run.__qualname__ += f"_{pattern.__qualname__}"
    return numba_solids.compiled(run)


def _make_texture_dispatcher(patterns: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that samples the texture with a given number for a block of pixels.

    Its source is generated, one branch per texture, because that is the only form in which
    the compiler calls one of many functions without a detour through memory.
    """
    names = {f"pattern_{i}": _make_texture_runner(pattern) for i, pattern in enumerate(patterns)}
    lines = [
        f"    if number == {i}:\n        {name}(solid, eye, work, pixels)\n"
        for i, name in enumerate(names)
    ]
    scope: dict[str, Any] = dict(names)
    exec("def choose(number, solid, eye, work, pixels):\n" + "".join(lines), scope)
    return numba_solids.compiled(scope["choose"])


_run_texture = _make_texture_dispatcher(tuple(TEXTURES.values()))


@numba_solids.compiled
def _sample_occlusion(work: Floats, pixels: int, light: Floats, grid: OcclusionGrid) -> None:
    for i in range(min(pixels, BLOCK_PIXELS)):
        place = work[i + _CELL_U], work[i + _CELL_V], work[i + _CELL_W]
        work[i + _OPEN] = shading.light_in_cell(light, grid, work[i + _CELL], place)


def _make_pixel_lighter(is_dirty: bool) -> Callable[..., None]:
    def light(solid: Floats, eye: Floats, work: Floats, pixels: int) -> None:
        for i in range(min(pixels, BLOCK_PIXELS)):
            dirt = 0.0
            if is_dirty:
                dirt = shading.dirt_share(_surface_point_at(solid, eye, work, i))
            face = work[i + _FX], work[i + _FY], work[i + _FZ]
            tint = work[i + _SECOND], work[i + _THIRD], work[i + _BRIGHT], work[i + _GLOW]
            ray, open_ = _ray_at(eye, work, i), work[i + _OPEN]
            red, green, blue = shading.lit_colour(solid, tint, dirt, face, ray, open_)
            work[i + _RED] = shading.to_byte(red)
            work[i + _GREEN] = shading.to_byte(green)
            work[i + _BLUE] = shading.to_byte(blue)

    light.__qualname__ += f"_{is_dirty}"
    return numba_solids.compiled(light)


_light_clean_pixels, _light_dirty_pixels = (_make_pixel_lighter(each) for each in (False, True))


@numba_solids.compiled
def _shade_block(
    solid: Floats, eye: Floats, work: Floats, pixels: int, light: Floats, grid: OcclusionGrid
) -> None:
    _locate_pixels(solid, eye, work, pixels, grid)
    _run_texture(int(solid[shading.TEXTURE]), solid, eye, work, pixels)
    _sample_occlusion(work, pixels, light, grid)
    if solid[shading.IS_DIRTY] != 0.0:
        _light_dirty_pixels(solid, eye, work, pixels)
    else:
        _light_clean_pixels(solid, eye, work, pixels)


@numba_solids.compiled
def _sort_pixels(seen: IndexArray, ends: Ints, order: Ints) -> None:
    """Sort the pixels of a band by what they show: those of solid n end at `ends[n]`."""
    ends[:] = 0
    for number in seen:
        if number != NO_OBJECT:
            ends[number] += 1
    total = 0
    for number in range(len(ends)):
        total, ends[number] = total + ends[number], total
    for pixel in range(len(seen)):
        number = seen[pixel]
        if number != NO_OBJECT:
            order[ends[number]] = pixel
            ends[number] += 1


@numba_solids.compiled
def _fill_block(work: Floats, pixels: Ints, depths: Floats, size: int) -> int:
    """Fill a block from pixels of a frame; return how many pixels it has with its padding."""
    for i in range(len(pixels)):
        row = pixels[i] // size
        column = pixels[i] - row * size
        work[i + _U] = (2 * column + 1 - size) / size
        work[i + _V] = (size - 2 * row - 1) / size
        work[i + _DEPTH] = depths[pixels[i]]
    filled = -(-len(pixels) // _STEP_PIXELS) * _STEP_PIXELS
    for i in range(len(pixels), filled):
        work[i + _U], work[i + _V], work[i + _DEPTH] = work[_U], work[_V], work[_DEPTH]
    return filled


def _make_frame_shader(stamp: int) -> Callable[..., Rgb]:
    @numba_solids.compiled_once
    def shaded(
        seen: IndexArray,
        depths: Floats,
        eye: Floats,
        columns: Floats,
        light: Floats,
        grid: OcclusionGrid,
    ) -> Rgb:
        size = len(seen)
        rgb = np.full((size * size, 3), shading.BACKGROUND_GREY + 0 * stamp, dtype=np.uint8)
        band = max(numpy_backend.BAND_PIXELS // size, 1) * size
        work, ends = np.zeros(_END), np.empty(len(columns), dtype=np.int64)
        order = np.empty(band, dtype=np.int64)
        for first in range(0, size * size, band):
            _sort_pixels(seen.ravel()[first : first + band], ends, order)
            begin = 0
            for number in range(len(columns)):
                while begin < ends[number]:
                    end = min(begin + BLOCK_PIXELS, ends[number])
                    pixels = order[begin:end] + first
                    filled = _fill_block(work, pixels, depths.ravel(), size)
                    _shade_block(columns[number], eye, work, filled, light, grid)
                    for i in range(len(pixels)):
                        rgb[pixels[i], 0] = int(work[i + _RED])
                        rgb[pixels[i], 1] = int(work[i + _GREEN])
                        rgb[pixels[i], 2] = int(work[i + _BLUE])
                    begin = end
        return rgb.reshape(size, size, 3)

    return shaded


_frame_shader = _make_frame_shader(numba_solids.source_checksum(*_FORMULA_FILES))


def shade_frame(
    frame: IndexArray, depths: Floats, eye: Eye, inputs: Floats, occlusion: AmbientOcclusion
) -> Rgb:
    """Return what `numpy_backend.shade_frame` returns."""
    camera = numba_solids.camera_rows(eye)
    return _frame_shader(frame, depths, camera, inputs, occlusion.light, occlusion.grid)
