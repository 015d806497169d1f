"""Actions that set up a session: Initialize, the frame's size, and the list of scenes."""

from collections.abc import Mapping
from dataclasses import replace
from math import hypot

from tatc.apps.thorserver import agent_actions, served_scenes, thor_agent, thor_world, views
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments
from tatc.home.actions import GRID_SIZE_METRES
from tatc.home.state import AgentState
from tatc.sim.rooms.room import ReachableFloor

MAX_FRAME_SIDE_PIXELS = 4000  # the largest width and height of a frame, in pixels
MAX_AGENTS = 8
MIN_TURN_DEGREES = 1.0
"""The smallest turn, degrees: all turns of a circle are searched for what can be seen."""


def initialize(world: thor_world.ThorWorld, arguments: Arguments) -> dict[str, float]:
    """Apply the settings of a session, and place its agents."""
    if world.load_fault:
        raise ActionFailure(world.load_fault)
    mode = arguments.get("agentMode") or "default"
    if str(mode).lower() != "default":
        raise ActionFailure(f"agentMode {mode} is not served: the default body alone is")
    for name in ("renderNormalsImage", "renderFlowImage"):
        if arguments.flag(name):
            raise ActionFailure(f"{name} is not served: RGB, depth, ids and classes are")
    fov = views.checked_fov(arguments, world.client.default_fov)
    agents = arguments.integer("agentCount", 1)
    if not 1 <= agents <= MAX_AGENTS:
        raise ActionFailure(f"agentCount {agents} is not served: 1 to {MAX_AGENTS} are")
    settings = replace(
        _step_settings(world, arguments),
        visibility_metres=arguments.number("visibilityDistance", 1.5),
        fov=fov,
        draws_agents=arguments.get("makeAgentsVisible") is not False,
        views=frozenset(
            kind
            for kind, names in thor_world.VIEW_ARGUMENTS.items()
            if any(arguments.flag(name) for name in names)
        ),
    )
    world.set_agents(_placed_agents(world, agents))
    world.settings = settings
    world.state.placing_reach_metres = settings.visibility_metres
    return {
        "cameraNearPlane": thor_world.NEAR_PLANE_METRES,
        "cameraFarPlane": thor_world.FAR_PLANE_METRES,
    }


def _step_settings(world: thor_world.ThorWorld, arguments: Arguments) -> thor_world.SceneSettings:
    """Return the world's settings with steps and turns as they are asked for, if they can be."""
    step = arguments.number("gridSize", GRID_SIZE_METRES)
    snaps = arguments.get("snapToGrid") is not False
    if not step > 0 or (snaps and agent_actions.cells_of_step(0.0, step) is None):
        why = f"gridSize {step} is not served: multiples of {GRID_SIZE_METRES} are"
        raise ActionFailure(f"{why}, and others with snapToGrid=False")
    turn = arguments.number("rotateStepDegrees", 90.0)
    if turn <= 0.0:
        raise ActionFailure("rotateStepDegrees must be a non-zero, non-negative float")
    if turn < MIN_TURN_DEGREES:
        why = f"rotateStepDegrees {turn} is not served: {MIN_TURN_DEGREES} and more are"
        raise ActionFailure(why)
    if snaps and world.client.is_strict and turn % 90.0:
        raise ActionFailure(
            f"Invalid values 'rotateStepDegrees': {turn} and 'snapToGrid': True. 'snapToGrid': "
            "'True' is not supported when 'rotateStepDegrees' is different from grid rotation "
            "steps of 0, 90, 180, 270 or 360."
        )
    return replace(world.settings, step_metres=step, turn_degrees=turn, snap_to_grid=snaps)


def _change_resolution(world: thor_world.ThorWorld, arguments: Arguments) -> None:
    width, height = (int(arguments.number(axis, 0)) for axis in "xy")
    if not (0 < width <= MAX_FRAME_SIDE_PIXELS and 0 < height <= MAX_FRAME_SIDE_PIXELS):
        raise ActionFailure(f"a frame of {width} x {height} pixels cannot be drawn")
    world.size = width, height


def _placed_agents(world: thor_world.ThorWorld, count: int) -> list[thor_agent.ThorAgent]:
    world.save_active_agent()
    agents, y = world.agents[:count], world.agent_y
    x, _, z = agents[0].state.position
    objects = world.state.objects
    listed = thor_world.listed_cells(world.served_scene.room, objects)
    cells = sorted(ReachableFloor.of_cells(listed, objects, y).cells.tolist())
    for cell_x, cell_z in sorted(cells, key=lambda cell: hypot(cell[0] - x, cell[1] - z)):
        place = cell_x, y, cell_z
        if len(agents) < count and not any(agent.is_in_the_way(place) for agent in agents):
            agents.append(thor_agent.ThorAgent(AgentState(place, 0.0, 0.0, world.client.body)))
    if len(agents) < count:
        raise ActionFailure(
            f"agentCount {count} is not served: the floor has room for {len(agents)}"
        )
    return agents


SESSION_ACTIONS: Mapping[str, ActionFunction] = {
    "Initialize": initialize,
    "GetScenesInBuild": lambda world, _: [*served_scenes.scene_names(world.rooms_folder)],
    "ChangeResolution": _change_resolution,
}
"""`Reset` is not among them, because the loop loads scenes."""
