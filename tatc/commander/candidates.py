"""Which objects could serve a problem key, and roughly what each would cost."""

from tatc.actions import GRID
from tatc.commander.knowledge import Knowledge
from tatc.state import ObjectState
from tatc.tdl import ProblemKey

# Actions that a circumstance adds, roughly: a rinse, a pour, a door, a full hand.
_DIRTY, _FULL, _CLOSED, _HAND = 14.0, 9.0, 3.0, 5.0


def candidates(key: ProblemKey, known: Knowledge) -> tuple[ObjectState, ...]:
    """Return the objects that could meet the key: its own first, then its like.

    Where all objects are asked for ("all"), only its own.
    """
    own = known.snapshot.get(key.object_id)
    if own is None:
        return ()
    if key.determiner == "all":
        return (own,)
    like = known.all(own.objectType, that=lambda t: t.objectId != own.objectId)
    return (own, *like)


def effort(thing: ObjectState, known: Knowledge, *, empty: bool = False) -> float:
    """Return a rough count of actions to get hold of a clean (and empty) object."""
    cost = known.distance(thing) / GRID
    cost += _DIRTY * thing.isDirty
    cost += _FULL * (empty and (thing.isFilledWithLiquid or thing.isDirty))
    cost += _CLOSED * len(known.closed_around(thing))
    held = known.snapshot.held()
    if held is not None and held.objectId != thing.objectId:
        cost += _HAND
    return cost
