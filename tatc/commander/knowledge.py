"""All that the Commander knows of the home: the one door to the oracle.

It holds the oracle's answers of this moment, what the session has taught (places where
a step was refused), and plain questions about objects.  Nothing here could not be asked
of AI2-THOR: object metadata, reachable positions, poses.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from math import dist

from tatc.actions import GRID
from tatc.camera.geometry import Geometry
from tatc.commander.memory import Kind, Memory, Try
from tatc.commander.protocol import Oracle
from tatc.planners.grid import Cell, Grid, Paths
from tatc.state import ObjectState, Pose, Snapshot, out_of_sight

HORIZONS = (-30.0, 0.0, 30.0, 60.0)
"""How a Follower may hold its head, degrees down."""
SURE = 2
"""Sides from which a cell could not be entered before it counts as taken."""


class Knowledge:
    """The home at this moment, as far as the Commander may know it.

    `hidden` is for a draft to note what was searched for in vain in the home as it is;
    it is emptied when anything in the home has changed.
    """

    def __init__(self, oracle: Oracle) -> None:
        """Ask the oracle for the first time."""
        self._oracle = oracle
        self.memory = Memory()
        self.snapshot: Snapshot = oracle.snapshot()
        self.hidden: set[Hashable] = set()
        self._shown: list[ObjectState | None] = list(self.snapshot.objects)
        self.geometry = Geometry(self.snapshot.objects)
        self._cells: frozenset[Cell] = frozenset()
        self._walled: frozenset[tuple[Cell, Cell]] = frozenset()
        self._grid = Grid(())

    def refresh(self) -> None:
        """Ask the oracle again; shapes that did not change are kept."""
        before, self.snapshot = self.snapshot, self._oracle.snapshot()
        if _differ(before, self.snapshot):
            self.hidden.clear()
        self.wake()
        walls = self._walls()
        into = Counter(there for _, there in walls)
        cells = frozenset(map(cell_of, self._oracle.reachable()))
        cells -= {cell for cell, count in into.items() if count >= SURE}
        cells |= {cell_of(self.pose)}
        if (cells, walls) != (self._cells, self._walled):
            self._cells, self._walled = cells, walls
            self._grid = Grid(cells, walls=walls)

    def _walls(self) -> frozenset[tuple[Cell, Cell]]:
        """Return the steps that were refused, but for those past a door now shut."""
        return frozenset(
            step for step, by in self.memory.walls.items() if not self._is_shut(by)
        )

    def _is_shut(self, object_id: str) -> bool:
        thing = self.snapshot.get(object_id)
        return thing is not None and thing.affordances.openable and not thing.isOpen

    def wake(self) -> None:
        """Show every object as it is, after what was imagined."""
        for i, thing in enumerate(self.snapshot.objects):
            if i == len(self._shown):
                self._shown.append(thing)
                self.geometry.append(thing)
            elif self._shown[i] is not thing:
                self._shown[i] = thing
                self._show(i, thing)

    def imagine(self, i: int, thing: ObjectState | None) -> None:
        """Show object `i` as it should become (None: out of sight) until `wake`."""
        self._shown[i] = None
        if thing is None:
            self.geometry.hide(i)
        else:
            self._show(i, thing)

    def _show(self, i: int, thing: ObjectState) -> None:
        if out_of_sight(thing, self.snapshot.held()):
            self.geometry.hide(i)
        else:
            self.geometry.update(i, thing)

    def paths(self, start: Pose) -> Paths:
        """Return the shortest paths from a pose to all others."""
        return self._grid.search(start)

    def stands(self, thing: ObjectState, start: Pose) -> Iterator[tuple[Pose, int]]:
        """Yield poses to act on a thing from, best first, each with the way's cost."""
        return self.paths(start).poses_by_cost(HORIZONS)

    @property
    def pose(self) -> Pose:
        """Where the Follower is."""
        return self.snapshot.follower.pose

    def distance(self, thing: ObjectState) -> float:
        """Return how far an object is from the Follower, metres."""
        return dist(thing.box.center, self.snapshot.follower.position)

    def nearest(self, things: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        """Return the objects in order of their distance from the Follower."""
        return tuple(sorted(things, key=lambda t: (self.distance(t), t.objectId)))

    def all(
        self, *types: str, that: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the objects of these types (any, without types), nearest first."""
        found = self.snapshot.of_type(*types) if types else self.snapshot.objects
        return self.nearest(t for t in found if that is None or that(t))

    def parents(self, thing: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles that an object is in or on (spec section 2.9)."""
        ids = thing.parentReceptacles
        if ids is None:
            ids = self._followed(thing)
        found = (self.snapshot.get(name) for name in ids)
        return tuple(parent for parent in found if parent is not None)

    def contents(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return the objects in or on a receptacle, in the snapshot's order."""
        return tuple(
            thing
            for thing in self.snapshot.objects
            if thing is not receptacle
            and any(p.objectId == receptacle.objectId for p in self.parents(thing))
        )

    def kind_of(self, attempt: Try) -> Kind:
        """Return a try with the type of what was held."""
        verb, target, held, inside = attempt
        thing = self.snapshot.get(held)
        return verb, target, "" if thing is None else thing.objectType, inside

    def closed_around(self, thing: ObjectState) -> tuple[ObjectState, ...]:
        """Return the closed containers that an object is in."""
        return tuple(
            parent
            for parent in self.parents(thing)
            if parent.affordances.openable and not parent.isOpen
        )

    def _followed(self, thing: ObjectState) -> tuple[str, ...]:
        found: list[str] = []
        at: ObjectState | None = thing
        while at is not None and len(found) < 8:
            parent = at.simbotLastParentReceptacle
            if not isinstance(parent, str) or parent in found:
                break
            found.append(parent)
            at = self.snapshot.get(parent)
        return tuple(found)


def _differ(before: Snapshot, now: Snapshot) -> bool:
    """Whether anything has changed but what the hand carries about."""
    pairs = zip(before.objects, now.objects, strict=False)
    return len(before.objects) != len(now.objects) or any(
        a is not b and not (a.isPickedUp and b.isPickedUp) for a, b in pairs
    )


def cell_of(pose: Pose) -> tuple[int, int]:
    """Return the grid cell of a pose, in steps of 0.25 m."""
    return round(pose.x / GRID), round(pose.z / GRID)
