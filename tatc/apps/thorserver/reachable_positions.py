"""GetReachablePositions: where an agent can walk to, on any grid.

On the grid of the world the answer is what the agent's steps reach.  On another one, finer
or turned with the agent, a step is possible where the body touches nothing along it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from tatc.apps.thorserver.action_results import (
    Arguments,
    ThorResult,
    failed_result,
    integer_or,
    number_or,
)
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import get_flag
from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.metadata import write_vector
from tatc.home.state import Vec3, yaw_sin_cos
from tatc.sim.embedded.motion import cell_under
from tatc.sim.floorplan.connectivity import NEIGHBOUR_STEPS, connected_cells
from tatc.sim.floorplan.navigable_cells import has_room_at

MIN_GRID_METRES = 0.05
"""The finest grid on which positions are searched, metres."""
DEFAULT_MAX_STEPS = 10_000
_CHECK_INTERVAL_METRES = 0.1  # between the points of a step at which the body must have room


def get_reachable_positions(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return all positions that the agent can walk to."""
    step = number_or(arguments, "gridSize", world.settings.step_metres)
    if step < MIN_GRID_METRES:
        return failed_result(f"gridSize {step} is not served: {MIN_GRID_METRES} m is the finest")
    limit = integer_or(arguments, "maxStepCount", DEFAULT_MAX_STEPS) / step**2
    if get_flag(arguments, "directionsRelativeAgent"):
        positions = _positions_on_grid(world, step, world.agent_state.yaw)
    elif step == GRID_SIZE_METRES:
        positions = walkable_positions(world)
    else:
        positions = _positions_on_grid(world, step, 0.0)
    if len(positions) > limit:
        return failed_result("Too many steps taken in GetReachablePositions.")
    return ThorResult(return_value=[write_vector(position) for position in positions])


def walkable_positions(world: ThorWorld) -> list[Vec3]:
    """Return the positions that the agent's steps reach, by x, then z; metres."""
    y = world.agent_state.position[1]
    cells = connected_cells(world.floor.free_cells, cell_under(world.agent_state))
    return [(x * GRID_SIZE_METRES, y, z * GRID_SIZE_METRES) for x, z in sorted(cells)]


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid through a position: the length of its steps in metres, and the yaw of its z axis."""

    origin: Vec3
    step: float
    yaw: float

    def point(self, right: float, ahead: float) -> tuple[float, float]:
        """Return the x and z of the point so many steps to the right and ahead."""
        sine, cosine = yaw_sin_cos(self.yaw)
        x, _, z = self.origin
        return (
            x + self.step * (right * cosine + ahead * sine),
            z + self.step * (ahead * cosine - right * sine),
        )

    def points_along(self, start: Cell, end: Cell, count: int) -> list[tuple[float, float]]:
        """Return so many points at even distances behind `start`, the last at `end`."""
        (a, b), (c, d) = start, end
        shares = [i / count for i in range(1, count + 1)]
        return [self.point(a + (c - a) * share, b + (d - b) * share) for share in shares]


def _positions_on_grid(world: ThorWorld, step: float, yaw: float) -> list[Vec3]:
    """Return what can be reached by steps along axes that are turned by a yaw."""
    grid = _Grid(world.agent_state.position, step, yaw % 360.0)
    reached: dict[Cell, None] = {(0, 0): None}
    fringe: list[Cell] = [(0, 0)]
    while fringe:
        steps = [
            ((x, z), (x + dx, z + dz))
            for x, z in fringe
            for dx, dz in NEIGHBOUR_STEPS
            if (x + dx, z + dz) not in reached
        ]
        free = _free_steps(world, grid, steps)
        fringe = sorted({end for (_, end), is_free in zip(steps, free, strict=True) if is_free})
        reached.update(dict.fromkeys(fringe))
    y = world.agent_state.position[1]
    return [(x, y, z) for x, z in (grid.point(*cell) for cell in reached)]


def _free_steps(world: ThorWorld, grid: _Grid, steps: Sequence[tuple[Cell, Cell]]) -> list[bool]:
    """Return for each step whether the body has room all along it, inside the room."""
    count = ceil(grid.step / _CHECK_INTERVAL_METRES)
    along = [grid.points_along(start, end, count) for start, end in steps]
    points = np.array(along, np.float64).reshape(-1, 2)
    (low_x, _, low_z), (high_x, _, high_z) = world.bounds()
    inside = ((points >= (low_x, low_z)) & (points <= (high_x, high_z))).all(axis=1)
    fits = has_room_at(points, world.state.objects, world.agent_state.position)
    return np.asarray((inside & fits).reshape(-1, count).all(axis=1)).tolist()


REACHABLE_ACTIONS: Mapping[str, ThorAction] = {
    "GetReachablePositions": ThorAction(
        get_reachable_positions,
        {
            "maxStepCount": ParameterType.INT,
            "directionsRelativeAgent": ParameterType.BOOL,
            "gridSize": ParameterType.FLOAT,
        },
    )
}
