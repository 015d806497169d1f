"""Furnishes living rooms and bedrooms: seats or a bed, tables, chests of drawers and shelves."""

from tatc.home.state import ObjectState
from tatc.sim.rooms.generator import common_furniture as furniture
from tatc.sim.rooms.generator.room_layout import TABLE_BOX_HEADROOM_METRES, RoomLayout


def furnish(layout: RoomLayout) -> str | None:
    """Furnish a living room; return why this failed, or None."""
    return (
        _add_seating(layout)
        or _add_television(layout)
        or furniture.add_switch_and_bin(layout)
        or _add_remaining(layout)
    )


def _add_seating(layout: RoomLayout) -> str | None:
    sofa = layout.stand_at_wall("Sofa", layout.draw_size("Sofa"), clearance=0.45, corner_chance=0.0)
    if sofa is None:
        return "no wall is long enough for a sofa"
    if layout.chance(0.85):
        furniture.add_table_before_seat(layout, sofa)
    for _ in range(layout.rng.choice((0, 1, 1, 2))):
        furniture.add_standing_object(layout, "ArmChair", clearance=0.6, corner_chance=0.6)
    if furniture.add_standing_object(layout, "FloorLamp", clearance=0.4, corner_chance=0.8) is None:
        return "there is no place for a lamp"
    return None


def _add_television(layout: RoomLayout) -> str | None:
    """Put a television on a TV stand or a dresser; return why this failed, or None."""
    screen = layout.draw_size("Television")
    screen = (screen[0], screen[1], min(screen[2], 0.3))
    if layout.chance(0.6):
        width, height, depth = layout.draw_size("TVStand")
        height = min(height, 0.75 + TABLE_BOX_HEADROOM_METRES)
        size = (max(width, screen[0] + 0.05), height, max(depth, 0.45))
        host = layout.stand_at_wall("TVStand", size)
    else:
        host = _add_dresser(layout, screen[0] + 0.1)
    if host is None or furniture.put_on_table(layout, host, "Television", screen) is None:
        return "there is no place for a television"
    return None


def _add_dresser(layout: RoomLayout, min_width: float = 0.8) -> ObjectState | None:
    _, height, depth = layout.draw_size("Dresser")
    width = round(layout.rng.uniform(max(min_width, 0.8), max(min_width, 1.6)), 2)
    height = min(height, 0.95 + TABLE_BOX_HEADROOM_METRES)
    columns = 2 if width > 1.0 else 1
    size = (width, height, max(depth, 0.42))
    return furniture.add_chest(layout, "Dresser", size, columns, layout.rng.choice((2, 3)))


def _add_remaining(layout: RoomLayout) -> str | None:
    if layout.chance(0.55):
        furniture.add_table_with_chairs(layout, (2, 4))
    for _ in range(layout.rng.choice((1, 2, 2, 3))):
        _add_side_table(layout)
    if layout.chance(0.4):
        _add_dresser(layout)
    if layout.chance(0.4):
        furniture.add_shelving_unit(layout)
    if layout.chance(0.5):
        furniture.add_wall_shelves(layout, layout.rng.choice((1, 2, 3)))
    if furniture.add_plant(layout) is None or furniture.add_standing_object(layout, "Box") is None:
        return "there is no place for a plant and a box"
    shares = {"Ottoman": 0.1, "Boots": 0.2, "WateringCan": 0.4}
    furniture.add_by_chance(layout, shares, clearance=0.4)
    for _ in range(layout.rng.choice((1, 1, 2, 3))):
        furniture.hang_flat_object(layout, "Painting", (1.2, 1.5))
    for _ in range(layout.rng.choice((1, 2, 3))):
        furniture.add_window(layout)
    return None


def _add_side_table(layout: RoomLayout) -> None:
    width, height, depth = layout.draw_size("SideTable")
    size = (width, height, max(depth, 0.36))
    if layout.chance(0.5):
        host = furniture.add_chest(layout, "SideTable", size, 1, 2)
    else:
        host = layout.stand_at_wall("SideTable", size, clearance=0.5)
    if host is not None and layout.chance(0.4):
        lamp = layout.draw_size("DeskLamp")
        side = min(lamp[0], lamp[2], size[2] - 0.04)
        furniture.put_on_table(layout, host, "DeskLamp", (side, lamp[1], side), side=0.95)


def furnish_bedroom(layout: RoomLayout) -> str | None:
    """Furnish a bedroom; return why this failed, or None."""
    width, height, depth = layout.draw_size("Bed")
    bed = (width, min(height, 1.1), depth)
    if layout.stand_at_wall("Bed", bed, clearance=0.6, corner_chance=0.3) is None:
        return "no wall is free for a bed"
    return (
        _add_tables(layout)
        or furniture.add_switch_and_bin(layout)
        or _add_remaining_of_bedroom(layout)
    )


def _add_tables(layout: RoomLayout) -> str | None:
    """Add a desk, a dresser or both, side tables, and a lamp on one or two of them."""
    hosts = [furniture.add_desk(layout)] if layout.chance(0.8) else []
    if not hosts or layout.chance(0.5):
        size = layout.draw_size("Dresser")
        wide = min(max(size[0], 0.9), 1.5)
        size = (wide, min(size[1], 0.95 + TABLE_BOX_HEADROOM_METRES), max(size[2], 0.42))
        columns, rows = layout.rng.choice((1, 2)), layout.rng.choice((2, 3))
        hosts.append(furniture.add_chest(layout, "Dresser", size, columns, rows))
    for _ in range(layout.rng.choice((1, 1, 2))):
        width, height, depth = layout.draw_size("SideTable")
        size = (min(width, 0.7), min(height, 0.65 + TABLE_BOX_HEADROOM_METRES), max(depth, 0.36))
        hosts.append(furniture.add_chest(layout, "SideTable", size, 1, layout.rng.choice((1, 2))))
    lamp = layout.draw_size("DeskLamp")
    side = min(lamp[0], lamp[2], 0.3)
    size = (side, lamp[1], side)
    lamps = layout.rng.choice((1, 1, 2))
    for host in hosts:
        if host is not None and lamps > 0:
            lamps -= furniture.put_on_table(layout, host, "DeskLamp", size, side=0.95) is not None
    there = any(obj.objectType == "DeskLamp" for obj in layout.objects)
    return None if there else "there is no table for a lamp"


def _add_remaining_of_bedroom(layout: RoomLayout) -> str | None:
    if furniture.hang_flat_object(layout, "Mirror", (1.0, 1.2)) is None:
        return "no wall is left for a mirror"
    if layout.chance(0.4):
        furniture.add_shelving_unit(layout)
    if layout.chance(0.8):
        furniture.add_wall_shelves(layout, layout.rng.choice((1, 2, 3)))
    if layout.chance(0.25):
        furniture.add_plant(layout)
    shares = {"ArmChair": 0.2, "LaundryHamper": 0.25, "Safe": 0.1, "Box": 0.4}
    furniture.add_by_chance(layout, shares)
    sports = {"BaseballBat": 0.45, "BasketBall": 0.4, "TennisRacket": 0.35, "Dumbbell": 0.15}
    furniture.add_by_chance(layout, {**sports, "Boots": 0.1}, clearance=0.3)
    for kind, share in {"Painting": 0.45, "Poster": 0.17}.items():
        if layout.chance(share):
            furniture.hang_flat_object(layout, kind, (1.2, 1.5))
    furniture.add_window(layout)
    for _ in range(layout.rng.choice((1, 1, 2))):
        furniture.add_window_with_blinds(layout)
    return None
