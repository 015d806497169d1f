"""GetInteractablePoses: from where an agent sees an object near enough to act on it."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from tatc.apps.thorserver.action_results import (
    Arguments,
    ThorResult,
    failed_result,
    integer_or,
    number_or,
    vector_or,
)
from tatc.apps.thorserver.reachable_positions import walkable_positions
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_agent import ThorAgent
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import VISIBILITY_SIDE_PIXELS, is_visible_from
from tatc.base.json_fields import FieldError, as_list, get_text
from tatc.home.body import TEACH
from tatc.home.state import AgentState, ObjectState, Vec3

HORIZONS = TEACH.horizons
MANY_POSES = 1_000_000


def interactable_poses(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the poses from which an object can be acted on, as arguments of Teleport."""
    obj = world.state.find(get_text(arguments, "objectId"))
    if obj is None:
        return failed_result(f"Object ID {arguments['objectId']} appears to be invalid.")
    limit = integer_or(arguments, "maxPoses", MANY_POSES)
    reach = number_or(arguments, "maxDistance", world.settings.visibility_metres)
    if limit <= 0 or reach <= 0:
        return failed_result(f"{'maxPoses' if limit <= 0 else 'maxDistance'} must be > 0.")
    horizons = _listed_numbers(arguments, "horizons", HORIZONS)
    if not all(TEACH.min_horizon <= each <= TEACH.max_horizon for each in horizons):
        return failed_result(
            f"Each horizon must be in [{TEACH.min_horizon:.0f}:{TEACH.max_horizon:.0f}]."
        )
    agents = _agents_within_reach(world, arguments, obj, reach)
    views = product(_yaws(world, arguments), horizons, _postures(arguments))
    poses: list[dict[str, Any]] = []
    for position, (yaw, horizon, standing) in product(agents, list(views)):
        if len(poses) == limit:
            break
        if _sees(world, ThorAgent(AgentState(position, yaw, horizon), None, standing), obj, reach):
            x, y, z = position
            poses.append(
                {"x": x, "y": y, "z": z, "rotation": yaw, "standing": standing, "horizon": horizon}
            )
    return ThorResult(return_value=poses)


def _sees(world: ThorWorld, agent: ThorAgent, obj: ObjectState, reach: float) -> bool:
    camera = world.camera_of(agent).scaled(VISIBILITY_SIDE_PIXELS)
    return is_visible_from(world, camera, world.state.index_of(obj.objectId), reach)


def _agents_within_reach(
    world: ThorWorld, arguments: Arguments, obj: ObjectState, reach: float
) -> Iterator[Vec3]:
    """Yield the positions of which the object's bounds are within reach."""
    extent = world.state.geometry.object_bounds(world.state.index_of(obj.objectId))
    if extent is None:
        return
    (low_x, _, low_z), (high_x, _, high_z) = extent
    for x, y, z in _positions(world, arguments):
        dx, dz = max(low_x - x, 0.0, x - high_x), max(low_z - z, 0.0, z - high_z)
        if dx * dx + dz * dz <= reach * reach:
            yield x, y, z


def _positions(world: ThorWorld, arguments: Arguments) -> list[Vec3]:
    """Return the positions that the arguments list and that are free; by default all."""
    if arguments.get("positions") is None:
        return walkable_positions(world)
    given = as_list(arguments["positions"], "positions")
    positions = [vector_or({"position": each}, "position", (0.0, 0.0, 0.0)) for each in given]
    return [(x, world.agent_y, z) for x, y, z in positions if world.has_standing_room((x, y, z))]


def _yaws(world: ThorWorld, arguments: Arguments) -> tuple[float, ...]:
    step = world.settings.turn_degrees
    turns = range(max(round(360 / step), 1))
    default = tuple((world.agent_state.yaw + step * i) % 360.0 for i in turns)
    return _listed_numbers(arguments, "rotations", default)


def _listed_numbers(
    arguments: Arguments, field: str, default: tuple[float, ...]
) -> tuple[float, ...]:
    """Return the numbers under a field.

    Raises:
        FieldError: they are no list of numbers.

    """
    if arguments.get(field) is None:
        return default
    return tuple(number_or({field: each}, field, 0.0) for each in as_list(arguments[field], field))


def _postures(arguments: Arguments) -> tuple[bool, ...]:
    """Return which of standing and crouching to try; by default both."""
    if arguments.get("standings") is None:
        return True, False
    given = as_list(arguments["standings"], "standings")
    if not all(isinstance(each, bool) for each in given):
        raise FieldError("standings", "should be a list of true and false")
    return tuple(given)


INTERACTABLE_POSE_ACTIONS: Mapping[str, ThorAction] = {
    "GetInteractablePoses": ThorAction(
        interactable_poses,
        {
            "objectId": ParameterType.TEXT,
            "positions": ParameterType.VECTORS,
            "rotations": ParameterType.FLOATS,
            "horizons": ParameterType.FLOATS,
            "standings": ParameterType.OBJECTS,
            "maxDistance": ParameterType.FLOAT,
            "maxPoses": ParameterType.INT,
        },
        (("objectId",),),
    )
}
