"""Procedural textures: formulas, by name, that colour a point on an object.

A texture returns for a `SurfacePoint` how much of the material's second and third colour shows, how
bright it is and how much it glows.
"""

from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType

from tatc.home.rendering.textures import furniture, small_objects, walls_and_floors
from tatc.home.rendering.textures.surface_point import SurfacePoint, TextureSample, plain

Texture = Callable[[SurfacePoint], TextureSample]

TEXTURE_MODULES = (walls_and_floors, furniture, small_objects)
"""The modules whose public functions are the textures."""


def module_functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions that a module defines, in their order."""
    for value in vars(module).values():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield value


TEXTURES: dict[str, Texture] = {"plain": plain} | {
    function.__name__: function
    for module in TEXTURE_MODULES
    for function in module_functions(module)
    if not function.__name__.startswith("_")
}
"""All textures by name; a texture's number is its position here."""
