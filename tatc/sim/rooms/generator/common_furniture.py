"""Furniture of several kinds of room, from light switches to tables with chairs."""

from math import ceil

from tatc.home.state import ObjectState, Vec3
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.sim.rooms.generator.room_layout import (
    AISLE_METRES,
    TABLE_BOX_HEADROOM_METRES,
    RoomLayout,
    Wall,
    footprint_rect,
)
from tatc.sim.rooms.room import create_object, facing_direction

WALL_PROTRUSION_METRES = 0.01  # how far windows and switches protrude from the wall
WINDOW_TOP_METRES, WINDOW_THICKNESS_METRES = 2.2, 0.1
CHAIR_TUCK_METRES = 0.25  # how far a chair reaches under its table
LEG_HEIGHT_METRES = 0.06
MAX_DRAWER_HEIGHT_METRES, MAX_DRAWER_WIDTH_METRES = 0.36, 1.0


def add_window(layout: RoomLayout, clearance: float = 0.0) -> ObjectState | None:
    """Set a window into a wall before free floor (`clearance` metres); None if no wall is free."""
    width, depth = layout.draw_size("Window")[0], WINDOW_THICKNESS_METRES
    low = round(layout.rng.uniform(1.0, 1.15), 2)
    size = (width, WINDOW_TOP_METRES - low, depth)
    return layout.hang_on_wall("Window", size, low, clearance, sunk=depth - WALL_PROTRUSION_METRES)


def add_window_with_blinds(layout: RoomLayout) -> ObjectState | None:
    """Set a window above free floor, with blinds; return these, or None if no wall is free."""
    pane = add_window(layout, clearance=0.5)
    if pane is None:
        return None
    fx, fz = facing_direction(pane.rotation[1])
    x, y, z = pane.box.center
    width = max(pane.box.size[0], pane.box.size[2])
    out = WINDOW_THICKNESS_METRES / 2 + 0.015
    center = (x + fx * out, y + pane.box.size[1] / 2 - 0.1, z + fz * out)
    return layout.add_object(create_object("Blinds", center, (width, 0.2, 0.03), pane.rotation[1]))


def add_window_over_counter(layout: RoomLayout, wall: Wall, start: float, width: float) -> None:
    """Set a window above a part of a counter (metres along the wall), if that is free."""
    low = 1.12
    size = (width, WINDOW_TOP_METRES - low, WINDOW_THICKNESS_METRES)
    hang_flat_object_at(layout, "Window", wall, start, low, size)


def hang_flat_object_at(
    layout: RoomLayout, object_type: str, wall: Wall, s: float, low: float, size: Vec3
) -> None:
    """Hang a flat object on a part of a wall, if that is free."""
    if layout.take_wall(wall, s, size, low, clearance=0.0):
        layout.add_at_wall(object_type, wall, s, low, size, WALL_PROTRUSION_METRES - size[2])


def hang_flat_object(
    layout: RoomLayout, kind: str, height_range: tuple[float, float], clearance: float = 0.0
) -> ObjectState | None:
    """Hang a flat object with its lower edge in a range (metres); None if no wall is free.

    The floor before the wall stays free for `clearance` metres.
    """
    size = layout.draw_size(kind)
    at = round(layout.rng.uniform(*height_range), 2)
    return layout.hang_on_wall(kind, size, at, clearance, sunk=size[2] - WALL_PROTRUSION_METRES)


def add_standing_object(
    layout: RoomLayout, object_type: str, clearance: float = 0.5, corner_chance: float = 0.4
) -> ObjectState | None:
    """Stand an object of a usual size on the floor at a wall; None if no wall is free."""
    size = layout.draw_size(object_type)
    return layout.stand_at_wall(object_type, size, clearance, corner_chance)


def add_switch_and_bin(layout: RoomLayout) -> str | None:
    """Add a light switch and a bin, which every room has; return why this failed, or None."""
    switch = hang_flat_object(layout, "LightSwitch", (1.15, 1.3), clearance=0.5)
    if switch is None or add_standing_object(layout, "GarbageCan") is None:
        return "no wall is left for a light switch and a bin"
    return None


