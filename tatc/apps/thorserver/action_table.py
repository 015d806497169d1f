"""The table of all actions that are served, by AI2-THOR's names."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tatc.apps.thorserver.agent_actions import AGENT_ACTIONS, HAND_ACTIONS
from tatc.apps.thorserver.navigation_actions import NAVIGATION_ACTIONS
from tatc.apps.thorserver.object_actions import OBJECT_ACTIONS
from tatc.apps.thorserver.scene_actions import SCENE_ACTIONS
from tatc.apps.thorserver.session_actions import SESSION_ACTIONS
from tatc.apps.thorserver.thor_action import (
    INVALID_ACTION,
    ActionFailure,
    ThorAction,
    ThorResult,
    check_arguments,
    convert_texts,
    failed_result,
)
from tatc.apps.thorserver.thor_world import (
    ThorWorld,
)
from tatc.apps.thorserver.unsimulated_actions import APPEARANCE_ACTIONS, PHYSICS_ACTIONS
from tatc.apps.thorserver.views import CAMERA_ACTIONS
from tatc.base.json_fields import FieldError


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
