"""Shortest paths over the cells of a floor, where every motion costs one action.

A body stands in a cell of 0.25 m with one of four headings.  One breadth-first search
from its state gives the fewest actions to every cell and heading.  Looks up and down are
added to that, since they do not depend on the walk.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from math import floor

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions
from tatc.home.body import TEACH, Body
from tatc.home.state import Pose

Floats, Ints = NDArray[np.float64], NDArray[np.int64]
BlockedEdges = frozenset[tuple[actions.Cell, actions.Cell]]
"""Pairs of neighbouring cells, in both orders, between which a body cannot pass."""

FloorArea = tuple[tuple[float, float], tuple[float, float]]
"""A rectangle of the floor: its lowest and its highest x and z, metres."""

_NOT_REACHED = -1
_KEPT_GRAPHS = 32  # the next session in a home begins on the same floor
_KEPT_POSES = 1 << 15  # which searches ask for again and again, and which take long to make


class NavigationGrid:
    """The cells of one floor, and the searches made on them: 9 bytes for each cell and heading."""

    def __init__(
        self,
        cells: Iterable[actions.Cell],
        body: Body = TEACH,
        blocked_edges: Collection[tuple[actions.Cell, actions.Cell]] = (),
    ) -> None:
        """Connect the cells by the verbs with which a body walks, except across blocked edges."""
        self.cells = tuple(sorted(set(cells)))
        both = {*blocked_edges, *((there, here) for here, there in blocked_edges)}
        self._graph = _PoseGraph.of(self.cells, body, frozenset(both))
        self._searches: dict[int, _Search] = {}

    @staticmethod
    def from_poses(poses: Iterable[Pose], body: Body = TEACH) -> "NavigationGrid":
        """Return the grid of the cells that these poses lie in."""
        return NavigationGrid((actions.cell_of(pose.x, pose.z) for pose in poses), body)

    def shortest_paths_from(self, start: Pose) -> "ShortestPaths":
        """Return the shortest paths from a pose to all others; none from outside the cells."""
        source = self._graph.state_of(start)
        search = self._searches.get(source)
        if search is None:
            search = self._searches[source] = _Search(self._graph, source)
        return ShortestPaths(self._graph, search, start.horizon)


@dataclass(frozen=True, slots=True)
class ShortestPaths:
    """The shortest paths from one pose to all others of a grid."""

    _graph: "_PoseGraph"
    _search: "_Search"
    _horizon: float

    def cost_to(self, pose: Pose) -> int | None:
        """Return how many actions away a pose is, or None where no path leads there."""
        state = self._graph.state_of(pose)
        walk = self._search.cost_of(state)
        return None if walk == _NOT_REACHED else walk + abs(self._count_looks(pose.horizon))

    def verbs_to(self, pose: Pose) -> tuple[actions.Verb, ...]:
        """Return the walk and the looks to a pose; a ValueError where `cost_to` says None."""
        graph, search = self._graph, self._search
        state = graph.state_of(pose)
        left = search.cost_of(state)
        if left == _NOT_REACHED:
            raise ValueError(f"no path leads to {pose}")
        tilts = self._count_looks(pose.horizon)
        back = [actions.LOOK_VERBS[tilts > 0]] * abs(tilts)
        how, before, verbs = search.verb_indices, graph.predecessors, graph.body.walk_verbs
        for _ in range(left):
            verb = how[state]
            back.append(verbs[verb])
            state = before[verb][state]
        back.reverse()
        return tuple(back)

    def poses_by_cost(
        self, horizons: Sequence[float] = (0.0,), within: FloorArea | None = None
    ) -> Iterator[tuple[Pose, int]]:
        """Yield every reachable pose at these horizons (degrees) with its cost, cheapest first.

        Among equal costs, poses with fewer looks come first, then those found first.  With an
        area, only the poses in its cells are yielded.
        """
        search, graph = self._search, self._graph
        is_within = graph.rows_within(within)
        tilts = [(abs(self._count_looks(h)), h) for h in horizons]
        tilts.sort(key=lambda tilt: tilt[0])
        most_looks, cost = max((n for n, _ in tilts), default=0), 0
        while cost < most_looks or search.states_at(cost - most_looks):
            for looks, horizon in tilts:
                for state in search.states_at(cost - looks):
                    if is_within[state >> 2]:
                        yield graph.pose_of(state, horizon), cost
            cost += 1

    def first_poses(self, horizons: Sequence[float], most: int) -> tuple[Floats, Ints]:
        """Return the first poses that `poses_by_cost` yields, `most` at most, and their costs.

        Poses are rows of x and z, metres, and yaw and horizon, degrees; costs are in actions.
        """
        levels = self._search.levels()
        states = np.concatenate([np.empty(0, np.intc), *levels])
        walks = np.repeat(np.arange(len(levels)), [len(each) for each in levels])
        tilts = sorted(horizons, key=lambda horizon: abs(self._count_looks(horizon)))
        looks = (abs(self._count_looks(horizon)) for horizon in tilts)
        costs = np.concatenate([walks[:0], *(walks + each for each in looks)])
        order = np.argsort(costs, kind="stable")[:most]
        tilt, at = np.divmod(order, max(len(states), 1))
        cells = np.array(self._graph.cells).reshape(-1, 2)[states[at] >> 2]
        yaws = (states[at] & 3) * actions.TURN_DEGREES
        poses = np.column_stack((cells * actions.GRID_SIZE_METRES, yaws, np.array(tilts)[tilt]))
        return poses.astype(np.float64), costs[order]

    def _count_looks(self, horizon: float) -> int:
        """Return how many looks down lead to a horizon; negative for looks up."""
        return round((horizon - self._horizon) / self._graph.body.tilt_degrees)


@dataclass(frozen=True, slots=True)
class _PoseGraph:
    """States (row of the cell * 4 + heading) and the states that each verb leads to.

    `predecessors[verb][state]` is the state before a verb, and `successors[state][verb]` the
    one after it; -1 for none.
    """

    cells: tuple[actions.Cell, ...]
    row_of_cell: dict[actions.Cell, int]
    body: Body
    predecessors: list[list[int]]
    successors: list[tuple[int, ...]]

    @staticmethod
    @lru_cache(maxsize=_KEPT_GRAPHS)
    def of(cells: tuple[actions.Cell, ...], body: Body, blocked: BlockedEdges) -> "_PoseGraph":
        rows = {cell: i for i, cell in enumerate(cells)}
        neighbours = _neighbour_rows(rows, blocked)
        after = [_next_states(neighbours, verb) for verb in body.walk_verbs]
        predecessors = [_inverted(states).tolist() for states in after]
        successors = list(zip(*(states.tolist() for states in after), strict=True))
        return _PoseGraph(cells, rows, body, predecessors, successors)

    def state_of(self, pose: Pose) -> int:
        """Return the state of a pose, or -1 outside the cells."""
        row = self.row_of_cell.get(actions.cell_of(pose.x, pose.z))
        quarter_turns = floor(pose.yaw / actions.TURN_DEGREES + 0.5) % 4
        return -1 if row is None else row * 4 + quarter_turns

    def rows_within(self, area: FloorArea | None) -> list[bool]:
        """Return for each row whether its cell's middle lies in an area; None stands for all."""
        if area is None:
            return [True] * len(self.cells)
        (low_x, low_z), (high_x, high_z) = area
        return [
            low_x <= x * actions.GRID_SIZE_METRES <= high_x
            and low_z <= z * actions.GRID_SIZE_METRES <= high_z
            for x, z in self.cells
        ]

    def pose_of(self, state: int, horizon: float) -> Pose:
        return _pose_in(self.cells[state >> 2], state & 3, horizon)


