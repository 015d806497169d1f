"""Furnishes a kitchen: runs of counters with their units, and a table or an island."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import fsum

from tatc.base import files
from tatc.home.state import Vec3
from tatc.sim.rooms.generator import common_furniture as furniture, room_layout
from tatc.sim.rooms.generator.counter_units import WALL_CABINET_BOTTOM_METRES, CounterRun, Worktop

CORNER, FRIDGE, BASE, SINK, STOVE = "corner", "fridge", "base", "sink", "stove"

_LAYOUTS: dict[str, list[tuple[int, str, str]]] = files.package_table(
    "tatc.sim.rooms.generator", "counter_layouts.toml"
)


@dataclass(slots=True)
class _KitchenPlan:
    """What the counters of one kitchen have in common (metres), and its worktops."""

    layout: room_layout.RoomLayout
    depth: float
    counter_height: float
    fridge: Vec3
    worktops: list[tuple[CounterRun, Worktop]] = field(default_factory=lambda: [])


def furnish(layout: room_layout.RoomLayout) -> str | None:
    """Furnish a kitchen; return why this failed, or None."""
    rng = layout.rng
    plan = _KitchenPlan(
        layout,
        depth=rng.choice((0.55, 0.6, 0.65)),
        counter_height=rng.choice((0.9, 0.92, 0.92, 0.95)),
        fridge=layout.draw_size("Fridge"),
    )
    arrangement = rng.choice([name for name in _LAYOUTS if _can_fit(plan, name)] or [""])
    if not arrangement:
        return "no layout of counters fits the walls"
    for number, align, units in _LAYOUTS[arrangement]:
        if not _add_run(plan, layout.walls[number], align, units.split()):
            return "the counters do not fit the walls"
    for kind in ("Microwave", "CoffeeMachine", "Toaster"):
        if not _add_on_worktop(plan, kind, layout.draw_size(kind)):
            return f"no worktop has room for a {kind}"
    return furniture.add_switch_and_bin(layout) or _add_remaining(plan)


def _can_fit(plan: _KitchenPlan, arrangement: str) -> bool:
    """Return whether a layout fits the walls when its units are as narrow as they can be."""
    least = {CORNER: plan.depth, FRIDGE: plan.fridge[0] + 0.04, SINK: 0.92, STOVE: 0.8, BASE: 0.45}
    return all(
        fsum(least[unit] for unit in units.split())
        <= _free_length(plan, plan.layout.walls[number], align)
        for number, align, units in _LAYOUTS[arrangement]
    )


def _free_length(plan: _KitchenPlan, wall: room_layout.Wall, align: str) -> float:
    """Return how much of a wall a run may take: not what another run beside it takes."""
    return wall.length - (plan.depth if align in ("start", "end beside") else 0.0)


def _draw_widths(
    plan: _KitchenPlan, units: Sequence[str], wall_length: float, fill: bool
) -> list[float]:
    """Draw the units' widths (metres); plain ones shrink to fit, or `fill` what is left."""
    rng = plan.layout.rng
    fixed = {
        CORNER: plan.depth,
        FRIDGE: plan.fridge[0] + 0.04,
        SINK: round(rng.uniform(0.75, 0.92), 2),
        STOVE: round(rng.uniform(0.68, 0.8), 2),
    }
    widths = [fixed.get(unit, round(rng.uniform(0.45, 1.25), 2)) for unit in units]
    if fill or fsum(widths) > wall_length:
        share = (wall_length - fsum(fixed.get(unit, 0.0) for unit in units)) / units.count(BASE)
        widths = [fixed.get(unit, share) for unit in units]
    return widths


def _add_run(plan: _KitchenPlan, wall: room_layout.Wall, align: str, units: Sequence[str]) -> bool:
    """Put one run of units along a wall; return whether it fitted."""
    layout = plan.layout
    widths = _draw_widths(plan, units, _free_length(plan, wall, align), align == "both")
    total = fsum(widths)
    start = {
        "free": layout.rng.uniform(0, max(0.0, wall.length - total)),
        "end": wall.length - total,
        "end beside": wall.length - plan.depth - total,
        "start": plan.depth,
        "both": 0.0,
    }[align]
    places: list[tuple[str, float, float]] = []
    s = start
    for unit, width in zip(units, widths, strict=True):
        size = (width, plan.counter_height, plan.depth)
        if width < 0.4 or not layout.is_wall_free(wall, s, size, clearance=_clearance_before(unit)):
            return False
        places.append((unit, s, width))
        s += width
    run = CounterRun(layout, wall, plan.depth, plan.counter_height)
    for unit, s, width in places:
        _add_unit(plan, run, unit, s, width)
    for start, end in _worktop_spans(places):
        bench = run.add_worktop(start, end)
        bench.taken_spans += [(s, s + w) for unit, s, w in places if unit in (STOVE, CORNER)]
        plan.worktops.append((run, bench))
    _add_above(run, places)
    return True


