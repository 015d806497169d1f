"""Refusal codes: what a refusal's message means, whichever simulator gave it.

A refused action is answered with a message, which may name objects by their ids; a Follower is told
the code alone, and repeats it in words.  `refusal_code_of` is the one place that turns text into a
code, by the text alone, so equal messages have equal codes in both simulators.
"""

from enum import StrEnum
from functools import lru_cache


class RefusalCode(StrEnum):
    """Why an action was refused; `UNKNOWN` where the message fits no pattern."""

    NOT_PICKUPABLE = "not pickupable"
    TARGET_UNCLEAR = "target unclear"
    HAND_EMPTY = "hand empty"
    HAND_FULL = "hand full"
    NO_KNIFE = "no knife"
    NOTHING_TO_POUR = "nothing to pour"
    NOT_TOGGLEABLE = "not toggleable"
    ALREADY_OFF = "already off"
    ALREADY_ON = "already on"
    NOT_OPENABLE = "not openable"
    NOT_SLICEABLE = "not sliceable"
    NOT_DIRTYABLE = "not dirtyable"
    NOT_BREAKABLE = "not breakable"
    CANNOT_FILL = "cannot fill"
    ALREADY_OPEN = "already open"
    ALREADY_CLOSED = "already closed"
    ALREADY_SLICED = "already sliced"
    ALREADY_DIRTY = "already dirty"
    ALREADY_CLEAN = "already clean"
    DOOR_BLOCKED = "door blocked"
    PATH_BLOCKED = "path blocked"
    HELD_OBJECT_COLLIDES = "held object collides"
    GRASP_COLLIDES = "grasp collides"
    NO_FREE_POSITION = "no free position"
    NOT_A_RECEPTACLE = "not a receptacle"
    TYPE_NOT_ACCEPTED = "type not accepted"
    RECEPTACLE_CLOSED = "receptacle closed"
    MUST_BE_OFF = "must be off"
    MUST_BE_CLOSED = "must be closed"
    NO_TARGET = "no target"
    NO_FITTING_TARGET = "no fitting target"
    NOT_VISIBLE = "not visible"
    OCCLUDED = "occluded"
    TARGET_TOO_FAR = "target too far"
    PARTNER_TOO_FAR = "partner too far"
    LOOK_LIMIT = "look limit"
    NOT_AN_ACTION = "not an action"
    BY_CHANCE = "by chance"
    UNKNOWN = "unknown"


_CODES = frozenset(RefusalCode)
_BLOCKING = " is blocking"

MESSAGE_PATTERNS: tuple[tuple[tuple[str, ...], RefusalCode], ...] = (
    # The fragments that TEACh looks for, in its order (spec section 2.15).  Its row
    # "another object's collision is blocking" comes after "is blocking", which takes all
    # of that row's messages.
    (("CanPickup to be",), RefusalCode.NOT_PICKUPABLE),
    (("Object ID", "invalid"), RefusalCode.TARGET_UNCLEAR),
    (("Could not retrieve object",), RefusalCode.TARGET_UNCLEAR),
    (("if Agent isn't holding",), RefusalCode.HAND_EMPTY),
    (("Slice: ObjectInteraction",), RefusalCode.NO_KNIFE),
    (("not toggleable",), RefusalCode.NOT_TOGGLEABLE),
    (("toggle object off if",), RefusalCode.ALREADY_OFF),
    (("toggle object on if",), RefusalCode.ALREADY_ON),
    (("is not an Openable object",), RefusalCode.NOT_OPENABLE),
    (("Does not have the CanBeSliced",), RefusalCode.NOT_SLICEABLE),
    (("failed to open/close",), RefusalCode.DOOR_BLOCKED),
    ((_BLOCKING.strip(),), RefusalCode.PATH_BLOCKED),
    (("a held item", "if agent rotates"), RefusalCode.HELD_OBJECT_COLLIDES),
    (("No valid positions to place",), RefusalCode.NO_FREE_POSITION),
    (("NOT a receptacle",), RefusalCode.NOT_A_RECEPTACLE),
    (("OFF to open!",), RefusalCode.MUST_BE_OFF),
    (("not a valid Object Type to be placed",), RefusalCode.TYPE_NOT_ACCEPTED),
    (("No target found",), RefusalCode.NO_TARGET),
    (("it is occluded by something",), RefusalCode.OCCLUDED),
    (("Could not find a target object",), RefusalCode.NO_FITTING_TARGET),
    (("too far away to",), RefusalCode.TARGET_TOO_FAR),
    (("too far away for",), RefusalCode.PARTNER_TOO_FAR),
    (("only supported when holding",), RefusalCode.HAND_EMPTY),
    (("would cause it to collide and",), RefusalCode.GRASP_COLLIDES),
    (("cannot slice something while",), RefusalCode.HAND_FULL),
    # Messages for which TEACh has no hint.
    (("has something in it already",), RefusalCode.HAND_FULL),
    (("needs a held object filled",), RefusalCode.NOTHING_TO_POUR),
    (("holds no liquid",), RefusalCode.NOTHING_TO_POUR),
    (("cannot be filled with liquid",), RefusalCode.CANNOT_FILL),
    (("the Dirtyable property",), RefusalCode.NOT_DIRTYABLE),
    (("is unbreakable",), RefusalCode.NOT_BREAKABLE),
    (("is already open",), RefusalCode.ALREADY_OPEN),
    (("is already closed",), RefusalCode.ALREADY_CLOSED),
    (("is already sliced",), RefusalCode.ALREADY_SLICED),
    (("cannot be picked up",), RefusalCode.NOT_PICKUPABLE),
    (("cannot be sliced",), RefusalCode.NOT_SLICEABLE),
    (("is already dirty",), RefusalCode.ALREADY_DIRTY),
    (("is already clean",), RefusalCode.ALREADY_CLEAN),
    (("Receptacle is CLOSED",), RefusalCode.RECEPTACLE_CLOSED),
    (("must be closed to be turned on",), RefusalCode.MUST_BE_CLOSED),
    (("is not visible",), RefusalCode.NOT_VISIBLE),
    (("not found within the specified visibility",), RefusalCode.NOT_VISIBLE),
    (("can't look",), RefusalCode.LOOK_LIMIT),
    (("is not a motion of",), RefusalCode.NOT_AN_ACTION),
    (("is no action of",), RefusalCode.NOT_AN_ACTION),
    (("unsupported action",), RefusalCode.NOT_AN_ACTION),
    (("failed by chance",), RefusalCode.BY_CHANCE),
)
"""Fragments that must all occur in a message, and the code; the first row that fits counts."""


@lru_cache(maxsize=4096)
def refusal_code_of(message: str) -> RefusalCode:
    """Return the code of a refusal's message, or of a text that quotes one or ends in ": CODE"."""
    _, _, last = message.rpartition(": ")
    if last in _CODES:
        return RefusalCode(last)
    for fragments, code in MESSAGE_PATTERNS:
        if all(fragment in message for fragment in fragments):
            return code
    return RefusalCode.UNKNOWN


def blocker_named_in(message: str) -> str | None:
    """Return the id of the object that a refused motion met, None where none is named."""
    name, found, _ = message.partition(_BLOCKING)
    return name if found else None
