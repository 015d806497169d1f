"""Whether there is room for what tasks want, by the world's own geometry.

A draw of parameters may ask for a scrub brush in a drawer that is shorter.  No agent is
asked here: things are put down one after the other, by the rule by which the world
finds a place for what is put down, in receptacles that were cleared of all else.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product

from tatc.sim.embedded.placement.placement_search import Placement, find_placement
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.transforms import translate
from tatc.state import ObjectState, Snapshot
from tatc.tdl import ProblemKey, Task
from tatc.thor_types.facts import BASIN_TYPES

ReceptacleIds = tuple[str, ...]
"""Ids of receptacles of which any will do."""
MAX_ROUNDS = 3
"""How often what a task still wants is put down, at most."""
MAX_COMBINATIONS = 500
"""How many choices of one receptacle for each relation are tried, at most."""
_CLEARED_OFFSET_METRES = (
    -100.0
)  # metres below the floor, where what was cleared lies in nobody's way


def has_room_for_task(task: Task, start: Snapshot) -> bool:
    """Whether all that a task wants somewhere can stand there at the same time.

    Only things that exist at the start are looked at: slices come later.  What fits in
    none of the first `MAX_COMBINATIONS` ways does not fit.
    """
    places = dict.fromkeys(key.targets for key in _placement_keys(task, start))
    together = any(each.tail_determiner == "the" for each in task.definition.relations)
    paths = [[(each,) for each in some] if together else [some] for some in places]
    return any(_can_hold(task, start, path) for path in islice(product(*paths), MAX_COMBINATIONS))


def _placement_keys(task: Task, now: Snapshot) -> list[ProblemKey]:
    """Return the keys of what a task wants elsewhere."""
    keys = task.check(now).problem_keys()
    return [k for k in keys if k.property_name == "parentReceptacles" and k.targets]


def _can_hold(task: Task, start: Snapshot, receptacles: Sequence[ReceptacleIds]) -> bool:
    """Whether these places, for each relation, can hold all that must be there.

    What stood there already for the task's sake was cleared with the rest, and is
    asked for again once that has been put down which was asked for first.
    """
    world = WorldState(start)
    every = tuple(dict.fromkeys(place for some in receptacles for place in some))
    _empty_receptacles(world, every)
    for _ in range(MAX_ROUNDS):
        keys = _placement_keys(task, world.snapshot())
        if not keys:
            return True
        asked: defaultdict[ReceptacleIds, list[str]] = defaultdict(list)
        for key in keys:
            own = (some for some in receptacles if not set(some).isdisjoint(key.targets))
            asked[next(own, every)].append(key.object_id)
        if not all(_place_all(world, ids, some) for some, ids in asked.items()):
            return False
    return False


def find_unwashable(start: Snapshot) -> ObjectState | None:
    """Return a thing that water can wash or fill and that no basin takes, or None.

    Where there is no basin, nothing is washed.
    """
    basins = [basin.objectId for basin in start.of_type(*BASIN_TYPES)]
    for obj in start.objects if basins else ():
        able = obj.affordances
        if able.pickupable and (able.dirtyable or able.canFillWithLiquid):
            if not any(_can_take(start, at, obj) for at in basins):
                return obj
    return None


def _can_take(start: Snapshot, receptacle: str, obj: ObjectState) -> bool:
    """Whether a place that has been cleared takes a thing."""
    world = WorldState(start)
    _empty_receptacles(world, (receptacle,))
    return _place(world, obj, (receptacle,))


def _place_all(world: WorldState, ids: list[str], targets: ReceptacleIds) -> bool:
    objects = [obj for obj in world.objects if obj.objectId in ids]
    largest_first = sorted(objects, key=lambda t: (-max(t.box.size), t.objectId))
    return all(_place(world, obj, targets) for obj in largest_first)


def _empty_receptacles(world: WorldState, targets: ReceptacleIds) -> None:
    for target in targets:
        if world.objects[world.index_of(target)].affordances.openable:
            world.update_object(target, isOpen=True)
        for obj in world.contents(target):
            away = translate(obj, (0.0, _CLEARED_OFFSET_METRES, 0.0))
            world.set_object(replace(away, parentReceptacles=()))


def _place(world: WorldState, obj: ObjectState, targets: ReceptacleIds) -> bool:
    for target in targets:
        place = world.objects[world.index_of(target)]
        spot = find_placement(world, obj, place, place.box.center)
        if isinstance(spot, Placement):
            at = replace(obj, box=spot.box, position=spot.position)
            at = replace(at, rotation=spot.rotation, parentReceptacles=(target,))
            world.set_object(at)
            return True
    return False
