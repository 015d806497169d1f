"""Furnishes a bathroom: one or two sinks, a tub or a shower, a toilet, holders."""

from tatc.sim.rooms.frame import Wall
from tatc.sim.rooms.parts import (
    flat,
    light_switch,
    maybe,
    standing,
    wall_shelves,
    window,
)
from tatc.sim.rooms.sketch import AISLE, Sketch
from tatc.sim.rooms.units import Run


def furnish(sketch: Sketch) -> str | None:
    """Furnish a bathroom; return why it cannot be done, or None."""
    return _bath(sketch) or _basins(sketch) or _toilet(sketch) or _rest(sketch)


def _basins(sketch: Sketch) -> str | None:
    """Set one or two sinks into a counter with cabinets, a mirror above."""
    rng = sketch.rng
    depth, top = rng.choice((0.5, 0.55, 0.6)), rng.choice((0.84, 0.88, 0.92))
    sinks = rng.choice((1, 1, 2))
    each, beside = round(rng.uniform(0.6, 0.75), 2), round(rng.uniform(0.68, 0.9), 2)
    units = (
        (("sink", each), ("base", beside))
        if sinks == 1
        else (
            ("sink", each),
            ("base", beside),
            ("sink", each),
        )
    )
    size = (sum(width for _, width in units), top, depth)
    found = sketch.spot(size, front=AISLE)
    if found is None:
        return "no wall is long enough for the sinks"
    wall, s = found
    sketch.book(wall, s, size)
    run, at = Run(sketch, wall, depth, top), s
    for unit, width in units:
        if unit == "sink":
            run.sink(at, width)
        else:
            run.base(at, width)
            run.slab(at, at + width)
        at += width
    _mirror(sketch, wall, s, size[0], top)
    return None


def _mirror(sketch: Sketch, wall: Wall, s: float, width: float, top: float) -> None:
    low, size = top + 0.35, (width - 0.1, 0.85, 0.05)
    if sketch.free(wall, s + 0.05, size, low, front=0.0):
        sketch.book(wall, s + 0.05, size, low, front=0.0)
        sketch.on_wall("Mirror", wall, s + 0.05, low, size, 0.01 - size[2])


def _bath(sketch: Sketch) -> str | None:
    return _tub(sketch) if sketch.chance(0.65) else _shower(sketch)


def _tub(sketch: Sketch) -> str | None:
    """Stand a tub in a corner, its basin inside, a faucet at one end."""
    rng = sketch.rng
    size = (
        round(rng.uniform(1.6, 2.0), 2),
        round(rng.uniform(0.5, 0.62), 2),
        round(rng.uniform(0.86, 1.0), 2),
    )
    found = sketch.spot(size, front=AISLE, corner=1.0)
    if found is None:
        return "no wall is long enough for a tub"
    wall, s = found
    sketch.book(wall, s, size)
    tub = sketch.on_wall("Bathtub", wall, s, 0.0, size)
    inner = (size[0] - 0.36, size[1] - 0.14, size[2] - 0.34)
    x, z = wall.at(s + size[0] / 2, size[2] / 2)
    middle = (x, 0.12 + inner[1] / 2, z)
    sketch.add("BathtubBasin", middle, inner, wall.yaw, owner=tub.objectId)
    tap = (0.2, 0.18, 0.16)
    sketch.on_wall("Faucet", wall, s + 0.2, size[1], tap)
    if sketch.chance(0.5):
        head = (0.26, 1.0, 0.15)
        sketch.on_wall("ShowerHead", wall, s + 0.55, 1.1, head)
    if sketch.chance(0.4):
        curtain = (0.36, 1.45, 0.3)
        at = s + size[0] - curtain[0]
        sketch.on_wall(
            "ShowerCurtain", wall, at, size[1] + 0.02, curtain, size[2] - 0.4
        )
    return None


def _shower(sketch: Sketch) -> str | None:
    """Part a corner off with glass and a door, a shower head inside."""
    side, glass = 0.99, 0.05
    size = (side, 2.0, side)
    for wall in sketch.walls:
        if sketch.free(wall, 0.0, size, front=AISLE):
            sketch.book(wall, 0.0, size)
            sketch.on_wall("ShowerHead", wall, 0.35, 0.8, (0.28, 1.3, 0.18))
            door = (side - glass, 1.95, glass)
            sketch.on_wall("ShowerDoor", wall, 0.0, 0.03, door, side - glass)
            x, z = wall.at(side - glass / 2, (side - glass) / 2)
            pane = (side - glass, 1.95, glass)
            sketch.add("ShowerGlass", (x, 1.0, z), pane, wall.yaw + 90.0)
            return None
    return "no corner is free for a shower"


def _toilet(sketch: Sketch) -> str | None:
    """Stand a toilet at a wall, and hang its paper beside it or near by."""
    if sketch.stand("Toilet", (0.53, 1.04, 0.98), front=0.5) is None:
        return "no wall is free for a toilet"
    width, height, depth = sketch.size("ToiletPaperHanger")
    if sketch.hang("ToiletPaperHanger", (width, height, depth), 0.8, 0.4) is None:
        return "no wall is left for toilet paper"
    return None


def _holder(sketch: Sketch, kind: str, high: float) -> bool:
    """Mount a holder over wall that stays free for what hangs from it."""
    width, height, depth = sketch.size(kind)
    low = high - 0.66
    found = sketch.spot((width, 0.66, depth), low, front=0.4, corner=0.0)
    if found is None:
        return False
    wall, s = found
    sketch.book(wall, s, (width, 0.66, depth), low, front=0.4)
    sketch.on_wall(kind, wall, s, high - height, (width, height, depth))
    return True


def _rest(sketch: Sketch) -> str | None:
    if light_switch(sketch) is None or standing(sketch, "GarbageCan") is None:
        return "no wall is left for a light switch and a bin"
    for kind, high in (("TowelHolder", 1.36), ("HandTowelHolder", 1.65)):
        if not _holder(sketch, kind, high):
            return "no wall is left for towels"
    for kind in ("Plunger", "ScrubBrush"):
        if standing(sketch, kind, front=0.3, corner=0.5) is None:
            return f"there is no place for a {kind}"
    maybe(sketch, {"SideTable": 0.15})
    if sketch.chance(0.3):
        wall_shelves(sketch, sketch.rng.choice((1, 2, 3)))
    if sketch.chance(0.65):
        window(sketch)
    if sketch.chance(0.2):
        flat(sketch, "Mirror", (1.0, 1.2))
    return None
