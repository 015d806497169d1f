"""The loop that runs a client's actions, the table of all actions, and those on the session."""

import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import hypot
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tatc.apps.thorserver.agent_actions import AGENT_ACTIONS, HAND_ACTIONS
from tatc.apps.thorserver.client_connection import FifoConnection, WsgiConnection
from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.navigation_actions import NAVIGATION_ACTIONS
from tatc.apps.thorserver.object_actions import OBJECT_ACTIONS
from tatc.apps.thorserver.scene_actions import SCENE_ACTIONS
from tatc.apps.thorserver.thor_action import (
    INVALID_ACTION,
    ActionFailure,
    Arguments,
    ThorAction,
    ThorResult,
    check_arguments,
    convert_texts,
    failed_result,
    no_op,
)
from tatc.apps.thorserver.thor_agent import ThorAgent
from tatc.apps.thorserver.thor_world import (
    FAR_PLANE_METRES,
    NEAR_PLANE_METRES,
    VIEW_ARGUMENTS,
    ClientVersion,
    ThorWorld,
    find_served_scene,
    scene_names,
)
from tatc.apps.thorserver.unsimulated_actions import APPEARANCE_ACTIONS, PHYSICS_ACTIONS
from tatc.apps.thorserver.views import CAMERA_ACTIONS, is_valid_fov
from tatc.apps.thorserver.wire_images import draw_images, requested_views
from tatc.base.errors import TatcError
from tatc.base.json_fields import FieldError
from tatc.home.actions import GRID_SIZE_METRES
from tatc.home.state import AgentState
from tatc.sim.rooms.room import ReachableFloor

FIRST_SCENE = "kitchen-01"
"""The scene before the client names one."""

MAX_SEQUENCE_ID = 2**63 - 1
"""The largest number of an action that the message format can send back."""

LogFunction = Callable[[str], None]


def serve_client(
    connection: FifoConnection | WsgiConnection,
    size: tuple[int, int],
    client: ClientVersion,
    log: LogFunction,
    rooms_folder: Path | None = None,
) -> None:
    """Serve a client until it has no more actions; raise an OSError if it is gone.

    `size` is the frame's width and height in pixels.  `log` gets a line for each scene that is
    loaded, and for each action that does less than AI2-THOR's, the first time.  `rooms_folder`
    has rooms that come before the user's.
    """
    first_scene = find_served_scene(FIRST_SCENE)
    if first_scene is None:
        raise TatcError(f"{FIRST_SCENE} is missing", fix="install tatc again")
    world = ThorWorld(first_scene, size, client)
    world.rooms_folder = rooms_folder
    warned: set[str] = set()
    writer = EventMetadataWriter()

    def answer(action: dict[str, Any], result: ThorResult) -> None:
        name, sequence = str(action.get("action")), action.get("sequenceId", 0)
        if not isinstance(sequence, int) or not 0 <= sequence <= MAX_SEQUENCE_ID:
            sequence = 0
        metadata = writer.event_metadata(world, name, result, sequence)
        images = draw_images(world, requested_views(world, action), metadata)
        connection.send(metadata, list(images))

    answer({"action": "Initialize", "sequenceId": 0}, ThorResult())
    while (action := connection.receive()) is not None:
        result = _run_client_action(world, action, log)
        if result.warning and result.warning not in warned:
            warned.add(result.warning)
            log(f"{action.get('action')}: {result.warning}")
        answer(action, result)


def _run_client_action(world: ThorWorld, action: dict[str, Any], log: LogFunction) -> ThorResult:
    """Return the result of an action; an exception of ours becomes a failed action."""
    name = str(action.get("action"))
    if name == "Reset":
        return _reset_scene(world, str(action.get("sceneName")), log)
    agent = action.get("agentId") or 0
    if not isinstance(agent, int) or not 0 <= agent < len(world.agents):
        return failed_result(f"there is no agent {agent}")
    world.set_active_agent(agent)
    before = world.state.snapshot()
    try:
        result = run_action(world, name, action)
        if world.state.snapshot() is not before:
            world.update_appliances()
    except Exception as fault:
        print(traceback.format_exc(), file=sys.stderr)  # noqa: T201 - the server's log
        world.state.restore(before)
        return failed_result(f"tatc failed: {type(fault).__name__}: {fault}", "Exception")
    return result


def _reset_scene(world: ThorWorld, scene: str, log: LogFunction) -> ThorResult:
    """Load a scene; if that fails, the client's Initialize will report the reason."""
    try:
        found = find_served_scene(scene, world.rooms_folder)
    except TatcError as fault:
        world.load_fault = f"{scene} cannot be served: {fault}"
    else:
        if found is not None:
            world.load(found)
            log(f"{scene}: {found.source}")
            return ThorResult()
        world.load_fault = f"no room serves {scene}; GetScenesInBuild lists what can be"
    log(world.load_fault)
    return failed_result(world.load_fault)


