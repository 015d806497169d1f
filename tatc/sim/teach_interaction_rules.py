"""TEACh's own part of an interaction, for every backend (spec section 2.3).

Preconditions, the reach of a click, the bookkeeping of a success, and the messages.
"""

from tatc.home.actions import Action, ActionResult, Role, Verb
from tatc.home.refusals import RefusalCode, refusal_code_of
from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import KNIFE_TYPES
from tatc.sim.teach_effects import Effect, SetProperty, pickup_effects, place_effects


def unmet_precondition(verb: Verb, held: ObjectState | None) -> str | None:
    """Return why an interaction cannot be tried at all, or None (spec 2.3.2)."""
    if verb is Verb.PLACE and held is None:
        return "Place: ObjectInteraction only supported when holding an object"
    if verb is Verb.SLICE and (held is None or held.objectType not in KNIFE_TYPES):
        return "Slice: ObjectInteraction only supported for held object Knife"
    if verb is Verb.POUR and (held is None or not held.isFilledWithLiquid):
        return "Pour: ObjectInteraction needs a held object filled with liquid"
    return None


def no_target_message(action: Action) -> str:
    """Return the message for a click that resolves to no object."""
    click = action.click
    if click is None:
        return f"{action.verb} needs a click: Could not find a target object"
    return f"Could not find a target object for {action.verb} at ({click.x:.2f}, {click.y:.2f})"


def too_far_message(verb: Verb) -> str:
    """Return the message for a click on an object out of reach."""
    return f"Agent {Role.FOLLOWER} is too far away to {verb}"


def bookkeeping_effects(
    verb: Verb, target: ObjectState, held: ObjectState | None, now: Snapshot
) -> list[Effect]:
    """Return the bookkeeping of a success (spec 2.2); `held` is from before it, `now` after."""
    if verb is Verb.PICKUP:
        return pickup_effects(target.objectId, now.objects)
    if verb is Verb.PLACE and held is not None:
        return place_effects(held.objectId, target.objectId, now)
    if verb is Verb.POUR and held is not None:
        return [SetProperty(held.objectId, "simbotIsFilledWithCoffee", False)]
    return []


def success_result(action: Action, target: ObjectState) -> ActionResult:
    """Return the result of an interaction that succeeded."""
    if action.verb is Verb.PICKUP:
        message = f"picked up {target.objectType}"
    elif action.verb is Verb.PLACE:
        message = f"placed in {target.objectId}"
    else:
        assert action.click is not None
        message = f"{action.verb} @ ({action.click.x:.2f}, {action.click.y:.2f})"
    return ActionResult(True, message, None, target.objectId)


def refusal_result(message: str) -> ActionResult:
    """Return the result of a refused action, with its hint."""
    return ActionResult(False, message, hint_for(message))


HINT_BY_CODE: dict[RefusalCode, str] = {
    RefusalCode.NOT_PICKUPABLE: "That kind of object cannot be picked up.",
    RefusalCode.TARGET_UNCLEAR: "It was not clear what was clicked on.",
    RefusalCode.HAND_EMPTY: "Hold something first.",
    RefusalCode.NO_KNIFE: "Hold a knife first.",
    RefusalCode.NOT_TOGGLEABLE: "That object cannot be switched on or off.",
    RefusalCode.ALREADY_OFF: "It is off already.",
    RefusalCode.ALREADY_ON: "It is on already.",
    RefusalCode.NOT_OPENABLE: "That kind of object cannot be opened.",
    RefusalCode.NOT_SLICEABLE: "That object cannot be sliced.",
    RefusalCode.DOOR_BLOCKED: "Something is in the way of the door: step back, or clear it.",
    RefusalCode.PATH_BLOCKED: "Something is in the way.",
    RefusalCode.HELD_OBJECT_COLLIDES: "What is held would hit something.",
    RefusalCode.NO_FREE_POSITION: "The receptacle is too full or too small.",
    RefusalCode.NOT_A_RECEPTACLE: "Nothing can be put on or in that object.",
    RefusalCode.MUST_BE_OFF: "Switch it off before opening it.",
    RefusalCode.TYPE_NOT_ACCEPTED: "What is held may not be put there.",
    RefusalCode.NO_TARGET: "There is nothing within reach there.",
    RefusalCode.OCCLUDED: "Another object is in the way.",
    RefusalCode.NO_FITTING_TARGET: "No fitting object was clicked on.",
    RefusalCode.TARGET_TOO_FAR: "That is too far away: go nearer.",
    RefusalCode.PARTNER_TOO_FAR: "The other agent is too far away.",
    RefusalCode.GRASP_COLLIDES: "It cannot be grasped from here.",
}
"""What people are told to do about a refused action (spec 2.15); TEACh has no other hints."""


def hint_for(message: str) -> str | None:
    """Return the hint for a refusal's message, None where there is none."""
    return HINT_BY_CODE.get(refusal_code_of(message))