def _clearance_before(unit: str) -> float:
    return {CORNER: 0.0, FRIDGE: 1.0}.get(unit, room_layout.AISLE_METRES)


def _add_unit(plan: _KitchenPlan, run: CounterRun, unit: str, s: float, width: float) -> None:
    layout = plan.layout
    if unit == FRIDGE:
        layout.reserve_wall(run.wall, s, (width, plan.fridge[1], plan.fridge[2]), clearance=1.0)
        layout.add_at_wall("Fridge", run.wall, s + 0.02, 0.0, plan.fridge)
        return
    size = (width, run.height, run.depth)
    layout.reserve_wall(run.wall, s, size, clearance=_clearance_before(unit))
    if unit == SINK:
        run.add_sink(s, width)
    elif unit == STOVE:
        run.add_stove(s, width)
    elif unit == BASE:
        parts = 2 if width > 0.8 else 1
        for i in range(parts):
            run.add_base_unit(s + i * width / parts, width / parts)


def _worktop_spans(places: list[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """Return the spans of the worktops, which sinks and fridges interrupt."""
    found: list[tuple[float, float]] = []
    for unit, s, width in places:
        if unit in (SINK, FRIDGE):
            continue
        if found and abs(found[-1][1] - s) < 1e-6:
            found[-1] = (found[-1][0], s + width)
        else:
            found.append((s, s + width))
    return found


def _add_above(run: CounterRun, places: list[tuple[str, float, float]]) -> None:
    """Hang wall cabinets above the run, or set a window above its sink."""
    layout = run.layout
    height = round(layout.rng.uniform(0.6, 0.8), 2)
    for unit, s, width in places:
        if unit == SINK and layout.chance(0.6):
            furniture.add_window_over_counter(layout, run.wall, s - 0.1, width + 0.2)
        elif unit == BASE and layout.chance(0.85):
            run.add_wall_cabinets(s, width, height, WALL_CABINET_BOTTOM_METRES)
        elif unit in (SINK, STOVE) and layout.chance(0.5):
            run.add_wall_cabinets(s, width, height - 0.2, WALL_CABINET_BOTTOM_METRES + 0.2)


def _add_on_worktop(plan: _KitchenPlan, object_type: str, size: Vec3) -> bool:
    """Stand an object on a worktop with its back to the wall; return whether it fitted."""
    rng = plan.layout.rng
    order = list(plan.worktops)
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
            if all(high <= a or low >= b for a, b in bench.taken_spans):
                bench.taken_spans.append((low, high))
                obj = run.layout.add_at_wall(object_type, run.wall, s, run.height, size, 0.02)
                plan.layout.set_support(obj, bench.counter_top)
                return True
    return False


def _add_remaining(plan: _KitchenPlan) -> str | None:
    """Furnish the rest of the room; return why this failed, or None."""
    layout = plan.layout
    if layout.chance(0.7):
        furniture.add_table_with_chairs(layout, (1, 3))
    elif layout.chance(0.6):
        _add_island(plan)
    if layout.chance(0.2):
        furniture.add_shelving_unit(layout)
    furniture.add_by_chance(layout, {"SideTable": 0.25})
    if furniture.add_plant(layout) is None:
        return "there is no place for a plant"
    if layout.chance(0.5):
        furniture.add_window(layout)
    return None


def _add_island(plan: _KitchenPlan) -> None:
    layout = plan.layout
    size = (round(layout.rng.uniform(1.0, 1.8), 2), plan.counter_height, 0.7)
    spot = layout.find_floor_spot(size, margin=0.85)
    if spot is None:
        return
    x, z, yaw = spot
    layout.reserve_floor(room_layout.footprint_rect((x, z), size, yaw))
    # The units of a run need a wall: an imaginary one runs along the island's back.
    along, inward = ((0.0, -1.0), (1.0, 0.0)) if yaw == 90.0 else ((1.0, 0.0), (0.0, 1.0))
    middle = room_layout.Wall(9, x, z, along, inward, size[0], yaw)
    x, z = middle.point_at(-size[0] / 2, -size[2] / 2)
    run = CounterRun(layout, replace(middle, x=x, z=z), size[2], plan.counter_height)
    run.add_base_unit(0.0, size[0] / 2)
    run.add_base_unit(size[0] / 2, size[0] / 2)
    run.add_worktop(0.0, size[0])
