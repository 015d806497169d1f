"""The floor as seen so far: where the body fits, and what has not been looked at.

The floor is kept on a fine grid of 5 cm: where rays ended on it, and where they ended on something
that a body would touch.  A cell of the session's grid is free if enough floor has been seen under
its middle and nothing known is nearer than the body's radius.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import floor

import numpy as np
from numpy.typing import NDArray

from tatc.follower.listener.map_frame import Floats
from tatc.home import body, type_facts
from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.camera import body_clearance, room_bounds
from tatc.home.state import Box, ByIdentity, ObjectState, Pose

NEAR_LOOK_METRES = 2.0  # from this distance small things are seen, metres
MIN_FLOOR_SHARE = 0.3  # the share of the floor around a cell's middle that must have been seen
LOW_SURFACE_METRES = 0.3  # what is higher than this above the floor may have things on it, metres
UNSEEN_AT_FEET_METRES = 0.45  # how far around its feet a body cannot see the floor, metres
DOOR_REACH_METRES = 0.3
"""How much farther than its width an open door may reach with the body's radius, metres."""
_FINE = 0.05
_STEPS = round(GRID_SIZE_METRES / _FINE)
_HALF_CELLS = 80
_CELLS = 2 * _HALF_CELLS + 1
_SIDE = _CELLS * _STEPS
_FLOOR_TOLERANCE_METRES = 0.05
_REACH = int(body.BODY_RADIUS_METRES / _FINE)
_OFFSETS = np.indices((2 * _REACH + 1,) * 2) - _REACH
_WITHIN_RADIUS = _OFFSETS[:, np.hypot(*_OFFSETS) * _FINE < body.BODY_RADIUS_METRES]
"""How far fine cells that a body touches are from its middle, rows and columns."""
Mask = NDArray[np.bool_]
Extent = tuple[tuple[float, float], tuple[float, float]]
"""The lowest and the highest (x, z) of an area, metres."""


