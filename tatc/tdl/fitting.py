"""Whether the things that a task puts away fit where they are to go, by their boxes.

TEACh's preconditions do not ask (spec section 3.9): people choose tasks that can be
done.  Parameters that are drawn must not ask for a brush of half a metre in a drawer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.state import Box, ObjectState, Snapshot
from tatc.tdl.definition import Atomic, Nested, Relation, TaskDefinition
from tatc.tdl.program import number_of
from tatc.tdl.properties import is_kind, parents_of

SHARE = 0.6
"""Of a place's area, how much things can take before they do not go together."""
AIR = 0.1
"""A shelf's box higher than this is the air above its board, metres."""


def fits(definition: TaskDefinition, snapshot: Snapshot) -> bool:
    """Whether each relation of a task, and of its parts, has places large enough."""
    own = all(_can_hold(each, definition, snapshot) for each in definition.relations)
    parts = (
        component.task
        for _, component in definition.components
        if isinstance(component, Nested) and number_of(component.determiner, definition)
    )
    return own and all(fits(part, snapshot) for part in parts)


def _can_hold(
    relation: Relation, definition: TaskDefinition, snapshot: Snapshot
) -> bool:
    """Whether a relation's places can hold its heads, on one of them if it says so."""
    tail = _meant(relation.tail, definition)
    places = _objects(tail, snapshot)
    heads = [_meant(name, definition) for name, _ in relation.heads]
    if not places:
        return True
    if relation.tail_determiner != "the":
        return all(_hold(part, places, snapshot) for part in heads)
    return any(
        all(_hold(part, [place], snapshot) for part in heads) for place in places
    )


def _hold(
    part: Atomic | None, places: Sequence[ObjectState], snapshot: Snapshot
) -> bool:
    """Whether the objects that a component means fit in these places."""
    things = _objects(part, snapshot)
    able = [
        thing
        for thing in things
        if any(_goes(thing, place, snapshot) for place in places)
    ]
    if part is None or part.determiner != "all":
        return bool(able) or not things
    together = len(places) > 1 or _together(things, places[0], snapshot)
    return len(able) == len(things) and together


def _meant(name: str, definition: TaskDefinition) -> Atomic | None:
    """Return what a relation means by a component: of a task, its anchor; or None."""
    part = definition.component(name)
    while isinstance(part, Nested):
        if not number_of(part.determiner, definition):
            return None
        definition = part.task
        part = definition.component(definition.anchor) if definition.anchor else None
    return part


def _objects(part: Atomic | None, snapshot: Snapshot) -> list[ObjectState]:
    """Return the objects that a component may mean, or its slices as yet uncut."""
    if part is None:
        return []
    found = [thing for thing in snapshot.objects if is_kind(thing, part.wanted)]
    if found or not isinstance(part.wanted, str):
        return found
    wholes = snapshot.of_type(part.wanted.removesuffix("Sliced"))
    return [_slice(whole) for whole in wholes]


def _slice(whole: ObjectState) -> ObjectState:
    """Return a slice of something: as high and wide as its two smaller sides."""
    low, wide, _ = sorted(whole.box.size)
    return replace(whole, box=Box(whole.box.center, (wide, low, 0.0)))


def _goes(thing: ObjectState, place: ObjectState, snapshot: Snapshot) -> bool:
    """Whether a thing fits in or on a place with all gone that can be carried off."""
    if thing.objectId == place.objectId:
        return True
    (short, long), (narrow, wide) = _sides(thing), _sides(place)
    if short > narrow or long > wide:
        return False
    if _is_roofed(place) and thing.box.size[1] > place.box.size[1]:
        return False
    fixed = map(_sides, _fixed_on(place, snapshot))
    return short * long <= narrow * wide - sum(a * b for a, b in fixed)


def _together(
    things: Sequence[ObjectState], place: ObjectState, snapshot: Snapshot
) -> bool:
    narrow, wide = _sides(place)
    both = (*things, *_fixed_on(place, snapshot))
    return sum(a * b for a, b in map(_sides, both)) <= SHARE * narrow * wide


def _fixed_on(place: ObjectState, snapshot: Snapshot) -> Iterator[ObjectState]:
    for thing in snapshot.objects:
        if not thing.affordances.pickupable and thing.affordances.moveable:
            if place.objectId in parents_of(thing, snapshot):
                yield thing


def _is_roofed(place: ObjectState) -> bool:
    able = place.affordances
    if place.objectType == "Shelf":
        return place.box.size[1] > AIR
    return able.openable and not able.pickupable


def _sides(thing: ObjectState) -> tuple[float, float]:
    """Return the shorter and the longer side of a footprint, metres."""
    width, _, depth = thing.box.size
    return min(width, depth), max(width, depth)
