"""Exploration: where to look next for what is missing.

In this order: around from where the Follower stands; floor and surfaces that have not been seen
from near; closed containers, the likeliest for their cost first.  A container counts as searched
once its inside has been in view.  Each place is tried a few times only, so exploration ends.
"""

from collections import Counter
from collections.abc import Iterable
from math import hypot

import numpy as np

from tatc.commander.plan_builder import PlannedSteps
from tatc.commander.skills import appliances, hold
from tatc.follower.listener.floor_map import NEAR_LOOK_METRES, cells_at_open_doors
from tatc.follower.listener.instance_tracking import affordances_of
from tatc.follower.listener.internal_planner import InternalPlanner, motion_steps
from tatc.follower.listener.map_frame import Floats
from tatc.follower.listener.place_coverage import Bools, best_look
from tatc.follower.listener.searched_places import LOOK_HORIZON_DEGREES, SearchedPlaces
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home import actions, state
from tatc.language.understanding import PlaceHint
from tatc.planners import grid, snapshot_view

LOOKS_AROUND = 3  # turns with which the Follower looks around itself
MAX_TRIES_PER_CELL = 2  # times that the Follower goes to look at a cell, at most
MIN_CELLS_WORTH_A_LOOK = 2  # fewer new cells than this are not worth a walk
TURN_COST_ACTIONS = 3.0
"""What a look costs besides the walk, actions, against which its gain is weighed."""
NEAR_DOOR_METRES = 1.2  # how far from a place an open door is closed to see it better, metres
HIDDEN_SHARE = 0.25  # the share of a container's inside that must be hidden for that
MAX_CLEARINGS_PER_DOOR = 2  # times that an open door is closed because it cuts off floor, at most
MIN_CELLS_CUT_OFF = 2  # fewer cells than this are not worth closing a door for
_MAX_POSES = 4000
_HALF_VIEW_DEGREES = 42.0
_NEAREST_METRES = 0.3


class Explorer:
    """Chooses where to look; what it has tried it remembers for the session."""

    def __init__(self, belief: SemanticMap) -> None:
        """Explore for a semantic map."""
        self._belief = belief
        self._turns_left = LOOKS_AROUND
        self.hints: tuple[PlaceHint, ...] = ()
        self._cell_tries: Counter[actions.Cell] = Counter()
        self._places = SearchedPlaces(belief)
        self._closed_doors: set[str] = set()
        self._doors_cleared: Counter[str] = Counter()

    def next_steps(
        self, planner: InternalPlanner, wanted: Iterable[str], *, on_floor: bool = False
    ) -> PlannedSteps:
        """Return steps to see something new, looking for `wanted` types; empty if none are left.

        What is `on_floor`, as all furniture, is not looked for in or on other things.
        """
        types = tuple(sorted(wanted))
        self._places.look_for(types)
        if on_floor:
            seen = self._look_around() or self._look_at_cells(planner)
            return seen or self._close_door_in_the_way(planner)
        return (
            self._look_around()
            or self._search_container(planner, types, hinted=True)
            or self._look_at_cells(planner)
            or self._search_container(planner, types, hinted=False)
            or self._close_door_in_the_way(planner)
            or self._look_from_nearer(planner, types)
        )

    def start_over(self) -> None:
        """Forget what was tried: something is missing after all."""
        self._turns_left = LOOKS_AROUND
        self._cell_tries.clear()
        self._closed_doors.clear()
        self._places.start_over()

    def note_view(self) -> None:
        """Note what the last view shows of the places in it."""
        self._places.note_view()

    def _look_around(self) -> PlannedSteps:
        if not self._turns_left:
            return ()
        self._turns_left -= 1
        return motion_steps((actions.Verb.TURN_RIGHT,), self._belief.body.pose)

    def _look_at_cells(self, planner: InternalPlanner) -> PlannedSteps:
        unexamined = self._belief.unexamined_cells(NEAR_LOOK_METRES)
        cells = [cell for cell in unexamined if self._cell_tries[cell] < MAX_TRIES_PER_CELL]
        if not cells:
            return ()
        planner.knowledge.refresh()
        paths = planner.knowledge.shortest_paths_from(planner.knowledge.pose)
        poses, costs = paths.first_poses((LOOK_HORIZON_DEGREES,), _MAX_POSES)
        if not len(poses):
            return ()
        in_view = _cells_in_view(poses, cells)
        gains = np.minimum(in_view.sum(axis=1), 20)
        scores = np.where(gains >= MIN_CELLS_WORTH_A_LOOK, gains / (costs + TURN_COST_ACTIONS), 0.0)
        best = int(scores.argmax())
        if scores[best] <= 0.0:
            return ()
        for i in np.flatnonzero(in_view[best]).tolist():
            self._cell_tries[cells[i]] += 1
        target = state.Pose(*poses[best].tolist())
        verbs = paths.verbs_to(target)
        if not verbs:
            return self._look_at_cells(planner)
        return motion_steps(verbs, target)

    def _search_container(
        self, planner: InternalPlanner, types: tuple[str, ...], *, hinted: bool
    ) -> PlannedSteps:
        """Return how to search the container likeliest for its cost; `hinted`: of those named."""
        is_carried = not types or any(affordances_of(each).pickupable for each in types)
        for obj in self._places.ranked(types):
            is_vain = not is_carried and snapshot_view.has_door(obj)  # no lamp is in a cupboard
            if is_vain or (hinted and not self._is_hinted(obj, types)):
                continue
            if snapshot_view.has_door(obj) and not obj.isOpen:
                steps = planner.plan_stretch((hold.Open(obj.objectId),))
            else:
                steps = self._look_closer(planner, obj)
            if steps:
                self._places.note_try(obj)
                return steps
            self._places.note_vain_plan(obj)
        return ()

    def _is_hinted(self, obj: state.ObjectState, types: tuple[str, ...]) -> bool:
        return any(
            hint.things in types and hint.relation == "on" and hint.place in obj.simbotObjectClass
            for hint in self.hints
        )

    def _look_closer(self, planner: InternalPlanner, obj: state.ObjectState) -> PlannedSteps:
        """Return the walk to the pose that shows most of what has not been in view of a place."""
        coverage = self._places.coverage_of(obj)
        if coverage is None:
            return ()
        known = planner.knowledge
        known.refresh()
        paths = known.shortest_paths_from(known.pose)
        poses = paths.first_poses(known.body.horizons, _MAX_POSES)
        points, body, seen = coverage.unseen(), self._belief.body, coverage.looked_from
        pose = best_look(known.geometry, points, poses, body, coverage.near, seen)
        if pose is None and snapshot_view.has_door(obj) and coverage.unseen_share >= HIDDEN_SHARE:
            return self._close_nearby_door(planner, obj)
        return () if pose is None else motion_steps(paths.verbs_to(pose), pose)

    def _close_nearby_door(self, planner: InternalPlanner, obj: state.ObjectState) -> PlannedSteps:
        """Return how to close the nearest open door, which may hide a place or stand in the way.

        Each is closed once: closed to see one place and opened to see another, doors never rest.
        """
        x, _, z = obj.box.center
        doors: list[tuple[float, str]] = []
        for name, closed in self._belief.closed_states().items():
            now = self._belief.get(name)
            away = closed.box.horizontal_distance(x, z)
            if name != obj.objectId and now is not None and now.isOpen and away < NEAR_DOOR_METRES:
                doors.append((away, name))
        for _, name in sorted(doors):
            if name in self._closed_doors:
                continue
            if steps := planner.plan_stretch((appliances.OpenClose(name, is_open=False),)):
                self._closed_doors.add(name)
                return steps
        return ()

    def _look_from_nearer(self, planner: InternalPlanner, types: tuple[str, ...]) -> PlannedSteps:
        """Return how to look at places once more, from where things so small are seen."""
        is_new = self._places.look_nearer(types)
        return self._search_container(planner, types, hinted=False) if is_new else ()

    def _close_door_in_the_way(self, planner: InternalPlanner) -> PlannedSteps:
        for name in doors_in_the_way(self._belief):
            if self._doors_cleared[name] >= MAX_CLEARINGS_PER_DOOR:
                continue
            if steps := planner.plan_stretch((appliances.OpenClose(name, is_open=False),)):
                self._doors_cleared[name] += 1
                self._places.put_last(name)
                return steps
        return ()


