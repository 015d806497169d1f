"""What surfaces look like: formulas that colour a place on a thing, by name.

A pattern gives for a `Spot` how much of a look's second and third colour shows, how
bright it is and how much it glows.  It is detail on the surface that rays hit, and
never changes what they hit.
"""

from collections.abc import Callable

from tatc.camera.patterns import food, fronts, furniture, rooms, things, vessels
from tatc.camera.patterns.spot import Spot, Tint, plain

Pattern = Callable[[Spot], Tint]

_ALL: tuple[Pattern, ...] = (
    plain,
    rooms.tiles,
    rooms.planks,
    rooms.carpet,
    rooms.wall,
    rooms.window,
    rooms.curtain,
    rooms.blinds,
    rooms.painting,
    rooms.mirror,
    rooms.switch,
    fronts.cabinet,
    fronts.drawer,
    fronts.fridge,
    fronts.microwave,
    fronts.toaster,
    fronts.coffee_machine,
    fronts.oven,
    fronts.safe,
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
    things.handled,
    things.book,
    things.screen,
    things.laptop,
    things.buttons,
    things.phone,
    things.clock,
    things.paper,
    things.roll,
    things.cloth,
    things.pillow,
    things.sponge,
    things.disc,
    things.ball,
    things.vase,
    things.candle,
    things.statue,
    things.carton,
)
PATTERNS: dict[str, Pattern] = {pattern.__name__: pattern for pattern in _ALL}
"""All patterns by name; a pattern's number is its place here."""
