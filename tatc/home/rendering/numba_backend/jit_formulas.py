"""Register the formulas of `ray_intersection`, `textures` and `shading` with numba."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import numba
from numba.extending import overload, register_jitable

from tatc.home.camera import ray_intersection
from tatc.home.camera.rays import MIN_RAY_COMPONENT, Floats
from tatc.home.rendering import shading
from tatc.home.rendering.textures import TEXTURE_MODULES, module_functions, surface_point

# Division by zero gives infinity, as in numpy.
JIT_OPTIONS: dict[str, Any] = {"error_model": "numpy"}
"""The options with which everything here is compiled."""
FORMULA_OPTIONS: dict[str, Any] = {**JIT_OPTIONS, "forceinline": True}
"""The options of the formulas: in a loop without calls several pixels are computed at a time."""


def source_checksum() -> int:
    """Return a number that changes with the source files of the formulas.

    numba caches machine code between runs and checks only a function's own file for
    changes.  A function with this number in its closure is recompiled when any of the
    other files changes, too.
    """
    camera = Path(ray_intersection.__file__).parent
    rendering = Path(shading.__file__).parent
    files = [camera / name for name in ("ray_intersection.py", "rays.py", "shape_table.py")]
    files.append(rendering / "shading.py")
    for folder in ("numba_backend", "textures"):
        files += sorted((rendering / folder).glob("*.py"))
    return crc32(b"".join(file.read_bytes() for file in files))


@overload(ray_intersection.where)
def _where_overload(condition: Any, one: Any, other: Any) -> Callable[..., Any]:
    def choose(condition: Any, one: Any, other: Any) -> Any:
        return one if condition else other

    return choose


@overload(shading.to_index)
def _to_index_overload(number: Any) -> Callable[..., Any]:
    def whole(number: Any) -> Any:
        return int(number)

    return whole


for _module in (surface_point, *TEXTURE_MODULES, shading):
    for _formula in module_functions(_module):
        if _formula is not shading.to_index:  # it has an overload above
            register_jitable(**FORMULA_OPTIONS)(_formula)
for _formula in (
    ray_intersection.slab_intervals,
    ray_intersection.cylinder_intervals,
    ray_intersection.ellipsoid_depths,
    ray_intersection.disc_depths,
    ray_intersection.intersect_local,
):
    register_jitable(**FORMULA_OPTIONS)(_formula)


@numba.njit(**FORMULA_OPTIONS)
def ray_component(eye: Floats, axis: int, u: float, v: float) -> float:
    """Return one component of a ray, equal to that of `Eye.ray`."""
    value = (eye[1, axis] + u * eye[2, axis]) + v * eye[3, axis]
    return value if value != 0.0 else MIN_RAY_COMPONENT
