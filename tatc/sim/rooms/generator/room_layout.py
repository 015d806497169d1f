"""A room that is being generated: its objects so far, and which floor and walls are free."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from tatc.home.assets import known_object_types
from tatc.home.camera.room_bounds import FLOOR_BEHIND_WALL_METRES
from tatc.home.camera.solids import Rect, footprint_of
from tatc.home.state import Box, ObjectState, Vec2, Vec3
from tatc.home.type_facts import TALL_BOX_TABLE_TYPES
from tatc.sim.rooms.room import create_object

OVERLAP_SLACK_METRES = 0.001  # by so much things in a room may overlap, metres


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall; a point is `s` metres along it and `d` metres into the room.

    `x` and `z` are where it starts; `along` and `inward` are unit vectors (x, z).  `yaw` is
    that of an object with its back to the wall, degrees.
    """

    index: int
    x: float
    z: float
    along: Vec2
    inward: Vec2
    length: float
    yaw: float

    def point_at(self, s: float, d: float) -> Vec2:
        """Return the x and z of a point."""
        (ax, az), (nx, nz) = self.along, self.inward
        return self.x + ax * s + nx * d, self.z + az * s + nz * d

    def floor_rect(self, s0: float, s1: float, d0: float, d1: float) -> Rect:
        """Return the floor from `s0` to `s1` along the wall and `d0` to `d1` from it."""
        (xa, za), (xb, zb) = self.point_at(s0, d0), self.point_at(s1, d1)
        return Rect(min(xa, xb), min(za, zb), max(xa, xb), max(za, zb))


def make_walls(width: float, depth: float, mirrored: bool) -> tuple[Wall, ...]:
    """Return the walls of a room centred on the origin, each ending where the next begins.

    In a mirrored room they run the other way round, so that every layout has a mirror image.
    """
    w, d, side = width / 2, depth / 2, -1.0 if mirrored else 1.0
    rows = (
        (-w, -d, (1.0, 0.0), (0.0, 1.0), width, 0.0),
        (w, -d, (0.0, 1.0), (-1.0, 0.0), depth, 270.0),
        (w, d, (-1.0, 0.0), (0.0, -1.0), width, 180.0),
        (-w, d, (0.0, -1.0), (1.0, 0.0), depth, 90.0),
    )
    return tuple(
        Wall(i, x * side, z, (ax * side, az), (nx * side, nz), length, yaw * side % 360.0)
        for i, (x, z, (ax, az), (nx, nz), length, yaw) in enumerate(rows)
    )


def footprint_rect(at: Vec2, size: Vec3, yaw: float) -> Rect:
    """Return the floor under an object around a point (x, z); `yaw` is a quarter turn."""
    return footprint_of(Box((at[0], 0.0, at[1]), size, yaw))


def _overlaps_any(rect: Rect, others: Iterable[Rect]) -> bool:
    return any(rect.overlaps(other, OVERLAP_SLACK_METRES) for other in others)


AISLE_METRES = 0.75
"""The depth of the floor that is kept free in front of furniture: three grid cells."""
POSITION_STEP_METRES = 0.05
TABLE_BOX_HEADROOM_METRES = 0.12  # how far AI2-THOR's box of a table reaches above its top
MAX_FLOOR_TRIES = 80


