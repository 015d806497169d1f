"""Actions on objects: AI2-THOR's interactions and its direct changes of state.

Without `forceAction` the object must be visible.  The interactions and their refusals are
those of the embedded world.
"""

from collections.abc import Mapping

from tatc.apps.thorserver.action_results import SUCCESS, Arguments, ThorResult, failed_result
from tatc.apps.thorserver.click_near_receptacle import receptacle_near
from tatc.apps.thorserver.object_targets import frame_click, hit_at_point, target_object
from tatc.apps.thorserver.thor_action import (
    ActionFunction,
    ParameterType,
    ThorAction,
    target_action,
)
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import visible_point_on
from tatc.base.json_fields import get_text
from tatc.home.state import ObjectState, Vec3
from tatc.home.types.facts import CRACKED_TYPE_BY_WHOLE
from tatc.sim.embedded import interaction_handlers
from tatc.sim.embedded.interaction_handlers import (
    InteractionHandler,
    fill_with_liquid,
    pick_up,
    place_held,
)
from tatc.sim.embedded.interactions import place_by_ray
from tatc.sim.embedded.slicing import cut_into_pieces
from tatc.sim.embedded.world_state import WorldState

EMPTY_HAND_ERROR = "Can't place an object if Agent isn't holding anything!"
LIQUID_TYPES = ("water", "coffee", "wine")


def object_action(interaction: InteractionHandler) -> ActionFunction:
    """Return the action that applies an interaction to the object that its arguments name."""

    def run(world: ThorWorld, arguments: Arguments) -> ThorResult:
        obj = target_object(world, arguments)
        if isinstance(obj, ThorResult):
            return obj
        refusal = interaction(world.state, obj, visible_point_on(world, obj))
        return SUCCESS if refusal is None else failed_result(refusal)

    return run


def pick_up_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Take an object into the hand; return its id."""
    result = object_action(pick_up)(world, arguments)
    held = world.state.held_object
    if result.success and held is not None:
        return ThorResult(return_value=held.objectId)
    return result


def put_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put the held object into the receptacle with the id, or at x, y of the frame.

    For clients before 2.5 `objectId` is the held object, and `receptacleObjectId` the
    receptacle.
    """
    if world.state.held_object is None:
        return failed_result(EMPTY_HAND_ERROR)
    if arguments.get("receptacleObjectId"):
        receptacle = get_text(arguments, "receptacleObjectId")
        return object_action(place_held)(world, {**arguments, "objectId": receptacle})
    if arguments.get("objectId"):
        return object_action(place_held)(world, arguments)
    click = frame_click(world, arguments)
    if isinstance(click, ThorResult):
        return click
    hit = hit_at_point(world, arguments)
    if isinstance(hit, ThorResult):
        near = receptacle_near(world, click)
        if near is None:
            return hit
        hit = near
    refusal = place_by_ray(world.state, click, hit, world.agent_camera().eye)
    return SUCCESS if refusal is None else failed_result(refusal)


def fill_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Fill an object with a liquid, water by default."""
    liquid = arguments.get("fillLiquid") or "water"
    if liquid not in LIQUID_TYPES:
        return failed_result(f"{liquid} is not a valid Liquid Type")
    result = object_action(fill_with_liquid)(world, arguments)
    obj = target_object(world, {**arguments, "forceAction": True})
    if result.success and isinstance(obj, ObjectState):
        world.liquid_by_object[obj.objectId] = liquid
    return result


def break_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Break an object; an egg cracks."""
    obj = target_object(world, arguments)
    if isinstance(obj, ThorResult):
        return obj
    if not obj.affordances.breakable:
        return failed_result(f"{obj.objectId} does not have the Breakable property!")
    if obj.isBroken:
        return failed_result(f"{obj.objectId} is already broken")
    if obj.objectType in world.unbreakable_types:
        return failed_result(f"{obj.objectId} is unbreakable")
    if obj.objectType in CRACKED_TYPE_BY_WHOLE:
        cut_into_pieces(world.state, obj)
    world.state.update_object(obj.objectId, isBroken=True)
    return SUCCESS


def flag_setter(affordance: str, flag_name: str) -> InteractionHandler:
    """Return the interaction that sets a flag of an object with this affordance."""

    def interaction(state: WorldState, obj: ObjectState, point: Vec3) -> str | None:
        if not getattr(obj.affordances, affordance):
            return f"{obj.objectId} is not {affordance}!"
        if getattr(obj, flag_name):
            return f"{obj.objectId} already: {flag_name}"
        state.update_object(obj.objectId, **{flag_name: True})
        return None

    return interaction


SET_COOKED = flag_setter("cookable", "isCooked")
SET_USED_UP = flag_setter("canBeUsedUp", "isUsedUp")


OBJECT_ACTIONS: Mapping[str, ThorAction] = {
    "PickupObject": target_action(pick_up_object, manualInteract=ParameterType.BOOL),
    "PutObject": target_action(
        put_object,
        receptacleObjectId=ParameterType.TEXT,
        placeStationary=ParameterType.BOOL,
        putNearXY=ParameterType.BOOL,
        randomSeed=ParameterType.INT,
        maxDistance=ParameterType.FLOAT,
    ),
    "ToggleObjectOn": target_action(object_action(interaction_handlers.switch_on)),
    "ToggleObjectOff": target_action(object_action(interaction_handlers.switch_off)),
    "SliceObject": target_action(object_action(interaction_handlers.slice_target)),
    "BreakObject": target_action(break_object),
    "DirtyObject": target_action(object_action(interaction_handlers.make_dirty)),
    "CleanObject": target_action(object_action(interaction_handlers.make_clean)),
    "FillObjectWithLiquid": target_action(fill_object, fillLiquid=ParameterType.TEXT),
    "EmptyLiquidFromObject": target_action(object_action(interaction_handlers.empty_liquid)),
    "CookObject": target_action(object_action(SET_COOKED)),
    "UseUpObject": target_action(object_action(SET_USED_UP)),
}