@lru_cache(maxsize=_KEPT_POSES)
def _pose_in(cell: actions.Cell, quarter_turns: int, horizon: float) -> Pose:
    x, z = (part * actions.GRID_SIZE_METRES for part in cell)
    return Pose(x, z, quarter_turns * actions.TURN_DEGREES, horizon)


class _Search:
    """A breadth-first search from a state, which goes as far as is asked: most views are near."""

    def __init__(self, graph: _PoseGraph, source: int) -> None:
        """Begin at a state; from -1 nothing is reached."""
        count = len(graph.cells) * 4
        # The last place is that of the state -1, which counts as reached: nothing leads there.
        self._costs = array("i", [_NOT_REACHED]) * (count + 1)
        self._costs[-1] = 0
        self.verb_indices = bytearray(count)
        self._successors = graph.successors
        self._frontier = [source] if source >= 0 else []
        for state in self._frontier:
            self._costs[state] = 0
        self._states_by_cost: list[array[int]] = []

    def cost_of(self, state: int) -> int:
        """Return how many actions lead to a state, or -1 if none do."""
        if state < 0:
            return _NOT_REACHED
        while self._costs[state] < 0 and self._frontier:
            self._go_on()
        return self._costs[state]

    def states_at(self, cost: int) -> Sequence[int]:
        """Return the states so many actions away, in the order in which they are found."""
        while cost >= len(self._states_by_cost) and self._frontier:
            self._go_on()
        return self._states_by_cost[cost] if 0 <= cost < len(self._states_by_cost) else ()

    def levels(self) -> Sequence[Sequence[int]]:
        """Return all states that are reached, in the order of `states_at`, by their cost."""
        while self._frontier:
            self._go_on()
        return self._states_by_cost

    def _go_on(self) -> None:
        """Search one action further."""
        costs, verb_indices, successors = self._costs, self.verb_indices, self._successors
        self._states_by_cost.append(array("i", self._frontier))
        cost = len(self._states_by_cost)
        reached: list[int] = []
        for state in self._frontier:
            verb = 0
            for after in successors[state]:
                if costs[after] < 0:
                    costs[after] = cost
                    verb_indices[after] = verb
                    reached.append(after)
                verb += 1
        self._frontier = reached


