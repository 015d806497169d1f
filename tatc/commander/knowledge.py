"""What the rule Commander knows of the home; it asks the oracle only here.

`Knowledge` holds the oracle's latest answers, the shapes and the grid made from them, and
what the session has taught (where steps were refused).  AI2-THOR could answer all of it
too: object metadata, reachable positions, poses.
"""

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator
from functools import cached_property

from tatc.commander.oracle import Oracle
from tatc.home.actions import INTERACTION_REACH_METRES, Cell, Verb, cell_of
from tatc.home.body import Body
from tatc.home.camera import door_geometry
from tatc.home.camera.geometry import Geometry
from tatc.home.containment import faucets_running
from tatc.home.state import Box, ObjectState, Pose, Snapshot, Vec3, is_invisible_to_rays
from tatc.planners import grid, snapshot_view
from tatc.planners.viewpoints import Viewpoint
from tatc.tdl import ProblemKey, properties
from tatc.tdl.definition import DesiredValue, TaskDefinition

ActionKey = tuple[Verb, str, str, tuple[str, ...]]
"""A verb, the id of the clicked object, the id of the held one (or ""), and the ids of the
clicked object's contents: a full receptacle is tried again once something is taken out."""
ActionTypeKey = tuple[Verb, str, str, tuple[str, ...]]
"""An action key with the type of the held object in place of its id."""
MAX_MISSED_CLICKS = 2
"""Clicks found by the Follower itself that may fail at one pose before another is tried."""
MAX_PLANS_TRIED = 40  # plans tried for one problem key or one failure, at most
MAX_PLAN_REPEATS = 8  # times that the same plan is said in a session, at most
MAX_RECOVERY_REPEATS = 2  # times that the same recovery plan is said in a session, at most
MAX_REFUSALS_PER_TYPE = 4  # refusals after which an action type key is ruled out
MAX_FORGETTINGS = 2
"""Times that a session's refusals are forgotten, since some may have been chance."""
MAX_VIEWS = 20_000
"""Views that are looked at for viewpoints in a session, at most; few sessions need 1,000."""


