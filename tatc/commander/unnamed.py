"""What to do when a task is not done and the progress check names nothing.

TEACh's check leaves it at one whole thing where several slices are wanted, because one
whole gives many (spec section 3.5): with a slice there already, and a whole thing that
is as the slices should be, no object is named.  Then the whole is to be cut.
"""

from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.cut import Cut
from tatc.state import ObjectState


def plans(known: Knowledge) -> tuple[Plan, ...]:
    """Return plans to cut each whole thing whose slices are about, cooked first."""
    wholes = known.all(that=lambda t: _is_wanted(t, known))
    ranked = sorted(wholes, key=lambda t: not t.simbotIsCooked)
    return tuple((Cut(thing.objectId),) for thing in ranked)


def _is_wanted(thing: ObjectState, known: Knowledge) -> bool:
    if not thing.affordances.sliceable or thing.isSliced:
        return False
    return bool(known.snapshot.of_type(f"{thing.objectType}Sliced"))
