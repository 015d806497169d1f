"""What lies beyond a room's walls: a room is not always as large as its floor's box.

AI2-THOR gives no walls, and its floors reach far beyond some rooms.  Where a room is narrower than
its floor or lacks a corner, furniture stands along the wall and things hang on it.  What is found
here holds no object; in 112 iTHOR scenes it holds no cell where anybody stood in a recorded session
or that ALFRED's layouts list.  Where furniture says too little, no wall is found.
"""

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from tatc.home import state, type_facts
from tatc.home.camera import ray_intersection, rays, room_bounds

FLUSH_METRES = 0.15
"""What ends nearer than this to a wall's plane stands or hangs before the wall, metres."""
BEHIND_METRES = 0.01
"""A wall is so far behind what stands or hangs before it that rays meet that first, metres."""
MIN_CORNER_METRES = 0.5  # a missing corner is at least this wide and deep, metres
MAX_BARE_METRES = 1.7
"""Where the floor's box reaches farther beyond all objects, people may walk (recorded sessions)."""
MIN_COVERED_SHARE, MIN_COVERED_SHARES_SUM = 0.35, 0.9
"""Furniture stands along this share of each wall of a missing corner, and this of both together."""
MIN_SIDE_COVERED_SHARE = 0.3
"""Furniture stands along this share of a wall within the floor's box, and a thing hangs on it."""


class _Corner:
    """Objects from above, mirrored so that a room's corner is that of greatest x and z.

    `sides` are rows of least x and z and greatest x and z.
    """

    def __init__(self, objects: Sequence[state.ObjectState], sides: rays.Floats) -> None:
        self.sides = sides
        self._is_fixed = np.array([not obj.affordances.can_be_moved for obj in objects])
        width, depth = (self.sides[:, 2:] - self.sides[:, :2]).T
        self._facing = width < depth, depth < width  # thinner along x or z than across it
        types = [obj.objectType for obj in objects]
        self._hung, self._screens = (
            np.array([each in wanted for each in types])
            for wanted in (type_facts.WALL_MOUNTED_TYPES, type_facts.SHOWER_SCREEN_TYPES)
        )

    def _before_wall(self, axis: int, plane: float) -> ray_intersection.Mask:
        return self._is_fixed & (np.abs(self.sides[:, axis + 2] - plane) < FLUSH_METRES)

    def _covered_share(self, axis: int, plane: float, start: float, end: float) -> float:
        """Return along what share of a wall, from `start` to `end`, fixed objects stand.

        It is 0 if a shower's screen is among them: then it is the shower that is behind them.
        """
        before = self._before_wall(axis, plane)
        before &= (self.sides[:, 1 - axis] < end) & (self.sides[:, 3 - axis] > start)
        if (before & self._screens & self._facing[axis]).any():
            return 0.0
        spans = self.sides[before][:, (1 - axis, 3 - axis)]
        spans = np.clip(spans[spans[:, 0].argsort()], start, end)
        reach = np.maximum.accumulate(np.append(start, spans[:, 1]))
        covered = reach[1:] - np.maximum(spans[:, 0], reach[:-1])
        return float(covered.clip(0.0).sum()) / (end - start)

    def missing_part(self) -> tuple[float, float] | None:
        """Return the least x and z of the largest part without an object, if walls bound it."""
        end_x, end_z = self.sides[:, 2:].max(0).tolist()
        order = self.sides[:, 2].argsort(kind="stable")[::-1]
        xs = self.sides[order[1:], 2]
        zs = np.maximum.accumulate(self.sides[order, 3])[:-1]  # what reaches beyond an x ends at z
        wide = self._is_fixed[order[1:]] & (np.minimum(end_x - xs, end_z - zs) >= MIN_CORNER_METRES)
        found: list[tuple[float, float]] = np.stack([xs, zs], 1)[wide].tolist()
        for x, z in sorted(found, key=lambda at: (at[0] - end_x) * (end_z - at[1])):
            share = self._covered_share(0, x, z, end_z)
            other = self._covered_share(1, z, x, end_x) if share >= MIN_COVERED_SHARE else 0.0
            if other >= MIN_COVERED_SHARE and share + other >= MIN_COVERED_SHARES_SUM:
                return x, z
        return None

    def wall_of_side(self, axis: int) -> float | None:
        """Return where the wall of greatest x (axis 0) or z (1) is, if furniture shows it."""
        plane = float(self.sides[:, axis + 2].max())
        hung = self._before_wall(axis, plane) & self._hung & self._facing[axis]
        start, end = float(self.sides[:, 1 - axis].min()), float(self.sides[:, 3 - axis].max())
        share = self._covered_share(axis, plane, start, end) if hung.any() else 0.0
        return plane if share >= MIN_SIDE_COVERED_SHARE else None


