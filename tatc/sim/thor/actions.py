"""TEACh's calls to AI2-THOR for each of the Follower's verbs (spec section 1.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tatc.actions import GRID, TILT, TURN, Click, Verb


@dataclass(frozen=True, slots=True)
class Call:
    """An AI2-THOR action with its arguments."""

    action: str
    arguments: Mapping[str, Any]


def _call(action: str, **arguments: Any) -> Call:
    return Call(action, MappingProxyType(arguments))


MOTION_CALLS: Mapping[Verb, Call] = MappingProxyType(
    {
        Verb.STOP: _call("Pass"),
        Verb.FORWARD: _call("MoveAhead", moveMagnitude=GRID, forceAction=True),
        Verb.BACKWARD: _call("MoveBack", moveMagnitude=GRID, forceAction=True),
        Verb.PAN_LEFT: _call("MoveLeft", forceAction=True),
        Verb.PAN_RIGHT: _call("MoveRight", forceAction=True),
        Verb.TURN_LEFT: _call("RotateLeft", degrees=TURN, forceAction=True),
        Verb.TURN_RIGHT: _call("RotateRight", degrees=TURN, forceAction=True),
        Verb.LOOK_UP: _call("LookUp", degrees=TILT, forceAction=True),
        Verb.LOOK_DOWN: _call("LookDown", degrees=TILT, forceAction=True),
    }
)

_ON_OBJECT: Mapping[Verb, str] = MappingProxyType(
    {
        Verb.PICKUP: "PickupObject",
        Verb.OPEN: "OpenObject",
        Verb.CLOSE: "CloseObject",
        Verb.TOGGLE_ON: "ToggleObjectOn",
        Verb.TOGGLE_OFF: "ToggleObjectOff",
        Verb.SLICE: "SliceObject",
        Verb.DIRTY: "DirtyObject",
        Verb.CLEAN: "CleanObject",
        Verb.FILL: "FillObjectWithLiquid",
        Verb.EMPTY: "EmptyLiquidFromObject",
        Verb.BREAK: "BreakObject",
    }
)
INTERACTION_VERBS = frozenset((*_ON_OBJECT, Verb.PLACE, Verb.POUR))


def object_call(verb: Verb, object_id: str, click: Click) -> Call:
    """Return the call of an interaction with an object; Pour is two, and not here."""
    if verb is Verb.PLACE:
        return _call(
            "PutObject",
            x=click.x,
            y=click.y,
            putNearXY=True,
            placeStationary=True,
            forceAction=True,
        )
    if verb is Verb.SLICE:
        return _call("SliceObject", objectId=object_id, x=click.x, y=click.y)
    if verb is Verb.FILL:
        return fill_call(object_id, "water")
    return _call(_ON_OBJECT[verb], objectId=object_id)


def fill_call(object_id: str, liquid: str, *, force: bool = False) -> Call:
    """Return the call that fills an object."""
    forced = {"forceAction": True} if force else {}
    return _call(
        "FillObjectWithLiquid", objectId=object_id, fillLiquid=liquid, **forced
    )


def empty_call(object_id: str) -> Call:
    """Return the call that empties an object."""
    return _call("EmptyLiquidFromObject", objectId=object_id)


def clean_call(object_id: str) -> Call:
    """Return the call that cleans an object from wherever the body is."""
    return _call("CleanObject", objectId=object_id, forceAction=True)
