"""Hints for people: what to do about a refused action (spec section 2.15)."""

from tatc.home.refusals import RefusalCode, refusal_code_of

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
"""The hints that TEACh gives; for other codes it has none."""


def hint_for(message: str) -> str | None:
    """Return the hint for a refusal's message, None where there is none."""
    return HINT_BY_CODE.get(refusal_code_of(message))
