"""The formulas of `tracing`, `patterns` and `shading`, made known to numba."""

# Here numbers stand in for arrays, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from zlib import crc32

import numba
from numba.extending import overload, register_jitable

from tatc.camera import shading, tracing
from tatc.camera.patterns import food, fronts, furniture, rooms, spot, things, vessels
from tatc.camera.rays import TINY, Floats

# What is divided by zero is infinite, as in numpy.
JIT: dict[str, Any] = {"error_model": "numpy"}
"""How all of it is compiled."""


def sources() -> int:
    """Return a number that changes with the sources of the formulas.

    numba keeps machine code from run to run and looks for changes in the function's own
    file alone; with this number in its closure it looks at the others, too.
    """
    here = Path(tracing.__file__).parent
    names = ("tracing.py", "shading.py", "rays.py", "recipes.py")
    folders = ("compiled/*.py", "patterns/*.py")
    files = [here / name for name in names]
    files += [file for folder in folders for file in sorted(here.glob(folder))]
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
        register_jitable(**JIT)(_formula)
for _formula in (
    tracing.between,
    tracing.tube,
    tracing.ball,
    tracing.disc,
    tracing.crossing,
):
    register_jitable(**JIT)(_formula)


@numba.njit(**JIT)
def component(eye: Floats, axis: int, u: float, v: float) -> float:
    """Return one component of a ray, as `Eye.ray` gives it."""
    value = (eye[1, axis] + u * eye[2, axis]) + v * eye[3, axis]
    return value if value != 0.0 else TINY
