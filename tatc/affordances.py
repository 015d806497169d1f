"""Which objects a verb may be clicked on: TEACh's affordance table (spec 2.5)."""

from tatc.actions import Verb
from tatc.state import ObjectState
from tatc.thor_types.facts import SINK_TYPES


def affords(verb: Verb, obj: ObjectState) -> bool:
    """Return whether a click meant for `verb` may resolve to this object."""
    able = obj.affordances
    match verb:
        case Verb.PICKUP:
            return able.pickupable and not obj.isPickedUp
        case Verb.PLACE:
            return able.receptacle
        case Verb.OPEN:
            return able.openable and not obj.isOpen
        case Verb.CLOSE:
            return able.openable and obj.isOpen
        case Verb.TOGGLE_ON:
            return able.toggleable and not obj.isToggled
        case Verb.TOGGLE_OFF:
            return able.toggleable and obj.isToggled
        case Verb.SLICE:
            return able.sliceable and not obj.isSliced
        case _:
            return _affords_state_change(verb, obj)


def _affords_state_change(verb: Verb, obj: ObjectState) -> bool:
    able = obj.affordances
    match verb:
        case Verb.DIRTY:
            return able.dirtyable and not obj.isDirty
        case Verb.CLEAN:
            return able.dirtyable and obj.isDirty
        case Verb.FILL:
            return able.canFillWithLiquid and not obj.isFilledWithLiquid
        case Verb.EMPTY:
            return able.canFillWithLiquid and obj.isFilledWithLiquid
        case Verb.POUR:
            fillable = able.canFillWithLiquid and not obj.isFilledWithLiquid
            return fillable or obj.objectType in SINK_TYPES
        case Verb.BREAK:
            return able.breakable and not obj.isBroken
        case _:
            return False
