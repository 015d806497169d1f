"""Actions that move an agent: steps, turns, looks, teleports; and its reachable positions."""

from collections.abc import Callable, Iterator
from math import cos, radians, sin
from typing import Any

from tatc.actions import GRID_SIZE_METRES, Verb
from tatc.json_fields import as_number, get_flag, get_vector
from tatc.metadata import write_vector
from tatc.sim.embedded.motion import MAX_HORIZON_DEGREES, MIN_HORIZON_DEGREES, cell_under
from tatc.sim.floorplan.connectivity import connected_cells
from tatc.state import AgentState, Vec3
from tatc.thorserver.action_results import (
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
    number_or,
    rotation_or,
)
from tatc.thorserver.thor_world import ThorWorld

ActionFunction = Callable[[ThorWorld, Arguments], ThorResult]

_ANGLE_DIGITS = 4  # yaws and horizons are rounded, so that 30.00002 is 30


def move_action(bearing_degrees: float) -> ActionFunction:
    """Return the action that moves the agent at this angle to its heading, to the right.

    As in AI2-THOR with snapToGrid, the move ends on the grid.  It is made in full or not at
    all.
    """

    def run(world: ThorWorld, arguments: Arguments) -> ThorResult:
        metres = number_or(arguments, "moveMagnitude", world.settings.step_metres)
        angle = radians(world.agent_state.yaw + bearing_degrees)
        dx, dz = (
            round(sin(angle) * metres / GRID_SIZE_METRES),
            round(cos(angle) * metres / GRID_SIZE_METRES),
        )
        if not (dx or dz):
            return failed_result(
                f"a move of {metres} m is too short: steps are {GRID_SIZE_METRES} m"
            )
        refusal = ""
        for path in _axis_paths(dx, dz):
            end = _walk_path(world, path)
            if isinstance(end, AgentState):
                world.state.move_follower(end)
                return SUCCESS
            refusal = refusal or end
        return failed_result(refusal)

    return run


def turn_action(sign: int) -> ActionFunction:
    """Return the action that turns the agent, to the right for 1, to the left for -1."""

    def run(world: ThorWorld, arguments: Arguments) -> ThorResult:
        body = world.agent_state
        yaw = body.yaw + sign * number_or(arguments, "degrees", world.settings.turn_degrees)
        world.state.move_follower(
            AgentState(body.position, round(yaw, _ANGLE_DIGITS) % 360.0, body.horizon)
        )
        return SUCCESS

    return run


def look_action(sign: int) -> ActionFunction:
    """Return the action that tilts the camera, downwards for 1, upwards for -1."""

    def run(world: ThorWorld, arguments: Arguments) -> ThorResult:
        body = world.agent_state
        tilt = number_or(arguments, "degrees", 30.0)
        horizon = round(body.horizon + sign * tilt, _ANGLE_DIGITS)
        if not MIN_HORIZON_DEGREES <= horizon <= MAX_HORIZON_DEGREES:
            return failed_result(
                f"can't look {'down' if sign > 0 else 'up'} beyond "
                f"{abs(MAX_HORIZON_DEGREES if sign > 0 else MIN_HORIZON_DEGREES):.0f} degrees"
            )
        world.state.move_follower(AgentState(body.position, body.yaw, horizon))
        return SUCCESS

    return run


def rotate_to(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Turn the agent to the yaw of `rotation`."""
    body = world.agent_state
    yaw = rotation_or(arguments, "rotation", (0.0, body.yaw, 0.0))[1]
    world.state.move_follower(AgentState(body.position, yaw % 360.0, body.horizon))
    return SUCCESS


def teleport(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put the agent somewhere; position, rotation and horizon stay if they are left out."""
    body = world.agent_state
    position = position_or(arguments, body.position)
    yaw = rotation_or(arguments, "rotation", (0.0, body.yaw, 0.0))[1]
    horizon = number_or(arguments, "horizon", body.horizon)
    if not MIN_HORIZON_DEGREES - 1 <= horizon <= MAX_HORIZON_DEGREES + 1:
        return failed_result(
            f"Each horizon must be in [{MIN_HORIZON_DEGREES:.0f}:{MAX_HORIZON_DEGREES:.0f}], "
            f"{horizon} is not"
        )
    if not get_flag(arguments, "forceAction") and not world.has_standing_room(position):
        return failed_result(f"Cannot teleport to {write_vector(position)}: no room there")
    world.place_agent(AgentState(position, yaw % 360.0, horizon))
    return SUCCESS


def reachable_positions(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return all positions that the agent can walk to."""
    y = world.agent_state.position[1]
    cells = sorted(connected_cells(world.floor.free_cells, cell_under(world.agent_state)))
    positions: list[Any] = [
        write_vector((x * GRID_SIZE_METRES, y, z * GRID_SIZE_METRES)) for x, z in cells
    ]
    return ThorResult(return_value=positions)


def position_or(arguments: Arguments, default: Vec3) -> Vec3:
    """Return `position`, or x, y and z as older clients give them; metres."""
    if arguments.get("position") is not None:
        return get_vector(arguments, "position")
    x, y, z = (
        default[i] if arguments.get(axis) is None else as_number(arguments[axis], axis)
        for i, axis in enumerate("xyz")
    )
    return x, y, z


def _axis_paths(dx: int, dz: int) -> Iterator[list[float]]:
    """Yield paths over so many cells, as the yaws of their steps.

    One path goes along x first; if it turns, another goes along z first.
    """
    along = [90.0 if dx > 0 else 270.0] * abs(dx)
    across = [0.0 if dz > 0 else 180.0] * abs(dz)
    yield along + across
    if dx and dz:
        yield across + along


def _walk_path(world: ThorWorld, path: list[float]) -> AgentState | str:
    """Return the agent at the end of a path, or the message of what blocks it."""
    yaw, body = world.agent_state.yaw, world.agent_state
    for heading in path:
        facing = AgentState(body.position, heading, body.horizon)
        moved = world.floor.move(facing, Verb.FORWARD, world.state.objects)
        if isinstance(moved, str):
            return moved
        body = moved
    return AgentState(body.position, yaw, body.horizon)
