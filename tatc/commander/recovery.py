"""Recovery: what the Commander learns from a failed step, and plans that remove obstacles.

`MAX_TRIES_BY_CODE` says how often a refused step may be tried from other places; the code comes
from the message that the Follower reports.  `recovery_plans` removes what makes a plan fail: an
object that hides another, or fills a receptacle, is set aside.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import dist

from tatc.commander import plan_builder
from tatc.commander.knowledge import ActionKey, Knowledge
from tatc.commander.skills import cut, free_space, hold
from tatc.commander.skills.appliances import OpenClose
from tatc.home import actions, refusals, state, type_facts
from tatc.home.camera.body_clearance import door_blocking_step, steps_blocked_by_door
from tatc.planners import viewpoints
from tatc.tdl import ProblemKey

DEFAULT_MAX_TRIES = 3  # tries of a step from different places before it is ruled out
MAX_TRIES_BY_CODE = {
    refusals.RefusalCode.NO_FREE_POSITION: 4,
    refusals.RefusalCode.DOOR_BLOCKED: 6,
    refusals.RefusalCode.NOT_A_RECEPTACLE: 1,
    refusals.RefusalCode.TYPE_NOT_ACCEPTED: 1,
    refusals.RefusalCode.NOT_PICKUPABLE: 1,
    refusals.RefusalCode.NOT_OPENABLE: 1,
    refusals.RefusalCode.NOT_TOGGLEABLE: 1,
    refusals.RefusalCode.NOT_SLICEABLE: 1,
}
"""Tries after a refusal that another standing place is less, or more, likely to change."""
MAX_RECOVERIES_PER_TYPE = 6  # recovery plans in a session for the sake of one type, at most
MAX_SET_ASIDE_TOGETHER = 4  # objects that are set aside in one plan, at most
OCCLUDER_DISTANCE_METRES = 0.4  # distance within which an object may hide another, metres
LEFT_BEHIND_DISTANCE_METRES = 0.8
"""Distance from an open drawer within which objects that it left behind lie, metres."""


ROOM_FAILURES = (plan_builder.FailureReason.NO_ROOM, plan_builder.FailureReason.REFUSED)
"""Failures for which room is made before PDDL, which knows nothing of room, plans the task."""


def _uncover_plans(failure: plan_builder.PlanFailure, known: Knowledge) -> plan_builder.Plans:
    """Return plans to uncover an object that cannot be clicked.

    First the closed containers around it are opened.  Then, in this order: open drawers near
    an object that lies in nothing are closed, which takes back what they left behind; what
    is seen in its place is closed or set aside; the dish or box in which it lies is put on the
    floor or a seat, or elsewhere, to look into it; last, what stands near it is set aside.
    """
    obj = known.snapshot.get(failure.object_id)
    if obj is None:
        return ()
    around = [(hold.Open(case.objectId),) for case in known.view.closed_containers_of(obj)]
    if around:
        return tuple(around)
    reach = OCCLUDER_DISTANCE_METRES + free_space.footprint_radius(obj)
    loose = known.view.find_objects(where=lambda t: t.affordances.pickupable and not t.isPickedUp)
    away = [(dist(t.box.center, obj.box.center), t) for t in loose if t is not obj]
    ranked = [t for d, t in sorted(away, key=lambda each: each[0]) if d < reach]
    plans = [(OpenClose(name, is_open=False),) for name in _open_drawers_near(obj, known)]
    plans += [_move_away_plan(other, obj, known) for other in _find_blockers(obj, known)]
    holders = known.view.receptacles_of(obj)
    on_floor = hold.PutDown(surface_types=type_facts.LAST_RESORT_TYPES)
    for dish in (each.objectId for each in holders if each.affordances.pickupable):
        plans += [(hold.Hold(dish), on_floor), (hold.SetAside(dish),)]
    plans += [_move_away_plan(other, obj, known) for other in ranked]
    return tuple(dict.fromkeys(plan for plan in plans if plan))


def _open_drawers_near(obj: state.ObjectState, known: Knowledge) -> tuple[str, ...]:
    """Return the ids of open drawers near an object that lies in nothing, nearest first."""
    if known.view.receptacles_of(obj):
        return ()
    drawers = known.view.find_objects("Drawer", where=lambda t: t.isOpen)
    away = {t.objectId: dist(t.box.center, obj.box.center) for t in drawers}
    near = (name for name in away if away[name] < LEFT_BEHIND_DISTANCE_METRES)
    return tuple(sorted(near, key=away.__getitem__))


def _find_blockers(obj: state.ObjectState, known: Knowledge) -> Iterator[state.ObjectState]:
    """Yield objects seen in an object's place, and open doors that blocked the Follower."""
    if obj.objectId not in known.occluders:
        known.show_actual_objects()
        index, poses = known.snapshot.object_index.by_id, known.standing_poses(obj, known.pose)
        known.occluders[obj.objectId] = viewpoints.find_occluders(
            known.geometry, index[obj.objectId], poses, known.snapshot.follower
        )
    yield from (known.snapshot.objects[i] for i in known.occluders[obj.objectId])
    doors = (known.snapshot.get(name) for name in known.memory.blocked_edges.values())
    yield from (door for door in doors if door is not None)