def add_by_chance(layout: RoomLayout, shares: dict[str, float], clearance: float = 0.5) -> None:
    """Stand objects at walls that are free, each with the probability given for its type."""
    for kind, share in shares.items():
        if layout.chance(share):
            add_standing_object(layout, kind, clearance)


def add_shelving_unit(layout: RoomLayout) -> ObjectState | None:
    """Stand a shelving unit with three shelves at a wall; None if no wall is free."""
    size = (round(layout.rng.uniform(0.8, 1.1), 2), 1.48, 0.4)
    found = layout.take_wall_spot(size)
    if found is None:
        return None
    wall, s = found
    for low in (0.35, 0.72, 1.1):
        inner = (size[0] - 0.08, 0.28, size[2] - 0.06)
        layout.add_at_wall("Shelf", wall, s + 0.04, low, inner, 0.04)
    return layout.add_at_wall("ShelvingUnit", wall, s, 0.0, size)


def add_wall_shelves(layout: RoomLayout, count: int) -> None:
    """Hang `count` shelves above each other over free floor, if a wall is free."""
    width = round(layout.rng.uniform(0.45, 0.95), 2)
    low, step, depth = 0.8, 0.32, 0.22
    found = layout.take_wall_spot((width, step * count, depth), low, clearance=0.5)
    for i in range(count):
        if found is not None:
            layout.add_at_wall("Shelf", *found, low + i * step, (width, 0.25, depth))


def add_plant(layout: RoomLayout) -> ObjectState | None:
    """Put a plant on a table or on the floor at a wall; None if it does not fit."""
    size = layout.draw_size("HousePlant")
    hosts = [t for t in layout.objects if t.objectType in ("SideTable", "DiningTable")]
    if hosts and layout.chance(0.6):
        host = layout.rng.choice(hosts)
        if min(host.box.size[::2]) > max(size[::2]):
            return put_on_table(layout, host, "HousePlant", size)
    return layout.stand_at_wall("HousePlant", size, clearance=0.5, corner_chance=0.8)


def put_on_table(
    layout: RoomLayout, table: ObjectState, object_type: str, size: Vec3, side: float = 0.0
) -> ObjectState | None:
    """Put an object that stays on a table, -1 to 1 along it (`side`); None if it is too large."""
    surface = surfaces_of(table)[0]
    play = (surface.size[0] - size[0]) / 2
    if play < 0 or size[2] > surface.size[1]:
        return None
    turn = table.rotation[1]
    dx, dz = {0: (1.0, 0.0), 1: (0.0, -1.0)}[round(turn / 90.0) % 2]
    x, z = surface.x + dx * play * side, surface.z + dz * play * side
    center = (x, surface.y + size[1] / 2, z)
    obj = create_object(object_type, center, size, turn, parents=(table.objectId,))
    return layout.add_object(obj)


def add_table_with_chairs(layout: RoomLayout, chair_range: tuple[int, int]) -> None:
    """Put a table with so many chairs (least, most), up to one a side, on open floor if it fits."""
    size = layout.draw_size("DiningTable")
    spot = layout.find_floor_spot(size, margin=0.95)
    if spot is None:
        size = (min(size[0], 1.1), size[1], min(size[2], 0.8))
        spot = layout.find_floor_spot(size, margin=0.8)
    if spot is None:
        return
    x, z, yaw = spot
    table = layout.add_on_floor("DiningTable", (x, z), size, yaw)
    layout.reserve_floor(footprint_rect((x, z), size, yaw))
    sides = [0.0, 90.0, 180.0, 270.0]
    layout.rng.shuffle(sides)
    for side in sides[: layout.rng.randint(*chair_range)]:
        _add_chair(layout, table, side)


def _add_chair(layout: RoomLayout, table: ObjectState, side: float) -> None:
    """Put a chair at the side of a table that faces the yaw `side` (degrees), facing the table."""
    size = layout.draw_size("Chair")
    low, high = table.box.bounds()
    dx, dz = facing_direction(side)
    away = abs(dx) * (high[0] - low[0]) / 2 + abs(dz) * (high[2] - low[2]) / 2
    away += size[2] / 2 - CHAIR_TUCK_METRES
    x, _, z = table.box.center
    layout.add_on_floor("Chair", (x + dx * away, z + dz * away), size, (side + 180.0) % 360.0)


