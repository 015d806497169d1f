"""Walking to an object over floor that has been seen."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from importlib import import_module
from math import dist, hypot
from typing import Any

import numpy as np

from tatc.follower.listener.floor_map import FloorMap
from tatc.home import actions, percepts
from tatc.home.body import BODY_RADIUS_METRES, POSITION_ABOVE_FLOOR_METRES
from tatc.home.camera import rays, room_bounds
from tatc.home.state import AgentState, Box, ObjectState, Pose, Vec3
from tatc.home.type_facts import FLOOR_TYPE
from tatc.planners.grid import NavigationGrid
from tatc.session.text_world.seen_objects import eye_of_view, rays_of

_REACH_METRES = actions.INTERACTION_REACH_METRES - 0.1
_USUAL_HORIZON_DEGREES = 30.0  # down; most of what is handled is in view there
_GAP_CELLS = 7  # of the floor map's fine grid, 5 cm each
_FLOOR_STRIDE = 3  # of a view's rows and columns, those whose floor is taken
_LEAST_GAIN_METRES = 0.2  # how much nearer a place has to be for a walk
_VIEW_MARGIN = 0.12  # how far from the frame's edge the object is to be, as a share


@dataclass(frozen=True, slots=True)
class WalkingPath:
    """Motions, and whether they lead to where the point can be reached."""

    verbs: tuple[actions.Verb, ...]
    reaches: bool


class SeenFloor:
    """The floor that the Follower has seen or walked on, and the steps that were refused."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._floor = FloorMap()
        self._seen_from: set[AgentState] = set()
        self._blocked: set[tuple[actions.Cell, actions.Cell]] = set()

    def __getstate__(self) -> tuple[object, ...]:
        seen = self._floor.floor_seen
        walked, poses = tuple(self._floor.walked), frozenset(self._seen_from)
        return np.packbits(seen).tobytes(), walked, poses, frozenset(self._blocked)

    def __setstate__(self, state: tuple[bytes, tuple[actions.Cell, ...], Any, Any]) -> None:
        packed, walked, poses, blocked = state
        self.__init__()
        shape = self._floor.floor_seen.shape
        bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=shape[0] * shape[1])
        self._floor.floor_seen[:] = bits.reshape(shape).astype(np.bool_)
        self._floor.walked.update(dict.fromkeys(walked))
        self._seen_from, self._blocked = set(poses), set(blocked)

    def add_view(self, view: percepts.View) -> None:
        """Add the floor in a view; floor seen once from a pose is not added again."""
        body = view.body
        if body in self._seen_from:
            return
        self._seen_from.add(body)
        self._floor.walk_on(actions.cell_of(body.position[0], body.position[2]))
        pixels = np.full_like(view.pixels, percepts.NO_PERCEPT)
        part = slice(_FLOOR_STRIDE // 2, None, _FLOOR_STRIDE)
        pixels[part, part] = view.pixels[part, part]
        for place in [i for i, each in enumerate(view.percepts) if each.object_type == FLOOR_TYPE]:
            shown = np.flatnonzero(pixels.ravel() == place)
            offsets = view.depth.ravel()[shown, None] * rays_of(view).directions[shown]
            self._floor.add_floor(eye_of_view(view) + offsets)

    def note_blocked(self, body: AgentState, verb: actions.Verb) -> None:
        """Note that a step was refused where a body stood."""
        here = actions.cell_of(body.position[0], body.position[2])
        self._blocked.add((here, actions.cell_after(here, body.yaw, verb)))

    def path_to(
        self, point: Vec3, body: AgentState, objects: Mapping[int, ObjectState]
    ) -> WalkingPath | None:
        """Return the way to where a point can be reached and is in the frame.

        If no such place is known, it is the way to the place nearest to the point (in metres, in
        the Follower's frame) from which it is in the frame; None where none is nearer than `body`.
        The body does not fit into the boxes of the `objects`, which are in that frame too.
        """
        cells = self._floor_between_rays().free_cells(_on_floor(objects.values()))
        paths = NavigationGrid(cells, body.body, self._blocked).shortest_paths_from(body.pose)
        least = _apart(body.pose, point) - _LEAST_GAIN_METRES
        nearest: Pose | None = None
        horizons = sorted(body.body.horizons, key=lambda each: abs(each - _USUAL_HORIZON_DEGREES))
        for pose, _ in paths.poses_by_cost(horizons):
            apart = _apart(pose, point)
            if (apart >= least and apart > _REACH_METRES) or not _shows(pose, body, point):
                continue
            if dist(point, (pose.x, body.position[1], pose.z)) <= _REACH_METRES:
                return WalkingPath(paths.verbs_to(pose), reaches=True)
            if apart < least:
                least, nearest = apart, pose
        return None if nearest is None else WalkingPath(paths.verbs_to(nearest), reaches=False)

    def _floor_between_rays(self) -> FloorMap:
        """Return the floor seen, also between rays, which are up to 0.3 m apart where they end."""
        seen = self._floor.floor_seen
        rows, columns = (np.flatnonzero(seen.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return self._floor
        whole = np.zeros_like(seen)
        part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        padded = np.pad(seen[part], _GAP_CELLS)
        ndimage: Any = import_module("scipy.ndimage")  # slow, and without types
        closed: Any = ndimage.binary_closing(padded, np.ones((_GAP_CELLS, _GAP_CELLS), np.bool_))
        whole[part] = closed[_GAP_CELLS:-_GAP_CELLS, _GAP_CELLS:-_GAP_CELLS]
        found = copy(self._floor)
        found.floor_seen = whole
        return found


def floor_under(body: AgentState, floor: Box) -> Box:
    """Return the part of the floor's box on which a body stands, at that box's height.

    It is as wide as the body, and by as much wider as a floor's box reaches behind walls.
    """
    (x, _, z), (_, y, _) = body.position, floor.center
    width = 2 * (BODY_RADIUS_METRES + room_bounds.FLOOR_BEHIND_WALL_METRES + 0.01)
    return Box((x, y, z), (width, floor.size[1], width))


def _apart(pose: Pose, point: Vec3) -> float:
    """Return how far a point is from a pose, seen from above, metres."""
    return hypot(point[0] - pose.x, point[2] - pose.z)


def _shows(pose: Pose, body: AgentState, point: Vec3) -> bool:
    """Return whether a body at a pose has a point well within its frame."""
    position = (pose.x, body.position[1] + rays.EYE_HEIGHT_METRES, pose.z)
    x, y, depth = rays.Eye(position, pose.yaw, pose.horizon, body.body.fov_degrees).project(point)
    low, high = _VIEW_MARGIN, 1.0 - _VIEW_MARGIN
    return depth > 0.0 and low <= x <= high and low <= y <= high


def _on_floor(objects: Iterable[ObjectState]) -> Iterator[ObjectState]:
    """Yield objects in the frame of floor maps, whose floor is at height 0."""
    for obj in objects:
        yield replace(obj, box=obj.box.translate(0.0, POSITION_ABOVE_FLOOR_METRES, 0.0))
