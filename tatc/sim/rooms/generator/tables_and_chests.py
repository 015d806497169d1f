"""Tables and desks with their chairs, and chests with their drawers."""

from math import ceil

from tatc.home.state import ObjectState, Vec3
from tatc.sim.rooms.generator.room_layout import (
    AISLE_WIDTH_METRES,
    TABLE_BOX_HEADROOM_METRES,
    RoomLayout,
)
from tatc.sim.rooms.generator.walls import footprint_rect
from tatc.sim.rooms.object_creation import facing_direction

CHAIR_TUCK_METRES = 0.25
"""How far a chair reaches under its table."""
LEG_HEIGHT_METRES = 0.06
MAX_DRAWER_HEIGHT_METRES, MAX_DRAWER_WIDTH_METRES = 0.36, 1.0
"""The largest height and width of a drawer in a chest."""


def add_table_with_chairs(layout: RoomLayout, chair_range: tuple[int, int]) -> None:
    """Put a dining table with chairs on the open floor, if it fits.

    `chair_range` is the least and the largest number of chairs, one for each side at most.
    """
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
    """Put a chair at a side of a table, facing the table.

    `side` is the yaw that the side faces, degrees.
    """
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
    """Stand a dresser or a side table full of drawers at a wall; None if no wall is free.

    There are at least `columns` and `rows`, and more if drawers would be too large.
    """
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
    """Stand a desk at a wall, with drawers at one end and mostly with a chair before it.

    Returns None if no wall is free.
    """
    width, _, depth = layout.draw_size("Desk")
    size = (
        min(width, 1.8),
        round(layout.rng.uniform(0.74, 0.8) + TABLE_BOX_HEADROOM_METRES, 3),
        depth,
    )
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
    if layout.is_floor_free(rect, AISLE_WIDTH_METRES - 0.25):
        layout.reserve_floor(rect)
        layout.add_on_floor("CoffeeTable", at, size, turn)
