"""Furnishes a bedroom: a bed, a desk, chests and shelves."""

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
    window_with_blinds,
)
from tatc.sim.rooms.sketch import AIR, Sketch
from tatc.sim.rooms.tables import chest, desk

_ON_FLOOR = {
    "BaseballBat": 0.45,
    "BasketBall": 0.4,
    "TennisRacket": 0.35,
    "Dumbbell": 0.15,
    "Boots": 0.1,
}


def furnish(sketch: Sketch) -> str | None:
    """Furnish a bedroom; return why it cannot be done, or None."""
    width, height, depth = sketch.size("Bed")
    bed = (width, min(height, 1.1), depth)
    if sketch.stand("Bed", bed, front=0.6, corner=0.3) is None:
        return "no wall is free for a bed"
    return _tables(sketch) or _rest(sketch)


def _tables(sketch: Sketch) -> str | None:
    """Add a desk or a dresser, bedside tables, and a lamp on one of them."""
    hosts = [desk(sketch)] if sketch.chance(0.8) else []
    if not hosts or sketch.chance(0.5):
        size = sketch.size("Dresser")
        wide = min(max(size[0], 0.9), 1.5)
        tall = min(size[1], 0.95 + AIR)
        size = (wide, tall, max(size[2], 0.42))
        columns, rows = sketch.rng.choice((1, 2)), sketch.rng.choice((2, 3))
        hosts.append(chest(sketch, "Dresser", size, columns, rows))
    for _ in range(sketch.rng.choice((1, 1, 2))):
        width, height, depth = sketch.size("SideTable")
        size = (min(width, 0.7), min(height, 0.65 + AIR), max(depth, 0.36))
        hosts.append(chest(sketch, "SideTable", size, 1, sketch.rng.choice((1, 2))))
    lamp = sketch.size("DeskLamp")
    side = min(lamp[0], lamp[2], 0.3)
    size = (side, lamp[1], side)
    lamps = sketch.rng.choice((1, 1, 2))
    for host in hosts:
        if host is not None and lamps > 0:
            lamps -= set_on(sketch, host, "DeskLamp", size, side=0.95) is not None
    there = any(thing.objectType == "DeskLamp" for thing in sketch.things)
    return None if there else "there is no table for a lamp"


def _rest(sketch: Sketch) -> str | None:
    if light_switch(sketch) is None or standing(sketch, "GarbageCan") is None:
        return "no wall is left for a light switch and a bin"
    if flat(sketch, "Mirror", (1.0, 1.2)) is None:
        return "no wall is left for a mirror"
    if sketch.chance(0.4):
        shelving(sketch)
    if sketch.chance(0.8):
        wall_shelves(sketch, sketch.rng.choice((1, 2, 3)))
    if sketch.chance(0.25):
        plant(sketch)
    maybe(sketch, {"ArmChair": 0.2, "LaundryHamper": 0.25, "Safe": 0.1, "Box": 0.4})
    maybe(sketch, _ON_FLOOR, front=0.3)
    for kind, share in {"Painting": 0.45, "Poster": 0.17}.items():
        if sketch.chance(share):
            flat(sketch, kind, (1.2, 1.5))
    window(sketch)
    for _ in range(sketch.rng.choice((1, 1, 2))):
        window_with_blinds(sketch)
    return None