def _move_away_plan(
    other: state.ObjectState, obj: state.ObjectState, known: Knowledge
) -> plan_builder.SkillPlan:
    """Return a plan that takes one object out of another's way; () if there is none."""
    within = {parent.objectId for parent in known.view.receptacles_of(obj)}
    if other.affordances.pickupable and not other.isPickedUp:
        return () if other.objectId in within else (hold.SetAside(other.objectId, obj.objectId),)
    if other.affordances.openable and other.isOpen and other.objectId not in within:
        return (OpenClose(other.objectId, is_open=False),)
    return ()


def _make_room_plans(
    failure: plan_builder.PlanFailure, key: ProblemKey, known: Knowledge
) -> plan_builder.Plans:
    """Return plans to make room in a full receptacle.

    First the fewest objects that make room are set aside, those that the task does not name
    before any others, then all if they are few, then one at a time, the largest first.  Objects
    placed there for the key's sake stay, until a dish is cleared of everything, to be filled anew
    in another order.  If a piece of food finds no room, another whole may be cut, because its
    pieces may be smaller.  That comes last, or first if only pieces of its type could be set aside.
    """
    place = known.snapshot.get(failure.object_id)
    if place is None:
        return ()
    plans: list[plan_builder.SkillPlan] = []
    obj = known.snapshot.get(failure.held_id)
    clear_out = ((hold.ClearOut(place.objectId),),) if place.affordances.pickupable else ()
    if obj is not None:
        builder = plan_builder.PlanBuilder(known)
        strangers = free_space.fewest_to_clear(builder, place, obj, known.is_named)
        fewest = free_space.fewest_to_clear(
            builder, place, obj, lambda other: _is_placed_for_key(other, key)
        )
        for some in filter(None, (strangers, fewest)):
            plans.append(tuple(hold.SetAside(other.objectId, place.objectId) for other in some))
        plans += clear_out if fewest else ()
    loose = (t for t in known.view.contents_of(place) if t.affordances.pickupable)
    inside = [t for t in loose if not _is_placed_for_key(t, key)]
    cuts = () if obj is None else _cut_another_plans(obj, known)
    if not inside:
        return (*_uncover_plans(failure, known), *cuts)
    if obj is not None and all(other.objectType == obj.objectType for other in inside):
        plans, cuts = [*cuts, *plans], ()
    inside.sort(key=free_space.footprint_radius, reverse=True)
    aside = tuple(hold.SetAside(other.objectId, place.objectId) for other in inside)
    if len(aside) <= MAX_SET_ASIDE_TOGETHER:
        plans.append(aside)
    plans += [(each,) for each in aside]
    return tuple(dict.fromkeys((*plans, *clear_out, *cuts)))


def _cut_another_plans(piece: state.ObjectState, known: Knowledge) -> plan_builder.Plans:
    """Return plans that cut another whole of a piece's food, the nearest first."""
    whole_type = type_facts.WHOLE_TYPE_BY_PIECE.get(piece.objectType)
    if whole_type is None:
        return ()
    wholes = known.view.find_objects(whole_type)
    uncut = (t for t in wholes if t.affordances.sliceable and not t.isSliced)
    return tuple((cut.Cut(whole.objectId),) for whole in uncut)


