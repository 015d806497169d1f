"""The table of all actions that are served, by AI2-THOR's names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tatc.json_fields import FieldError
from tatc.sim.embedded import interaction_handlers
from tatc.thorserver import (
    agent_motion,
    camera_actions,
    object_actions,
    object_poses,
    session_actions,
)
from tatc.thorserver.action_results import (
    INVALID_ACTION,
    INVALID_ARGUMENT,
    MISSING_ARGUMENTS,
    Arguments,
    ThorResult,
    failed_result,
)
from tatc.thorserver.object_actions import object_action
from tatc.thorserver.thor_world import ThorWorld


@dataclass(frozen=True, slots=True)
class ThorAction:
    """One action: the function that runs it, and its required arguments."""

    run: Callable[[ThorWorld, Arguments], ThorResult]
    required: tuple[str, ...] = ()


THOR_ACTIONS: Mapping[str, ThorAction] = MappingProxyType(
    {
        # A session
        "Initialize": ThorAction(session_actions.initialize),
        "GetScenesInBuild": ThorAction(session_actions.scenes_in_build),
        "ChangeResolution": ThorAction(session_actions.change_resolution, ("x", "y")),
        **dict.fromkeys(
            ("ChangeQuality", "Pass", "Done", "NoOp", "Stand"), ThorAction(session_actions.no_op)
        ),
        # The body
        "MoveAhead": ThorAction(agent_motion.move_action(0)),
        "MoveRight": ThorAction(agent_motion.move_action(90)),
        "MoveBack": ThorAction(agent_motion.move_action(180)),
        "MoveLeft": ThorAction(agent_motion.move_action(270)),
        "RotateRight": ThorAction(agent_motion.turn_action(1)),
        "RotateLeft": ThorAction(agent_motion.turn_action(-1)),
        "Rotate": ThorAction(agent_motion.rotate_to, ("rotation",)),
        "LookDown": ThorAction(agent_motion.look_action(1)),
        "LookUp": ThorAction(agent_motion.look_action(-1)),
        "Teleport": ThorAction(agent_motion.teleport),
        "TeleportFull": ThorAction(agent_motion.teleport, ("rotation", "horizon")),
        "GetReachablePositions": ThorAction(agent_motion.reachable_positions),
        # Objects
        "PickupObject": ThorAction(object_actions.pick_up_object),
        "PutObject": ThorAction(object_actions.put_object),
        "DropHandObject": ThorAction(object_actions.drop_hand_object),
        "OpenObject": ThorAction(object_action(interaction_handlers.open_target)),
        "CloseObject": ThorAction(object_action(interaction_handlers.close_target)),
        "ToggleObjectOn": ThorAction(object_action(interaction_handlers.switch_on)),
        "ToggleObjectOff": ThorAction(object_action(interaction_handlers.switch_off)),
        "SliceObject": ThorAction(object_action(interaction_handlers.slice_target)),
        "BreakObject": ThorAction(object_actions.break_object),
        "DirtyObject": ThorAction(object_action(interaction_handlers.make_dirty)),
        "CleanObject": ThorAction(object_action(interaction_handlers.make_clean)),
        "FillObjectWithLiquid": ThorAction(object_actions.fill_object),
        "EmptyLiquidFromObject": ThorAction(object_action(interaction_handlers.empty_liquid)),
        "CookObject": ThorAction(object_action(object_actions.SET_COOKED)),
        "UseUpObject": ThorAction(object_action(object_actions.SET_USED_UP)),
        # The scene
        "SetObjectPoses": ThorAction(object_poses.set_object_poses, ("objectPoses",)),
        "InitialRandomSpawn": ThorAction(object_poses.initial_random_spawn),
        "MakeObjectsOfTypeUnbreakable": ThorAction(object_poses.set_unbreakable, ("objectType",)),
        "MakeAllObjectsUnbreakable": ThorAction(object_poses.set_all_unbreakable),
        # Cameras
        "GetCoordinateFromRaycast": ThorAction(camera_actions.raycast, ("x", "y")),
        "GetObjectInFrame": ThorAction(camera_actions.object_in_frame, ("x", "y")),
        "AddThirdPartyCamera": ThorAction(camera_actions.add_camera, ("position", "rotation")),
        "UpdateThirdPartyCamera": ThorAction(camera_actions.update_camera),
        "ToggleMapView": ThorAction(camera_actions.toggle_map_view),
        "GetMapViewCameraProperties": ThorAction(camera_actions.map_camera_properties),
    }
)
"""`Reset` is not among them, because `server_loop` loads scenes."""


def run_action(world: ThorWorld, name: str, arguments: Arguments) -> ThorResult:
    """Run an action and return its result; unknown names and bad arguments are failures."""
    action = THOR_ACTIONS.get(name)
    if action is None:
        return failed_result(f"Invalid action: {name}", INVALID_ACTION)
    missing = [field for field in action.required if arguments.get(field) is None]
    if missing:
        why = f"action: {name} is missing the following arguments: {missing}"
        return failed_result(why, MISSING_ARGUMENTS)
    try:
        return action.run(world, arguments)
    except FieldError as fault:
        return failed_result(str(fault), INVALID_ARGUMENT)