def add_chest(
    layout: RoomLayout, object_type: str, size: Vec3, columns: int, rows: int
) -> ObjectState | None:
    """Stand a chest of at least `columns` x `rows` drawers at a wall; None if no wall is free."""
    found = layout.take_wall_spot(size)
    if found is None:
        return None
    wall, s = found
    high = size[1] - TABLE_BOX_HEADROOM_METRES - 0.05
    rows = max(rows, ceil((high - LEG_HEIGHT_METRES) / MAX_DRAWER_HEIGHT_METRES))
    columns = max(columns, ceil(size[0] / MAX_DRAWER_WIDTH_METRES))
    wide, tall = size[0] / columns, (high - LEG_HEIGHT_METRES) / rows
    inner = (wide - 0.04, tall - 0.02, min(0.45, size[2] - 0.05))
    for column in range(columns):
        for row in range(rows):
            at, low = s + column * wide + 0.02, LEG_HEIGHT_METRES + row * tall
            layout.add_at_wall("Drawer", wall, at, low, inner, size[2] - 0.01 - inner[2])
    return layout.add_at_wall(object_type, wall, s, 0.0, size)


def add_desk(layout: RoomLayout) -> ObjectState | None:
    """Stand a desk with drawers, and mostly with a chair, at a wall; None if no wall is free."""
    width, _, depth = layout.draw_size("Desk")
    height = round(layout.rng.uniform(0.74, 0.8) + TABLE_BOX_HEADROOM_METRES, 3)
    size = (min(width, 1.8), height, depth)
    found = layout.take_wall_spot(size, clearance=1.0)
    if found is None:
        return None
    wall, s = found
    high, wide = size[1] - TABLE_BOX_HEADROOM_METRES - 0.06, 0.36
    rows = layout.rng.choice((2, 3))
    tall = (high - 0.1) / rows
    inner = (wide, tall - 0.02, min(0.45, depth - 0.06))
    for row in range(rows):
        low, back = 0.1 + row * tall, depth - 0.01 - inner[2]
        layout.add_at_wall("Drawer", wall, s + 0.03, low, inner, back)
    table = layout.add_at_wall("Desk", wall, s, 0.0, size)
    if layout.chance(0.75):
        _add_desk_chair(layout, table)
    return table


def _add_desk_chair(layout: RoomLayout, table: ObjectState) -> None:
    """Put a chair before the end of the desk without drawers."""
    size = layout.draw_size("Chair")
    turn = table.rotation[1]
    dx, dz = facing_direction(turn)
    ax, az = facing_direction(turn + 90.0)
    # The drawers are at the end where the wall's `s` is lower.  In a mirrored room `s` runs
    # the other way, so the drawers' own position says which end that is.
    drawers = [t for t in layout.objects[-4:] if t.objectType == "Drawer"]
    x, _, z = table.box.center
    drawer_offset = (drawers[0].box.center[0] - x) * ax + (drawers[0].box.center[2] - z) * az
    shift = -1.0 if drawer_offset > 0 else 1.0
    along = shift * (table.box.size[0] / 2 - size[0] / 2 - 0.08)
    out = table.box.size[2] / 2 + size[2] / 2 - CHAIR_TUCK_METRES
    at = (x + ax * along + dx * out, z + az * along + dz * out)
    layout.add_on_floor("Chair", at, size, (turn + 180.0) % 360.0)


def add_table_before_seat(layout: RoomLayout, seat: ObjectState) -> None:
    """Put a coffee table before a seat, with a gap to walk through, if it fits."""
    size = layout.draw_size("CoffeeTable")
    turn = seat.rotation[1]
    dx, dz = facing_direction(turn)
    out = seat.box.size[2] / 2 + 0.5 + size[2] / 2
    at = seat.box.center[0] + dx * out, seat.box.center[2] + dz * out
    rect = footprint_rect(at, size, turn)
    if layout.is_floor_free(rect, AISLE_METRES - 0.25):
        layout.reserve_floor(rect)
        layout.add_on_floor("CoffeeTable", at, size, turn)
