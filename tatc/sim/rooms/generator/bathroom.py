"""Furnishes a bathroom: one or two sinks, a tub or a shower, a toilet and holders."""

from math import fsum

from tatc.sim.rooms.generator import common_furniture as furniture, counter_units, room_layout
from tatc.sim.rooms.room import create_object


def furnish(layout: room_layout.RoomLayout) -> str | None:
    """Furnish a bathroom; return why this failed, or None."""
    add_washing_place = _add_tub if layout.chance(0.65) else _add_shower
    return (
        add_washing_place(layout)
        or _add_sinks(layout)
        or _add_toilet(layout)
        or furniture.add_switch_and_bin(layout)
        or _add_remaining(layout)
    )


def _add_sinks(layout: room_layout.RoomLayout) -> str | None:
    """Set one or two sinks into a counter with cabinets, and hang a mirror above it."""
    rng = layout.rng
    depth, top = rng.choice((0.5, 0.55, 0.6)), rng.choice((0.84, 0.88, 0.92))
    sinks = rng.choice((1, 1, 2))
    each, beside = round(rng.uniform(0.6, 0.75), 2), round(rng.uniform(0.68, 0.9), 2)
    units = (("sink", each), ("base", beside), ("sink", each))[: sinks + 1]
    size = (fsum(width for _, width in units), top, depth)
    found = layout.take_wall_spot(size)
    if found is None:
        return "no wall is long enough for the sinks"
    wall, s = found
    run, at = counter_units.CounterRun(layout, wall, depth, top), s
    for unit, width in units:
        if unit == "sink":
            run.add_sink(at, width)
        else:
            run.add_base_unit(at, width)
            run.add_worktop(at, at + width)
        at += width
    mirror = (size[0] - 0.1, 0.85, 0.05)
    furniture.hang_flat_object_at(layout, "Mirror", wall, s + 0.05, top + 0.35, mirror)
    return None


def _add_tub(layout: room_layout.RoomLayout) -> str | None:
    """Stand a tub in a corner, with its basin inside and a faucet at one end."""
    rng = layout.rng
    width, height = round(rng.uniform(1.6, 2.0), 2), round(rng.uniform(0.5, 0.62), 2)
    size = (width, height, round(rng.uniform(0.86, 1.0), 2))
    found = layout.take_wall_spot(size, corner_chance=1.0)
    if found is None:
        return "no wall is long enough for a tub"
    wall, s = found
    tub = layout.add_at_wall("Bathtub", wall, s, 0.0, size)
    inner = (size[0] - 0.36, size[1] - 0.14, size[2] - 0.34)
    x, z = wall.point_at(s + size[0] / 2, size[2] / 2)
    middle = (x, 0.12 + inner[1] / 2, z)
    layout.add_object(create_object("BathtubBasin", middle, inner, wall.yaw, owner=tub.objectId))
    layout.add_at_wall("Faucet", wall, s + 0.2, size[1], (0.2, 0.18, 0.16))
    if layout.chance(0.5):
        layout.add_at_wall("ShowerHead", wall, s + 0.55, 1.1, (0.26, 1.0, 0.15))
    if layout.chance(0.4):
        curtain = (0.36, 1.45, 0.3)
        at = s + size[0] - curtain[0]
        layout.add_at_wall("ShowerCurtain", wall, at, size[1] + 0.02, curtain, size[2] - 0.4)
    return None


def _add_shower(layout: room_layout.RoomLayout) -> str | None:
    """Close a corner off with a glass pane and a door, and hang a shower head inside."""
    side, glass = 0.99, 0.05
    size = (side, 2.0, side)
    for wall in layout.walls:
        if layout.take_wall(wall, 0.0, size):
            layout.add_at_wall("ShowerHead", wall, 0.35, 0.8, (0.28, 1.3, 0.18))
            pane = (side - glass, 1.95, glass)
            layout.add_at_wall("ShowerDoor", wall, 0.0, 0.03, pane, side - glass)
            x, z = wall.point_at(side - glass / 2, (side - glass) / 2)
            layout.add_object(create_object("ShowerGlass", (x, 1.0, z), pane, wall.yaw + 90.0))
            return None
    return "no corner is free for a shower"


def _add_toilet(layout: room_layout.RoomLayout) -> str | None:
    """Stand a toilet at a wall, and hang a holder for its paper on any wall."""
    if layout.stand_at_wall("Toilet", (0.53, 1.04, 0.98), clearance=0.5) is None:
        return "no wall is free for a toilet"
    size = layout.draw_size("ToiletPaperHanger")
    if layout.hang_on_wall("ToiletPaperHanger", size, 0.8, 0.4) is None:
        return "no wall is left for toilet paper"
    return None


def _add_remaining(layout: room_layout.RoomLayout) -> str | None:
    for kind, top in (("TowelHolder", 1.36), ("HandTowelHolder", 1.65)):
        size = layout.draw_size(kind)
        room = (size[0], 0.66, size[2])  # the part of the wall behind the towel
        found = layout.take_wall_spot(room, top - room[1], clearance=0.4, corner_chance=0.0)
        if found is None:
            return "no wall is left for towels"
        layout.add_at_wall(kind, *found, top - size[1], size)
    for kind in ("Plunger", "ScrubBrush"):
        if furniture.add_standing_object(layout, kind, clearance=0.3, corner_chance=0.5) is None:
            return f"there is no place for a {kind}"
    furniture.add_by_chance(layout, {"SideTable": 0.15})
    if layout.chance(0.3):
        furniture.add_wall_shelves(layout, layout.rng.choice((1, 2, 3)))
    if layout.chance(0.65):
        furniture.add_window(layout)
    if layout.chance(0.2):
        furniture.hang_flat_object(layout, "Mirror", (1.0, 1.2))
    return None
