"""All that the Commander knows of the home: the one door to the oracle.

It holds the oracle's answers of this moment, what the session has taught (places where
a step was refused), and plain questions about objects.  Nothing here could not be asked
of AI2-THOR: object metadata, reachable positions, poses.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from math import dist

from tatc.actions import Cell, cell_of
from tatc.camera.geometry import Geometry
from tatc.commander.protocol import Oracle
from tatc.commander.refusal_memory import ActionKey, ActionTypeKey, RefusalMemory
from tatc.planners.grid import NavigationGrid, ShortestPaths
from tatc.state import ObjectState, Pose, Snapshot, is_invisible_to_rays

HORIZONS_DEGREES = (-30.0, 0.0, 30.0, 60.0)
"""How a Follower may hold its head, degrees down."""
BLOCKED_SIDES_OF_TAKEN_CELL = 2
"""Sides from which a cell could not be entered before it counts as taken."""


class Knowledge:
    """The home at this moment, as far as the Commander may know it.

    `failed_searches` is for a draft to note what was searched for in vain in the home as it is;
    it is emptied when anything in the home has changed.
    """

    def __init__(self, oracle: Oracle) -> None:
        """Ask the oracle for the first time."""
        self._oracle = oracle
        self.memory = RefusalMemory()
        self.snapshot: Snapshot = oracle.snapshot()
        self.failed_searches: set[Hashable] = set()
        self._shown_objects: list[ObjectState | None] = list(self.snapshot.objects)
        self.geometry = Geometry(self.snapshot.objects)
        self._cells: frozenset[Cell] = frozenset()
        self._blocked_edges: frozenset[tuple[Cell, Cell]] = frozenset()
        self._grid = NavigationGrid(())

    def refresh(self) -> None:
        """Ask the oracle again; shapes that did not change are kept."""
        before, self.snapshot = self.snapshot, self._oracle.snapshot()
        if _has_changed(before, self.snapshot):
            self.failed_searches.clear()
        self.show_actual_objects()
        blocked_edges = self._current_blocked_edges()
        into = Counter(there for _, there in blocked_edges)
        cells = frozenset(cell_of(pose.x, pose.z) for pose in self._oracle.reachable())
        cells -= {cell for cell, count in into.items() if count >= BLOCKED_SIDES_OF_TAKEN_CELL}
        cells |= {cell_of(self.pose.x, self.pose.z)}
        if (cells, blocked_edges) != (self._cells, self._blocked_edges):
            self._cells, self._blocked_edges = cells, blocked_edges
            self._grid = NavigationGrid(cells, blocked_edges=blocked_edges)

    def _current_blocked_edges(self) -> frozenset[tuple[Cell, Cell]]:
        """Return the steps that were refused, but for those past a door now shut."""
        return frozenset(
            step for step, by in self.memory.blocked_edges.items() if not self._is_closed(by)
        )

    def _is_closed(self, object_id: str) -> bool:
        obj = self.snapshot.get(object_id)
        return obj is not None and obj.affordances.openable and not obj.isOpen

    def show_actual_objects(self) -> None:
        """Show every object as it is, after what was imagined."""
        for i, obj in enumerate(self.snapshot.objects):
            if i == len(self._shown_objects):
                self._shown_objects.append(obj)
                self.geometry.append(obj)
            elif self._shown_objects[i] is not obj:
                self._shown_objects[i] = obj
                self._show_object(i, obj)

    def show_predicted_object(self, i: int, obj: ObjectState | None) -> None:
        """Show object `i` as it should become (None: out of sight) until `show_actual_objects`."""
        self._shown_objects[i] = None
        if obj is None:
            self.geometry.hide(i)
        else:
            self._show_object(i, obj)

    def _show_object(self, i: int, obj: ObjectState) -> None:
        if is_invisible_to_rays(obj, self.snapshot.held_object()):
            self.geometry.hide(i)
        else:
            self.geometry.update(i, obj)

    def shortest_paths_from(self, start: Pose) -> ShortestPaths:
        """Return the shortest paths from a pose to all others."""
        return self._grid.shortest_paths_from(start)

    def standing_poses(self, obj: ObjectState, start: Pose) -> Iterator[tuple[Pose, int]]:
        """Yield poses to act on a thing from, best first, each with the way's cost."""
        return self.shortest_paths_from(start).poses_by_cost(HORIZONS_DEGREES)

    @property
    def pose(self) -> Pose:
        """Where the Follower is."""
        return self.snapshot.follower.pose

    def distance_to(self, obj: ObjectState) -> float:
        """Return how far an object is from the Follower, metres."""
        return dist(obj.box.center, self.snapshot.follower.position)

    def sort_by_distance(self, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        """Return the objects in order of their distance from the Follower."""
        return tuple(sorted(objects, key=lambda t: (self.distance_to(t), t.objectId)))

    def find_objects(
        self, *types: str, where: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the objects of these types (any, without types), nearest first."""
        found = self.snapshot.of_type(*types) if types else self.snapshot.objects
        return self.sort_by_distance(t for t in found if where is None or where(t))

    def receptacles_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles that an object is in or on (spec section 2.9)."""
        ids = obj.parentReceptacles
        if ids is None:
            ids = self._parent_chain(obj)
        found = (self.snapshot.get(name) for name in ids)
        return tuple(parent for parent in found if parent is not None)

    def contents_of(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return the objects in or on a receptacle, in the snapshot's order."""
        return tuple(
            obj
            for obj in self.snapshot.objects
            if obj is not receptacle
            and any(p.objectId == receptacle.objectId for p in self.receptacles_of(obj))
        )

    def action_type_key(self, action_key: ActionKey) -> ActionTypeKey:
        """Return a try with the type of what was held."""
        verb, target, held, inside = action_key
        obj = self.snapshot.get(held)
        return verb, target, "" if obj is None else obj.objectType, inside

    def closed_containers_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the closed containers that an object is in."""
        return tuple(
            parent
            for parent in self.receptacles_of(obj)
            if parent.affordances.openable and not parent.isOpen
        )

    def _parent_chain(self, obj: ObjectState) -> tuple[str, ...]:
        found: list[str] = []
        at: ObjectState | None = obj
        while at is not None and len(found) < 8:
            parent = at.simbotLastParentReceptacle
            if not isinstance(parent, str) or parent in found:
                break
            found.append(parent)
            at = self.snapshot.get(parent)
        return tuple(found)


def _has_changed(before: Snapshot, now: Snapshot) -> bool:
    """Whether anything has changed but what the hand carries about."""
    pairs = zip(before.objects, now.objects, strict=False)
    return len(before.objects) != len(now.objects) or any(
        a is not b and not (a.isPickedUp and b.isPickedUp) for a, b in pairs
    )
