"""The server's loop: an action in, what came of it out, until the client is gone."""

import sys
import traceback
from collections.abc import Callable
from typing import Any

from tatc.errors import TatcError
from tatc.thorserver.actions import answer
from tatc.thorserver.answers import Answer, refused
from tatc.thorserver.messages import Wire
from tatc.thorserver.pictures import draw, wanted_views
from tatc.thorserver.report import Reporter
from tatc.thorserver.scenes import Served, served
from tatc.thorserver.stage import Stage

FIRST = "kitchen-01"
"""What is there before the client names a scene."""

Say = Callable[[str], None]


def play(wire: Wire, size: tuple[int, int], say: Say) -> None:
    """Serve a client until it has no more actions.

    Args:
        wire: the way to the client.
        size: the frame's width and height.
        say: told in words what is served.

    Raises:
        WireFault: the client said something that is no message.
        OSError: the client is gone.

    """
    stage = Stage(_first(), size)
    reporter = Reporter()
    _send(wire, stage, reporter, {"action": "Initialize", "sequenceId": 0}, Answer())
    while (action := wire.receive()) is not None:
        _send(wire, stage, reporter, action, _answered(stage, action, say))


def _first() -> Served:
    found = served(FIRST)
    if found is None:
        raise TatcError(f"{FIRST} is missing", fix="install tatc anew")
    return found


def _send(
    wire: Wire,
    stage: Stage,
    reporter: Reporter,
    action: dict[str, Any],
    came: Answer,
) -> None:
    name, sequence = str(action.get("action")), action.get("sequenceId", 0)
    metadata = reporter.report(stage, name, came, sequence)
    wire.send(metadata, list(draw(stage, wanted_views(stage, action), metadata)))


def _answered(stage: Stage, action: dict[str, Any], say: Say) -> Answer:
    """Return what comes of an action; a fault of ours is a failed action, and said."""
    name = str(action.get("action"))
    if name == "Reset":
        return _reset(stage, str(action.get("sceneName")), say)
    agent = action.get("agentId") or 0
    if not isinstance(agent, int) or not 0 <= agent < len(stage.bodies):
        return refused(f"there is no agent {agent}")
    stage.act_as(agent)
    before = stage.house.snapshot()
    try:
        came = answer(stage, name, action)
        if stage.house.snapshot() is not before:
            stage.run_machines()
    except Exception as fault:
        print(traceback.format_exc(), file=sys.stderr)  # noqa: T201 - the server's log
        stage.house.restore(before)
        return refused(f"tatc failed: {type(fault).__name__}: {fault}", "Exception")
    return came


def _reset(stage: Stage, scene: str, say: Say) -> Answer:
    """Load a scene; what cannot be loaded is said when the client initializes it."""
    try:
        found = served(scene)
    except TatcError as fault:
        stage.fault = f"{scene} cannot be served: {fault}"
    else:
        if found is not None:
            stage.load(found)
            say(f"{scene}: {found.source}")
            return Answer()
        stage.fault = f"no room serves {scene}; GetScenesInBuild lists what can be"
    say(stage.fault)
    return refused(stage.fault)
