"""Whether a task cannot be done without opening something, from its start alone.

For Commanders that open nothing (`tatc.evaluation.controls`): elsewhere they may well
succeed, with another mug than the one in the cabinet, and the world forgives nothing.
"""

from tatc.actions import KNIVES
from tatc.sim.embedded.placing import MUST_BE_OPEN
from tatc.state import ObjectState, Snapshot
from tatc.tdl import Task
from tatc.tdl.properties import parents_of


def needs_opening(task: Task, start: Snapshot) -> bool:
    """Return whether what a task needs is shut in, or has to go where it is shut.

    Nothing else is looked at: a knife or a microwave that is shut may be needed too.
    """
    shut = frozenset(t.objectId for t in start.objects if _is_shut(t))
    away = shut.union(
        thing.objectId
        for thing in start.objects
        if not shut.isdisjoint(parents_of(thing, start))
    )
    knives = {thing.objectId for thing in start.of_type(*KNIVES)}
    if knives - away:
        away -= knives  # any one cuts, though tasks ask for a Knife
    left = [thing for thing in start.objects if thing.objectId not in away]
    open_only = Snapshot.of(left, start.commander, start.follower)
    return not task.preconditions_hold(open_only) or any(
        key.determiner == "all" and key.object_id in away
        for key in task.check(start).problem_keys()
    )


def _is_shut(thing: ObjectState) -> bool:
    able = thing.affordances
    return thing.objectType in MUST_BE_OPEN and able.openable and not thing.isOpen
