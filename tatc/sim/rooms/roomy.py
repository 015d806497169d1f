"""Whether there is room for what tasks want, by the world's own geometry.

A draw of parameters may ask for a scrub brush in a drawer that is shorter.  No agent is
asked here: things are put down one after the other, by the rule by which the world
finds a place for what is put down, in receptacles that were cleared of all else.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product

from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import Spot, find_spot
from tatc.sim.rigid import shifted
from tatc.state import ObjectState, Snapshot
from tatc.tdl import ProblemKey, Task

BASINS = ("SinkBasin", "BathtubBasin")
"""Types in which running water washes and fills (spec section 2.7)."""
Places = tuple[str, ...]
"""Ids of receptacles of which any will do."""
ROUNDS = 3
"""How often what a task still wants is put down, at most."""
MOST_WAYS = 500
"""How many choices of one receptacle for each relation are tried, at most."""
_AWAY = -100.0  # metres below the floor, where what was cleared lies in nobody's way


def has_room(task: Task, start: Snapshot) -> bool:
    """Whether all that a task wants somewhere can stand there at the same time.

    Only things that exist at the start are looked at: slices come later.  What fits in
    none of the first `MOST_WAYS` ways does not fit.
    """
    places = dict.fromkeys(key.targets for key in _to_put(task, start))
    together = any(each.tail_determiner == "the" for each in task.definition.relations)
    ways = [[(each,) for each in some] if together else [some] for some in places]
    return any(_hold(task, start, way) for way in islice(product(*ways), MOST_WAYS))


def _to_put(task: Task, now: Snapshot) -> list[ProblemKey]:
    """Return the keys of what a task wants elsewhere."""
    keys = task.check(now).problem_keys()
    return [k for k in keys if k.property_name == "parentReceptacles" and k.targets]


def _hold(task: Task, start: Snapshot, places: Sequence[Places]) -> bool:
    """Whether these places, for each relation, can hold all that must be there.

    What stood there already for the task's sake was cleared with the rest, and is
    asked for again once that has been put down which was asked for first.
    """
    house = House(start)
    every = tuple(dict.fromkeys(place for some in places for place in some))
    _clear(house, every)
    for _ in range(ROUNDS):
        keys = _to_put(task, house.snapshot())
        if not keys:
            return True
        asked: defaultdict[Places, list[str]] = defaultdict(list)
        for key in keys:
            own = (some for some in places if not set(some).isdisjoint(key.targets))
            asked[next(own, every)].append(key.object_id)
        if not all(_put_all(house, ids, some) for some, ids in asked.items()):
            return False
    return False


def unwashable(start: Snapshot) -> ObjectState | None:
    """Return a thing that water can wash or fill and that no basin takes, or None.

    Where there is no basin, nothing is washed.
    """
    basins = [basin.objectId for basin in start.of_type(*BASINS)]
    for thing in start.objects if basins else ():
        able = thing.affordances
        if able.pickupable and (able.dirtyable or able.canFillWithLiquid):
            if not any(_takes(start, at, thing) for at in basins):
                return thing
    return None


def _takes(start: Snapshot, place: str, thing: ObjectState) -> bool:
    """Whether a place that has been cleared takes a thing."""
    house = House(start)
    _clear(house, (place,))
    return _put(house, thing, (place,))


def _put_all(house: House, ids: list[str], targets: Places) -> bool:
    things = [thing for thing in house.things if thing.objectId in ids]
    largest_first = sorted(things, key=lambda t: (-max(t.box.size), t.objectId))
    return all(_put(house, thing, targets) for thing in largest_first)


def _clear(house: House, targets: Places) -> None:
    for target in targets:
        if house.things[house.index(target)].affordances.openable:
            house.change(target, isOpen=True)
        for thing in house.contents(target):
            away = shifted(thing, (0.0, _AWAY, 0.0))
            house.put(replace(away, parentReceptacles=()))


def _put(house: House, thing: ObjectState, targets: Places) -> bool:
    for target in targets:
        place = house.things[house.index(target)]
        spot = find_spot(house, thing, place, place.box.center)
        if isinstance(spot, Spot):
            at = replace(thing, box=spot.box, position=spot.position)
            at = replace(at, rotation=spot.rotation, parentReceptacles=(target,))
            house.put(at)
            return True
    return False
