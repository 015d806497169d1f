"""Tables, desks and chests: with chairs drawn up to them, with drawers in them."""

from math import ceil

from tatc.sim.rooms.sketch import AIR, AISLE, Sketch
from tatc.sim.rooms.things import heading
from tatc.state import ObjectState, Vec3

TUCKED = 0.25
"""How far a chair stands under its table, metres."""
LEGS = 0.06
TALLEST, WIDEST = 0.36, 1.0
"""No drawer is taller or wider, metres."""


def table_with_chairs(
    sketch: Sketch, kind: str, chairs: tuple[int, int]
) -> ObjectState | None:
    """Put a table into the open floor with a few chairs drawn up to it."""
    size = sketch.size(kind)
    spot = sketch.middle(size, margin=0.95)
    if spot is None:
        size = (min(size[0], 1.1), size[1], min(size[2], 0.8))
        spot = sketch.middle(size, margin=0.8)
    if spot is None:
        return None
    x, z, yaw = spot
    center = (x, size[1] / 2, z)
    table = sketch.add(kind, center, size, yaw, parents=(sketch.floor.objectId,))
    wide, deep = (size[0], size[2]) if yaw == 0.0 else (size[2], size[0])
    sketch.book_floor((x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2))
    sides = [0.0, 90.0, 180.0, 270.0]
    sketch.rng.shuffle(sides)
    for side in sides[: sketch.rng.randint(*chairs)]:
        chair(sketch, table, side)
    return table


def chair(
    sketch: Sketch, table: ObjectState, side: float, kind: str = "Chair"
) -> ObjectState:
    """Draw a chair up to the side of a table that looks a way, facing the table."""
    size = sketch.size(kind)
    low, high = table.box.bounds()
    dx, dz = heading(side)
    away = abs(dx) * (high[0] - low[0]) / 2 + abs(dz) * (high[2] - low[2]) / 2
    away += size[2] / 2 - TUCKED
    x, _, z = table.box.center
    return sketch.add(
        kind,
        (x + dx * away, size[1] / 2, z + dz * away),
        size,
        (side + 180.0) % 360.0,
        parents=(sketch.floor.objectId,),
    )


def chest(
    sketch: Sketch, kind: str, size: Vec3, columns: int, rows: int
) -> ObjectState | None:
    """Stand a dresser or a side table at a wall, its front full of drawers."""
    found = sketch.spot(size)
    if found is None:
        return None
    wall, s = found
    sketch.book(wall, s, size)
    high = size[1] - AIR - 0.05
    rows = max(rows, ceil((high - LEGS) / TALLEST))
    columns = max(columns, ceil(size[0] / WIDEST))
    wide, tall = size[0] / columns, (high - LEGS) / rows
    inner = (wide - 0.04, tall - 0.02, min(0.45, size[2] - 0.05))
    for column in range(columns):
        for row in range(rows):
            at, low = s + column * wide + 0.02, LEGS + row * tall
            sketch.on_wall("Drawer", wall, at, low, inner, size[2] - 0.01 - inner[2])
    return sketch.on_wall(kind, wall, s, 0.0, size)


def desk(sketch: Sketch) -> ObjectState | None:
    """Stand a desk at a wall, drawers at one end, mostly with a chair before it."""
    width, _, depth = sketch.size("Desk")
    size = (min(width, 1.8), round(sketch.rng.uniform(0.74, 0.8) + AIR, 3), depth)
    found = sketch.spot(size, front=1.0)
    if found is None:
        return None
    wall, s = found
    sketch.book(wall, s, size, front=1.0)
    high, wide = size[1] - AIR - 0.06, 0.36
    rows = sketch.rng.choice((2, 3))
    tall = (high - 0.1) / rows
    inner = (wide, tall - 0.02, min(0.45, depth - 0.06))
    for row in range(rows):
        low, back = 0.1 + row * tall, depth - 0.01 - inner[2]
        sketch.on_wall("Drawer", wall, s + 0.03, low, inner, back)
    table = sketch.on_wall("Desk", wall, s, 0.0, size)
    if sketch.chance(0.75):
        _desk_chair(sketch, table)
    return table


def _desk_chair(sketch: Sketch, table: ObjectState) -> None:
    """Put a chair before the end of a desk that has no drawers."""
    size = sketch.size("Chair")
    turn = table.rotation[1]
    dx, dz = heading(turn)
    ax, az = heading(turn + 90.0)
    # A wall's measure runs against or along the heading to the right of its front;
    # the drawers are where it begins.
    drawers = [t for t in sketch.things[-4:] if t.objectType == "Drawer"]
    x, _, z = table.box.center
    aside = (drawers[0].box.center[0] - x) * ax + (drawers[0].box.center[2] - z) * az
    shift = -1.0 if aside > 0 else 1.0
    along = shift * (table.box.size[0] / 2 - size[0] / 2 - 0.08)
    out = table.box.size[2] / 2 + size[2] / 2 - TUCKED
    sketch.add(
        "Chair",
        (x + ax * along + dx * out, size[1] / 2, z + az * along + dz * out),
        size,
        (turn + 180.0) % 360.0,
        parents=(sketch.floor.objectId,),
    )


def front_table(sketch: Sketch, seat: ObjectState, kind: str) -> ObjectState | None:
    """Put a low table before a sofa, with a gap to walk through; None: no room."""
    size = sketch.size(kind)
    turn = seat.rotation[1]
    dx, dz = heading(turn)
    out = seat.box.size[2] / 2 + 0.5 + size[2] / 2
    x, z = seat.box.center[0] + dx * out, seat.box.center[2] + dz * out
    wide, deep = (size[0], size[2]) if turn % 180.0 == 0.0 else (size[2], size[0])
    rect = (x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2)
    if not sketch.open_floor(rect, AISLE - 0.25):
        return None
    sketch.book_floor(rect)
    floor = (sketch.floor.objectId,)
    return sketch.add(kind, (x, size[1] / 2, z), size, turn, parents=floor)
