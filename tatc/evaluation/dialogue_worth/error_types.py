"""What kind of mistake a refused action was, by its refusal code."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from tatc.home.refusals import RefusalCode


class ErrorType(StrEnum):
    """Kinds of mistakes.

    `WRONG_ORDER`: something had to be done before, such as freeing the hand.  `MISSING_STEP`: a
    goal condition was unmet when the session ended.  `AFFORDANCE`: the object does not afford the
    action.  `ADDITIONAL_STEP`: it was so already.  `PERCEPTION`: the click met nothing, or what it
    met was hidden or too far.  `SPACE`: the body, a door or what is held had no room.
    """

    WRONG_ORDER = "wrong order"
    MISSING_STEP = "missing step"
    AFFORDANCE = "affordance"
    ADDITIONAL_STEP = "additional step"
    PERCEPTION = "perception"
    SPACE = "space"
    OTHER = "other"


_CODES: Mapping[ErrorType, str] = {
    ErrorType.WRONG_ORDER: (
        "HAND_EMPTY HAND_FULL NO_KNIFE NOTHING_TO_POUR MUST_BE_OFF MUST_BE_CLOSED RECEPTACLE_CLOSED"
    ),
    ErrorType.AFFORDANCE: (
        "NOT_PICKUPABLE NOT_TOGGLEABLE NOT_OPENABLE NOT_SLICEABLE NOT_DIRTYABLE NOT_BREAKABLE "
        "CANNOT_FILL NOT_A_RECEPTACLE TYPE_NOT_ACCEPTED NOT_AN_ACTION"
    ),
    ErrorType.ADDITIONAL_STEP: (
        "ALREADY_OFF ALREADY_ON ALREADY_OPEN ALREADY_CLOSED ALREADY_SLICED ALREADY_DIRTY "
        "ALREADY_CLEAN"
    ),
    ErrorType.PERCEPTION: (
        "TARGET_UNCLEAR NO_TARGET NO_FITTING_TARGET NOT_VISIBLE OCCLUDED TARGET_TOO_FAR "
        "PARTNER_TOO_FAR"
    ),
    ErrorType.SPACE: (
        "DOOR_BLOCKED PATH_BLOCKED HELD_OBJECT_COLLIDES GRASP_COLLIDES NO_FREE_POSITION LOOK_LIMIT"
    ),
    ErrorType.OTHER: "BY_CHANCE UNKNOWN",
}

ERROR_TYPE_BY_CODE: Mapping[RefusalCode, ErrorType] = MappingProxyType(
    {RefusalCode[name]: kind for kind, names in _CODES.items() for name in names.split()}
)
"""The kind of mistake of each refusal code."""
