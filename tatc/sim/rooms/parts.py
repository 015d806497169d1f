"""Parts that several kinds of room have: windows, switches, plants, shelves, bins."""

from tatc.sim.rooms.frame import Wall
from tatc.sim.rooms.sketch import Sketch
from tatc.sim.rooms.things import heading
from tatc.sim.surfaces import surfaces_of
from tatc.state import ObjectState, Vec3

IN_WALL = 0.01
"""How far windows and switches stand out of the wall, metres."""
WINDOW_TOP = 2.2
GLASS = 0.1


def light_switch(sketch: Sketch) -> ObjectState | None:
    """Mount a light switch over free floor."""
    size = sketch.size("LightSwitch")
    low = round(sketch.rng.uniform(1.15, 1.3), 2)
    return sketch.hang("LightSwitch", size, low, sunk=size[2] - IN_WALL)


def window(sketch: Sketch, front: float = 0.0) -> ObjectState | None:
    """Set a window into a wall where there is place."""
    width, depth = sketch.size("Window")[0], GLASS
    low = round(sketch.rng.uniform(1.0, 1.15), 2)
    size = (width, WINDOW_TOP - low, depth)
    return sketch.hang("Window", size, low, front, sunk=depth - IN_WALL)


def window_with_blinds(sketch: Sketch) -> ObjectState | None:
    """Set a window into a wall over free floor, with blinds at its upper edge."""
    pane = window(sketch, front=0.5)
    if pane is None:
        return None
    fx, fz = heading(pane.rotation[1])
    x, y, z = pane.box.center
    width = max(pane.box.size[0], pane.box.size[2])
    out = GLASS / 2 + 0.015
    center = (x + fx * out, y + pane.box.size[1] / 2 - 0.1, z + fz * out)
    return sketch.add("Blinds", center, (width, 0.2, 0.03), pane.rotation[1])


def window_at(sketch: Sketch, wall: Wall, start: float, width: float) -> None:
    """Set a window over a stretch of counter, if the wall is free there."""
    depth, low = GLASS, 1.12
    size = (width, WINDOW_TOP - low, depth)
    if sketch.free(wall, start, size, low, front=0.0):
        sketch.book(wall, start, size, low, front=0.0)
        sketch.on_wall("Window", wall, start, low, size, IN_WALL - depth)


def flat(sketch: Sketch, kind: str, low: tuple[float, float]) -> ObjectState | None:
    """Hang something flat (a mirror, a painting) on a wall where there is place."""
    size = sketch.size(kind)
    at = round(sketch.rng.uniform(*low), 2)
    return sketch.hang(kind, size, at, front=0.0, sunk=size[2] - IN_WALL)


def standing(
    sketch: Sketch, kind: str, front: float = 0.5, corner: float = 0.4
) -> ObjectState | None:
    """Stand something of a usual size on the floor at a wall."""
    return sketch.stand(kind, sketch.size(kind), front, corner)


def maybe(sketch: Sketch, shares: dict[str, float], front: float = 0.5) -> None:
    """Stand each of some things at a wall with its share, where there is place."""
    for kind, share in shares.items():
        if sketch.chance(share):
            standing(sketch, kind, front)


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


def wall_shelves(sketch: Sketch, count: int) -> None:
    """Hang shelves one above the other over free floor."""
    width = round(sketch.rng.uniform(0.45, 0.95), 2)
    low, step, depth = 0.8, 0.32, 0.22
    size = (width, step * count, depth)
    found = sketch.spot(size, low, front=0.5)
    if found is None:
        return
    wall, s = found
    sketch.book(wall, s, size, low, front=0.5)
    for i in range(count):
        inner = (width, 0.25, depth)
        sketch.on_wall("Shelf", wall, s, low + i * step, inner)


def plant(sketch: Sketch) -> ObjectState | None:
    """Put a plant on a table or on the floor at a wall."""
    size = sketch.size("HousePlant")
    hosts = [t for t in sketch.things if t.objectType in ("SideTable", "DiningTable")]
    if hosts and sketch.chance(0.6):
        host = sketch.rng.choice(hosts)
        if min(host.box.size[::2]) > max(size[::2]):
            return set_on(sketch, host, "HousePlant", size)
    return sketch.stand("HousePlant", size, front=0.5, corner=0.8)


def set_on(
    sketch: Sketch, host: ObjectState, kind: str, size: Vec3, side: float = 0.0
) -> ObjectState | None:
    """Put something that stays on a table: `side` from -1 (one end) to 1 (the other).

    Returns None where it would stand on something, or stick out.
    """
    surface = surfaces_of(host)[0]
    room = (surface.size[0] - size[0]) / 2
    if room < 0 or size[2] > surface.size[1]:
        return None
    turn = host.rotation[1]
    dx, dz = {0: (1.0, 0.0), 1: (0.0, -1.0)}[round(turn / 90.0) % 2]
    x, z = surface.x + dx * room * side, surface.z + dz * room * side
    center = (x, surface.y + size[1] / 2, z)
    return sketch.add(kind, center, size, turn, parents=(host.objectId,))
