"""Teleport and TeleportFull, which put an agent somewhere at once.

As in AI2-THOR, the agent comes to stand on the floor, and a height that is more than 5 cm
from there is refused.  `forceAction` skips all checks and keeps the height.
"""

from collections.abc import Mapping

from tatc.apps.thorserver.action_results import (
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
    number_or,
    rotation_or,
    vector_or,
)
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import get_flag
from tatc.home.actions import GRID_SIZE_METRES, cell_of
from tatc.home.body import TEACH
from tatc.home.state import AgentState, Vec3

MAX_HEIGHT_CHANGE_METRES = 0.05
"""How far above or below the floor an agent may be put, metres (AI2-THOR)."""
_MAX_TILT_DEGREES = 0.01
_HORIZON_TOLERANCE_DEGREES = 0.5  # recorded horizons are 60.00002
_GRID_TOLERANCE_METRES = 1e-3


def teleport(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put the agent somewhere; what is left out stays as it is."""
    body = world.agent_state
    position = target_position(arguments, body.position)
    rotation = _target_rotation(world, arguments)
    horizon = number_or(arguments, "horizon", body.horizon)
    if not get_flag(arguments, "forceAction"):
        refusal = _view_refusal(rotation, horizon) or _position_refusal(world, position)
        if refusal is not None:
            return failed_result(refusal)
        position = (position[0], world.agent_y, position[2])
    world.place_agent(AgentState(position, rotation[1] % 360.0, horizon))
    if arguments.get("standing") is not None:
        world.acting_agent.is_standing = get_flag(arguments, "standing")
    return SUCCESS


def target_position(arguments: Arguments, default: Vec3) -> Vec3:
    """Return `position`, or x, y and z; metres.

    Raises:
        FieldError: they are not numbers.

    """
    if arguments.get("position") is not None:
        return vector_or(arguments, "position", default)
    x, y, z = (number_or(arguments, axis, default[i]) for i, axis in enumerate("xyz"))
    return x, y, z


def _target_rotation(world: ThorWorld, arguments: Arguments) -> Vec3:
    """Return the rotation to turn to, degrees.

    Clients before 2.5 turn with Teleport only if `rotateOnTeleport` says so.
    """
    present = (0.0, world.agent_state.yaw, 0.0)
    keeps = arguments.get("action") == "Teleport" and not get_flag(arguments, "rotateOnTeleport")
    if keeps and not world.client.is_strict:
        return present
    return rotation_or(arguments, "rotation", present)


def _view_refusal(rotation: Vec3, horizon: float) -> str | None:
    if abs(rotation[0]) >= _MAX_TILT_DEGREES or abs(rotation[2]) >= _MAX_TILT_DEGREES:
        return (
            "No agents currently can change in pitch or roll. So, you must set "
            f"rotation(x=0, y=yaw, z=0). You gave {rotation}."
        )
    low = TEACH.min_horizon - _HORIZON_TOLERANCE_DEGREES
    if not low <= horizon <= TEACH.max_horizon + _HORIZON_TOLERANCE_DEGREES:
        return (
            f"Each horizon must be in [{TEACH.min_horizon:.0f}:{TEACH.max_horizon:.0f}]. "
            f"You gave {horizon}."
        )
    return None


def _position_refusal(world: ThorWorld, position: Vec3) -> str | None:
    """Return why an agent cannot be put at a position, None if it can."""
    named = f"Teleport position {position}"
    x, y, z = position
    low, high = world.bounds()
    if not (low[0] <= x <= high[0] and low[2] <= z <= high[2]):
        return f"{named} out of scene bounds! Ignore this by setting forceAction=true."
    if world.settings.snap_to_grid and world.client.is_strict:
        cell_x, cell_z = cell_of(x, z)
        off = max(abs(cell_x * GRID_SIZE_METRES - x), abs(cell_z * GRID_SIZE_METRES - z))
        if off > _GRID_TOLERANCE_METRES:
            return f"{named} is not on the grid of size {world.settings.step_metres}."
    if not world.has_standing_room(position):
        return f"Collided with: {world.floor.blocker_at(cell_of(x, z))}."
    change = abs(y - world.agent_y)
    if world.client.is_strict and change > MAX_HEIGHT_CHANGE_METRES:
        return (
            "After teleporting and adjusting agent position to floor, there was too large a "
            f"change({change} > {MAX_HEIGHT_CHANGE_METRES}) in the y component. Consider using "
            "`forceAction=true` if you'd like to teleport anyway."
        )
    return None


_TELEPORT_PARAMETERS = {
    "position": ParameterType.VECTOR,
    "x": ParameterType.FLOAT,
    "y": ParameterType.FLOAT,
    "z": ParameterType.FLOAT,
    "rotation": ParameterType.ROTATION,
    "rotateOnTeleport": ParameterType.BOOL,
    "horizon": ParameterType.FLOAT,
    "standing": ParameterType.BOOL,
    "forceAction": ParameterType.BOOL,
}

TELEPORT_ACTIONS: Mapping[str, ThorAction] = {
    "Teleport": ThorAction(teleport, _TELEPORT_PARAMETERS),
    "TeleportFull": ThorAction(teleport, _TELEPORT_PARAMETERS, (("rotation", "horizon"),)),
}
