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
    existing = [obj for obj in now.objects if not obj.isSliced]
    carried = [obj for obj in existing if obj.affordances.pickupable]
    objects, found = _named(task.wanted_object, carried), _named(task.receptacle, existing)
    receptacles = [obj for obj in found if obj.affordances.receptacle]
    placed = _inside(objects, receptacles, now)
    match task.type:
        case trajectory.TaskType.SIMPLE:
            total, met = 1, int(bool(placed))
        case trajectory.TaskType.TWO:
            most = max((len(_inside(objects, [each], now)) for each in receptacles), default=0)
            total, met = 2, min(most, 2)
        case trajectory.TaskType.LOOK:
            lamps = [obj for obj in _named(task.toggle, existing) if obj.affordances.toggleable]
            is_lit = any(lamp.isToggled and is_visible(lamp) for lamp in lamps)
            total, met = 2, any(obj.isPickedUp for obj in objects) + is_lit
        case trajectory.TaskType.MOVABLE:
            named = _named(task.movable, carried) if task.movable else []
            movables = _inside(named, receptacles, now)
            total, met = 3, bool(placed) + bool(movables) + bool(_inside(objects, movables, now))
        case _:
            mark = _MARK_BY_TYPE[task.type]
            changed = any(getattr(obj, mark) for obj in objects)
            total, met = 3, bool(placed) + changed + any(getattr(obj, mark) for obj in placed)
    if task.sliced:
        wanted = 2 if task.type is trajectory.TaskType.TWO else 1
        slices = sum(_SLICED in obj.objectId for obj in objects)
        return GoalConditionCounts(total + wanted, met + min(slices, wanted))
    return GoalConditionCounts(total, met)


def _named(name: str, objects: Iterable[ObjectState]) -> list[ObjectState]:
    """Return the objects that a parameter of a task names, by a part of their ids."""
    return [obj for obj in objects if name in obj.objectId]


def _inside(
    objects: Iterable[ObjectState], receptacles: Iterable[ObjectState], now: Snapshot
) -> list[ObjectState]:
    ids = {receptacle.objectId for receptacle in receptacles}
    return [obj for obj in objects if not ids.isdisjoint(parent_receptacles_of(obj, now))]


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
