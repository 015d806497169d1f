"""ALFRED's own tests on a state of any world: goal conditions of its seven tasks, and subgoals.

They are those of `env/tasks.py` and `env/reward.py` in github.com/askforalfred/alfred.  Sliced
objects add one condition (two for two objects), and objects are looked up by a part of their id, so
that `Pot` finds potatoes too.  Wholes that have been cut no longer exist there, so they never
count.  A subgoal is about the object that the plan names; of a cut object, any slice of it.
"""

from collections.abc import Callable, Iterable, Sequence

from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.home import actions, type_facts
from tatc.home.state import ObjectState, Pose, Snapshot
from tatc.planners.grid import NavigationGrid
from tatc.session.alfred.recorded_ids import find_recorded
from tatc.session.records import trajectory, trajectory_plan
from tatc.tdl.properties import parent_receptacles_of

Subgoals = Sequence[trajectory_plan.HighAction]
ARRIVAL_ACTIONS = 3  # a GotoLocation is done when its pose is fewer actions away than this
MARK_BY_SUBGOAL = {
    "CoolObject": "wasCooled",
    "HeatObject": "wasHeated",
    "CleanObject": "wasCleaned",
    "PickupObject": "isPickedUp",
    "SliceObject": "isSliced",
    "ToggleObject": "isToggled",
}
"""The property that each kind of subgoal gives to its object."""
_SLICED = "Sliced"
_MARK_BY_TYPE = {
    trajectory.TaskType.HEAT: "wasHeated",
    trajectory.TaskType.COOL: "wasCooled",
    trajectory.TaskType.CLEAN: "wasCleaned",
}


def goal_conditions(
    task: trajectory.TrajectoryTask, now: Snapshot, is_visible: Callable[[ObjectState], bool]
) -> GoalConditionCounts:
    """Return how many of ALFRED's goal conditions there are and how many hold.

    The types of the `task` are those that the trajectory's ids have; `is_visible` tells whether the
    agent sees an object, as AI2-THOR's metadata have it.
    """
    found = _Found(task, now)
    total, met = _count(task, found, is_visible)
    if task.sliced:
        wanted = 2 if task.type is trajectory.TaskType.TWO else 1
        slices = sum(_SLICED in obj.objectId for obj in found.objects)
        return GoalConditionCounts(total + wanted, met + min(slices, wanted))
    return GoalConditionCounts(total, met)


class _Found:
    """The objects of a state that a task's parameters name, by a part of their ids."""

    def __init__(self, task: trajectory.TrajectoryTask, now: Snapshot) -> None:
        self._now = now
        existing = [obj for obj in now.objects if not obj.isSliced]
        carried = [obj for obj in existing if obj.affordances.pickupable]
        self.objects = _named(task.wanted_object, carried)
        self.movables = _named(task.movable, carried) if task.movable else []
        self.lamps = [obj for obj in _named(task.toggle, existing) if obj.affordances.toggleable]
        found = _named(task.receptacle, existing)
        self.receptacles = [obj for obj in found if obj.affordances.receptacle]

    def contents(self, objects: Iterable[ObjectState], receptacle: ObjectState) -> int:
        return sum(self.is_in(obj, (receptacle,)) for obj in objects)

    def is_in(self, obj: ObjectState, receptacles: Sequence[ObjectState]) -> bool:
        parents = parent_receptacles_of(obj, self._now)
        return any(receptacle.objectId in parents for receptacle in receptacles)

    def placed(self, objects: Iterable[ObjectState]) -> list[ObjectState]:
        return [obj for obj in objects if self.is_in(obj, self.receptacles)]


def _named(name: str, objects: Iterable[ObjectState]) -> list[ObjectState]:
    return [obj for obj in objects if name in obj.objectId]


def _count(
    task: trajectory.TrajectoryTask, found: _Found, is_visible: Callable[[ObjectState], bool]
) -> tuple[int, int]:
    """Return the number of conditions, and how many hold, without those of slices."""
    placed = found.placed(found.objects)
    if task.type is trajectory.TaskType.SIMPLE:
        return 1, int(bool(placed))
    if task.type is trajectory.TaskType.TWO:
        most = max((found.contents(found.objects, each) for each in found.receptacles), default=0)
        return 2, min(most, 2)
    if task.type is trajectory.TaskType.LOOK:
        held = any(obj.isPickedUp for obj in found.objects)
        return 2, held + any(lamp.isToggled and is_visible(lamp) for lamp in found.lamps)
    if task.type is trajectory.TaskType.MOVABLE:
        movables = found.placed(found.movables)
        stacked = any(found.contents(found.objects, movable) for movable in movables)
        return 3, bool(placed) + bool(movables) + stacked
    mark = _MARK_BY_TYPE[task.type]
    changed = any(getattr(obj, mark) for obj in found.objects)
    return 3, bool(placed) + changed + any(getattr(obj, mark) for obj in placed)


def is_subgoal_done(plan: Subgoals, index: int, now: Snapshot, grid: NavigationGrid) -> bool:
    """Return whether a subgoal of a plan is done; one that is not scored ("End") never is."""
    subgoal = plan[index]
    if subgoal.kind == "GotoLocation":
        return subgoal.pose is not None and _has_arrived(now.follower.pose, subgoal.pose, grid)
    objects = objects_of_subgoal(plan, index, now)
    if subgoal.kind == "PutObject":
        place = receptacle_of_subgoal(plan, index, now)
        return place is not None and any(
            place.objectId in parent_receptacles_of(obj, now) for obj in objects
        )
    mark = MARK_BY_SUBGOAL.get(subgoal.kind)
    return mark is not None and any(getattr(obj, mark) for obj in objects)


def objects_of_subgoal(plan: Subgoals, index: int, now: Snapshot) -> tuple[ObjectState, ...]:
    """Return the objects any of which a subgoal may mean: all slices of a whole for a slice."""
    object_id = _object_id(plan, index)
    found = find_recorded(object_id, now)
    if found is None:
        return ()
    whole, _, piece = object_id.rpartition("|")
    if piece.partition("_")[0] not in type_facts.SLICE_TYPES:
        return (found,)
    base = find_recorded(whole, now)
    prefix = f"{base.objectId if base else whole}|"
    slices = [obj for obj in now.objects if obj.objectId.startswith(prefix)]
    return tuple(sorted(slices, key=lambda obj: not obj.isPickedUp)) or (found,)


def receptacle_of_subgoal(plan: Subgoals, index: int, now: Snapshot) -> ObjectState | None:
    """Return where a PutObject is to put its object, None where the scene lacks it."""
    return find_recorded(plan[index].receptacle_id or "", now)


def _has_arrived(pose: Pose, wanted: Pose, grid: NavigationGrid) -> bool:
    steps = (abs(wanted.x - pose.x) + abs(wanted.z - pose.z)) / actions.GRID_SIZE_METRES
    if round(steps) >= ARRIVAL_ACTIONS:
        return False  # as nearly always: no path needs to be looked for
    away = grid.shortest_paths_from(pose).cost_to(wanted)
    return away is not None and away < ARRIVAL_ACTIONS


def _object_id(plan: Subgoals, index: int) -> str:
    """Return the id of what a subgoal is about: not of the appliance that heats or cools."""
    subgoal = plan[index]
    if subgoal.kind not in ("HeatObject", "CoolObject"):
        return subgoal.object_id or ""
    later = (each for each in plan[index + 1 :] if each.kind == "PutObject")
    earlier = (each for each in reversed(plan[:index]) if each.kind == "PickupObject")
    found = next(later, None) or next(earlier, None)
    return "" if found is None else found.object_id or ""