class FloorMap:
    """What has been seen of the floor, in the Follower's frame.

    `floor_seen` and `touched` are fine grids; `distance_seen` is one value a cell: from how near
    something in its column was seen, metres, infinite for never.  `has_surface` says of a cell
    whether something stands there on which things may lie.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.floor_seen, self.touched = np.zeros((2, _SIDE, _SIDE), dtype=np.bool_)
        self.distance_seen: Floats = np.full((_CELLS, _CELLS), np.inf)
        self.has_surface: Mask = np.zeros((_CELLS, _CELLS), dtype=np.bool_)
        self.walked: dict[Cell, None] = {}

    def add_view(self, points: Floats, eye: Sequence[float], solid: Mask) -> None:
        """Add where the rays of a view from an eye ended.

        `points` are (rows, columns, 3), NaN where a ray hit nothing; `solid` says which pixels show
        something that the body is known to touch by sight alone.
        """
        x, height, z = (points[..., axis].ravel() for axis in range(3))
        solid = solid.ravel()
        if not (valid := ~np.isnan(x)).all():
            x, height, z, solid = x[valid], height[valid], z[valid], solid[valid]
        row, column = _fine_cells(x), _fine_cells(z)
        inside = (row >= 0) & (row < _SIDE) & (column >= 0) & (column < _SIDE)
        if not inside.all():
            x, height, z, solid = x[inside], height[inside], z[inside], solid[inside]
            row, column = row[inside], column[inside]
        on_floor = np.abs(height) <= _FLOOR_TOLERANCE_METRES
        is_low = height < body.BODY_HEIGHT_METRES
        blocks = solid & (height > body_clearance.STEP_OVER_HEIGHT_METRES) & is_low
        touched, distance_seen = self.touched.reshape(-1), self.distance_seen.reshape(-1)
        places = row * _SIDE + column  # in the grids as one row: that is quicker than two indices
        floor = places[on_floor]
        touched[floor] = False
        touched[places[blocks]] = True
        self.floor_seen.reshape(-1)[floor] = True
        cells = row // _STEPS * _CELLS + column // _STEPS
        dx, dz, known = x - eye[0], z - eye[2], distance_seen.take(cells)
        new = np.flatnonzero(dx * dx + dz * dz < known * known * 1.001)  # what may be nearer: few
        np.minimum.at(distance_seen, cells[new], np.hypot(dx[new], dz[new]))
        self.has_surface.reshape(-1)[cells[(height > LOW_SURFACE_METRES) & is_low]] = True

    def add_floor(self, points: Floats) -> None:
        """Add points of the floor, (points, 3), alone: cheaper than `add_view`."""
        fine = _fine_cells(points[:, (0, 2)])
        fine = fine[((fine >= 0) & (fine < _SIDE)).all(axis=1)]
        self.floor_seen[fine[:, 0], fine[:, 1]] = True

    def seen_cells(self) -> frozenset[Cell]:
        """Return the cells in which anything was seen."""
        x, z = np.nonzero(np.isfinite(self.distance_seen))
        return frozenset(zip((x - _HALF_CELLS).tolist(), (z - _HALF_CELLS).tolist(), strict=True))

    def walk_on(self, cell: Cell) -> None:
        """Note where the body stood: it is free, with floor at the feet, which no camera shows."""
        if cell in self.walked:
            return
        self.walked[cell] = None
        middle = [(at + _HALF_CELLS) * _STEPS + _STEPS // 2 for at in cell]
        reach = round(UNSEEN_AT_FEET_METRES / _FINE)
        rows, columns = (slice(at - reach, at + reach + 1) for at in middle)
        self.floor_seen[rows, columns] |= ~self.touched[rows, columns]

    def free_cells(self, objects: Iterable[ObjectState]) -> tuple[Cell, ...]:
        """Return the cells where the body fits, as far as seen, in order.

        Boxes of `objects` that cover free floor count only where seen to stand in the way.
        """
        rows = np.flatnonzero(self.floor_seen.any(axis=1))
        if not len(rows):
            return tuple(sorted(self.walked))
        columns = np.flatnonzero(self.floor_seen[rows[0] : rows[-1] + 1].any(axis=0))
        ends = ((int(lines[0]), int(lines[-1])) for lines in (rows, columns))
        x, z = (np.arange(a // _STEPS, b // _STEPS + 1) - _HALF_CELLS for a, b in ends)
        first, second = (int(v[0] + _HALF_CELLS) * _STEPS for v in (x, z))
        part = self.floor_seen[first : first + len(x) * _STEPS, second : second + len(z) * _STEPS]
        across = part.reshape(len(x), _STEPS, -1).sum(axis=1, dtype=np.uint8)
        seen = across.reshape(len(x), len(z), _STEPS).sum(axis=2, dtype=np.uint8)
        rows, columns = np.nonzero(seen / _STEPS**2 >= MIN_FLOOR_SHARE)
        cells = np.column_stack((x[rows], z[columns]))
        middles = ((cells + _HALF_CELLS) * _STEPS + _STEPS // 2).T[..., None]
        cells = cells[~self.touched[*(middles + _WITHIN_RADIUS[:, None])].any(axis=1)]
        known = tuple(objects)
        if (extent := room_extent(known)) is not None:
            low, high = np.array(extent)
            at = cells * GRID_SIZE_METRES
            inside = np.minimum(at - low, high - at) >= body.LEAST_CLEARANCE_METRES
            cells = cells[inside.all(axis=1)]
        free = {(i, j) for i, j in cells.tolist()}
        for obj in known:
            is_thin = obj.objectType in type_facts.FLOOR_COVERING_TYPES or obj.isSliced
            if not is_thin and body_clearance.can_block_body(obj, floor_y=0.0):
                free -= _cells_beside(obj.objectType, obj.box)
        return tuple(sorted(free | self.walked.keys()))

    def unexamined_cells(self, extent: Extent | None, near: float) -> tuple[Cell, ...]:
        """Return the cells never in view, or whose surfaces only from farther than `near`, metres.

        `extent` is that of the room, None if unknown; then only cells beside seen ones count.
        """
        far = self.has_surface & (self.distance_seen > near)
        unseen = np.isinf(self.distance_seen)
        if extent is not None:
            bounded = np.zeros_like(unseen)
            a, b = np.floor(np.array(extent) / GRID_SIZE_METRES + 0.5).astype(int) + _HALF_CELLS
            a, b = np.maximum(a, 0), np.minimum(b, 2 * _HALF_CELLS)
            bounded[a[0] : b[0] + 1, a[1] : b[1] + 1] = True
            unseen &= bounded
            far &= bounded
        else:
            unseen &= _beside(np.isfinite(self.distance_seen))
        cells: list[list[int]] = (np.argwhere(far | unseen) - _HALF_CELLS).tolist()
        return tuple((i, j) for i, j in cells)


def _fine_cells(metres: Floats) -> NDArray[np.int64]:
    """Return the lines of the fine grid, or beyond it, on which coordinates lie."""
    fine = np.floor(metres / _FINE + 0.5).astype(np.int64)
    return fine + (_HALF_CELLS * _STEPS + _STEPS // 2)


def room_extent(objects: Iterable[ObjectState]) -> Extent | None:
    """Return the (x, z) bounds inside the walls, by floor and what hangs; None without a floor."""
    known = tuple(objects)
    floors = [obj.box.bounds() for obj in known if obj.objectType == type_facts.FLOOR_TYPE]
    if not floors:
        return None
    hung = [obj.box.bounds() for obj in known if obj.objectType in type_facts.WALL_MOUNTED_TYPES]
    lows, highs = list[float](), list[float]()
    for axis in (0, 2):
        low, high = min(a[axis] for a, _ in floors), max(b[axis] for _, b in floors)
        lows.append(low + _wall_inset([a[axis] - low for a, _ in hung]))
        highs.append(high - _wall_inset([high - b[axis] for _, b in hung]))
    return (lows[0], lows[1]), (highs[0], highs[1])


def known_extent(objects: Iterable[ObjectState]) -> Extent | None:
    """Return the (x, z) bounds of the floor seen and of what stands on it; None without a floor."""
    known = tuple(objects)
    inside = room_extent(known)
    if inside is None:
        return None
    xs = [inside[0][0], inside[1][0], *(obj.box.center[0] for obj in known)]
    zs = [inside[0][1], inside[1][1], *(obj.box.center[2] for obj in known)]
    return (min(xs), min(zs)), (max(xs), max(zs))


def _wall_inset(gaps: Sequence[float]) -> float:
    hung = [gap for gap in gaps if 0.0 <= gap <= room_bounds.MAX_WALL_INSET_METRES]
    return min(hung, default=room_bounds.FLOOR_BEHIND_WALL_METRES)


@lru_cache(maxsize=4096)
def _cells_beside(kind: str, box: Box) -> frozenset[Cell]:
    """Return the cells where a body would touch a type's box: asked for again at each view."""
    reach = body.BODY_RADIUS_METRES + max(type_facts.BODY_MARGINS_METRES.get(kind, 0.0), 0.0)
    cells = _cells_around(box, reach)
    middles = np.array(cells) * GRID_SIZE_METRES
    gaps = body_clearance.distances_to_objects([(kind, box)], middles)[0]
    return frozenset(cells[i] for i in np.flatnonzero(gaps < body.LEAST_CLEARANCE_METRES))


