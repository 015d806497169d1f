"""Parts that several kinds of room have: tables with chairs, lamps, plants, windows."""

from tatc.sim.rooms.frame import Wall
from tatc.sim.rooms.sketch import Sketch
from tatc.sim.rooms.things import heading
from tatc.state import ObjectState

IN_WALL = 0.01
"""How far windows and switches stand out of the wall, metres."""


def light_switch(sketch: Sketch) -> ObjectState | None:
    """Mount a light switch over free floor."""
    size = sketch.size("LightSwitch")
    low = round(sketch.rng.uniform(1.15, 1.3), 2)
    return sketch.hang("LightSwitch", size, low, sunk=size[2] - IN_WALL)


def window(
    sketch: Sketch,
    wall: Wall | None = None,
    start: float = 0.0,
    width: float = 0.0,
    low: float = 0.0,
) -> ObjectState | None:
    """Set a window into a wall: a given stretch of it, or where there is place."""
    size = sketch.size("Window")
    if wall is None:
        low = round(sketch.rng.uniform(1.0, 1.15), 2)
        size = (size[0], 2.2 - low, size[2])
        return sketch.hang("Window", size, low, front=0.0, sunk=size[2] - IN_WALL)
    size = (width, 2.2 - low, size[2])
    if not sketch.free(wall, start, size, low, front=0.0):
        return None
    sketch.book(wall, start, size, low, front=0.0)
    return sketch.on_wall("Window", wall, start, low, size, IN_WALL - size[2])


def flat(sketch: Sketch, kind: str, low: tuple[float, float]) -> ObjectState | None:
    """Hang something flat (a mirror, a painting) on a wall where there is place."""
    size = sketch.size(kind)
    at = round(sketch.rng.uniform(*low), 2)
    return sketch.hang(kind, size, at, front=0.0, sunk=size[2] - IN_WALL)


def garbage_can(sketch: Sketch) -> ObjectState | None:
    """Stand a bin at a wall."""
    return sketch.stand("GarbageCan", sketch.size("GarbageCan"), front=0.5)


def shelving(sketch: Sketch) -> ObjectState | None:
    """Stand a shelving unit at a wall, with three shelves in it."""
    size = (round(sketch.rng.uniform(0.8, 1.1), 2), 1.48, 0.4)
    found = sketch.spot(size)
    if found is None:
        return None
    wall, s = found
    sketch.book(wall, s, size)
    for low in (0.35, 0.72, 1.1):
        inner = (size[0] - 0.08, 0.28, size[2] - 0.06)
        sketch.on_wall("Shelf", wall, s + 0.04, low, inner, 0.04)
    return sketch.on_wall("ShelvingUnit", wall, s, 0.0, size)


def plant(sketch: Sketch) -> ObjectState | None:
    """Put a plant on a table or counter with air above, or on the floor at a wall."""
    size = sketch.size("HousePlant")
    hosts = [t for t in sketch.things if t.objectType in ("SideTable", "DiningTable")]
    if hosts and sketch.chance(0.6):
        host = sketch.rng.choice(hosts)
        x, _, z = host.box.center
        top = host.box.center[1] + host.box.size[1] / 2
        return sketch.add(
            "HousePlant",
            (x, top + size[1] / 2, z),
            size,
            0.0,
            parents=(host.objectId,),
        )
    return sketch.stand("HousePlant", size, front=0.5, corner=0.8)


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
        chair(sketch, table, wide, deep, side)
    return table


def chair(
    sketch: Sketch, table: ObjectState, wide: float, deep: float, side: float
) -> ObjectState:
    """Draw a chair up to one side of a table, facing it."""
    size = sketch.size("Chair")
    dx, dz = heading(side)
    away = abs(dx) * wide / 2 + abs(dz) * deep / 2 + size[2] / 2 - 0.25
    x, _, z = table.box.center
    return sketch.add(
        "Chair",
        (x + dx * away, size[1] / 2, z + dz * away),
        size,
        (side + 180.0) % 360.0,
        parents=(sketch.floor.objectId,),
    )
