"""The floor as the pointing Follower has measured it, and path lengths over that map.

Depth is kept on a fine grid of 5 cm: where rays ended on the floor, and where they ended on what a
body would touch.  The network gets a window of cells around the body, turned with it.
"""

from collections.abc import Iterable, Sequence
from math import hypot

import numpy as np
from numpy.typing import NDArray

from tatc.follower.learned.pointing import instance_memory
from tatc.follower.learned.pointing.instance_memory import Floats, Instance
from tatc.home.actions import GRID_SIZE_METRES, Cell, Verb, cell_after, cell_of
from tatc.home.percepts import View

WINDOW_SIDE = 33  # the side of the window around the body, in cells
MIDDLE = WINDOW_SIDE // 2
BLOCKED, FLOOR_SEEN, VISITED, BUMPED = 1, 2, 4, 8  # the bits of a cell
FAR = 64  # the path length of what cannot be reached
SAME_PLACE_CELLS = 5  # within so many cells, a place shows what another does
BUMP_TURNS = 200  # for so many turns a refused step is remembered: it may have been chance
_FINE = 0.05
_PER_CELL = round(GRID_SIZE_METRES / _FINE)
_HALF = 52 * _PER_CELL  # fine cells from the start to the end of the grid
_BODY = 4
_SPAN = range(-_BODY, _BODY + 1)
_DISK = [(i, j) for i in _SPAN for j in _SPAN if hypot(i, j) <= 3.6]
_UNSEEN_AT_FEET = 9  # fine cells around the feet that no view of the body shows
_STEP_OVER, _HEAD = 0.06, 1.75
_FLOOD_STEPS = 56
_UNKNOWN_COST = 2
_CELL_MIDDLES = ((np.arange(WINDOW_SIDE) - MIDDLE) * GRID_SIZE_METRES).astype(np.float32)
FineCells = NDArray[np.int32]
Window = NDArray[np.uint8]
"""Bits of cells, (`WINDOW_SIDE`, `WINDOW_SIDE`): row 0 is farthest ahead, column 0 on the left."""