def run_action(world: ThorWorld, name: str, given: Mapping[str, Any]) -> ThorResult:
    """Run an action and return its result; unknown names and bad arguments are failures."""
    action = THOR_ACTIONS.get(name)
    if action is None:
        return failed_result(f"Invalid action: {name}", INVALID_ACTION)
    arguments = convert_texts(action, {**given, "action": name})
    try:
        check_arguments(name, action, arguments, refuses_unknown=world.client.is_strict)
    except ActionFailure as failure:
        return failure.result
    try:
        result = ThorResult(return_value=action.run(world, arguments), warning=action.warning)
    except FieldError as fault:
        return failed_result(str(fault))
    except ActionFailure as failure:
        result = failure.result
    ignored = [each for each in action.ignored if arguments.get(each) is not None]
    if ignored:
        result = replace(result, warning=f"{', '.join(ignored)}: changes nothing here")
    return result


MAX_FRAME_SIDE_PIXELS = 4000
"""The largest width and height of a frame, in pixels."""
MAX_AGENTS = 8


def initialize(world: ThorWorld, arguments: Arguments) -> Any:
    """Apply the settings of a session, and place its agents."""
    if world.load_fault:
        raise ActionFailure(world.load_fault)
    mode = arguments.get("agentMode") or "default"
    if str(mode).lower() != "default":
        raise ActionFailure(f"agentMode {mode} is not served: the default body alone is")
    for name in ("renderNormalsImage", "renderFlowImage"):
        if arguments.flag(name):
            raise ActionFailure(f"{name} is not served: RGB, depth, ids and classes are")
    step = arguments.number("gridSize", GRID_SIZE_METRES)
    if not step > 0 or abs(step / GRID_SIZE_METRES - round(step / GRID_SIZE_METRES)) > 1e-3:
        raise ActionFailure(f"gridSize {step} is not served: multiples of {GRID_SIZE_METRES} are")
    fov = arguments.number("fieldOfView", world.client.default_fov)
    if not is_valid_fov(fov):
        raise ActionFailure("fov must be set to (0, 180) noninclusive.")
    turn = arguments.number("rotateStepDegrees", 90.0)
    if turn <= 0.0:
        raise ActionFailure("rotateStepDegrees must be a non-zero, non-negative float")
    settings = replace(
        world.settings,
        step_metres=step,
        visibility_metres=arguments.number("visibilityDistance", 1.5),
        fov=fov,
        turn_degrees=turn,
        snap_to_grid=arguments.get("snapToGrid") is not False,
        views=frozenset(
            kind
            for kind, names in VIEW_ARGUMENTS.items()
            if any(arguments.flag(name) for name in names)
        ),
    )
    world.configure(settings)
    agents = arguments.integer("agentCount", 1)
    if not 1 <= agents <= MAX_AGENTS:
        raise ActionFailure(f"agentCount {agents} is not served: 1 to {MAX_AGENTS} are")
    _add_agents(world, agents)
    return {"cameraNearPlane": NEAR_PLANE_METRES, "cameraFarPlane": FAR_PLANE_METRES}


def change_resolution(world: ThorWorld, arguments: Arguments) -> None:
    """Set the frame's width (x) and height (y), in pixels."""
    width, height = (int(arguments.number(axis, 0)) for axis in "xy")
    if not (0 < width <= MAX_FRAME_SIDE_PIXELS and 0 < height <= MAX_FRAME_SIDE_PIXELS):
        raise ActionFailure(f"a frame of {width} x {height} pixels cannot be drawn")
    world.size = width, height


def scenes_in_build(world: ThorWorld, arguments: Arguments) -> Any:
    """Return the names of all scenes that can be served."""
    return list(scene_names(world.rooms_folder))


def _add_agents(world: ThorWorld, agents: int) -> None:
    """Put further agents on the free cells nearest to the first agent."""
    x, y, z = world.agent_state.position
    cells = ReachableFloor.of_objects(world.state.objects, y).cells.tolist()
    near = sorted(cells, key=lambda cell: (hypot(cell[0] - x, cell[1] - z), cell))
    for cell in near[2 * len(world.agents) : 2 * agents : 2]:
        world.agents.append(ThorAgent(AgentState((cell[0], y, cell[1]), 0.0, 0.0)))


SESSION_ACTIONS: Mapping[str, ThorAction] = {
    "Initialize": ThorAction(initialize, takes_anything=True),
    "GetScenesInBuild": ThorAction(scenes_in_build),
    "ChangeResolution": ThorAction(change_resolution, "int x, int y", (("x", "y"),)),
    "ChangeQuality": ThorAction(no_op, "String quality"),
    "Pass": ThorAction(no_op),
    "Done": ThorAction(no_op),
    "NoOp": ThorAction(no_op, takes_anything=True),
}
"""`Reset` is not among them, because the loop loads scenes."""

THOR_ACTIONS: Mapping[str, ThorAction] = MappingProxyType(
    {
        **SESSION_ACTIONS,
        **AGENT_ACTIONS,
        **NAVIGATION_ACTIONS,
        **OBJECT_ACTIONS,
        **HAND_ACTIONS,
        **PHYSICS_ACTIONS,
        **SCENE_ACTIONS,
        **CAMERA_ACTIONS,
        **APPEARANCE_ACTIONS,
    }
)
