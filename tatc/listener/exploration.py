"""Exploration: where to look next for what is missing.

In this order: around from where the Follower stands; floor and surfaces that have not been seen
from near; closed containers, the likeliest for their cost first.  A container counts as searched
once its inside has been in view.  Each place is tried a few times only, so exploration ends.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from math import cos, hypot, radians, sin

import numpy as np

from tatc.actions import GRID_SIZE_METRES, Cell, Verb
from tatc.commander.knowledge import HORIZONS_DEGREES
from tatc.commander.recovery import SpokenStep
from tatc.commander.skills.hold import Open
from tatc.language import PrimitiveStep
from tatc.listener.floor_map import NEAR_LOOK_METRES
from tatc.listener.inner_voice import InnerVoice
from tatc.listener.inside_view import InsideCoverage, pose_looking_inside
from tatc.listener.place_priors import container_weight
from tatc.listener.semantic_map import SemanticMap
from tatc.planners.snapshot_view import has_door
from tatc.state import ObjectState, Pose
from tatc.understanding import PlaceHint

LOOK_HORIZON_DEGREES = 30.0
"""The horizon at which most of a room is in view, degrees down."""
LOOKS_AROUND = 3
"""Turns with which the Follower looks around itself."""
MAX_TRIES_PER_CELL = 2
"""Times that the Follower goes to look at a cell, at most."""
MAX_TRIES_PER_CONTAINER = 3
"""Times that the Follower goes to open a container, or to look into it, at most."""
MIN_CELLS_WORTH_A_LOOK = 2
"""Fewer new cells than this are not worth a walk."""
TURN_COST_ACTIONS = 3.0
"""What a look costs besides the walk, actions, against which its gain is weighed."""
DEEP_TYPES = frozenset({"GarbageCan", "SinkBasin", "BathtubBasin", "LaundryHamper", "Box"})
"""Receptacles without a door that have to be looked into from above."""
DEEP_LOOK_METRES = 1.0
"""From how near a body looks into one, metres."""
DEEP_HORIZON_DEGREES = 60.0
"""The horizon at which it does, degrees down."""
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
        self._cell_tries: Counter[Cell] = Counter()
        self._container_tries: Counter[str] = Counter()
        self._searched: dict[str, None] = {}
        self._coverage: dict[str, InsideCoverage] = {}

    def next_steps(self, voice: InnerVoice, wanted: Iterable[str]) -> tuple[SpokenStep, ...]:
        """Return steps that should bring something new into view; empty where nothing is left.

        `wanted` are the types that are looked for.
        """
        types = tuple(sorted(wanted))
        return (
            self._look_around()
            or self._search_container(voice, types, hinted=True)
            or self._look_at_cells(voice)
            or self._search_container(voice, types, hinted=False)
        )

    def start_over(self) -> None:
        """Forget what was tried: something is missing after all."""
        self._turns_left = LOOKS_AROUND
        self._cell_tries.clear()
        self._container_tries.clear()
        self._searched.clear()
        self._coverage.clear()

    def note_view(self) -> None:
        """Note into which containers the last view looks."""
        belief = self._belief
        for obj in belief.objects:
            name = obj.objectId
            if name in self._searched or belief.views_by_object.get(name) != belief.view_count:
                continue
            if has_door(obj):
                seen = obj.isOpen and self._shows_inside(obj)
            else:
                seen = _is_deep(obj) and self._looks_into(obj)
            if seen:
                self._searched[name] = None

    def _shows_inside(self, obj: ObjectState) -> bool:
        """Return whether the views so far, with the last one, have shown all of an inside."""
        closed = self._belief.closed_states().get(obj.objectId)
        if closed is None or self._belief.points is None:
            return True
        coverage = self._coverage.setdefault(obj.objectId, InsideCoverage(closed.box))
        coverage.add(self._belief.points)
        return coverage.is_complete

    def _looks_into(self, obj: ObjectState) -> bool:
        """Return whether the body looks down into an object from beside it."""
        body, (x, y, z) = self._belief.body, obj.box.center
        away = hypot(x - body.position[0], z - body.position[2])
        is_low = y < body.position[1] and body.horizon >= LOOK_HORIZON_DEGREES
        return is_low and away < DEEP_LOOK_METRES

    def _look_around(self) -> tuple[SpokenStep, ...]:
        if not self._turns_left:
            return ()
        self._turns_left -= 1
        return (motion_step(Verb.TURN_RIGHT, self._belief.body.pose),)

    def _look_at_cells(self, voice: InnerVoice) -> tuple[SpokenStep, ...]:
        """Return the walk to the pose from which most unexamined cells for its cost are in view."""
        cells = [
            cell
            for cell in self._belief.unexamined_cells(NEAR_LOOK_METRES)
            if self._cell_tries[cell] < MAX_TRIES_PER_CELL
        ]
        if not cells:
            return ()
        voice.knowledge.refresh()
        paths = voice.knowledge.shortest_paths_from(voice.knowledge.pose)
        poses = list(islice(paths.poses_by_cost((LOOK_HORIZON_DEGREES,)), _MAX_POSES))
        if not poses:
            return ()
        in_view = _cells_in_view([pose for pose, _ in poses], cells)
        gains = in_view.sum(axis=1)
        costs = np.array([cost for _, cost in poses]) + TURN_COST_ACTIONS
        scores = np.where(gains >= MIN_CELLS_WORTH_A_LOOK, np.minimum(gains, 20) / costs, 0.0)
        best = int(scores.argmax())
        if scores[best] <= 0.0:
            return ()
        for i in np.flatnonzero(in_view[best]).tolist():
            self._cell_tries[cells[i]] += 1
        target = poses[best][0]
        verbs = paths.verbs_to(target)
        if not verbs:
            return self._look_at_cells(voice)
        return tuple(motion_step(verb, target) for verb in verbs)

    def _search_container(
        self, voice: InnerVoice, types: tuple[str, ...], *, hinted: bool
    ) -> tuple[SpokenStep, ...]:
        """Return the way to the container that is likeliest for its cost, and how to look in.

        With `hinted` only those count that the dialogue named.
        """
        for obj in self._ranked_containers(types):
            if hinted and not self._is_hinted(obj, types):
                continue
            self._container_tries[obj.objectId] += 1
            if has_door(obj) and not obj.isOpen:
                steps = voice.plan_stretch((Open(obj.objectId),))
            elif has_door(obj):
                steps = self._look_through_door(voice, obj)
            else:
                steps = self._look_into(voice, obj)
            if steps:
                return steps
        return ()

    def _is_hinted(self, obj: ObjectState, types: tuple[str, ...]) -> bool:
        return any(
            hint.things in types and hint.relation == "on" and hint.place in obj.simbotObjectClass
            for hint in self.hints
        )

    def _look_through_door(self, voice: InnerVoice, obj: ObjectState) -> tuple[SpokenStep, ...]:
        """Return the walk to the nearest pose that shows the inside of an open container."""
        known = voice.knowledge
        known.refresh()
        paths = known.shortest_paths_from(known.pose)
        poses = islice(paths.poses_by_cost(HORIZONS_DEGREES), _MAX_POSES)
        box = self._belief.closed_states()[obj.objectId].box
        point = self._coverage.setdefault(obj.objectId, InsideCoverage(box)).next_point()
        body_y = self._belief.body.position[1]
        pose = pose_looking_inside(known.geometry, box, point, poses, body_y)
        return () if pose is None else tuple(motion_step(v, pose) for v in paths.verbs_to(pose))

    def _look_into(self, voice: InnerVoice, obj: ObjectState) -> tuple[SpokenStep, ...]:
        """Return the walk to the nearest pose from which the body looks down into an object."""
        voice.knowledge.refresh()
        paths = voice.knowledge.shortest_paths_from(voice.knowledge.pose)
        x, _, z = obj.box.center
        for pose, _ in islice(paths.poses_by_cost((DEEP_HORIZON_DEGREES,)), _MAX_POSES):
            dx, dz = x - pose.x, z - pose.z
            ahead = dx * sin(radians(pose.yaw)) + dz * cos(radians(pose.yaw))
            if hypot(dx, dz) < DEEP_LOOK_METRES and ahead > 0.8 * hypot(dx, dz):
                return tuple(motion_step(verb, pose) for verb in paths.verbs_to(pose))
        return ()

    def _ranked_containers(self, types: tuple[str, ...]) -> list[ObjectState]:
        body = self._belief.body.position
        found: list[tuple[float, int, ObjectState]] = []
        for i, obj in enumerate(self._belief.objects):
            name = obj.objectId
            if name in self._searched or not (has_door(obj) or _is_deep(obj)):
                continue
            if has_door(obj) and name not in self._belief.closed_states():
                continue
            if self._container_tries[name] >= MAX_TRIES_PER_CONTAINER or obj.isPickedUp:
                continue
            x, _, z = obj.box.center
            steps = hypot(x - body[0], z - body[2]) / GRID_SIZE_METRES
            found.append((-container_weight(obj.objectType, types) / (steps + 4.0), i, obj))
        return [obj for _, _, obj in sorted(found, key=lambda each: each[:2])]


def _is_deep(obj: ObjectState) -> bool:
    """Return whether one sees what is in an open receptacle only from above it."""
    return obj.affordances.receptacle and obj.objectType in DEEP_TYPES and not has_door(obj)


def motion_step(verb: Verb, pose: Pose) -> SpokenStep:
    """Return a motion as a step of a stretch; `pose` is where it should lead."""
    return SpokenStep(PrimitiveStep(verb), None, pose)


def _cells_in_view(
    poses: list[Pose], cells: list[Cell]
) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
    """Return for each pose (rows) which cells (columns) it looks at from near."""
    at = np.array([(pose.x, pose.z) for pose in poses])
    yaw = np.radians([pose.yaw for pose in poses])
    there = np.array(cells, dtype=np.float64) * GRID_SIZE_METRES
    dx = there[None, :, 0] - at[:, None, 0]
    dz = there[None, :, 1] - at[:, None, 1]
    away = np.hypot(dx, dz)
    ahead = dx * np.sin(yaw)[:, None] + dz * np.cos(yaw)[:, None]
    near = (away < NEAR_LOOK_METRES) & (away > _NEAREST_METRES)
    return near & (ahead >= away * np.cos(np.radians(_HALF_VIEW_DEGREES)))
