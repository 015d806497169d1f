"""Starting a scene: Initialize, the frame's size, and which scenes there are."""

from dataclasses import replace
from math import hypot

from tatc.actions import GRID
from tatc.fields import flag, whole
from tatc.sim.rooms.reach import Ground
from tatc.state import AgentState
from tatc.thorserver.answers import DONE, Answer, Arguments, number_or, refused
from tatc.thorserver.scenes import scene_names
from tatc.thorserver.stage import Stage

NEAR, FAR = 0.01, 20.0
"""AI2-THOR's clipping planes, metres: depths are shares of what is between them."""
LARGEST = 4000
"""Pixels on a side that a frame can have."""
MOST_AGENTS = 8


def initialize(stage: Stage, given: Arguments) -> Answer:
    """Take over the settings of a session, and place its agents."""
    if stage.fault:
        return refused(stage.fault)
    mode = given.get("agentMode") or "default"
    if str(mode).lower() != "default":
        return refused(f"agentMode {mode} is not served: the default body alone is")
    for name in ("renderNormalsImage", "renderFlowImage"):
        if flag(given, name):
            return refused(f"{name} is not served: RGB, depth, ids and classes are")
    step = number_or(given, "gridSize", GRID)
    if not step > 0 or abs(step / GRID - round(step / GRID)) > 1e-3:
        return refused(f"gridSize {step} is not served: multiples of {GRID} are")
    stage.settings = replace(
        stage.settings,
        step=step,
        visibility=number_or(given, "visibilityDistance", 1.5),
        fov=number_or(given, "fieldOfView", 90.0),
        turn=number_or(given, "rotateStepDegrees", 90.0),
        depth=flag(given, "renderDepthImage"),
        instances=flag(given, "renderInstanceSegmentation")
        or flag(given, "renderObjectImage"),
        classes=flag(given, "renderSemanticSegmentation")
        or flag(given, "renderClassImage"),
    )
    agents = whole(given.get("agentCount", 1), "agentCount")
    if not 1 <= agents <= MOST_AGENTS:
        return refused(f"agentCount {agents} is not served: 1 to {MOST_AGENTS} are")
    _add_bodies(stage, agents)
    return Answer(value={"cameraNearPlane": NEAR, "cameraFarPlane": FAR})


def change_resolution(stage: Stage, given: Arguments) -> Answer:
    """Give the frame another width (x) and height (y)."""
    width, height = (int(number_or(given, axis, 0)) for axis in "xy")
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        return refused(f"a frame of {width} x {height} pixels cannot be drawn")
    stage.size = width, height
    return DONE


def scenes(stage: Stage, given: Arguments) -> Answer:
    """Return the names of all scenes that can be loaded."""
    return Answer(value=list(scene_names()))


def nothing(stage: Stage, given: Arguments) -> Answer:
    """Do nothing, and do it well."""
    return DONE


def _add_bodies(stage: Stage, agents: int) -> None:
    """Stand further agents on the free cells nearest to the first."""
    x, y, z = stage.body.position
    cells = Ground.of(stage.house.things, y).cells.tolist()
    near = sorted(cells, key=lambda cell: (hypot(cell[0] - x, cell[1] - z), cell))
    for cell in near[2 * len(stage.bodies) : 2 * agents : 2]:
        stage.add_body(AgentState((cell[0], y, cell[1]), 0.0, 0.0))