class FloorMap:
    """What one session has shown of the floor, in the Follower's frame."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._touched = np.zeros((2 * _HALF, 2 * _HALF), np.uint8)
        self._floor = np.zeros((2 * _HALF, 2 * _HALF), np.uint8)
        self._visited: dict[Cell, None] = {}
        self._places: list[tuple[Cell, set[int]]] = []
        self._turn = 0
        self._opened: dict[Instance, FineCells] = {}
        """What it opened, and the numbers of the fine cells over which that was seen to stand."""
        self.bumped: dict[Cell, int] = {}
        """The turn in which a step into a cell was refused, until it is entered."""

    def see(self, view: View, points: Floats, instances: Iterable[Instance] = ()) -> None:
        """Add where the rays of a view ended, and where the body stands.

        A door or drawer that the Follower opened stands over floor that can be seen.  So the
        points of such `instances` block, like refused steps, until it closes them.
        """
        fine, height = _fine_cells(view, points[::2, ::2].reshape(-1, 3))
        floor = fine[np.abs(height) < 0.04]
        solid = fine[(height > _STEP_OVER) & (height < _HEAD)]
        self._touched[floor[:, 0], floor[:, 1]] = 0
        self._floor[floor[:, 0], floor[:, 1]] = 1
        self._touched[solid[:, 0], solid[:, 1]] = 1
        for each in instances:
            if each.last_verb is Verb.OPEN:
                self._opened.setdefault(each, np.empty(0, np.int32))
            elif each.last_verb is Verb.CLOSE and self._opened.pop(each, None) is not None:
                self.bumped.clear()  # it may have been that door
            if each in self._opened and each.seen is not None:
                fine, height = _fine_cells(view, points[view.pixels == each.seen.percept])
                solid = fine[(height > _STEP_OVER) & (height < _HEAD)]
                numbers = solid[:, 0] * len(self._touched) + solid[:, 1]
                self._opened[each] = np.union1d(self._opened[each], numbers)
        own = _body_cell(view)
        self._visited[own] = None
        self._looked_at(own).add(quarter_turns(view))
        self._turn += 1
        oldest = self._turn - BUMP_TURNS
        self.bumped = {at: turn for at, turn in self.bumped.items() if at != own and turn > oldest}
        middle = (at * _PER_CELL + _HALF for at in own)
        feet = tuple(slice(at - _UNSEEN_AT_FEET, at + _UNSEEN_AT_FEET + 1) for at in middle)
        self._floor[feet] |= self._touched[feet] == 0

    def looked(self, view: View) -> list[bool]:
        """Return whether it has looked ahead, to the right, back and to the left near here."""
        turned, looked = quarter_turns(view), self._looked_at(_body_cell(view))
        return [(turned + quarters) % 4 in looked for quarters in range(4)]

    def _looked_at(self, cell: Cell) -> set[int]:
        """Return the directions looked in at the nearest place, or at a new one here."""

        def apart(place: tuple[Cell, set[int]]) -> int:
            return max(abs(a - b) for a, b in zip(place[0], cell, strict=True))

        near = min(self._places, key=apart, default=None)
        if near is None or apart(near) > SAME_PLACE_CELLS:
            near = cell, set[int]()
            self._places.append(near)
        return near[1]

    def bump(self, view: View, verb: Verb) -> None:
        """Remember that a step from where the body stands was blocked."""
        self.bumped[cell_towards(view, verb)] = self._turn

    def window(self, view: View) -> Window:
        """Return the cells around the body, turned so that ahead is up."""
        x, z = _body_cell(view)
        reach = MIDDLE * _PER_CELL + _BODY
        first = x * _PER_CELL + _HALF - reach, z * _PER_CELL + _HALF - reach
        opened = np.zeros_like(self._touched)
        for numbers in self._opened.values():
            opened.flat[numbers] = 1
        grids = self._touched, self._floor, opened
        touched, floor, opened = (_cut(grid, first, 2 * reach + 1) for grid in grids)
        found = (_counts_under_body(touched) >= 2) * BLOCKED
        found += (_counts_under_body(floor) >= 4) * FLOOR_SEEN
        found += (_counts_under_body(opened) >= 2) * BUMPED
        for cells, bit in ((self._visited, VISITED), (self.bumped, BUMPED)):
            for at in cells:
                i, j = at[0] - x + MIDDLE, at[1] - z + MIDDLE
                if 0 <= i < WINDOW_SIDE and 0 <= j < WINDOW_SIDE:
                    found[i, j] |= bit
        turned = np.rot90(found.T[::-1], quarter_turns(view))
        return np.ascontiguousarray(turned).astype(np.uint8)


def _fine_cells(view: View, points: Floats) -> tuple[FineCells, Floats]:
    """Return the fine cells of points (n, 3) that are on the grid, and their heights, metres."""
    points = points[~np.isnan(points[:, 0])]
    fine = np.floor(points[:, (0, 2)] / _FINE + 0.5).astype(np.int32) + _HALF
    inside = ((fine >= 0) & (fine < 2 * _HALF)).all(1)
    floor = view.body.position[1] - instance_memory.FLOOR_BELOW_BODY_METRES
    return fine[inside], points[inside, 1] - floor


def quarter_turns(view: View) -> int:
    """Return how many quarter turns to the right the body has made, 0 to 3."""
    return round(view.body.yaw / 90) % 4


def cell_towards(view: View, verb: Verb) -> Cell:
    """Return the cell that a translation leads to."""
    return cell_after(_body_cell(view), view.body.yaw, verb)


def is_blocked_towards(window: Window, verb: Verb) -> bool:
    """Return whether the cell that a translation leads to is blocked, as far as it is known."""
    x, z = cell_after((0, 0), 0.0, verb)
    cell = int(window[MIDDLE - z, MIDDLE + x])
    return cell & BUMPED > 0 or cell & (BLOCKED | VISITED) == BLOCKED


def _body_cell(view: View) -> Cell:
    return cell_of(view.body.position[0], view.body.position[2])


def _counts_under_body(fine: NDArray[np.uint8]) -> Window:
    """Return how many fine cells of a window are set under a body in each cell."""
    found = np.zeros((WINDOW_SIDE, WINDOW_SIDE), np.uint8)
    length = 2 * MIDDLE * _PER_CELL + 1
    for i, j in _DISK:
        rows, columns = (slice(_BODY + at, _BODY + at + length, _PER_CELL) for at in (i, j))
        found += fine[rows, columns]
    return found


def _cut(grid: NDArray[np.uint8], first: tuple[int, int], side: int) -> NDArray[np.uint8]:
    """Return a square of a grid, 0 beyond its edges."""
    found = np.zeros((side, side), np.uint8)
    low = [max(0, at) for at in first]
    high = [min(len(grid), at + side) for at in first]
    if all(a < b for a, b in zip(low, high, strict=True)):
        part = grid[low[0] : high[0], low[1] : high[1]]
        found[tuple(slice(a - f, b - f) for a, b, f in zip(low, high, first, strict=True))] = part
    return found


def step_costs(windows: Window) -> Window:
    """Return what it costs to enter each cell, (windows, rows, columns): unknown floor costs more.

    A cell that was visited is free, whatever depth says, unless a step into it was blocked since.
    """
    free = np.where(windows & FLOOR_SEEN, np.uint8(1), np.uint8(_UNKNOWN_COST))
    cost = np.where(windows & BLOCKED, np.uint8(FAR), free)
    cost = np.where(windows & VISITED, np.uint8(1), cost)
    return np.where(windows & BUMPED, np.uint8(FAR), cost)


def frontier(windows: Window) -> NDArray[np.bool_]:
    """Return the cells that may be free and border on what was never seen."""
    known = (windows & (FLOOR_SEEN | BLOCKED | VISITED)) > 0
    padded = np.pad(known, ((0, 0), (1, 1), (1, 1)), constant_values=True)
    beside = padded[:, 2:, 1:-1] & padded[:, :-2, 1:-1] & padded[:, 1:-1, 2:] & padded[:, 1:-1, :-2]
    return known & ~beside & (step_costs(windows) < FAR)


def path_lengths(costs: Window, ends: NDArray[np.integer]) -> Window:
    """Return the cheapest path from each cell to an end, at most `FAR`: a flood over the map.

    Both have the shape (windows, rows, columns); `ends` says what is left to do in a cell, `FAR`
    where no path ends.
    """
    padded = np.full((len(costs), WINDOW_SIDE + 2, WINDOW_SIDE + 2), FAR, np.uint8)
    inner = padded[:, 1:-1, 1:-1]
    inner[:] = ends
    before = inner.copy()
    best = np.empty_like(before)
    for step in range(_FLOOD_STEPS):
        np.minimum(padded[:, 2:, 1:-1], padded[:, :-2, 1:-1], out=best)
        np.minimum(best, padded[:, 1:-1, 2:], out=best)
        np.minimum(best, padded[:, 1:-1, :-2], out=best)
        best += costs
        np.minimum(inner, best, out=inner)
        if step % 8 == 7:
            if np.array_equal(before, inner):
                break
            before[:] = inner
    return np.minimum(inner, np.uint8(FAR))


def lengths_to_unseen_floor(window: Window, *, from_elsewhere: bool = False) -> Window:
    """Return the path length from each cell of one window to where the map ends.

    What can be seen `from_elsewhere` than where the body was already counts alone, if asked.
    """
    ends = frontier(window[None])
    if from_elsewhere:
        ends &= window & VISITED == 0
    return path_lengths(step_costs(window[None]), np.where(ends, 0, FAR))[0]


def gaps_to_boxes(boxes: Floats) -> Floats:
    """Return how far each cell is from boxes (n, 4), in metres: middle right and ahead, and sizes.

    Boxes beyond the window count as at its edge.
    """
    at, limit = _CELL_MIDDLES, MIDDLE * GRID_SIZE_METRES
    right, ahead = (np.clip(boxes[:, k], -limit, limit)[:, None] for k in (0, 1))
    across = np.maximum(np.abs(at[None] - right) - boxes[:, 2, None] / 2, 0.0)
    along = np.maximum(np.abs(-at[None] - ahead) - boxes[:, 3, None] / 2, 0.0)
    return np.hypot(along[:, :, None], across[:, None, :]).astype(np.float32)


NEAR_METRES = 0.6
"""A path to a thing ends where the body is so near to its box, or as near as it gets, metres."""
REACH_METRES = 1.5  # what no path leads so near to is too far away, metres


def reachable_cells(costs: Window) -> NDArray[np.bool_]:
    """Return the cells to which a path leads from the body, (windows, rows, columns)."""
    return _lengths_from_body(costs) < FAR


def _lengths_from_body(costs: Window) -> Window:
    own = np.full_like(costs, FAR)
    own[:, MIDDLE, MIDDLE] = 0
    return path_lengths(costs, own)


def cells_beside(gaps: Floats, free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells of those `free` at which a path to a thing ends; `gaps` are to its box."""
    nearest = np.where(free, gaps, np.inf).min((1, 2), keepdims=True)
    return free & (gaps <= np.maximum(NEAR_METRES, nearest + 0.15))


def lengths_to_instances(window: Window, boxes: Floats) -> Sequence[float]:
    """Return the path length from the body to each box (n, 4), `FAR` to one out of reach."""
    if not len(boxes):
        return ()
    lengths, gaps = _lengths_from_body(step_costs(window[None])), gaps_to_boxes(boxes)
    beside = cells_beside(gaps, np.broadcast_to(lengths < FAR, gaps.shape))
    return np.where(beside & (gaps < REACH_METRES), lengths, FAR).min((1, 2)).tolist()
