"""SetObjectFilter and its kin: which objects metadata list.

Objects that are not listed stay in the scene and can be acted on.
"""

from collections.abc import Mapping

from tatc.apps.thorserver.action_results import SUCCESS, Arguments, ThorResult
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import get_names


def set_filter(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """List only the objects with these ids."""
    world.listed_ids = frozenset(get_names(arguments, "objectIds") or ())
    return SUCCESS


def set_filter_for_type(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """List only the objects that have one of these types now."""
    types = get_names(arguments, "objectTypes") or ()
    world.listed_ids = frozenset(obj.objectId for obj in world.state.of_type(*types))
    return SUCCESS


def reset_filter(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """List all objects again."""
    world.listed_ids = None
    return SUCCESS


OBJECT_FILTER_ACTIONS: Mapping[str, ThorAction] = {
    "SetObjectFilter": ThorAction(
        set_filter, {"objectIds": ParameterType.TEXTS}, (("objectIds",),)
    ),
    "SetObjectFilterForType": ThorAction(
        set_filter_for_type, {"objectTypes": ParameterType.TEXTS}, (("objectTypes",),)
    ),
    "ResetObjectFilter": ThorAction(reset_filter),
}