def _mirrored_sides(bounds: rays.Floats, signs: tuple[int, int]) -> rays.Floats:
    """Return rows of least x and z and greatest x and z, mirrored where a sign is -1."""
    corners = bounds[:, :, ::2] * signs
    return np.concatenate([corners.min(1), corners.max(1)], axis=1)


@state.kept_by_shape
def boxes_beyond_walls(objects: Sequence[state.ObjectState]) -> tuple[state.Box, ...]:
    """Return what parts of the floor's box lie beyond the walls, from all objects of a room.

    They are missing corners, and strips along sides, from the floor's underside to the ceiling.
    There are none without a floor, or where nothing hangs: then furniture may stand anywhere.  Rays
    end at them without meaning an object.
    """
    fixtures, _, portables = state.parts_of(objects)
    stays = _reaches_of(fixtures)
    if stays is None:
        return ()
    moved = _reaches(corners for _, _, *corners in portables)[..., None]
    x, z = (0, 0, 2, 2), (1, 3, 1, 3)
    farther = (stays[x, None] > moved[x, :]) & (stays[z, None] > moved[z, :])
    inside = farther.any(-1).all(0)
    # A portable object counts if no fixture reaches farther into one of the corners.
    outer = {portables[row][0] for row in np.flatnonzero(~inside).tolist()}
    counted = fixtures
    if outer:
        counted = tuple(
            obj for i, obj in enumerate(objects) if i in outer or not obj.affordances.pickupable
        )
    return _boxes_beyond(counted, room_bounds.room_bounds_of(objects).high[1])


@state.kept_by_shape
def _reaches_of(fixtures: Sequence[state.ObjectState]) -> rays.Floats | None:
    """Return how far all fixtures but floors reach; None without a floor, or if nothing hangs."""
    others = [obj for obj in fixtures if obj.objectType != type_facts.FLOOR_TYPE]
    is_hung = any(obj.objectType in type_facts.WALL_MOUNTED_TYPES for obj in others)
    has_walls = is_hung and len(others) < len(fixtures)
    return _reaches(obj.box.bounds() for obj in others) if has_walls else None


def _reaches(bounds: Iterable[Sequence[state.Vec3]]) -> rays.Floats:
    """Return how far boxes reach towards greatest x and z, least x and z: (4, boxes)."""
    rows = [(high[0], high[2], -low[0], -low[2]) for low, high in bounds]
    return np.array(rows, np.float64).reshape(-1, 4).T


@state.kept_by_shape
def _boxes_beyond(objects: Sequence[state.ObjectState], top: float) -> tuple[state.Box, ...]:
    floors = [obj for obj in objects if obj.objectType == type_facts.FLOOR_TYPE]
    others = [obj for obj in objects if obj.objectType != type_facts.FLOOR_TYPE]
    bottom, found = min(obj.box.bottom for obj in floors), list[state.Box]()
    around, below = (np.array([o.box.bounds() for o in each]) for each in (others, floors))
    for signs in product((1, -1), (1, -1)):
        seen, floor = _Corner(others, _mirrored_sides(around, signs)), _mirrored_sides(below, signs)
        low, end = floor[:, :2].min(0).tolist(), floor[:, 2:].max(0).tolist()
        bare = max(np.subtract(end, seen.sides[:, 2:].max(0)).tolist())
        starts = [seen.missing_part() if bare <= MAX_BARE_METRES else None]
        for axis in (0, 1) if signs[0] == signs[1] else ():
            plane = seen.wall_of_side(axis)
            if plane is not None and end[axis] - plane > room_bounds.MAX_WALL_INSET_METRES:
                starts.append((plane, low[1]) if axis == 0 else (low[0], plane))
        for x, z in (start for start in starts if start is not None):
            size = end[0] - x - BEHIND_METRES, top - bottom, end[1] - z - BEHIND_METRES
            middle = signs[0] * (end[0] - size[0] / 2), signs[1] * (end[1] - size[2] / 2)
            if min(size) > 0.0:
                found.append(state.Box((middle[0], (bottom + top) / 2, middle[1]), size))
    return tuple(found)
