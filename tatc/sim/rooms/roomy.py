"""Whether there is room for what tasks want, by the world's own geometry.

A draw of parameters may ask for a scrub brush in a drawer that is shorter.  No agent is
asked here: things are put down one after the other, by the rule by which the world
finds a place for what is put down, in receptacles that were cleared of all else.
"""

from collections import defaultdict
from dataclasses import replace

from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import Spot, find_spot
from tatc.state import ObjectState, Snapshot
from tatc.tdl import ProblemKey, Task

BASINS = ("SinkBasin", "BathtubBasin")
"""Types in which running water washes and fills (spec section 2.7)."""
_AWAY = -100.0  # metres below the floor, where what was cleared lies in nobody's way


def has_room(task: Task, start: Snapshot) -> bool:
    """Whether all that a task wants somewhere can stand there at the same time.

    Only things that exist at the start are looked at: slices come later.
    """
    wanted = [
        key
        for key in task.check(start).problem_keys()
        if key.property_name == "parentReceptacles" and key.targets
    ]
    by_targets: defaultdict[tuple[str, ...], list[ProblemKey]] = defaultdict(list)
    for key in wanted:
        by_targets[key.targets].append(key)
    together = any(each.tail_determiner == "the" for each in task.definition.relations)
    return all(
        _hold(start, [each.object_id for each in keys], targets, together)
        for targets, keys in by_targets.items()
    )


def unwashable(start: Snapshot) -> ObjectState | None:
    """Return a thing that water can wash or fill and that no basin takes, or None.

    Where there is no basin, nothing is washed.
    """
    basins = [basin.objectId for basin in start.of_type(*BASINS)]
    for thing in start.objects if basins else ():
        able = thing.affordances
        if able.pickupable and (able.dirtyable or able.canFillWithLiquid):
            if not any(_put_all(start, [thing.objectId], (at,)) for at in basins):
                return thing
    return None


def _hold(
    start: Snapshot, ids: list[str], targets: tuple[str, ...], together: bool
) -> bool:
    """Whether the targets can hold these things, or one of them all of them."""
    if together:
        return any(_put_all(start, ids, (target,)) for target in targets)
    return _put_all(start, ids, targets)


def _put_all(start: Snapshot, ids: list[str], targets: tuple[str, ...]) -> bool:
    house = House(start)
    _clear(house, targets)
    things = [thing for thing in start.objects if thing.objectId in ids]
    largest_first = sorted(things, key=lambda t: (-max(t.box.size), t.objectId))
    return all(_put(house, thing, targets) for thing in largest_first)


def _clear(house: House, targets: tuple[str, ...]) -> None:
    for target in targets:
        if house.things[house.index(target)].affordances.openable:
            house.change(target, isOpen=True)
        for thing in house.contents(target):
            if thing.affordances.pickupable:
                x, _, z = thing.box.center
                box = replace(thing.box, center=(x, _AWAY, z))
                house.put(replace(thing, box=box, parentReceptacles=()))


def _put(house: House, thing: ObjectState, targets: tuple[str, ...]) -> bool:
    for target in targets:
        place = house.things[house.index(target)]
        spot = find_spot(house, thing, place, place.box.center)
        if isinstance(spot, Spot):
            house.put(replace(thing, box=spot.box, parentReceptacles=(target,)))
            return True
    return False
