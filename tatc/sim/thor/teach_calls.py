"""TEACh's calls to AI2-THOR for each of the Follower's verbs (spec section 1.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tatc.home.actions import GRID_SIZE_METRES, LOOK_DEGREES, TURN_DEGREES, Click, Verb


@dataclass(frozen=True, slots=True)
class ThorCall:
    """An AI2-THOR action with its arguments."""

    action: str
    arguments: Mapping[str, Any]


def _make_call(action: str, **arguments: Any) -> ThorCall:
    return ThorCall(action, MappingProxyType(arguments))


MOTION_CALLS: Mapping[Verb, ThorCall] = MappingProxyType(
    {
        Verb.STOP: _make_call("Pass"),
        Verb.FORWARD: _make_call("MoveAhead", moveMagnitude=GRID_SIZE_METRES, forceAction=True),
        Verb.BACKWARD: _make_call("MoveBack", moveMagnitude=GRID_SIZE_METRES, forceAction=True),
        Verb.PAN_LEFT: _make_call("MoveLeft", forceAction=True),
        Verb.PAN_RIGHT: _make_call("MoveRight", forceAction=True),
        Verb.TURN_LEFT: _make_call("RotateLeft", degrees=TURN_DEGREES, forceAction=True),
        Verb.TURN_RIGHT: _make_call("RotateRight", degrees=TURN_DEGREES, forceAction=True),
        Verb.LOOK_UP: _make_call("LookUp", degrees=LOOK_DEGREES, forceAction=True),
        Verb.LOOK_DOWN: _make_call("LookDown", degrees=LOOK_DEGREES, forceAction=True),
    }
)

_OBJECT_ACTIONS: Mapping[Verb, str] = MappingProxyType(
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
THOR_INTERACTION_VERBS = frozenset((*_OBJECT_ACTIONS, Verb.PLACE, Verb.POUR))


def interaction_call(verb: Verb, object_id: str, click: Click) -> ThorCall:
    """Return the call for an interaction with an object; Pour takes two calls of its own."""
    if verb is Verb.PLACE:
        return _make_call(
            "PutObject",
            x=click.x,
            y=click.y,
            putNearXY=True,
            placeStationary=True,
            forceAction=True,
        )
    if verb is Verb.SLICE:
        return _make_call("SliceObject", objectId=object_id, x=click.x, y=click.y)
    if verb is Verb.FILL:
        return fill_call(object_id, "water")
    return _make_call(_OBJECT_ACTIONS[verb], objectId=object_id)


def fill_call(object_id: str, liquid: str, *, force: bool = False) -> ThorCall:
    """Return the call that fills an object."""
    forced = {"forceAction": True} if force else {}
    return _make_call("FillObjectWithLiquid", objectId=object_id, fillLiquid=liquid, **forced)


def empty_call(object_id: str) -> ThorCall:
    """Return the call that empties an object."""
    return _make_call("EmptyLiquidFromObject", objectId=object_id)


def clean_call(object_id: str) -> ThorCall:
    """Return the call that cleans an object, wherever the body is."""
    return _make_call("CleanObject", objectId=object_id, forceAction=True)
