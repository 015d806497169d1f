"""The loop that runs a client's actions, from one scene to the next."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tatc.apps.thorserver import action_table, client_connection, events, thor_action, thor_world
from tatc.apps.thorserver.served_scenes import find_served_scene
from tatc.apps.thorserver.wire_images import draw_images, requested_views
from tatc.base.errors import TatcError

FIRST_SCENE = "FloorPlan1"  # the scene before the client names one

LogFunction = Callable[[str], None]


def serve_client(
    connection: client_connection.FifoConnection | client_connection.WsgiConnection,
    size: tuple[int, int],
    client: thor_world.ClientVersion,
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
    world = thor_world.ThorWorld(first_scene, size, client)
    world.rooms_folder = rooms_folder
    warned: set[str] = set()
    writer = events.EventMetadataWriter()

    def answer(action: dict[str, Any], result: thor_action.ThorResult) -> None:
        name, sequence = str(action.get("action")), action.get("sequenceId", 0)
        if not isinstance(sequence, int) or not 0 <= sequence < 2**63:  # others cannot be sent
            sequence = 0
        metadata = writer.event_metadata(world, name, result, sequence)
        images = draw_images(world, requested_views(world, action), metadata)
        connection.send(metadata, list(images))

    answer({"action": "Initialize", "sequenceId": 0}, thor_action.ThorResult())
    while (action := connection.receive()) is not None:
        result = run_client_action(world, action, log)
        if result.warning and result.warning not in warned:
            warned.add(result.warning)
            log(f"{action.get('action')}: {result.warning}")
        answer(action, result)


def run_client_action(
    world: thor_world.ThorWorld, action: dict[str, Any], log: LogFunction
) -> thor_action.ThorResult:
    """Return the result of an action; an exception of ours becomes a failed action."""
    name = str(action.get("action"))
    if name == "Reset":
        return _reset_scene(world, str(action.get("sceneName")), log)
    agent = action.get("agentId") or 0
    if not isinstance(agent, int) or not 0 <= agent < len(world.agents):
        return thor_action.failed_result(f"there is no agent {agent}")
    world.set_active_agent(agent)
    restore, before = world.saved(), world.state.snapshot()
    try:
        result = action_table.run_action(world, name, world.with_known_ids(action))
        if world.state.snapshot() is not before:
            world.update_appliances()
    except Exception as fault:
        for line in traceback.format_exc().splitlines():
            log(line)
        restore()
        why = f"tatc failed: {type(fault).__name__}: {fault}"
        return thor_action.failed_result(why, "Exception")
    return result


def _reset_scene(
    world: thor_world.ThorWorld, scene: str, log: LogFunction
) -> thor_action.ThorResult:
    """Load a scene; if that fails, the client's Initialize will report the reason."""
    try:
        found = find_served_scene(scene, world.rooms_folder)
    except TatcError as fault:
        world.load_fault = f"{scene} cannot be served: {fault}"
    else:
        if found is not None:
            world.load(found)
            log(f"{scene}: {found.source}")
            return thor_action.ThorResult()
        world.load_fault = f"no room serves {scene}; GetScenesInBuild lists what can be"
    log(world.load_fault)
    return thor_action.failed_result(world.load_fault)