def _cells_in_view(poses: Floats, cells: list[actions.Cell]) -> Bools:
    """Return for each pose (rows of x, z, yaw) which cells (columns) it looks at from near."""
    at, yaw = poses[:, :2], np.radians(poses[:, 2])
    there = np.array(cells, dtype=np.float64) * actions.GRID_SIZE_METRES
    dx = there[None, :, 0] - at[:, None, 0]
    dz = there[None, :, 1] - at[:, None, 1]
    away = np.hypot(dx, dz)
    ahead = dx * np.sin(yaw)[:, None] + dz * np.cos(yaw)[:, None]
    near = (away < NEAR_LOOK_METRES) & (away > _NEAREST_METRES)
    return near & (ahead >= away * np.cos(np.radians(_HALF_VIEW_DEGREES)))


def doors_in_the_way(belief: SemanticMap) -> tuple[str, ...]:
    """Return the ids of the open doors that cut off free floor: those that alone free most first.

    Whoever opens cupboards on both sides of an aisle may shut himself in: a body does not pass an
    open door.  Empty where all known floor can be reached.  Doors that free nothing alone, because
    another one stands in the way too, come last, the nearest first.
    """
    x, _, z = belief.body.position
    here = actions.cell_of(x, z)
    passable = {actions.cell_of(pose.x, pose.z) for pose in belief.reachable()}
    reached = grid.connected_cells(passable, here)
    closed = belief.closed_states()
    free = belief.floor.free_cells(closed.get(obj.objectId, obj) for obj in belief.objects)
    if len(grid.connected_cells({*free} | passable, here) & passable - reached) < MIN_CELLS_CUT_OFF:
        return ()
    ranked: list[tuple[int, float, str]] = []
    for obj in belief.objects:
        if blocked := cells_at_open_doors([obj], closed):
            freed = grid.connected_cells(passable | blocked & {*free}, here) - reached - blocked
            away = hypot(obj.box.center[0] - x, obj.box.center[2] - z)
            ranked.append((-len(freed), away, obj.objectId))
    return tuple(name for _, _, name in sorted(ranked))
