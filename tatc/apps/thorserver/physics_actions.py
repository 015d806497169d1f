"""Actions that AI2-THOR's physics carries out, in a world without forces or time.

Pushes and throws fail once their targets and arguments are checked as in AI2-THOR, so that
nothing seems to have moved.  What only says how time passes, or what may move, is done by
doing nothing: all objects are at rest after each action.
"""

from collections.abc import Mapping

from tatc.apps.thorserver.thor_action import (
    ActionFailure,
    ActionFunction,
    Arguments,
    ThorAction,
    no_op,
    target_action,
)
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import frame_click, target_object

NO_FORCES_ERROR = "object couldn't come to rest: tatc's world does not simulate forces"
MAX_TIME_STEP_SECONDS = 0.05


def throw_held(world: ThorWorld, arguments: Arguments) -> None:
    """Refuse to throw the held object; `DropHeldObject` lets go of it."""
    if world.state.held_object is None:
        raise ActionFailure("Nothing in hand to throw!")
    raise ActionFailure(NO_FORCES_ERROR)


def push_object(world: ThorWorld, arguments: Arguments) -> None:
    """Refuse to push an object."""
    obj = target_object(world, arguments)
    if obj.isPickedUp:
        raise ActionFailure("Please use Throw for an item in the Agent's Hand")
    if not (obj.affordances.pickupable or obj.affordances.moveable):
        raise ActionFailure("Target Primary Property type incompatible with push/pull")
    raise ActionFailure(NO_FORCES_ERROR)


def touch_then_push(world: ThorWorld, arguments: Arguments) -> None:
    """Refuse to push what is at a point of the frame."""
    frame_click(world, arguments)
    raise ActionFailure(NO_FORCES_ERROR)


def physics_switch(*, pauses: bool) -> ActionFunction:
    """Return the action that notes whether steps of time are asked for one by one."""

    def run(world: ThorWorld, arguments: Arguments) -> None:
        world.is_physics_paused = pauses

    return run


def advance_physics(world: ThorWorld, arguments: Arguments) -> None:
    """Let time pass, in which nothing moves: everything is at rest after each action."""
    if not (world.is_physics_paused or arguments.get("allowAutoSimulation")):
        raise ActionFailure(
            "AdvancePhysicsStep can only be called if Physics AutoSimulation is currently "
            "paused or if you have passed allowAutoSimulation=true! Either use the "
            "PausePhysicsAutoSim() action first, or if you already used it, Physics "
            "AutoSimulation has been turned back on already."
        )
    if not 0.0 < arguments.number("timeStep", 0.02) <= MAX_TIME_STEP_SECONDS:
        raise ActionFailure(
            "Please use a timeStep between 0.0f and 0.05f. Larger timeSteps produce "
            "inconsistent simulation results."
        )
    if arguments.number("simSeconds", 0.0) < 0.0:
        raise ActionFailure(
            f"simSeconds must be non-negative (simSeconds=={arguments['simSeconds']})."
        )


PHYSICS_ACTIONS: Mapping[str, ThorAction] = {
    "ThrowObject": ThorAction(
        throw_held, "float moveMagnitude, Boolean forceAction, Boolean autoSimulation"
    ),
    "PushObject": target_action(push_object, "float moveMagnitude"),
    "PullObject": target_action(push_object, "float moveMagnitude"),
    "DirectionalPush": target_action(push_object, "float moveMagnitude, float pushAngle"),
    "TouchThenApplyForce": ThorAction(
        touch_then_push,
        "float x, float y, Vector3 direction, float moveMagnitude, float handDistance",
        (("x", "y"),),
    ),
    "MakeAllObjectsMoveable": ThorAction(no_op),
    "MakeAllObjectsStationary": ThorAction(no_op),
    "ChangeOpenSpeed": ThorAction(no_op, "float x"),
    "PausePhysicsAutoSim": ThorAction(physics_switch(pauses=True)),
    "UnpausePhysicsAutoSim": ThorAction(physics_switch(pauses=False)),
    "AdvancePhysicsStep": ThorAction(
        advance_physics, "float timeStep, float simSeconds, Boolean allowAutoSimulation"
    ),
}