class RefusalMemory:
    """The refusals and counts of one session.

    `blocked_edges` are refused steps from cell to cell, each with the id of the open door in the
    way, or "".  Interactions were refused from `refused_poses`, from `refused_cells` because the
    body was in the way, and at `refused_points` (world metres).  Those `ruled_out` are not tried
    again from any pose.  Room was made for `prioritized_types`, the latest last: their keys are
    taken up first.  `recovery_counts` counts recovery plans for the sake of a type, `miss_counts`
    failed clicks that the Follower had found itself, and `plan_counts` how often a plan was said.
    """

    def __init__(self) -> None:
        """Start with nothing learned."""
        self.prioritized_types: list[str] = []
        self.recovery_counts: Counter[str] = Counter()
        self.miss_counts: Counter[tuple[ActionKey, Pose]] = Counter()
        self.plan_counts: Counter[tuple[Hashable, ...]] = Counter()
        self.last_plan: tuple[Hashable, ...] = ()
        self._forget_count = 0
        self._clear_refusals()

    def _clear_refusals(self) -> None:
        self.blocked_edges: dict[tuple[Cell, Cell], str] = {}
        self.refused_poses: set[tuple[ActionKey, Pose]] = set()
        self.refused_cells: set[tuple[ActionKey, Cell]] = set()
        self.refused_points: dict[ActionKey, list[Vec3]] = {}
        self.refusal_counts: Counter[ActionKey] = Counter()
        self.refusal_counts_by_type: Counter[ActionTypeKey] = Counter()
        self.ruled_out: set[ActionKey] = set()

    def count_plan(self, plan: tuple[Hashable, ...]) -> None:
        """Count that a plan is said."""
        self.plan_counts[plan] += 1
        self.last_plan = plan

    def record_blocked_step(self, step: tuple[Cell, Cell], door: str) -> None:
        """Record a refused step, and the open door in the way, if any (or "").

        If it is new, the plan said last is not counted: it will be said again by another way.
        """
        if step not in self.blocked_edges:
            self.uncount_plan()
        self.blocked_edges[step] = door

    def uncount_plan(self) -> None:
        """Take back one count of the plan said last: it will be said again in another way."""
        if self.plan_counts[self.last_plan]:
            self.plan_counts[self.last_plan] -= 1

    def record_refusal(
        self, action_key: ActionKey, pose: Pose, point: Vec3 | None = None, *, budget: int
    ) -> None:
        """Record a refusal from a pose; after `budget` refusals rule the interaction out.

        If the pose is new, the plan said last is not counted.
        """
        if (action_key, pose) not in self.refused_poses:
            self.uncount_plan()
        self.refused_poses.add((action_key, pose))
        if point is not None:
            self.refused_points.setdefault(action_key, []).append(point)
        self.refusal_counts[action_key] += 1
        if self.refusal_counts[action_key] >= budget:
            self.ruled_out.add(action_key)

    def was_full_with_less(self, kind: ActionTypeKey) -> bool:
        """Return whether an interaction was refused with no more in the receptacle than now."""
        refused = (each for each, count in self.refusal_counts_by_type.items() if count > 0)
        return any(each[:3] == kind[:3] and set(each[3]) <= set(kind[3]) for each in refused)

    def count_refusals_on(self, object_id: str) -> int:
        """Return how many clicks on an object were refused."""
        return sum(n for (_, target, *_), n in self.refusal_counts.items() if target == object_id)

    def prioritize(self, object_type: str) -> None:
        """Take up the keys of a type before all others, since room was made for it."""
        if object_type in self.prioritized_types:
            self.prioritized_types.remove(object_type)
        self.prioritized_types.append(object_type)

    def priority_of(self, object_type: str) -> int:
        """Return the priority of a type's keys, highest first; 0 if no room was made for it."""
        types = self.prioritized_types
        return types.index(object_type) + 1 if object_type in types else 0

    def refused_stands(self, action_keys: Container[ActionKey]) -> list[tuple[float, float]]:
        """Return the sorted points (x, z), metres, where any of some interactions was refused."""
        return sorted({(pose.x, pose.z) for key, pose in self.refused_poses if key in action_keys})

    def record_miss(self, action_key: ActionKey, pose: Pose) -> None:
        """Record a failed click of the Follower's own; after a few, the pose counts as refused."""
        self.miss_counts[action_key, pose] += 1
        if self.miss_counts[action_key, pose] >= MAX_MISSED_CLICKS:
            self.refused_poses.add((action_key, pose))

    def forget_refusals(self) -> bool:
        """Forget all refusals; return False where there are none or it was done too often."""
        if self._forget_count >= MAX_FORGETTINGS or not (self.refusal_counts or self.blocked_edges):
            return False
        self._forget_count += 1
        self._clear_refusals()
        return True


BLOCKED_SIDES_OF_OCCUPIED_CELL = 2
"""A cell that could not be entered from this many sides counts as occupied."""
_KIND_PROPERTIES = ("objectType", "simbotObjectClass", "parentReceptacles")


