"""Which objects could serve a problem key, and roughly what each would cost."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from tatc.actions import GRID
from tatc.commander.draft import Plan
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
    like = known.all(own.objectType, that=lambda t: t is not own and not _met(key, t))
    return (own, *like)


def in_turn(options: Iterable[Sequence[Plan]]) -> tuple[Plan, ...]:
    """Return the best plan of each candidate, then the second of each, and so on.

    So a candidate that nothing can be done with does not use up the tries.
    """
    rounds = zip_longest(*options)
    return tuple(plan for tier in rounds for plan in tier if plan is not None)


def _met(key: ProblemKey, thing: ObjectState) -> bool:
    """Whether the object is already as the key wants it."""
    value = getattr(thing, key.property_name, None)
    return key.desired in (0, 1) and bool(value) == bool(key.desired)


def effort(
    thing: ObjectState, known: Knowledge, *, clean: bool = True, empty: bool = False
) -> float:
    """Return a rough count of actions to get hold of an object, clean and empty."""
    cost = known.distance(thing) / GRID
    cost += _DIRTY * (clean and thing.isDirty)
    cost += _FULL * (empty and (thing.isFilledWithLiquid or thing.isDirty))
    cost += _CLOSED * len(known.closed_around(thing))
    held = known.snapshot.held()
    if held is not None and held.objectId != thing.objectId:
        cost += _HAND
    return cost
