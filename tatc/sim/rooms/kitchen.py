"""Furnishes a kitchen: runs of counters and what is in them, a table or an island."""

from dataclasses import dataclass, field

from tatc.sim.rooms.frame import Wall
from tatc.sim.rooms.parts import (
    light_switch,
    maybe,
    plant,
    shelving,
    standing,
    window,
    window_at,
)
from tatc.sim.rooms.sketch import AISLE, Sketch
from tatc.sim.rooms.tables import table_with_chairs
from tatc.sim.rooms.units import WALL_CABINET_LOW, Bench, Run
from tatc.state import Vec3

CORNER, FRIDGE, BASE, SINK, STOVE = "corner", "fridge", "base", "sink", "stove"

_LAYOUTS: dict[str, tuple[tuple[int, str, tuple[str, ...]], ...]] = {
    # Wall number, where its run is aligned, the units in the order of the wall.
    "straight": ((0, "free", (FRIDGE, BASE, SINK, BASE, STOVE, BASE)),),
    "corner": (
        (0, "end", (FRIDGE, BASE, SINK, BASE, CORNER)),
        (1, "start", (BASE, STOVE, BASE)),
    ),
    "long corner": (
        (0, "end", (BASE, SINK, BASE, CORNER)),
        (1, "start", (BASE, STOVE, BASE, FRIDGE)),
    ),
    "galley": (
        (0, "free", (BASE, SINK, BASE)),
        (2, "free", (FRIDGE, BASE, STOVE, BASE)),
    ),
    "horseshoe": (
        (0, "both", (CORNER, BASE, SINK, BASE, CORNER)),
        (1, "start", (BASE, STOVE, BASE)),
        (3, "end beside", (FRIDGE, BASE)),
    ),
}
_BESIDE = ("start", "end beside")
"""Runs that begin or end at the side of another run."""


@dataclass(slots=True)
class _Plan:
    """What the counters of one kitchen have in common, and its worktops."""

    sketch: Sketch
    depth: float
    top: float
    fridge: Vec3
    benches: list[tuple[Run, Bench]] = field(default_factory=lambda: [])


def furnish(sketch: Sketch) -> str | None:
    """Furnish a kitchen; return why it cannot be done, or None."""
    rng = sketch.rng
    plan = _Plan(
        sketch,
        depth=rng.choice((0.55, 0.6, 0.65)),
        top=rng.choice((0.9, 0.92, 0.92, 0.95)),
        fridge=sketch.size("Fridge"),
    )
    layout = rng.choice([name for name in _LAYOUTS if _may_fit(plan, name)] or [""])
    if not layout:
        return "no layout of counters fits the walls"
    for number, align, units in _LAYOUTS[layout]:
        if not _run(plan, sketch.walls[number], align, units):
            return "the counters do not fit the walls"
    return _appliances(plan) or _rest(plan)


def _may_fit(plan: _Plan, layout: str) -> bool:
    """Return whether the narrowest units of a layout fit the lengths of the walls."""
    least = {
        CORNER: plan.depth,
        FRIDGE: plan.fridge[0] + 0.04,
        SINK: 0.92,
        STOVE: 0.8,
        BASE: 0.45,
    }
    return all(
        sum(least[unit] for unit in units)
        <= plan.sketch.walls[number].length - (plan.depth if align in _BESIDE else 0.0)
        for number, align, units in _LAYOUTS[layout]
    )


def _widths(
    plan: _Plan, units: tuple[str, ...], room: float, fill: bool
) -> list[float]:
    """Draw the width of each unit; plain ones shrink to fit, or grow to fill."""
    rng = plan.sketch.rng
    fixed = {
        CORNER: plan.depth,
        FRIDGE: plan.fridge[0] + 0.04,
        SINK: round(rng.uniform(0.75, 0.92), 2),
        STOVE: round(rng.uniform(0.68, 0.8), 2),
    }
    widths = [fixed.get(unit, round(rng.uniform(0.45, 1.25), 2)) for unit in units]
    if fill or sum(widths) > room:
        rest = room - sum(fixed.get(unit, 0.0) for unit in units)
        share = rest / units.count(BASE)
        widths = [fixed.get(unit, share) for unit in units]
    return widths


def _run(plan: _Plan, wall: Wall, align: str, units: tuple[str, ...]) -> bool:
    """Put one run of units along a wall; return whether it fits."""
    sketch = plan.sketch
    room = wall.length - (plan.depth if align in _BESIDE else 0.0)
    widths = _widths(plan, units, room, align == "both")
    total = sum(widths)
    start = {
        "free": sketch.rng.uniform(0, max(0.0, wall.length - total)),
        "end": wall.length - total,
        "end beside": wall.length - plan.depth - total,
        "start": plan.depth,
        "both": 0.0,
    }[align]
    places: list[tuple[str, float, float]] = []
    s = start
    for unit, width in zip(units, widths, strict=True):
        size = (width, plan.top, plan.depth)
        if width < 0.4 or not sketch.free(wall, s, size, front=_front(unit)):
            return False
        places.append((unit, s, width))
        s += width
    run = Run(sketch, wall, plan.depth, plan.top)
    for unit, s, width in places:
        _unit(plan, run, unit, s, width)
    for start, end in _stretches(places):
        bench = run.slab(start, end)
        bench.taken += [(s, s + w) for unit, s, w in places if unit in (STOVE, CORNER)]
        plan.benches.append((run, bench))
    _above(run, places)
    return True


