"""Furnishes a living room: a sofa and a television, tables, chests, shelves."""

from tatc.sim.rooms.parts import (
    flat,
    light_switch,
    maybe,
    plant,
    set_on,
    shelving,
    standing,
    wall_shelves,
    window,
)
from tatc.sim.rooms.sketch import AIR, Sketch
from tatc.sim.rooms.tables import chest, front_table, table_with_chairs
from tatc.state import ObjectState


def furnish(sketch: Sketch) -> str | None:
    """Furnish a living room; return why it cannot be done, or None."""
    return _seating(sketch) or _television(sketch) or _rest(sketch)


def _seating(sketch: Sketch) -> str | None:
    sofa = sketch.stand("Sofa", sketch.size("Sofa"), front=0.45, corner=0.0)
    if sofa is None:
        return "no wall is long enough for a sofa"
    if sketch.chance(0.85):
        front_table(sketch, sofa, "CoffeeTable")
    for _ in range(sketch.rng.choice((0, 1, 1, 2))):
        standing(sketch, "ArmChair", front=0.6, corner=0.6)
    if standing(sketch, "FloorLamp", front=0.4, corner=0.8) is None:
        return "there is no place for a lamp"
    return None


def _television(sketch: Sketch) -> str | None:
    """Stand a television on a stand or on a dresser."""
    screen = sketch.size("Television")
    screen = (screen[0], screen[1], min(screen[2], 0.3))
    if sketch.chance(0.6):
        size = sketch.size("TVStand")
        width, height = max(size[0], screen[0] + 0.05), min(size[1], 0.75 + AIR)
        host = sketch.stand("TVStand", (width, height, max(size[2], 0.45)))
    else:
        host = _dresser(sketch, screen[0] + 0.1)
    if host is None or set_on(sketch, host, "Television", screen) is None:
        return "there is no place for a television"
    return None


def _dresser(sketch: Sketch, least: float = 0.8) -> ObjectState | None:
    _, height, depth = sketch.size("Dresser")
    width = round(sketch.rng.uniform(max(least, 0.8), max(least, 1.6)), 2)
    height = min(height, 0.95 + AIR)
    columns = 2 if width > 1.0 else 1
    size = (width, height, max(depth, 0.42))
    return chest(sketch, "Dresser", size, columns, sketch.rng.choice((2, 3)))


def _rest(sketch: Sketch) -> str | None:
    if light_switch(sketch) is None or standing(sketch, "GarbageCan") is None:
        return "no wall is left for a light switch and a bin"
    if sketch.chance(0.55):
        table_with_chairs(sketch, "DiningTable", (2, 4))
    for _ in range(sketch.rng.choice((1, 2, 2, 3))):
        _side_table(sketch)
    if sketch.chance(0.4):
        _dresser(sketch)
    if sketch.chance(0.4):
        shelving(sketch)
    if sketch.chance(0.5):
        wall_shelves(sketch, sketch.rng.choice((1, 2, 3)))
    if plant(sketch) is None or standing(sketch, "Box") is None:
        return "there is no place for a plant and a box"
    maybe(sketch, {"Ottoman": 0.1, "Boots": 0.2, "WateringCan": 0.4}, front=0.4)
    for _ in range(sketch.rng.choice((1, 1, 2, 3))):
        flat(sketch, "Painting", (1.2, 1.5))
    for _ in range(sketch.rng.choice((1, 2, 3))):
        window(sketch)
    return None


def _side_table(sketch: Sketch) -> None:
    width, height, depth = sketch.size("SideTable")
    size = (width, height, max(depth, 0.36))
    if sketch.chance(0.5):
        host = chest(sketch, "SideTable", size, 1, 2)
    else:
        host = sketch.stand("SideTable", size, front=0.5)
    if host is not None and sketch.chance(0.4):
        lamp = sketch.size("DeskLamp")
        side = min(lamp[0], lamp[2], size[2] - 0.04)
        set_on(sketch, host, "DeskLamp", (side, lamp[1], side), side=0.95)
