"""Which objects a verb may be clicked on: TEACh's affordance table (spec 2.5)."""

from collections.abc import Callable, Mapping

from tatc.home.actions import Verb
from tatc.home.state import Affordances, ObjectState
from tatc.home.types.facts import SINK_TYPES

_CONDITION_BY_VERB: Mapping[Verb, Callable[[Affordances, ObjectState], bool]] = {
    Verb.PICKUP: lambda able, obj: able.pickupable and not obj.isPickedUp,
    Verb.PLACE: lambda able, obj: able.receptacle,
    Verb.OPEN: lambda able, obj: able.openable and not obj.isOpen,
    Verb.CLOSE: lambda able, obj: able.openable and obj.isOpen,
    Verb.TOGGLE_ON: lambda able, obj: able.toggleable and not obj.isToggled,
    Verb.TOGGLE_OFF: lambda able, obj: able.toggleable and obj.isToggled,
    Verb.SLICE: lambda able, obj: able.sliceable and not obj.isSliced,
    Verb.DIRTY: lambda able, obj: able.dirtyable and not obj.isDirty,
    Verb.CLEAN: lambda able, obj: able.dirtyable and obj.isDirty,
    Verb.FILL: lambda able, obj: able.canFillWithLiquid and not obj.isFilledWithLiquid,
    Verb.EMPTY: lambda able, obj: able.canFillWithLiquid and obj.isFilledWithLiquid,
    Verb.POUR: lambda able, obj: (
        (able.canFillWithLiquid and not obj.isFilledWithLiquid) or obj.objectType in SINK_TYPES
    ),
    Verb.BREAK: lambda able, obj: able.breakable and not obj.isBroken,
}


def affords(verb: Verb, obj: ObjectState) -> bool:
    """Return whether a click meant for `verb` may resolve to this object."""
    condition = _CONDITION_BY_VERB.get(verb)
    return condition is not None and condition(obj.affordances, obj)