class Knowledge:
    """The home at this moment, as far as the Commander may know it.

    `view` answers questions about the objects, `memory` holds what the session has taught,
    and `geometry` holds the shapes of `snapshot.objects`.  In `failed_searches` a plan
    builder notes the searches for a viewpoint that found none; it is emptied when anything
    in the home has changed.  `views_left` counts down from `MAX_VIEWS`.  `task_kinds` are the
    types and classes that the task names, and `open_keys` the problem keys of the last progress
    check.
    """

    def __init__(self, oracle: Oracle) -> None:
        """Ask the oracle for the objects; call `refresh` before you ask for paths or poses."""
        self._oracle = oracle
        self.memory = RefusalMemory()
        self.task_kinds: frozenset[DesiredValue] = frozenset()
        self.open_keys: tuple[ProblemKey, ...] = ()
        self.view = snapshot_view.SnapshotView(oracle.snapshot())
        self.ran_at_start = faucets_running(self.snapshot)
        """The ids of the faucets that were on when the session began, or when first seen."""
        self.failed_searches: set[Hashable] = set()
        self.views_left = MAX_VIEWS
        self.occluders: dict[str, tuple[int, ...]] = {}
        """What is seen in an object's place, by its id, since the home was looked at last."""
        self._first_objects = self.snapshot.objects
        self._shown_objects: list[ObjectState | None] = list(self._first_objects)
        self._closed_boxes: dict[str, Box] = {}
        self._note_closed_boxes()
        self._reachable: tuple[tuple[Pose, ...], frozenset[Cell]] = ((), frozenset())
        self._cells: frozenset[Cell] = frozenset()
        self._blocked_edges: frozenset[tuple[Cell, Cell]] = frozenset()
        self._grid = grid.NavigationGrid(())

    @cached_property
    def geometry(self) -> Geometry:
        """The shapes, made as the home was first seen, when they are first asked for or change."""
        return Geometry.of_room(self._first_objects)

    def refresh(self) -> None:
        """Ask the oracle again, and update the shapes and the grid where things changed."""
        before, self.view = self.snapshot, snapshot_view.SnapshotView(self._oracle.snapshot())
        if not before.is_like(self.snapshot):
            self.failed_searches.clear()
        self.occluders.clear()
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
            self._grid = grid.NavigationGrid(cells, self.body, blocked_edges)

    def open_doors(self) -> Iterator[tuple[ObjectState, Box]]:
        """Yield each open object that was seen closed, with its box while closed."""
        for obj in self.snapshot.objects:
            if obj.isOpen and (closed := self._closed_boxes.get(obj.objectId)) is not None:
                yield obj, closed

    def _note_closed_boxes(self) -> None:
        for obj in self.snapshot.objects:
            if (closed := door_geometry.closed_box(obj)) is not None:
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

    def shortest_paths_from(self, start: Pose) -> grid.ShortestPaths:
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

    def may_look(self) -> bool:
        """Return whether a view is left in the budget, and take it."""
        self.views_left = max(self.views_left - 1, 0)
        return self.views_left > 0

    def remembered_viewpoints(self, obj: ObjectState, start: Pose) -> tuple[Viewpoint, ...]:
        """Return viewpoints of an object that are remembered; none unless a subclass has some."""
        return ()

    def unproven_viewpoints(
        self, obj: ObjectState, start: Pose, action_key: ActionKey
    ) -> Iterable[Viewpoint]:
        """Return viewpoints to try last, where the object may be hidden; none unless overridden."""
        return ()

    @property
    def guesses_boxes(self) -> bool:
        """Whether boxes are only guessed, so that remembered viewpoints come before others."""
        return False

    def is_stranger(self, obj: ObjectState) -> bool:
        """Return whether the task names nothing like an object; False if no task is known."""
        return bool(self.task_kinds) and not self.is_named(obj)

    def is_named(self, obj: ObjectState) -> bool:
        """Return whether the task names an object's type or class; False if no task is known."""
        return any(properties.is_of_type_or_class(obj, kind) for kind in self.task_kinds)

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
        """Return refused interactions like this one, with any object of the held type in hand."""
        kind = self.action_type_key(action_key)
        refused = self.memory.refusal_counts
        return frozenset(key for key in refused if self.action_type_key(key) == kind)


def kinds_named_in(definition: TaskDefinition) -> Iterator[DesiredValue]:
    """Yield the types and classes of objects that an expanded definition names."""
    for component in definition.atomic_components():
        yield from (want for name, want in component.conditions if name in _KIND_PROPERTIES)
