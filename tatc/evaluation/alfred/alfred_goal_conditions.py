"""ALFRED's own goal conditions of its seven task types, on a state of any world.

They are those of `env/tasks.py` in github.com/askforalfred/alfred: each type counts its
conditions in its own way, sliced objects add one (two for two objects), and objects are looked
up by a part of their id, so that `Pot` finds potatoes too.  Wholes that have been cut no longer
exist there, so they never count.
"""

from collections.abc import Callable, Iterable, Sequence

from tatc.evaluation.scoring.trajectory_score import GoalConditionCounts
from tatc.home.state import ObjectState, Snapshot
from tatc.session.records.trajectory import TaskType, TrajectoryTask
from tatc.tdl.properties import parent_receptacles_of

_SLICED = "Sliced"
_MARK_BY_TYPE = {
    TaskType.HEAT: "wasHeated",
    TaskType.COOL: "wasCooled",
    TaskType.CLEAN: "wasCleaned",
}


def goal_conditions(
    task: TrajectoryTask, now: Snapshot, is_visible: Callable[[ObjectState], bool]
) -> GoalConditionCounts:
    """Return how many of ALFRED's goal conditions there are and how many hold.

    Args:
        task: the task; its types are those that the trajectory's ids have.
        now: the state.
        is_visible: whether the agent sees an object, as AI2-THOR's metadata have it.

    """
    found = _Found(task, now)
    total, met = _count(task, found, is_visible)
    if task.sliced:
        wanted = 2 if task.type is TaskType.TWO else 1
        slices = sum(_SLICED in obj.objectId for obj in found.objects)
        return GoalConditionCounts(total + wanted, met + min(slices, wanted))
    return GoalConditionCounts(total, met)


class _Found:
    """The objects of a state that a task's parameters name, by a part of their ids."""

    def __init__(self, task: TrajectoryTask, now: Snapshot) -> None:
        self._now = now
        existing = [obj for obj in now.objects if not obj.isSliced]
        carried = [obj for obj in existing if obj.affordances.pickupable]
        self.objects = _named(task.wanted_object, carried)
        self.movables = _named(task.movable, carried) if task.movable else []
        self.lamps = [obj for obj in _named(task.toggle, existing) if obj.affordances.toggleable]
        self.receptacles = [
            obj for obj in _named(task.receptacle, existing) if obj.affordances.receptacle
        ]

    def contents(self, objects: Iterable[ObjectState], receptacle: ObjectState) -> int:
        """Return how many of the objects are in or on a receptacle."""
        return sum(self.is_in(obj, (receptacle,)) for obj in objects)

    def is_in(self, obj: ObjectState, receptacles: Sequence[ObjectState]) -> bool:
        """Return whether an object is in or on one of the receptacles."""
        parents = parent_receptacles_of(obj, self._now)
        return any(receptacle.objectId in parents for receptacle in receptacles)

    def placed(self, objects: Iterable[ObjectState]) -> list[ObjectState]:
        """Return the objects that are in or on one of the task's receptacles."""
        return [obj for obj in objects if self.is_in(obj, self.receptacles)]


def _named(name: str, objects: Iterable[ObjectState]) -> list[ObjectState]:
    return [obj for obj in objects if name in obj.objectId]


def _count(
    task: TrajectoryTask, found: _Found, is_visible: Callable[[ObjectState], bool]
) -> tuple[int, int]:
    """Return the number of conditions, and how many hold, without those of slices."""
    placed = found.placed(found.objects)
    if task.type is TaskType.SIMPLE:
        return 1, int(bool(placed))
    if task.type is TaskType.TWO:
        most = max((found.contents(found.objects, each) for each in found.receptacles), default=0)
        return 2, min(most, 2)
    if task.type is TaskType.LOOK:
        held = any(obj.isPickedUp for obj in found.objects)
        return 2, held + any(lamp.isToggled and is_visible(lamp) for lamp in found.lamps)
    if task.type is TaskType.MOVABLE:
        movables = found.placed(found.movables)
        stacked = any(found.contents(found.objects, movable) for movable in movables)
        return 3, bool(placed) + bool(movables) + stacked
    mark = _MARK_BY_TYPE[task.type]
    changed = any(getattr(obj, mark) for obj in found.objects)
    both = any(getattr(obj, mark) for obj in placed)
    return 3, bool(placed) + changed + both
