"""What the Commander knows of the home; only here is the oracle asked.

`Knowledge` holds the oracle's latest answers, the shapes and the grid made from them, and
what the session has taught (where steps were refused).  All of it could be asked of
AI2-THOR too: object metadata, reachable positions, poses.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from tatc.commander.oracle import Oracle
from tatc.commander.refusal_memory import ActionKey, ActionTypeKey, RefusalMemory
from tatc.home.actions import INTERACTION_REACH_METRES, Cell, Verb, cell_of
from tatc.home.body import Body
from tatc.home.camera.door_geometry import closed_box
from tatc.home.camera.geometry import Geometry
from tatc.home.standing_water import faucets_running
from tatc.home.state import Box, ObjectState, Pose, Snapshot, is_invisible_to_rays
from tatc.planners.grid import NavigationGrid, ShortestPaths
from tatc.planners.snapshot_view import SnapshotView
from tatc.planners.viewpoints import Viewpoint
from tatc.tdl import ProblemKey
from tatc.tdl.definition import AtomicComponent, DesiredValue, TaskDefinition
from tatc.tdl.properties import is_of_type_or_class

BLOCKED_SIDES_OF_OCCUPIED_CELL = 2
"""A cell that could not be entered from this many sides counts as occupied."""
_KIND_PROPERTIES = ("objectType", "simbotObjectClass", "parentReceptacles")


class Knowledge:
    """The home at this moment, as far as the Commander may know it.

    `view` answers questions about the objects, `memory` holds what the session has taught,
    and `geometry` holds the shapes of `snapshot.objects`.  In `failed_searches` a plan
    builder notes the searches for a viewpoint that found none; it is emptied when anything
    in the home has changed.  `task_kinds` are the types and classes that the task names,
    and `open_keys` the problem keys of the last progress check.
    """

    def __init__(self, oracle: Oracle) -> None:
        """Ask the oracle for the first time."""
        self._oracle = oracle
        self.memory = RefusalMemory()
        self.task_kinds: frozenset[DesiredValue] = frozenset()
        self.open_keys: tuple[ProblemKey, ...] = ()
        self.view = SnapshotView(oracle.snapshot())
        self.ran_at_start = faucets_running(self.snapshot)
        """The ids of the faucets that were on when the session began, or when first seen."""
        self.failed_searches: set[Hashable] = set()
        self._shown_objects: list[ObjectState | None] = list(self.snapshot.objects)
        self.geometry = Geometry(self.snapshot.objects)
        self._closed_boxes: dict[str, Box] = {}
        self._note_closed_boxes()
        self._reachable: tuple[tuple[Pose, ...], frozenset[Cell]] = ((), frozenset())
        self._cells: frozenset[Cell] = frozenset()
        self._blocked_edges: frozenset[tuple[Cell, Cell]] = frozenset()
        self._grid = NavigationGrid(())

    def refresh(self) -> None:
        """Ask the oracle again, and update the shapes and the grid where things changed."""
        before, self.view = self.snapshot, SnapshotView(self._oracle.snapshot())
        if _has_changed(before, self.snapshot):
            self.failed_searches.clear()
        running = faucets_running(self.snapshot)
        self.ran_at_start |= {name for name in running if before.get(name) is None}
        self.show_actual_objects()
        self._note_closed_boxes()
        edges = self.memory.blocked_edges.items()
        # A step that was refused because of a door that is now closed is possible again.
        blocked_edges = frozenset(step for step, door in edges if not self._is_closed(door))
        into = Counter(there for _, there in blocked_edges)
        poses = self._oracle.reachable()
        if poses is not self._reachable[0]:
            self._reachable = poses, frozenset(cell_of(pose.x, pose.z) for pose in poses)
        cells = self._reachable[1]
        cells -= {cell for cell, count in into.items() if count >= BLOCKED_SIDES_OF_OCCUPIED_CELL}
        cells |= {cell_of(self.pose.x, self.pose.z)}
        if (cells, blocked_edges) != (self._cells, self._blocked_edges):
            self._cells, self._blocked_edges = cells, blocked_edges
            self._grid = NavigationGrid(cells, self.body, blocked_edges)

    def open_doors(self) -> Iterator[tuple[ObjectState, Box]]:
        """Yield each open object that was seen closed, with its box while closed."""
        for obj in self.snapshot.objects:
            if obj.isOpen and (closed := self._closed_boxes.get(obj.objectId)) is not None:
                yield obj, closed

    def _note_closed_boxes(self) -> None:
        for obj in self.snapshot.objects:
            if (closed := closed_box(obj)) is not None:
                self._closed_boxes[obj.objectId] = closed

    def _is_closed(self, object_id: str) -> bool:
        obj = self.snapshot.get(object_id)
        return obj is not None and obj.affordances.openable and not obj.isOpen

    def show_actual_objects(self) -> None:
        """Give every object its actual shape again, after shapes were predicted."""
        for i, obj in enumerate(self.snapshot.objects):
            if i == len(self._shown_objects):
                self._shown_objects.append(obj)
                self.geometry.append(obj)
            elif self._shown_objects[i] is not obj:
                self._shown_objects[i] = obj
                self._show_object(i, obj)

    def show_predicted_object(self, i: int, obj: ObjectState | None) -> None:
        """Give object `i` a predicted shape (None: hide it) until `show_actual_objects`."""
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
        """Yield poses where an object may be within reach, and costs in actions, cheapest first."""
        bounds = self.geometry.object_bounds(self.snapshot.object_index.by_id[obj.objectId])
        if bounds is None:
            return iter(())
        (x, _, z), (to_x, _, to_z) = bounds
        reach = INTERACTION_REACH_METRES
        near = (x - reach, z - reach), (to_x + reach, to_z + reach)
        return self.shortest_paths_from(start).poses_by_cost(self.body.horizons, near)

    def remembered_viewpoints(self, obj: ObjectState, start: Pose) -> tuple[Viewpoint, ...]:
        """Return viewpoints of an object that need no search; none where nothing is remembered."""
        return ()

    def unproven_viewpoints(
        self, obj: ObjectState, start: Pose, action_key: ActionKey
    ) -> Iterable[Viewpoint]:
        """Return viewpoints of an object for when no other is left, whatever may hide it there."""
        return ()

    @property
    def guesses_boxes(self) -> bool:
        """Whether boxes are only guessed, so that remembered viewpoints come before others."""
        return False

    def is_stranger(self, obj: ObjectState) -> bool:
        """Return whether the task names nothing like an object; False while no task is known."""
        return bool(self.task_kinds) and not self.is_named(obj)

    def is_named(self, obj: ObjectState) -> bool:
        """Return whether the task names an object's type or class; False while none is known."""
        return any(is_of_type_or_class(obj, kind) for kind in self.task_kinds)

    @property
    def snapshot(self) -> Snapshot:
        """The home as the oracle showed it last."""
        return self.view.snapshot

    @property
    def pose(self) -> Pose:
        """The Follower's pose."""
        return self.snapshot.follower.pose

    @property
    def body(self) -> Body:
        """The Follower's body: how it moves and looks."""
        return self.snapshot.follower.body

    def is_ruled_out_everywhere(self, verb: Verb, kind: str, held: ObjectState) -> bool:
        """Return whether a verb is given up on every object of a type, with this in the hand."""
        ruled_out = self.memory.ruled_out
        return all(
            (verb, t.objectId, held.objectId, tuple(c.objectId for c in self.view.contents_of(t)))
            in ruled_out
            for t in self.snapshot.of_type(kind)
        )

    def action_type_key(self, action_key: ActionKey) -> ActionTypeKey:
        """Return the action key, with the held object's id replaced by its type."""
        verb, target, held, inside = action_key
        obj = self.snapshot.get(held)
        return verb, target, "" if obj is None else obj.objectType, inside

    def like_action_keys(self, action_key: ActionKey) -> frozenset[ActionKey]:
        """Return the refused interactions that are this one with any object of the held type."""
        kind = self.action_type_key(action_key)
        refused = self.memory.refusal_counts
        return frozenset(key for key in refused if self.action_type_key(key) == kind)


def _has_changed(before: Snapshot, now: Snapshot) -> bool:
    """Return whether any object has changed, apart from the one in the hand."""
    if len(before.objects) != len(now.objects):
        return True
    pairs = zip(before.objects, now.objects, strict=True)
    return any(a is not b and not (a.isPickedUp and b.isPickedUp) for a, b in pairs)


def kinds_named_in(definition: TaskDefinition) -> Iterator[DesiredValue]:
    """Yield the types and classes of objects that an expanded definition names."""
    for _, component in definition.components:
        if isinstance(component, AtomicComponent):
            yield from (want for name, want in component.conditions if name in _KIND_PROPERTIES)
        else:
            yield from kinds_named_in(component.task)