def connected_cells(free: Set[actions.Cell], start: actions.Cell) -> frozenset[actions.Cell]:
    """Return the free cells that can be walked to from `start`, including `start`."""
    seen = {start}
    fringe = [start]
    while fringe:
        x, z = fringe.pop()
        for dx, dz in actions.HEADING_STEPS:
            cell = (x + dx, z + dz)
            if cell in free and cell not in seen:
                seen.add(cell)
                fringe.append(cell)
    return frozenset(seen)


def _neighbour_rows(row_of_cell: dict[actions.Cell, int], blocked_edges: BlockedEdges) -> Ints:
    """Return the row of each cell's neighbour at each heading, -1 for none: (cells, headings)."""
    rows: list[int] = []
    for x, z in row_of_cell:
        for dx, dz in actions.HEADING_STEPS:
            there = x + dx, z + dz
            is_blocked = bool(blocked_edges) and ((x, z), there) in blocked_edges
            rows.append(_NOT_REACHED if is_blocked else row_of_cell.get(there, _NOT_REACHED))
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _next_states(neighbours: Ints, verb: actions.Verb) -> Ints:
    """Return for each state the one after a verb, -1 for none: (states,)."""
    headings = np.arange(4)
    turned = (headings + actions.QUARTER_TURNS[verb]) % 4
    if verb in actions.TURN_VERBS:
        return (np.arange(len(neighbours))[:, None] * 4 + turned).ravel()
    there = neighbours[:, turned]
    return np.where(there < 0, _NOT_REACHED, there * 4 + headings).ravel()


def _inverted(next_states: Ints) -> Ints:
    """Return for each state the one from which a verb leads there, -1 for none: (states,)."""
    before = np.full_like(next_states, _NOT_REACHED)
    states = np.flatnonzero(next_states >= 0)
    before[next_states[states]] = states
    return before
