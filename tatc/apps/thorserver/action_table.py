"""The table of all actions that are served, by AI2-THOR's names."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tatc.apps.thorserver import agent_actions, thor_action, thor_world, unsimulated_actions, views
from tatc.apps.thorserver.navigation_actions import NAVIGATION_ACTIONS
from tatc.apps.thorserver.object_actions import OBJECT_ACTIONS
from tatc.apps.thorserver.scene_actions import SCENE_ACTIONS
from tatc.apps.thorserver.session_actions import SESSION_ACTIONS
from tatc.base import files, json_fields


def run_action(
    world: thor_world.ThorWorld, name: str, given: Mapping[str, Any]
) -> thor_action.ThorResult:
    """Run an action and return its result; unknown names and bad arguments are failures."""
    action = THOR_ACTIONS.get(name)
    if action is None:
        return thor_action.failed_result(f"Invalid action: {name}", thor_action.INVALID_ACTION)
    arguments = thor_action.convert_texts(action, {**given, "action": name})
    try:
        thor_action.check_arguments(name, action, arguments, refuses_unknown=world.client.is_strict)
    except thor_action.ActionFailure as failure:
        return failure.result
    try:
        value = action.run(world, arguments)
        result = thor_action.ThorResult(return_value=value, warning=action.warning)
    except json_fields.FieldError as fault:
        return thor_action.failed_result(str(fault))
    except thor_action.ActionFailure as failure:
        result = failure.result
    ignored = [each for each in action.ignored if arguments.get(each) is not None]
    if ignored:
        result = replace(result, warning=f"{', '.join(ignored)}: changes nothing here")
    return result


def _do_nothing(world: thor_world.ThorWorld, arguments: thor_action.Arguments) -> None:
    pass


_FUNCTIONS: Mapping[str, thor_action.ActionFunction] = {
    **SESSION_ACTIONS,
    **agent_actions.AGENT_ACTIONS,
    **NAVIGATION_ACTIONS,
    **OBJECT_ACTIONS,
    **agent_actions.HAND_ACTIONS,
    **unsimulated_actions.PHYSICS_ACTIONS,
    **SCENE_ACTIONS,
    **views.CAMERA_ACTIONS,
    **unsimulated_actions.APPEARANCE_ACTIONS,
}


def _read_actions() -> Iterator[tuple[str, thor_action.ThorAction]]:
    table = files.package_table("tatc.apps.thorserver", "actions.toml")
    for group in map(dict[str, Any], table["actions"]):
        names, does_nothing = group.pop("names"), group.pop("does_nothing", False)
        for name in names:
            run = _do_nothing if does_nothing else _FUNCTIONS[name]
            yield name, thor_action.ThorAction(run, **group)


THOR_ACTIONS: Mapping[str, thor_action.ThorAction] = dict(_read_actions())