def _front(unit: str) -> float:
    return {CORNER: 0.0, FRIDGE: 1.0}.get(unit, AISLE)


def _unit(plan: _Plan, run: Run, unit: str, s: float, width: float) -> None:
    sketch = plan.sketch
    if unit == FRIDGE:
        sketch.book(run.wall, s, (width, plan.fridge[1], plan.fridge[2]), front=1.0)
        sketch.on_wall("Fridge", run.wall, s + 0.02, 0.0, plan.fridge)
        return
    sketch.book(run.wall, s, (width, run.top, run.depth), front=_front(unit))
    if unit == SINK:
        run.sink(s, width)
    elif unit == STOVE:
        run.stove(s, width)
    elif unit == BASE:
        parts = 2 if width > 0.8 else 1
        for i in range(parts):
            run.base(s + i * width / parts, width / parts)


def _stretches(places: list[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """Return where worktops run: what no sink and no fridge interrupts."""
    found: list[tuple[float, float]] = []
    for unit, s, width in places:
        if unit in (SINK, FRIDGE):
            continue
        if found and abs(found[-1][1] - s) < 1e-6:
            found[-1] = (found[-1][0], s + width)
        else:
            found.append((s, s + width))
    return found


def _above(run: Run, places: list[tuple[str, float, float]]) -> None:
    """Hang wall cabinets over the run, or a window over its sink."""
    sketch = run.sketch
    height = round(sketch.rng.uniform(0.6, 0.8), 2)
    for unit, s, width in places:
        if unit == SINK and sketch.chance(0.6):
            window_at(sketch, run.wall, s - 0.1, width + 0.2)
        elif unit == BASE and sketch.chance(0.85):
            run.hang(s, width, height, WALL_CABINET_LOW)
        elif unit in (SINK, STOVE) and sketch.chance(0.5):
            run.hang(s, width, height - 0.2, WALL_CABINET_LOW + 0.2)


def _appliances(plan: _Plan) -> str | None:
    """Stand the appliances on the worktops, backs to the wall."""
    for kind in ("Microwave", "CoffeeMachine", "Toaster"):
        if not _on_bench(plan, kind, plan.sketch.size(kind)):
            return f"no worktop has room for a {kind}"
    return None


def _on_bench(plan: _Plan, kind: str, size: Vec3) -> bool:
    rng = plan.sketch.rng
    order = list(plan.benches)
    rng.shuffle(order)
    for run, bench in order:
        span = bench.end - bench.start - size[0]
        if size[2] > run.depth - 0.03 or span < 0:
            continue
        steps = list(range(int(span / 0.05) + 1))
        rng.shuffle(steps)
        for step in steps:
            s = bench.start + step * 0.05
            low, high = s - 0.02, s + size[0] + 0.02
            if all(high <= a or low >= b for a, b in bench.taken):
                bench.taken.append((low, high))
                thing = run.sketch.on_wall(kind, run.wall, s, run.top, size, 0.02)
                plan.sketch.rest_on(thing, bench.top)
                return True
    return False


def _rest(plan: _Plan) -> str | None:
    """Add what stands elsewhere in the room."""
    sketch = plan.sketch
    if light_switch(sketch) is None or standing(sketch, "GarbageCan") is None:
        return "no wall is left for a light switch and a bin"
    if sketch.chance(0.7):
        table_with_chairs(sketch, "DiningTable", (1, 3))
    elif sketch.chance(0.6):
        _island(plan)
    if sketch.chance(0.2):
        shelving(sketch)
    maybe(sketch, {"SideTable": 0.25})
    if plant(sketch) is None:
        return "there is no place for a plant"
    if sketch.chance(0.5):
        window(sketch)
    return None


def _island(plan: _Plan) -> None:
    """Put a free-standing counter with cabinets into the middle, if there is room."""
    sketch = plan.sketch
    size = (round(sketch.rng.uniform(1.0, 1.8), 2), plan.top, 0.7)
    spot = sketch.middle(size, margin=0.85)
    if spot is None:
        return
    x, z, yaw = spot
    wide, deep = (size[0], size[2]) if yaw == 0.0 else (size[2], size[0])
    sketch.book_floor((x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2))
    # A wall along the island's back lets the units of a run stand in the open.
    back = Wall(9, x, z, (1.0, 0.0), (0.0, 1.0), size[0], 0.0)
    if yaw == 90.0:
        back = Wall(9, x, z, (0.0, -1.0), (1.0, 0.0), size[0], 90.0)
    corner = back.at(-size[0] / 2, -size[2] / 2)
    back = Wall(9, corner[0], corner[1], back.along, back.inward, size[0], back.yaw)
    run = Run(sketch, back, size[2], plan.top)
    run.base(0.0, size[0] / 2)
    run.base(size[0] / 2, size[0] / 2)
    run.slab(0.0, size[0])
