"""Shortest ways over the cells of a floor: every motion costs one action.

A body stands in a cell of 0.25 m with one of four headings.  One breadth-first search
from where it stands gives the fewest actions to every cell and heading; looks are
added, since they do not depend on the walk.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor as whole

from tatc.actions import GRID, LOOKS, TILT, TRANSLATIONS, TURN, TURNS, Verb
from tatc.state import Pose

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""

Walls = frozenset[tuple[Cell, Cell]]
"""Pairs of neighbouring cells, both ways round, between which nothing passes."""

WALK = (
    Verb.FORWARD,
    Verb.TURN_LEFT,
    Verb.TURN_RIGHT,
    Verb.PAN_LEFT,
    Verb.PAN_RIGHT,
    Verb.BACKWARD,
)
"""The verbs of a walk; among ways of equal length the earlier verb wins."""
FORWARD_AND_TURNS = WALK[:3]
"""The verbs to which TEACh's own planner keeps (spec section 2.13)."""

_STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""One step along yaw 0, 90, 180, 270."""
_QUARTERS: dict[Verb, int] = dict(
    zip((*TRANSLATIONS, *TURNS), (0, 2, 3, 1, 3, 1), strict=True)
)
"""Quarter turns from the heading to where a verb goes or turns."""
_UNSEEN = -1


class Grid:
    """The cells of one floor, and the searches made on them so far.

    What is found from a start is kept: 9 bytes a cell and heading.
    """

    def __init__(
        self,
        cells: Iterable[Cell],
        verbs: Sequence[Verb] = WALK,
        walls: Collection[tuple[Cell, Cell]] = (),
    ) -> None:
        """Join the cells by the verbs of a walk, but not those with a wall between."""
        self.cells = tuple(sorted(set(cells)))
        both = {*walls, *((there, here) for here, there in walls)}
        self._graph = _Graph.of(self.cells, tuple(verbs), frozenset(both))
        self._trees: dict[int, _Tree] = {}

    @staticmethod
    def of_poses(poses: Iterable[Pose], verbs: Sequence[Verb] = WALK) -> "Grid":
        """Return the grid of the cells in which these poses stand."""
        return Grid((_cell_of(pose) for pose in poses), verbs)

    def search(self, start: Pose) -> "Paths":
        """Return the shortest ways from a pose to all others.

        From a pose outside the cells nothing can be reached.
        """
        source = self._graph.state(start)
        tree = self._trees.get(source)
        if tree is None:
            tree = self._trees[source] = _flood(self._graph, source)
        return Paths(self._graph, tree, start.horizon)


class Paths:
    """The shortest ways from one pose to all others of a grid."""

    __slots__ = ("_graph", "_horizon", "_tree")

    def __init__(self, graph: "_Graph", tree: "_Tree", horizon: float) -> None:
        """Keep what `Grid.search` found from a pose with this horizon."""
        self._graph = graph
        self._tree = tree
        self._horizon = horizon

    def cost(self, pose: Pose) -> int | None:
        """Return how many actions away a pose is, None where no way leads."""
        state = self._graph.state(pose)
        walk = self._tree.cost[state] if state >= 0 else _UNSEEN
        return None if walk == _UNSEEN else walk + abs(self._tilts(pose.horizon))

    def to(self, pose: Pose) -> tuple[Verb, ...]:
        """Return the verbs that lead to a pose: the walk, then the looks.

        Raises:
            ValueError: no way leads there; `cost` says so beforehand.

        """
        graph, tree = self._graph, self._tree
        state = graph.state(pose)
        left = tree.cost[state] if state >= 0 else _UNSEEN
        if left == _UNSEEN:
            raise ValueError(f"no way leads to {pose}")
        tilts = self._tilts(pose.horizon)
        back = [LOOKS[tilts > 0]] * abs(tilts)
        how, before, verbs = tree.how, graph.before, graph.verbs
        for _ in range(left):
            verb = how[state]
            back.append(verbs[verb])
            state = before[verb][state]
        back.reverse()
        return tuple(back)

    def poses_by_cost(
        self, horizons: Sequence[float] = (0.0,)
    ) -> Iterator[tuple[Pose, int]]:
        """Yield every pose that can be reached with these horizons, nearest first.

        Of equal cost, those with fewer looks come first, then the order of the search.
        """
        levels = self._tree.levels
        tilts = [(abs(self._tilts(h)), h) for h in horizons]
        tilts.sort(key=lambda tilt: tilt[0])
        for cost in range(len(levels) + max((n for n, _ in tilts), default=0)):
            for looks, horizon in tilts:
                if 0 <= cost - looks < len(levels):
                    for state in levels[cost - looks]:
                        yield self._graph.pose(state, horizon), cost

    def _tilts(self, horizon: float) -> int:
        """Return how many looks down (negative: up) lead to a horizon."""
        return round((horizon - self._horizon) / TILT)


@dataclass(frozen=True, slots=True)
class _Graph:
    """States (cell row * 4 + heading) and what each verb makes of them.

    `after` and `before` give the state one verb later and earlier, -1 for none;
    `ways` gives a state's (verb, state after) pairs.
    """

    cells: tuple[Cell, ...]
    rows: dict[Cell, int]
    verbs: tuple[Verb, ...]
    before: list[list[int]]
    ways: list[list[tuple[int, int]]]

    @staticmethod
    def of(cells: tuple[Cell, ...], verbs: tuple[Verb, ...], walls: Walls) -> "_Graph":
        rows = {cell: i for i, cell in enumerate(cells)}
        after = [_moved(rows, walls, verb, 1) for verb in verbs]
        before = [_moved(rows, walls, verb, -1) for verb in verbs]
        ways = [
            [(verb, state) for verb, state in enumerate(states) if state >= 0]
            for states in zip(*after, strict=True)
        ]
        return _Graph(cells, rows, verbs, before, ways)

    def state(self, pose: Pose) -> int:
        """Return the state of a pose, -1 outside the cells."""
        row = self.rows.get(_cell_of(pose))
        return -1 if row is None else row * 4 + whole(pose.yaw / TURN + 0.5) % 4

    def pose(self, state: int, horizon: float) -> Pose:
        """Return the pose of a state."""
        x, z = self.cells[state >> 2]
        return Pose(x * GRID, z * GRID, (state & 3) * TURN, horizon)


@dataclass(frozen=True, slots=True)
class _Tree:
    """What one search found: costs, the verb that led to a state, states by cost."""

    cost: "array[int]"
    how: bytes
    levels: list["array[int]"]


def _flood(graph: _Graph, source: int) -> _Tree:
    count = len(graph.cells) * 4
    cost, how = array("i", [_UNSEEN]) * count, bytearray(count)
    levels: list[array[int]] = []
    fringe = [source] if source >= 0 else []
    for state in fringe:
        cost[state] = 0
    while fringe:
        levels.append(array("i", fringe))
        reached: list[int] = []
        for state in fringe:
            for verb, after in graph.ways[state]:
                if cost[after] == _UNSEEN:
                    cost[after] = len(levels)
                    how[after] = verb
                    reached.append(after)
        fringe = reached
    return _Tree(cost, bytes(how), levels)


def _moved(rows: dict[Cell, int], walls: Walls, verb: Verb, sign: int) -> list[int]:
    """Return for each state the one that a verb leads to, or (-1) comes from."""
    quarters = _QUARTERS[verb]
    states: list[int] = []
    for (x, z), row in rows.items():
        for heading in range(4):
            if verb in TURNS:
                states.append(row * 4 + (heading + sign * quarters) % 4)
                continue
            dx, dz = _STEPS[(heading + quarters) % 4]
            cell = (x + sign * dx, z + sign * dz)
            there = None if ((x, z), cell) in walls else rows.get(cell)
            states.append(-1 if there is None else there * 4 + heading)
    return states


def _cell_of(pose: Pose) -> Cell:
    return whole(pose.x / GRID + 0.5), whole(pose.z / GRID + 0.5)
