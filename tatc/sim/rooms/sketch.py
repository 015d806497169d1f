"""A room being drawn: what stands where, and which floor and wall are still free."""

from dataclasses import replace
from random import Random

from tatc.camera.shell import BEHIND
from tatc.sim.rooms.catalogue import kinds
from tatc.sim.rooms.frame import Rect, Wall, grown, overlap, walls
from tatc.sim.rooms.things import make
from tatc.state import ObjectState, RoomKind, Vec3

AISLE = 0.75
"""Floor kept free before furniture, metres: three cells of the grid."""
STEP = 0.05
AIR = 0.12
"""How far AI2-THOR's box of a table reaches above its board, metres."""
TABLES = frozenset(
    {"CoffeeTable", "Desk", "DiningTable", "Dresser", "SideTable", "TVStand"}
)
TRIES = 80
Panel = tuple[int, float, float, float, float]
"""A part of a wall: its index, from and to along it, from and to above the floor."""


class Sketch:
    """Objects and bookings of a room of a width (x) and a depth (z), metres."""

    def __init__(
        self, kind: RoomKind, rng: Random, width: float, depth: float, mirrored: bool
    ) -> None:
        """Lay the floor."""
        self.kind = kind
        self.rng = rng
        self.walls = walls(width, depth, mirrored)
        self.things: list[ObjectState] = []
        self._half = (width / 2, depth / 2)
        self._solid: list[Rect] = []
        self._clear: list[Rect] = []
        self._panels: list[Panel] = []
        size = (width + 2 * BEHIND, 0.1, depth + 2 * BEHIND)
        self.floor = self.add("Floor", (0.0, -0.05, 0.0), size, 0.0)

    def size(self, kind: str) -> Vec3:
        """Draw a usual size of a type; tables with the air over their boards."""
        x, y, z = kinds()[kind].size(self.rng.random())
        if kind in TABLES:
            y = min(round(y + AIR, 3), kinds()[kind].large[1])
        return x, y, z

    def chance(self, share: float) -> bool:
        """Draw yes with a probability."""
        return self.rng.random() < share

    def add(
        self,
        kind: str,
        center: Vec3,
        size: Vec3,
        yaw: float,
        *,
        parents: tuple[str, ...] = (),
        controls: tuple[str, ...] | None = None,
        owner: str = "",
    ) -> ObjectState:
        """Add an object without booking floor or wall."""
        thing = make(
            kind, center, size, yaw, parents=parents, controls=controls, owner=owner
        )
        self.things.append(thing)
        return thing

    def on_wall(
        self, kind: str, wall: Wall, s: float, low: float, size: Vec3, d: float = 0.0
    ) -> ObjectState:
        """Add an object with its back to a wall, from `s` on, lower side at `low`."""
        x, z = wall.at(s + size[0] / 2, d + size[2] / 2)
        able = kinds()[kind].can
        standing = low < 0.01 and (able.moveable or able.pickupable)
        return self.add(
            kind,
            (x, low + size[1] / 2, z),
            size,
            wall.yaw,
            parents=(self.floor.objectId,) if standing else (),
        )

    def rest_on(self, thing: ObjectState, host: ObjectState) -> None:
        """Note that a thing added before stands on another."""
        i = next(i for i, other in enumerate(self.things) if other is thing)
        self.things[i] = replace(thing, parentReceptacles=(host.objectId,))

    def book(
        self, wall: Wall, s: float, size: Vec3, low: float = 0.0, front: float = AISLE
    ) -> None:
        """Mark a stretch of a wall as used: the floor there and the floor before it."""
        width, height, depth = size
        self._panels.append((wall.index, s, s + width, low, low + height))
        if low < 1.0:
            self._solid.append(wall.rect(s, s + width, 0.0, depth))
        if front > 0:
            self._clear.append(wall.rect(s, s + width, depth, depth + front))

    def free(
        self, wall: Wall, s: float, size: Vec3, low: float = 0.0, front: float = AISLE
    ) -> bool:
        """Return whether a stretch of a wall can take something of a size."""
        width, height, depth = size
        if s < -1e-6 or s + width > wall.length + 1e-6:
            return False
        panel = (wall.index, s, s + width, low, low + height)
        if any(_panels_meet(panel, other) for other in self._panels):
            return False
        before = wall.rect(s, s + width, depth, depth + front)
        if front > 0 and any(overlap(before, rect) for rect in self._solid):
            return False
        if low >= 1.0:
            return True
        foot = wall.rect(s, s + width, 0.0, depth)
        return not any(overlap(foot, rect) for rect in self._solid + self._clear)

    def spot(
        self, size: Vec3, low: float = 0.0, front: float = AISLE, corner: float = 0.4
    ) -> tuple[Wall, float] | None:
        """Draw a free stretch of any wall; in a corner with a probability."""
        order = list(self.walls)
        self.rng.shuffle(order)
        if self.chance(corner):
            for wall in order:
                for s in (0.0, wall.length - size[0]):
                    if self.free(wall, s, size, low, front):
                        return wall, s
        for wall in order:
            steps = list(range(max(0, int((wall.length - size[0]) / STEP)) + 1))
            self.rng.shuffle(steps)
            for step in steps:
                if self.free(wall, step * STEP, size, low, front):
                    return wall, step * STEP
        return None

    def stand(
        self, kind: str, size: Vec3, front: float = AISLE, corner: float = 0.4
    ) -> ObjectState | None:
        """Put something on the floor with its back to a wall, or None: no room."""
        found = self.spot(size, 0.0, front, corner)
        if found is None:
            return None
        wall, s = found
        self.book(wall, s, size, 0.0, front)
        return self.on_wall(kind, wall, s, 0.0, size)

    def hang(
        self, kind: str, size: Vec3, low: float, front: float = 0.5, sunk: float = 0.0
    ) -> ObjectState | None:
        """Put something on a wall over free floor, or None; `sunk` metres into it."""
        found = self.spot(size, low, front, corner=0.0)
        if found is None:
            return None
        wall, s = found
        self.book(wall, s, size, low, front)
        return self.on_wall(kind, wall, s, low, size, d=-sunk)

    def middle(self, size: Vec3, margin: float) -> tuple[float, float, float] | None:
        """Draw x, z and yaw for something in the open floor with room all round."""
        (half_x, half_z), rng = self._half, self.rng
        for _ in range(TRIES):
            yaw = rng.choice((0.0, 90.0))
            w, d = (size[0], size[2]) if yaw == 0.0 else (size[2], size[0])
            reach_x, reach_z = half_x - w / 2 - margin, half_z - d / 2 - margin
            if reach_x < 0 or reach_z < 0:
                continue
            x = round(rng.uniform(-reach_x, reach_x), 2)
            z = round(rng.uniform(-reach_z, reach_z), 2)
            rect = (x - w / 2, z - d / 2, x + w / 2, z + d / 2)
            if any(overlap(grown(rect, margin), r) for r in self._solid):
                continue
            if any(overlap(rect, r) for r in self._clear):
                continue
            return x, z, yaw
        return None

    def open_floor(self, rect: Rect, margin: float) -> bool:
        """Return whether floor is free, and some way round it open from furniture."""
        (half_x, half_z), room = self._half, grown(rect, margin)
        within = room[0] >= -half_x and room[2] <= half_x
        within = within and room[1] >= -half_z and room[3] <= half_z
        return within and not any(overlap(room, r) for r in self._solid)

    def book_floor(self, rect: Rect) -> None:
        """Mark floor as used by something that stands free of the walls."""
        self._solid.append(rect)


def _panels_meet(a: Panel, b: Panel) -> bool:
    (i, s0, s1, y0, y1), (j, t0, t1, v0, v1) = a, b
    return i == j and overlap((s0, y0, s1, y1), (t0, v0, t1, v1))
