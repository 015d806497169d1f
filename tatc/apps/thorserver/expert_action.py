"""ObjectNavExpertAction: the next action of an expert that walks to an object or a place.

It is the first on a shortest sequence of steps ahead and turns, as long as Initialize set
them, to where the object is visible; looks come last.
"""

from collections.abc import Collection, Iterator, Mapping
from math import hypot

from tatc.apps.thorserver.action_results import Arguments, ThorResult, failed_result, vector_or
from tatc.apps.thorserver.agent_motion import axis_paths, cells_of_step, end_of_step
from tatc.apps.thorserver.interactable_poses import HORIZONS
from tatc.apps.thorserver.path_actions import (
    NAMED_OBJECT_PARAMETERS,
    NAMED_OBJECT_REQUIRED,
    NO_PATH_ERROR,
    named_object,
)
from tatc.apps.thorserver.thor_action import ThorAction
from tatc.apps.thorserver.thor_agent import ThorAgent
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import VISIBILITY_SIDE_PIXELS, is_visible_from
from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.state import AgentState, ObjectState, Vec3, yaw_sin_cos
from tatc.sim.embedded.motion import cell_under

_ANGLE_DIGITS = 4

WalkState = tuple[Cell, float]
"""A cell and a yaw in degrees."""


def expert_action(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the name of the next action, None if the agent is there."""
    if not (arguments.get("objectId") or arguments.get("objectType")):
        return _action_towards(world, vector_or(arguments, "position", (0.0, 0.0, 0.0)))
    obj = named_object(world, arguments)
    return obj if isinstance(obj, ThorResult) else _action_to_see(world, obj)


def _action_towards(world: ThorWorld, place: Vec3) -> ThorResult:
    """Return the next action to the cell that is nearest to a place."""
    cells = [cell for (cell, _), _ in _walk(world)]

    def gap(cell: Cell) -> float:
        x, z = (steps * GRID_SIZE_METRES for steps in cell)
        return hypot(x - place[0], z - place[2])

    nearest = min(cells, key=gap)
    first = next(action for (cell, _), action in _walk(world) if cell == nearest)
    return ThorResult(return_value=first)


def _action_to_see(world: ThorWorld, obj: ObjectState) -> ThorResult:
    """Return the next action to where an object is visible."""
    agent, index = world.acting_agent, world.state.index_of(obj.objectId)
    level = agent.state.horizon
    horizons = sorted({level, *HORIZONS}, key=lambda each: abs(each - level))
    for ((x, z), yaw), first in _walk(world):
        place = (x * GRID_SIZE_METRES, agent.state.position[1], z * GRID_SIZE_METRES)
        for horizon in horizons:
            if _is_seen(world, AgentState(place, yaw, horizon), agent.is_standing, obj, index):
                look = "LookDown" if horizon > level else "LookUp"
                at_end = None if horizon == level else look
                return ThorResult(return_value=first or at_end)
    return failed_result(NO_PATH_ERROR)


def _is_seen(
    world: ThorWorld, state: AgentState, is_standing: bool, obj: ObjectState, index: int
) -> bool:
    reach = world.settings.visibility_metres
    if obj.box.horizontal_distance(state.position[0], state.position[2]) > reach:
        return False
    agent = ThorAgent(state, is_standing=is_standing)
    camera = world.camera_of(agent).scaled(VISIBILITY_SIDE_PIXELS)
    return is_visible_from(world, camera, index, reach)


def _walk(world: ThorWorld) -> Iterator[tuple[WalkState, str | None]]:
    """Yield what steps ahead and turns lead to, nearest first, with the first action there.

    The first action is None where the agent is already.
    """
    free, settings = world.floor.free_cells, world.settings
    start = cell_under(world.agent_state), round(world.agent_state.yaw, _ANGLE_DIGITS)
    first_actions: dict[WalkState, str | None] = {start: None}
    fringe = [start]
    for state in fringe:  # grows during the loop
        yield state, first_actions[state]
        (x, z), yaw = state
        moves = [
            ((x, z), round((yaw - settings.turn_degrees) % 360.0, _ANGLE_DIGITS), "RotateLeft"),
            ((x, z), round((yaw + settings.turn_degrees) % 360.0, _ANGLE_DIGITS), "RotateRight"),
        ]
        dx, dz = cells_of_step(yaw, settings.step_metres)
        # Open doors are asked about for the next step only: that one is taken now.
        is_free = _can_step((x, z), dx, dz, free)
        if is_free and (state != start or isinstance(end_of_step(world, dx, dz), AgentState)):
            moves.insert(0, ((x + dx, z + dz), yaw, "MoveAhead"))
        for cell, there, action in moves:
            if (cell, there) not in first_actions:
                first_actions[cell, there] = first_actions[state] or action
                fringe.append((cell, there))


def _can_step(start: Cell, dx: int, dz: int, free: Collection[Cell]) -> bool:
    """Return whether a step of so many cells along x and z meets no cell that is taken."""
    for path in axis_paths(dx, dz):
        (x, z), clear = start, True
        for yaw in path:
            sine, cosine = yaw_sin_cos(yaw)
            x, z = x + int(sine), z + int(cosine)
            clear = clear and (x, z) in free
        if clear:
            return True
    return False


EXPERT_ACTIONS: Mapping[str, ThorAction] = {
    "ObjectNavExpertAction": ThorAction(
        expert_action, NAMED_OBJECT_PARAMETERS, (*NAMED_OBJECT_REQUIRED, ("position",))
    )
}
