"""Move the Follower's body on its grid, and the Commander's camera, which flies through everything.

A translation is 0.25 m along or across the heading; it is refused if the body would touch something
or does not move that way.  Turns always succeed.  A look is refused beyond 30 degrees up and 60
degrees down (spec sections 1.1, 1.3 and 1.4, and every recorded look at the limit).
"""

import logging
from collections.abc import Container, Iterable, Sequence
from functools import cached_property, lru_cache

from tatc.base.plain_text import printable
from tatc.home import actions, state
from tatc.home.body import TEACH
from tatc.planners.grid import connected_cells
from tatc.sim.embedded.door_collision import DoorCollisions
from tatc.sim.floorplan import navigable_cells
from tatc.sim.maps.recorded_map import RecordedMap

_log = logging.getLogger(__name__)


class WalkableGrid:
    """The cells on which the Follower can stand in one scene, and its motions there."""

    def __init__(
        self,
        scene: state.Scene,
        clearance: navigable_cells.ClearanceGrid,
        visited: Iterable[actions.Cell] = (),
        blocked: Iterable[actions.Cell] = (),
        openable_models: Container[str] = (),
    ) -> None:
        """Collect the free cells of a scene.

        The cells that the rule finds free among the scene's boxes (`clearance`) are free, or the
        scene's own if it lists any.  So are those on which others stood (`visited`), but not those
        that were refused to them (`blocked`).  The cell at the start is always free.  If the body
        starts among obstacles, the cells that lead out of them are free too.  `openable_models`
        are those that other sessions show open.
        """
        objects, follower = scene.initial.objects, scene.initial.follower
        start = cell_under(follower)
        self._door_collisions = DoorCollisions(objects, follower.position[1], openable_models)
        free_by_rule = frozenset(scene.cells) or clearance.free_cells()
        free = ((free_by_rule | frozenset(visited)) - frozenset(blocked)) | {start}
        self.reachable_cells = connected_cells(free, start)
        """The cells to which the body can walk from its start."""
        if len(self.reachable_cells) < navigable_cells.MIN_ROOM_CELLS:
            free |= navigable_cells.escape_cells(clearance, free, self.reachable_cells)
            self.reachable_cells = connected_cells(free, start)
        self.free_cells = free
        """The cells on which the body fits, whether reachable or not."""
        self._clearance = clearance
        self._objects = objects
        if start not in free_by_rule and clearance.is_solid(start):
            _warn_start_inside(scene.place, self.blocker_at(start), start)

    @staticmethod
    def from_scene(scene: state.Scene, recorded_map: RecordedMap | None = None) -> "WalkableGrid":
        """Return the grid of a scene.

        For a game's scene, pass `recorded_map.without_games(game_id)`, so that it does not see its
        own cells.  The latest grids are kept: whoever scores a session asks for the one it ran
        on, and environments begin again in the same scenes.
        """
        return _kept_grid(state.ByIdentity(scene), state.ByIdentity(recorded_map))

    @cached_property
    def _reachable_poses(self) -> tuple[state.Pose, ...]:
        cells = sorted(self.reachable_cells)
        size = actions.GRID_SIZE_METRES
        return tuple(state.Pose(x * size, z * size, 0.0, 0.0) for x, z in cells)

    def reachable(self) -> tuple[state.Pose, ...]:
        """Return the poses that the body can reach, sorted by x, then z; yaw and horizon are 0."""
        return self._reachable_poses

    def move(
        self, agent: state.AgentState, verb: actions.Verb, objects: Sequence[state.ObjectState] = ()
    ) -> state.AgentState | str:
        """Return the body after a motion, or a refusal like AI2-THOR's.

        Open doors and drawers among `objects`, the scene's now in its order, block a step.
        """
        if verb in actions.TRANSLATION_VERBS and verb in agent.body.walk_verbs:
            return self._translate(agent, verb, objects)
        if verb in actions.YAW_CHANGES_DEGREES:
            yaw = (agent.yaw + actions.YAW_CHANGES_DEGREES[verb]) % 360.0
            return state.AgentState(agent.position, yaw, agent.horizon, agent.body)
        if verb in actions.LOOK_DIRECTIONS:
            return _tilt_camera(agent, actions.LOOK_DIRECTIONS[verb])
        return f"{verb} is not a motion of Agent 0"

    def _translate(
        self, agent: state.AgentState, verb: actions.Verb, objects: Sequence[state.ObjectState]
    ) -> state.AgentState | str:
        y, current = agent.position[1], cell_under(agent)
        cell = actions.cell_after(current, agent.yaw, verb)
        blocker = None
        if cell not in self.free_cells:
            blocker = self.blocker_at(cell)
        elif objects:
            blocker = self._door_collisions.blocker(current, cell, objects)
        if blocker is not None:
            x, z = ((cell[i] - current[i]) * actions.GRID_SIZE_METRES for i in (0, 1))
            by = f"({x:.4f}, 0.0000, {z:.4f})"
            return f"{blocker} is blocking Agent 0 from moving by {by}"
        x, z = (at * actions.GRID_SIZE_METRES for at in cell)
        return state.AgentState((x, y, z), agent.yaw, agent.horizon, agent.body)

    @cached_property
    def _row_by_cell(self) -> dict[actions.Cell, int]:
        return {cell: i for i, cell in enumerate(self._clearance.cells)}

    def blocker_at(self, cell: actions.Cell) -> str:
        """Return the id of what is nearest to a cell, "StructureObject" for a wall."""
        row = self._row_by_cell.get(cell)
        i = -1 if row is None else int(self._clearance.nearest[row])
        return "StructureObject" if i < 0 else self._objects[i].objectId