def _is_placed_for_key(obj: state.ObjectState, key: ProblemKey) -> bool:
    return key.property_name == "parentReceptacles" and obj.objectType == key.object_type


def recovery_plans(
    failure: plan_builder.PlanFailure, key: ProblemKey, known: Knowledge
) -> plan_builder.Plans:
    """Return plans that remove a failure's cause; none once the budget of its type is spent."""
    if known.memory.recovery_counts[failed_object_type(failure, known)] >= MAX_RECOVERIES_PER_TYPE:
        return ()
    if failure.reason is plan_builder.FailureReason.NO_VIEW:
        return _uncover_plans(failure, known)
    return _make_room_plans(failure, key, known) if failure.reason in ROOM_FAILURES else ()


def failed_object_type(failure: plan_builder.PlanFailure, known: Knowledge) -> str:
    """Return the type of the object that a failure is about, or ""."""
    obj = known.snapshot.get(failure.object_id)
    return "" if obj is None else obj.objectType


def learn_from_failure(
    report: actions.FailureReport, steps: plan_builder.PlannedSteps, known: Knowledge
) -> str:
    """Record in the memory what a failed step teaches; return that as a short clause."""
    if report.step.verb in actions.MOTION_VERBS:
        return _learn_motion(report, known)
    memory, code = known.memory, refusals.refusal_code_of(report.reason)
    is_full = code is refusals.RefusalCode.NO_FREE_POSITION
    failed = next((s for s in steps if s.step == report.step and s.action_key), None)
    if failed is None and is_full:  # a click of the Follower's own tells of room all the same
        asked = (s for s in steps if s.step.object_type == report.step.object_type)
        own = next((s for s in asked if s.step.verb is report.step.verb), None)
        failed = own and replace(own, pose=known.pose, clicked_point=None)
    if failed is None or failed.action_key is None:
        _learn_miss(report, steps, known)
        return f"{report.step.verb} failed: {report.reason}"
    budget = MAX_TRIES_BY_CODE.get(code, DEFAULT_MAX_TRIES)
    memory.record_refusal(failed.action_key, failed.pose, failed.clicked_point, budget=budget)
    if is_full and _is_tried_everywhere(failed.action_key, known):
        memory.ruled_out.add(failed.action_key)
    if code is refusals.RefusalCode.DOOR_BLOCKED:
        memory.refused_cells.add((failed.action_key, actions.cell_of(failed.pose.x, failed.pose.z)))
    if is_full:
        memory.refusal_counts_by_type[known.action_type_key(failed.action_key)] += 1
    return f"{report.step.verb} on {failed.action_key[1]} failed: {report.reason}"


def _learn_miss(
    report: actions.FailureReport, steps: plan_builder.PlannedSteps, known: Knowledge
) -> None:
    """Record a failed click that the Follower found itself: it rules nothing out."""
    clicks = [s for s in steps if s.action_key is not None]
    same = [s for s in clicks if s.step.object_type == report.step.object_type]
    same = same or [s for s in clicks if s.step.verb is report.step.verb]
    if same and same[0].action_key is not None:
        known.memory.record_miss(same[0].action_key, same[0].pose)


def _is_tried_everywhere(action_key: ActionKey, known: Knowledge) -> bool:
    """Return whether all of a receptacle was in reach from where it refused an object."""
    place, obj = map(known.snapshot.get, action_key[1:3])
    if place is None or obj is None:
        return True
    points = free_space.fitting_points(place, obj)
    stands = known.memory.refused_stands({action_key})
    return not len(free_space.points_beyond(points, stands, actions.INTERACTION_REACH_METRES))


def _learn_motion(report: actions.FailureReport, known: Knowledge) -> str:
    verb = report.step.verb
    if verb not in actions.TRANSLATION_VERBS:
        return f"{verb} failed"
    pose = known.pose
    here = actions.cell_of(pose.x, pose.z)
    cell = actions.cell_after(here, pose.yaw, verb)
    doors = {opened.objectId: (opened, closed) for opened, closed in known.open_doors()}
    door = door_blocking_step(here, cell, doors.values()) or ""
    known.memory.record_blocked_step((here, cell), door)
    if door:  # it is in the way of these too
        known.memory.blocked_edges |= dict.fromkeys(steps_blocked_by_door(*doors[door]), door)
    return f"the way to cell {cell} is blocked"
