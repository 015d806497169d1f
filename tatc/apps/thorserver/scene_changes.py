"""Actions that take objects out of the scene, and bring disabled ones back."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from tatc.apps.thorserver.action_results import SUCCESS, Arguments, ThorResult, failed_result
from tatc.apps.thorserver.thor_action import ActionFunction, ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import get_names, get_text
from tatc.home.state import ObjectState


def remove_from_scene(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Remove the object `objectId`, or all of `objectIds`."""
    ids = get_names(arguments, "objectIds")
    if ids is None:
        ids = (get_text(arguments, "objectId"),)
    if not ids:
        return failed_result("objectIds must not be empty!")
    for object_id in ids:
        if world.state.find(object_id) is None:
            return _unknown_object_result(object_id)
    _remove(world, ids)
    return SUCCESS


def disable_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Take an object out of the scene until it is enabled."""
    object_id = get_text(arguments, "objectId")
    obj = world.state.find(object_id)
    if obj is None:
        return _unknown_object_result(object_id)
    world.disabled_objects[object_id] = replace(obj, isPickedUp=False)
    _remove(world, (object_id,))
    return SUCCESS


def disable_all_of_type(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Take all objects of a type out of the scene until they are enabled."""
    for obj in world.state.of_type(get_text(arguments, "objectType")):
        disable_object(world, {"objectId": obj.objectId})
    return SUCCESS


def enable_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Bring a disabled object back to where it was."""
    object_id = get_text(arguments, "objectId")
    obj = world.disabled_objects.pop(object_id, None)
    if obj is not None:
        world.absent_ids.discard(object_id)
        world.replace_objects([*world.state.objects, obj])
    elif world.state.find(object_id) is None:
        return _unknown_object_result(object_id)
    return SUCCESS


def _unknown_object_result(object_id: str) -> ThorResult:
    return failed_result(f"objectId: {object_id} is not the objectId on any object in the scene!")


def _remove(world: ThorWorld, ids: Collection[str]) -> None:
    """Remove objects, and what others say of them."""
    world.absent_ids.update(ids)
    world.replace_objects(
        _without_references(obj, ids) for obj in world.state.objects if obj.objectId not in ids
    )


def _without_references(obj: ObjectState, ids: Collection[str]) -> ObjectState:
    """Return an object that is neither in nor controls any of these objects."""
    parents, controlled = obj.parentReceptacles or (), obj.controlledObjects or ()
    if not any(each in ids for each in (*parents, *controlled)):
        return obj
    return replace(
        obj,
        parentReceptacles=tuple(each for each in parents if each not in ids) or None,
        controlledObjects=tuple(each for each in controlled if each not in ids) or None,
    )


def _object_action(run: ActionFunction) -> ThorAction:
    return ThorAction(run, {"objectId": ParameterType.TEXT}, (("objectId",),))


SCENE_CHANGE_ACTIONS: Mapping[str, ThorAction] = {
    "RemoveFromScene": ThorAction(
        remove_from_scene,
        {"objectId": ParameterType.TEXT, "objectIds": ParameterType.TEXTS},
        (("objectId",), ("objectIds",)),
    ),
    "RemoveObjsFromScene": ThorAction(
        remove_from_scene, {"objectIds": ParameterType.TEXTS}, (("objectIds",),)
    ),
    "DisableObject": _object_action(disable_object),
    "DisableAllObjectsOfType": ThorAction(
        disable_all_of_type, {"objectType": ParameterType.TEXT}, (("objectType",),)
    ),
    "EnableObject": _object_action(enable_object),
}
