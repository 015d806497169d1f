"""Checks whether a task's objects fit where the task wants them.

Drawn parameters may ask for a scrub brush in a drawer that is shorter than the brush.  No
agent is run here: the objects are put one after the other into receptacles that have been
emptied, by the rule by which the simulator places an object that is put down.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product

from tatc.home import state, type_facts
from tatc.sim.embedded.placement.placement_search import Placement, find_placement
from tatc.sim.embedded.world_state import WorldState
from tatc.tdl import ProblemKey, Task

ReceptacleIds = tuple[str, ...]  # the ids of receptacles, any of which will do
MAX_ROUNDS = 3  # how many times, at most, the objects that a task still wants elsewhere are placed
MAX_COMBINATIONS = 500
"""How many combinations, of one receptacle for each relation, are tried at most."""
_CLEARED_OFFSET_METRES = -100.0  # far below the floor, where removed objects are in nobody's way


def has_room_for_task(task: Task, start: state.Snapshot) -> bool:
    """Return whether all objects that a task wants somewhere fit there at the same time.

    Only objects that exist at the start count, not slices; after `MAX_COMBINATIONS` it is no.
    """
    places = dict.fromkeys(key.targets for key in _placement_keys(task, start))
    together = any(each.tail_determiner == "the" for each in task.definition.relations)
    paths = [[(each,) for each in some] if together else [some] for some in places]
    return any(_can_hold(task, start, path) for path in islice(product(*paths), MAX_COMBINATIONS))


def _placement_keys(task: Task, now: state.Snapshot) -> list[ProblemKey]:
    """Return the problem keys of the objects that a task wants in another receptacle."""
    keys = task.check(now).problem_keys()
    return [k for k in keys if k.property_name == "parentReceptacles" and k.targets]


def _can_hold(task: Task, start: state.Snapshot, receptacles: Sequence[ReceptacleIds]) -> bool:
    """Return whether these receptacles, given for each relation, can hold the task's objects.

    Objects that were already where the task wants them are removed with the rest.  The task
    asks for them again in a later round, after the first objects have been placed.
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


def find_unwashable(start: state.Snapshot) -> state.ObjectState | None:
    """Return an object that needs water and fits into no basin; None also if there is no basin."""
    for obj in start.objects if start.of_type(*type_facts.BASIN_TYPES) else ():
        able = obj.affordances
        wants_water = able.pickupable and (able.dirtyable or able.canFillWithLiquid)
        if wants_water and not fits_in_basin(start, obj):
            return obj
    return None


def fits_in_basin(start: state.Snapshot, obj: state.ObjectState) -> bool:
    """Return whether an emptied basin of the room, with the water off, takes an object."""
    objects = [
        replace(each, isToggled=False) if each.objectType == "Faucet" else each
        for each in start.objects
    ]
    dry = state.Snapshot.from_objects(objects, start.commander, start.follower)
    for basin in dry.of_type(*type_facts.BASIN_TYPES):
        world = WorldState(dry)
        _empty_receptacles(world, (basin.objectId,))
        if _place(world, obj, (basin.objectId,)):
            return True
    return False


def _place_all(world: WorldState, ids: list[str], targets: ReceptacleIds) -> bool:
    objects = [obj for obj in world.objects if obj.objectId in ids]
    largest_first = sorted(objects, key=lambda t: (-max(t.box.size), t.objectId))
    return all(_place(world, obj, targets) for obj in largest_first)


def _empty_receptacles(world: WorldState, targets: ReceptacleIds) -> None:
    for target in targets:
        if world.objects[world.index_of(target)].affordances.openable:
            world.update_object(target, isOpen=True)
        for obj in world.contents(target):
            away = state.translate(obj, (0.0, _CLEARED_OFFSET_METRES, 0.0))
            world.set_object(replace(away, parentReceptacles=()))


def _place(world: WorldState, obj: state.ObjectState, targets: ReceptacleIds) -> bool:
    for target in targets:
        place = world.objects[world.index_of(target)]
        placement = find_placement(world, obj, place, place.box.center)
        if isinstance(placement, Placement):
            at = replace(obj, box=placement.box, position=placement.position)
            at = replace(at, rotation=placement.rotation, parentReceptacles=(target,))
            world.set_object(at)
            return True
    return False
