"""Actions on objects: AI2-THOR's interactions and its direct changes of state.

Without `forceAction` the object must be visible.  The interactions and their refusals are
those of the embedded world.
"""

from collections.abc import Callable

from tatc.actions import Click
from tatc.camera.geometry import RayHit
from tatc.camera.rays import MIN_RAY_COMPONENT, Eye
from tatc.json_fields import FieldError, as_number, get_flag, get_text
from tatc.metadata import write_vector
from tatc.sim.embedded.apply_recorded_effect import drop_held_object
from tatc.sim.embedded.interaction_handlers import (
    InteractionHandler,
    fill_with_liquid,
    pick_up,
    place_held,
)
from tatc.sim.embedded.interactions import place_by_ray
from tatc.sim.embedded.slicing import cut_into_pieces
from tatc.sim.embedded.world_state import WorldState, held_position
from tatc.state import ObjectState, Vec3
from tatc.thor_types.facts import CRACKED_TYPE_BY_WHOLE
from tatc.thorserver.action_results import (
    MISSING_ARGUMENTS,
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
)
from tatc.thorserver.thor_world import ThorWorld

NOT_VISIBLE_ERROR = "Target object not found within the specified visibility."
INVALID_ID_ERROR = "Object ID appears to be invalid."
EMPTY_HAND_ERROR = "Can't place an object if Agent isn't holding anything!"
LIQUID_TYPES = ("water", "coffee", "wine")


def object_action(interaction: InteractionHandler) -> Callable[[ThorWorld, Arguments], ThorResult]:
    """Return the action that applies an interaction to the object that its arguments name."""

    def run(world: ThorWorld, arguments: Arguments) -> ThorResult:
        obj = target_object(world, arguments)
        if isinstance(obj, ThorResult):
            return obj
        refusal = interaction(world.state, obj, world.visible_point_on(obj))
        return SUCCESS if refusal is None else failed_result(refusal)

    return run


def target_object(world: ThorWorld, arguments: Arguments) -> ObjectState | ThorResult:
    """Return the object that `objectId` or a point of the frame names, or the failure.

    Raises:
        FieldError: an argument has the wrong type.

    """
    if arguments.get("objectId"):
        obj = world.state.find(get_text(arguments, "objectId"))
        if obj is None:
            return failed_result(INVALID_ID_ERROR)
    else:
        hit = hit_at_point(world, arguments)
        if isinstance(hit, ThorResult):
            return hit
        obj = world.state.objects[hit.index]
    if not get_flag(arguments, "forceAction") and not world.is_interactable(obj):
        return failed_result(NOT_VISIBLE_ERROR, "ObjectNotVisible")
    return obj


def hit_at_point(world: ThorWorld, arguments: Arguments) -> RayHit | ThorResult:
    """Return what the ray through the point x, y of the frame hits, or the failure.

    Raises:
        FieldError: x or y is not a number between 0 and 1.

    """
    click = frame_click(world, arguments)
    if isinstance(click, ThorResult):
        return click
    hit = world.state.geometry.hit_at_click(world.agent_camera().eye, click)
    return hit or failed_result("Could not find a target object: the ray meets none")


def frame_click(world: ThorWorld, arguments: Arguments) -> Click | ThorResult:
    """Return the point x, y of the frame as a point of the embedded world's square frame.

    Raises:
        FieldError: x or y is not a number between 0 and 1.

    """
    missing = [axis for axis in "xy" if arguments.get(axis) is None]
    if missing:
        return failed_result(f"missing the following arguments: {missing}", MISSING_ARGUMENTS)
    x, y = (as_number(arguments[axis], axis) for axis in "xy")
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise FieldError("x, y", "must be between 0 and 1")
    return world.agent_camera().to_square_click(x, y)


def pick_up_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Take an object into the hand; return its id."""
    result = object_action(pick_up)(world, arguments)
    held = world.state.held_object
    if result.success and held is not None:
        return ThorResult(return_value=held.objectId)
    return result


def put_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put the held object into the receptacle with the id, or at x, y of the frame."""
    if world.state.held_object is None:
        return failed_result(EMPTY_HAND_ERROR)
    if arguments.get("objectId"):
        return object_action(place_held)(world, arguments)
    click, hit = frame_click(world, arguments), hit_at_point(world, arguments)
    if isinstance(click, ThorResult) or isinstance(hit, ThorResult):
        return hit if isinstance(hit, ThorResult) else SUCCESS
    refusal = place_by_ray(world.state, click, hit)
    return SUCCESS if refusal is None else failed_result(refusal)


def drop_hand_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Drop the held object onto what is below the hand; return where it lies."""
    state = world.state
    held = state.held_object
    if held is None:
        return failed_result("Nothing in hand to drop!")
    x, y, z = held_position(world.agent_state)
    below = state.geometry.cast_ray(
        Eye((x, y, z), 0.0, 90.0), (MIN_RAY_COMPONENT, -1.0, MIN_RAY_COMPONENT)
    )
    obj = None if below is None else state.objects[below.index]
    can_hold = obj is not None and obj.affordances.receptacle and below is not None
    if not (can_hold and place_held(state, obj, below.point) is None):  # pyright: ignore
        drop_held_object(state)
    return ThorResult(
        return_value=write_vector(state.objects[state.index_of(held.objectId)].position)
    )


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
