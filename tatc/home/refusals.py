"""Refusal codes: what a refusal's message means, whichever simulator gave it.

A refused action is answered with a message, which may name objects by their ids; a Follower is told
the code alone, and repeats it in words.  `refusal_code_of` is the one place that turns text into a
code, by the text alone, so equal messages have equal codes in both simulators.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from tatc.base import files


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

TABLE: Mapping[str, Any] = files.package_table("tatc.home", "refusals.toml")

MESSAGE_PATTERNS: tuple[tuple[tuple[str, ...], RefusalCode], ...] = tuple(
    (tuple(fragments), RefusalCode(code)) for fragments, code in TABLE["messages"]
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
    name, found, _ = message.partition(" is blocking")
    return name if found else None