@lru_cache(maxsize=64)
def _kept_grid(
    of_scene: state.ByIdentity[state.Scene], of_map: state.ByIdentity[RecordedMap | None]
) -> WalkableGrid:
    scene, recorded_map = of_scene.value, of_map.value
    objects, follower = scene.initial.objects, scene.initial.follower
    clearance = navigable_cells.clearance_grid(objects, follower.position, follower.body)
    if recorded_map is None:
        return WalkableGrid(scene, clearance)
    place = scene.place
    visited, blocked = recorded_map.visited_cells(place), recorded_map.blocked_cells(place)
    if follower.body != TEACH:  # AI2-THOR 2.1.0, of which ALFRED's body is, refuses less
        blocked = frozenset[actions.Cell]()
    openable = recorded_map.evidence_for(place).open_boxes
    return WalkableGrid(scene, clearance, visited, blocked, openable)


@lru_cache(maxsize=1024)
def _warn_start_inside(place: str, blocker: str, start: actions.Cell) -> None:
    """Log that a body starts inside an object, once per process, place and object."""
    x, z = (steps * actions.GRID_SIZE_METRES for steps in start)
    description = f"the body starts inside {blocker}, at x {x:g}, z {z:g}"
    _log.warning("%s", printable(f"{place}: {description}: it may walk out"))


def cell_under(agent: state.AgentState) -> actions.Cell:
    """Return the cell in which an agent stands."""
    return actions.cell_of(agent.position[0], agent.position[2])


def move_camera(agent: state.AgentState, verb: actions.Verb) -> state.AgentState | str:
    """Return the Commander's camera after a motion, or a refusal (spec 1.4).

    It moves along the cardinal direction nearest to its yaw; a look lifts or lowers it by 0.25 m.
    """
    x, y, z = agent.position
    if verb in actions.TRANSLATION_VERBS:
        dx, dz = actions.cell_after((0, 0), agent.yaw, verb)
        position = (x + dx * actions.GRID_SIZE_METRES, y, z + dz * actions.GRID_SIZE_METRES)
        return state.AgentState(position, agent.yaw, agent.horizon)
    if verb in actions.YAW_CHANGES_DEGREES:
        yaw = (agent.yaw + actions.YAW_CHANGES_DEGREES[verb]) % 360.0
        return state.AgentState(agent.position, yaw, agent.horizon)
    if verb in actions.LOOK_DIRECTIONS:
        fall = actions.LOOK_DIRECTIONS[verb] * actions.GRID_SIZE_METRES
        return state.AgentState((x, y - fall, z), agent.yaw, agent.horizon)
    return f"{verb} is not a motion of the Commander's camera"


def _tilt_camera(agent: state.AgentState, direction: int) -> state.AgentState | str:
    """Return the body after a look up (-1) or down (1), or a refusal."""
    body = agent.body
    # Recorded horizons start at 30.00002, but looks end on whole steps.
    horizon = agent.horizon + direction * body.tilt_degrees
    horizon = round(horizon / body.tilt_degrees) * body.tilt_degrees
    if horizon < body.min_horizon:
        return f"can't look up beyond {-body.min_horizon:.0f} degrees"
    if horizon > body.max_horizon:
        return f"can't look down beyond {body.max_horizon:.0f} degrees"
    return state.AgentState(agent.position, agent.yaw, horizon, body)
