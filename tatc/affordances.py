"""Which objects a verb may be clicked on: TEACh's affordance table (spec 2.5)."""

from tatc.actions import Verb
from tatc.state import ObjectState

DRAINS = ("Sink", "SinkBasin", "Bathtub", "BathtubBasin")
"""Types that anything can be poured out into."""


def affords(verb: Verb, thing: ObjectState) -> bool:
    """Return whether a click meant for `verb` may resolve to this object."""
    able = thing.affordances
    match verb:
        case Verb.PICKUP:
            return able.pickupable and not thing.isPickedUp
        case Verb.PLACE:
            return able.receptacle
        case Verb.OPEN:
            return able.openable and not thing.isOpen
        case Verb.CLOSE:
            return able.openable and thing.isOpen
        case Verb.TOGGLE_ON:
            return able.toggleable and not thing.isToggled
        case Verb.TOGGLE_OFF:
            return able.toggleable and thing.isToggled
        case Verb.SLICE:
            return able.sliceable and not thing.isSliced
        case _:
            return _affords_more(verb, thing)


def _affords_more(verb: Verb, thing: ObjectState) -> bool:
    able = thing.affordances
    match verb:
        case Verb.DIRTY:
            return able.dirtyable and not thing.isDirty
        case Verb.CLEAN:
            return able.dirtyable and thing.isDirty
        case Verb.FILL:
            return able.canFillWithLiquid and not thing.isFilledWithLiquid
        case Verb.EMPTY:
            return able.canFillWithLiquid and thing.isFilledWithLiquid
        case Verb.POUR:
            fillable = able.canFillWithLiquid and not thing.isFilledWithLiquid
            return fillable or thing.objectType in DRAINS
        case Verb.BREAK:
            return able.breakable and not thing.isBroken
        case _:
            return False