class RoomLayout:
    """The objects of a room of a width (x) and a depth (z) in metres, and the space they take.

    The room is centred on the origin.  Along a wall, `s` is the distance from its start; `low`
    is the height of an object's lower side above the floor.  A `clearance` is the depth of
    the floor that is kept free in front of an object.
    """

    def __init__(self, rng: Random, width: float, depth: float, mirrored: bool) -> None:
        """Make an empty room with a floor; `mirrored` says which way round its walls run."""
        self.rng = rng
        self.walls = make_walls(width, depth, mirrored)
        self.objects: list[ObjectState] = []
        self._half_size = (width / 2, depth / 2)
        self._occupied_floor: list[Rect] = []
        self._kept_free_floor: list[Rect] = []
        self._occupied_walls: list[tuple[int, Rect]] = []
        """A wall's index, and a rectangle with the distance along it as x, the height as z."""
        size = (width + 2 * FLOOR_BEHIND_WALL_METRES, 0.1, depth + 2 * FLOOR_BEHIND_WALL_METRES)
        self.floor = self.add_object(create_object("Floor", (0.0, -0.05, 0.0), size, 0.0))

    def draw_size(self, object_type: str) -> Vec3:
        """Draw a size of a type; a table's includes AI2-THOR's headroom above its top."""
        known = known_object_types()[object_type]
        x, y, z = known.size_between(self.rng.random())
        if object_type in TALL_BOX_TABLE_TYPES:
            y = min(round(y + TABLE_BOX_HEADROOM_METRES, 3), known.large[1])
        return x, y, z

    def chance(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.rng.random() < share

    def add_object(self, obj: ObjectState) -> ObjectState:
        """Add an object without reserving floor or wall."""
        self.objects.append(obj)
        return obj

    def add_on_floor(self, object_type: str, at: Vec2, size: Vec3, yaw: float) -> ObjectState:
        """Add an object that stands on the floor around a point (x, z), without reserving it."""
        center, floor = (at[0], size[1] / 2, at[1]), (self.floor.objectId,)
        return self.add_object(create_object(object_type, center, size, yaw, parents=floor))

    def add_at_wall(
        self, object_type: str, wall: Wall, s: float, low: float, size: Vec3, d: float = 0.0
    ) -> ObjectState:
        """Add an object from `s` along a wall on, its back `d` metres away, and reserve nothing."""
        x, z = wall.point_at(s + size[0] / 2, d + size[2] / 2)
        able = known_object_types()[object_type].affordances
        standing = low < 0.01 and (able.moveable or able.pickupable)
        center, parents = (x, low + size[1] / 2, z), (self.floor.objectId,) if standing else ()
        return self.add_object(create_object(object_type, center, size, wall.yaw, parents=parents))

    def set_support(self, obj: ObjectState, support: ObjectState) -> None:
        """Record that an object added earlier stands on another."""
        i = next(i for i, other in enumerate(self.objects) if other is obj)
        self.objects[i] = replace(obj, parentReceptacles=(support.objectId,))

    def reserve_wall(
        self, wall: Wall, s: float, size: Vec3, low: float = 0.0, clearance: float = AISLE_METRES
    ) -> None:
        """Mark a part of a wall as used, with the floor below it and the floor before that.

        What hangs 1 m high or more takes no floor below it.
        """
        width, height, depth = size
        self._occupied_walls.append((wall.index, Rect(s, low, s + width, low + height)))
        if low < 1.0:
            self._occupied_floor.append(wall.floor_rect(s, s + width, 0.0, depth))
        if clearance > 0:
            self._kept_free_floor.append(wall.floor_rect(s, s + width, depth, depth + clearance))

    def is_wall_free(
        self, wall: Wall, s: float, size: Vec3, low: float = 0.0, clearance: float = AISLE_METRES
    ) -> bool:
        """Return whether an object of a size fits at `s` along a wall."""
        width, height, depth = size
        if s < -1e-6 or s + width > wall.length + 1e-6:
            return False
        panel = Rect(s, low, s + width, low + height)
        taken = (other for index, other in self._occupied_walls if index == wall.index)
        if _overlaps_any(panel, taken):
            return False
        before = wall.floor_rect(s, s + width, depth, depth + clearance)
        if clearance > 0 and _overlaps_any(before, self._occupied_floor):
            return False
        foot = wall.floor_rect(s, s + width, 0.0, depth)
        return low >= 1.0 or not _overlaps_any(foot, self._occupied_floor + self._kept_free_floor)

    def take_wall(
        self, wall: Wall, s: float, size: Vec3, low: float = 0.0, clearance: float = AISLE_METRES
    ) -> bool:
        """Reserve a part of a wall if it is free; return whether it was."""
        is_free = self.is_wall_free(wall, s, size, low, clearance)
        if is_free:
            self.reserve_wall(wall, s, size, low, clearance)
        return is_free

    def take_wall_spot(
        self,
        size: Vec3,
        low: float = 0.0,
        clearance: float = AISLE_METRES,
        corner_chance: float = 0.4,
    ) -> tuple[Wall, float] | None:
        """Reserve a drawn wall and `s` for a size, or None; by `corner_chance`, corners first."""
        order = list(self.walls)
        self.rng.shuffle(order)
        if self.chance(corner_chance):
            for wall in order:
                for s in (0.0, wall.length - size[0]):
                    if self.take_wall(wall, s, size, low, clearance):
                        return wall, s
        for wall in order:
            steps = list(range(max(0, int((wall.length - size[0]) / POSITION_STEP_METRES)) + 1))
            self.rng.shuffle(steps)
            for step in steps:
                if self.take_wall(wall, step * POSITION_STEP_METRES, size, low, clearance):
                    return wall, step * POSITION_STEP_METRES
        return None

    def stand_at_wall(
        self, kind: str, size: Vec3, clearance: float = AISLE_METRES, corner_chance: float = 0.4
    ) -> ObjectState | None:
        """Put an object on the floor with its back to a wall; None if no wall is free."""
        found = self.take_wall_spot(size, 0.0, clearance, corner_chance)
        return found and self.add_at_wall(kind, *found, 0.0, size)

    def hang_on_wall(
        self, object_type: str, size: Vec3, low: float, clearance: float = 0.5, sunk: float = 0.0
    ) -> ObjectState | None:
        """Hang an object, sunk so deep into a wall, above free floor; None if no wall is free."""
        found = self.take_wall_spot(size, low, clearance, corner_chance=0.0)
        return found and self.add_at_wall(object_type, *found, low, size, d=-sunk)

    def find_floor_spot(self, size: Vec3, margin: float) -> tuple[float, float, float] | None:
        """Draw x, z, yaw on open floor with `margin` metres free around; None if there is none."""
        (half_x, half_z), rng = self._half_size, self.rng
        for _ in range(MAX_FLOOR_TRIES):
            yaw = rng.choice((0.0, 90.0))
            w, d = (size[0], size[2]) if yaw == 0.0 else (size[2], size[0])
            reach_x, reach_z = half_x - w / 2 - margin, half_z - d / 2 - margin
            if reach_x < 0 or reach_z < 0:
                continue
            x = round(rng.uniform(-reach_x, reach_x), 2)
            z = round(rng.uniform(-reach_z, reach_z), 2)
            rect = footprint_rect((x, z), size, yaw)
            overlaps = _overlaps_any(rect.expand(margin), self._occupied_floor)
            if not overlaps and not _overlaps_any(rect, self._kept_free_floor):
                return x, z, yaw
        return None

    def is_floor_free(self, rect: Rect, margin: float) -> bool:
        """Return whether floor and a margin round it lie in the room and are free of furniture."""
        (half_x, half_z), room = self._half_size, rect.expand(margin)
        within = room.x0 >= -half_x and room.x1 <= half_x
        within = within and room.z0 >= -half_z and room.z1 <= half_z
        return within and not _overlaps_any(room, self._occupied_floor)

    def reserve_floor(self, rect: Rect) -> None:
        """Mark floor as used by an object that does not stand at a wall."""
        self._occupied_floor.append(rect)
