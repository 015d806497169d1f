"""What lies beyond a room's walls: a room is not always as large as its floor's box.

AI2-THOR gives no walls, and its floors reach far beyond some rooms.  Where a room is narrower than
its floor or lacks a corner, furniture stands with its back to the wall and things hang on it.  What
is found here holds no object; in 112 iTHOR scenes nobody stood there in a recorded session, nor
does it hold a cell of the layouts that ALFRED publishes.  Where furniture says too little, no wall
is found.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from tatc.home import state, type_facts
from tatc.home.camera import ray_intersection, rays, room_bounds

FLUSH_METRES = 0.15
"""What ends nearer than this to a wall's plane stands or hangs before the wall, metres."""
BEHIND_METRES = 0.01
"""A wall is so far behind what stands or hangs before it that rays meet that first, metres."""
MIN_CORNER_METRES = 0.5
"""A missing corner is at least this wide and deep, metres."""
MIN_COVERED_SHARE, MIN_COVERED_SHARES_SUM = 0.35, 0.9
"""Furniture stands along at least this share of each of a missing corner's two walls, and along so
much of both together."""
MIN_SIDE_COVERED_SHARE = 0.3
"""Furniture stands along at least this share of a wall within the floor's box, and a thing hangs
on it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Boxes:
    """Objects from above: rows of their least x and z and greatest x and z, and what they are."""

    sides: rays.Floats
    fixed: ray_intersection.Mask
    hung: ray_intersection.Mask
    screens: ray_intersection.Mask

    @staticmethod
    def of_objects(objects: Sequence[state.ObjectState]) -> "_Boxes":
        corners = [obj.box.bounds() for obj in objects]
        able = [obj.affordances for obj in objects]
        return _Boxes(
            np.array([(low[0], low[2], high[0], high[2]) for low, high in corners]),
            np.array([not (each.pickupable or each.moveable) for each in able]),
            np.array([obj.objectType in type_facts.WALL_MOUNTED_TYPES for obj in objects]),
            np.array([obj.objectType in type_facts.SHOWER_SCREEN_TYPES for obj in objects]),
        )

    def mirrored(self, signs: tuple[int, int]) -> "_Boxes":
        """Return them with x or z or both turned round, where their sign is -1."""
        return replace(self, sides=_mirrored(self.sides, signs))

    def before_wall(self, axis: int, plane: float) -> ray_intersection.Mask:
        """Return which fixed objects end at a wall's plane on an axis, on their greatest side."""
        return self.fixed & (np.abs(self.sides[:, axis + 2] - plane) < FLUSH_METRES)

    def facing(self, axis: int) -> ray_intersection.Mask:
        """Return which objects are thinner along an axis than across it."""
        extents = self.sides[:, 2:] - self.sides[:, :2]
        return extents[:, axis] < extents[:, 1 - axis]

    def covered_share(self, axis: int, plane: float, start: float, end: float) -> float:
        """Return along what share of a wall, from `start` to `end`, fixed objects stand.

        It is 0 if a shower's screen is among them: then it is the shower that is behind them.
        """
        before = self.before_wall(axis, plane)
        before &= (self.sides[:, 1 - axis] < end) & (self.sides[:, 3 - axis] > start)
        if (before & self.screens & self.facing(axis)).any():
            return 0.0
        spans = self.sides[before][:, (1 - axis, 3 - axis)]
        spans = np.clip(spans[spans[:, 0].argsort()], start, end)
        reach = np.maximum.accumulate(np.append(start, spans[:, 1]))
        covered = reach[1:] - np.maximum(spans[:, 0], reach[:-1])
        return float(covered.clip(0.0).sum()) / (end - start)


def boxes_beyond_walls(objects: Sequence[state.ObjectState]) -> tuple[state.Box, ...]:
    """Return what parts of the floor's box lie beyond the walls, from all objects of a room.

    They are missing corners, and strips along sides, from the floor's underside to the ceiling.
    There are none without a floor.  Rays end at them without meaning an object.
    """
    floors = [obj for obj in objects if obj.objectType == type_facts.FLOOR_TYPE]
    others = [obj for obj in objects if obj.objectType != type_facts.FLOOR_TYPE]
    if not floors or not others:
        return ()
    boxes, parts = _Boxes.of_objects(others), _Boxes.of_objects(floors).sides
    floor = np.append(parts[:, :2].min(0), parts[:, 2:].max(0))[None]
    bottom = min(obj.box.bottom for obj in floors)
    top, found = room_bounds.room_bounds_of(objects).high[1], list[state.Box]()
    for signs in product((1, -1), (1, -1)):
        seen, end = boxes.mirrored(signs), _mirrored(floor, signs)[0]
        beyond = [_missing_corner(seen)]
        if signs[0] == signs[1]:
            beyond += [_missing_side(seen, axis, end) for axis in (0, 1)]
        for start in beyond:
            if start is None or (start + BEHIND_METRES >= end[2:]).any():
                continue
            part = np.append(start + BEHIND_METRES, end[2:])[None]
            x0, z0, x1, z1 = _mirrored(part, signs)[0].tolist()
            middle = (x0 + x1) / 2, (bottom + top) / 2, (z0 + z1) / 2
            found.append(state.Box(middle, (x1 - x0, top - bottom, z1 - z0)))
    return tuple(found)


def _mirrored(sides: rays.Floats, signs: tuple[int, int]) -> rays.Floats:
    low, high = sides[:, :2] * signs, sides[:, 2:] * signs
    return np.concatenate([np.minimum(low, high), np.maximum(low, high)], axis=1)


def _missing_corner(boxes: _Boxes) -> rays.Floats | None:
    """Return the least x and z of the corner of greatest x and z, if the room lacks it.

    It is the largest rectangle without an object of which furniture shows both walls.
    """
    sides, (end_x, end_z) = boxes.sides, boxes.sides[:, 2:].max(0)
    by_x = sides[sides[:, 2].argsort()[::-1], 2:]
    xs, zs = by_x[1:, 0], np.maximum.accumulate(by_x[:, 1])[:-1]  # all beyond an x end at its z
    area, wide = (end_x - xs) * (end_z - zs), np.minimum(end_x - xs, end_z - zs)
    for i in np.argsort(-area, kind="stable").tolist():
        if wide[i] < MIN_CORNER_METRES:
            continue
        shares = (
            boxes.covered_share(0, xs[i], zs[i], end_z),
            boxes.covered_share(1, zs[i], xs[i], end_x),
        )
        if min(shares) >= MIN_COVERED_SHARE and sum(shares) >= MIN_COVERED_SHARES_SUM:
            return np.array([xs[i], zs[i]])
    return None


def _missing_side(boxes: _Boxes, axis: int, floor: rays.Floats) -> rays.Floats | None:
    """Return the least x and z of a strip beyond the wall of greatest x (axis 0) or z, or None."""
    plane = boxes.sides[:, axis + 2].max()
    if floor[axis + 2] - plane <= room_bounds.MAX_WALL_INSET_METRES:
        return None
    hung = boxes.before_wall(axis, plane) & boxes.hung & boxes.facing(axis)
    start, end = boxes.sides[:, 1 - axis].min(), boxes.sides[:, 3 - axis].max()
    if not hung.any() or boxes.covered_share(axis, plane, start, end) < MIN_SIDE_COVERED_SHARE:
        return None
    return np.where(np.arange(2) == axis, plane, floor[:2])