def _beside(mask: Mask) -> Mask:
    found = np.zeros_like(mask)
    found[1:] |= mask[:-1]
    found[:-1] |= mask[1:]
    found[:, 1:] |= mask[:, :-1]
    found[:, :-1] |= mask[:, 1:]
    return found & ~mask


def cells_at_open_doors(
    objects: Iterable[ObjectState], closed: Mapping[str, ObjectState]
) -> frozenset[Cell]:
    """Return the cells where a body meets an open door; `closed` has each as it is closed."""
    opened = (obj for obj in objects if obj.isOpen and obj.objectId in closed)
    cells = (_cells_at(ByIdentity(obj), closed[obj.objectId].box) for obj in opened)
    return frozenset[Cell]().union(*cells)


@lru_cache(maxsize=1024)
def _cells_at(door: ByIdentity[ObjectState], closed: Box) -> frozenset[Cell]:
    """Return the cells near a closed box in which a body would meet its open door."""
    opened = door.value
    reach = DOOR_REACH_METRES + max(closed.size[0], closed.size[2])
    size, is_in_path = GRID_SIZE_METRES, body_clearance.is_in_door_path
    poses = {(x, z): Pose(x * size, z * size, 0.0, 0.0) for x, z in _cells_around(closed, reach)}
    return frozenset(c for c in poses if is_in_path(poses[c], opened, closed, is_seen=True))


def _cells_around(box: Box, reach: float) -> list[Cell]:
    """Return the cells of a box and those within reach of it, and a line beyond."""
    (left, _, back), (right, _, front) = box.bounds()
    size = GRID_SIZE_METRES
    columns, rows = (
        range(floor((low - reach) / size), floor((high + reach) / size) + 2)
        for low, high in ((left, right), (back, front))
    )
    return list(product(columns, rows))
