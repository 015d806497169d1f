"""Whether a task needs something to be opened, judged from its start alone.

For Commanders that open nothing (`tatc.commander.negative_controls`): in other sessions they
may well succeed, with another mug than the one in the cabinet, and that is no fault of the
world.
"""

from tatc.home.state import ObjectState, Snapshot
from tatc.home.types.facts import KNIFE_TYPES, MUST_BE_OPEN_TYPES
from tatc.tdl import Task
from tatc.tdl.properties import parent_receptacles_of


def needs_opening(task: Task, start: Snapshot) -> bool:
    """Return whether an object that the task needs is closed in, or has to go where it is closed.

    Nothing else is considered: the task may also need a knife or a microwave that is closed.
    """
    closed = frozenset(t.objectId for t in start.objects if _must_be_opened(t))
    away = closed.union(
        obj.objectId
        for obj in start.objects
        if not closed.isdisjoint(parent_receptacles_of(obj, start))
    )
    knives = {obj.objectId for obj in start.of_type(*KNIFE_TYPES)}
    if knives - away:
        away -= knives  # any one cuts, though tasks ask for a Knife
    left = [obj for obj in start.objects if obj.objectId not in away]
    open_only = Snapshot.from_objects(left, start.commander, start.follower)
    return not task.preconditions_hold(open_only) or any(
        key.determiner == "all" and key.object_id in away
        for key in task.check(start).problem_keys()
    )


def _must_be_opened(obj: ObjectState) -> bool:
    able = obj.affordances
    return obj.objectType in MUST_BE_OPEN_TYPES and able.openable and not obj.isOpen
