"""Procedural textures: formulas, by name, that colour a point on an object.

A texture returns for a `SurfacePoint` how much of the material's second and third colour
shows, how bright it is and how much it glows.  It adds detail to the surface that rays
hit, and never changes what they hit.
"""

from collections.abc import Callable

from tatc.rendering.textures import (
    door_fronts,
    food,
    furniture,
    small_objects,
    vessels,
    walls_and_floors,
)
from tatc.rendering.textures.surface_point import SurfacePoint, TextureSample, plain

Texture = Callable[[SurfacePoint], TextureSample]

_ALL_TEXTURES: tuple[Texture, ...] = (
    plain,
    walls_and_floors.tiles,
    walls_and_floors.planks,
    walls_and_floors.carpet,
    walls_and_floors.wall,
    walls_and_floors.window,
    walls_and_floors.curtain,
    walls_and_floors.blinds,
    walls_and_floors.painting,
    walls_and_floors.mirror,
    walls_and_floors.switch,
    door_fronts.cabinet,
    door_fronts.drawer,
    door_fronts.fridge,
    door_fronts.microwave,
    door_fronts.toaster,
    door_fronts.coffee_machine,
    door_fronts.oven,
    door_fronts.safe,
    furniture.wood,
    furniture.stone,
    furniture.legs,
    furniture.bed,
    furniture.sofa,
    furniture.shelves,
    furniture.lamp,
    furniture.plant,
    furniture.bin,
    furniture.basket,
    furniture.toilet,
    vessels.mug,
    vessels.pot,
    vessels.plate,
    vessels.bottle,
    vessels.shaker,
    vessels.basin,
    vessels.kettle,
    vessels.pan,
    vessels.faucet,
    vessels.burner,
    vessels.knob,
    food.apple,
    food.tomato,
    food.potato,
    food.lettuce,
    food.bread,
    food.cut,
    food.egg,
    small_objects.handled,
    small_objects.book,
    small_objects.screen,
    small_objects.laptop,
    small_objects.buttons,
    small_objects.phone,
    small_objects.clock,
    small_objects.paper,
    small_objects.roll,
    small_objects.cloth,
    small_objects.pillow,
    small_objects.sponge,
    small_objects.disc,
    small_objects.ball,
    small_objects.vase,
    small_objects.candle,
    small_objects.statue,
    small_objects.carton,
)
TEXTURES: dict[str, Texture] = {pattern.__name__: pattern for pattern in _ALL_TEXTURES}
"""All textures by name; a texture's number is its position here."""
