"""Recovery: failures teach, troubles are taken away, and every loop has an end."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest

from tatc.base.errors import UsageError
from tatc.commander import CommanderView, RuleCommander
from tatc.commander.knowledge import Knowledge, RefusalMemory
from tatc.commander.plan_builder import FailureReason, PlanFailure, PlannedStep
from tatc.commander.recovery import learn_from_failure, recovery_plans
from tatc.commander.rule_planner import order_problem_keys
from tatc.commander.skills.appliances import OpenClose
from tatc.commander.skills.hold import ClearOut, Hold, Open, PutDown, SetAside
from tatc.follower import RuleFollower
from tatc.home.actions import (
    Action,
    ActionResult,
    Cell,
    Click,
    FailureReport,
    PrimitiveStep,
    Role,
    Verb,
    cell_after,
)
from tatc.home.refusals import blocker_named_in
from tatc.home.state import AgentState, Pose
from tatc.home.type_facts import LAST_RESORT_TYPES
from tatc.planners.snapshot_view import SnapshotView
from tatc.session.loop import run_session
from tatc.session.records import SessionEnd
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import ProblemKey, shipped_library
from tests.commander.test_plan_builder import carry_out, open_kitchen, planned
from tests.sim.box_kitchen import kitchen

CLICK = Click(0.5, 0.5)
POSE_AHEAD = Pose(0.0, 0.25, 0.0, 0.0)
KEY = ProblemKey("", "Mug", "a", "parentReceptacles", "Sink")


def test_blocked_path_is_remembered():
    sim, known, _ = open_kitchen()
    sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    known.refresh()
    learn_from_failure(FailureReport(PrimitiveStep(Verb.FORWARD), "is blocking"), (), known)
    assert set(known.memory.blocked_edges) == {((0, 0), (1, 0))}
    learn_from_failure(FailureReport(PrimitiveStep(Verb.PAN_LEFT), "is blocking"), (), known)
    assert set(known.memory.blocked_edges) == {((0, 0), (1, 0)), ((0, 0), (0, 1))}


@pytest.mark.parametrize(
    ("why", "tries"), [("CanPickup to be picked up", 1), ("somehow it did not work", 3)]
)
def test_failed_click_is_retried_then_ruled_out(why, tries):
    _, known, ids = open_kitchen()
    action_key = (Verb.PICKUP, ids["Mug"], "", ())
    click = PrimitiveStep(Verb.PICKUP, "Mug", CLICK)
    said = (PlannedStep(click, action_key, known.pose),)
    for n in range(tries):
        assert (action_key in known.memory.ruled_out) is False, n
        learn_from_failure(FailureReport(click, why), said, known)
    assert action_key in known.memory.ruled_out


def test_followers_own_click_failing_twice_is_retried_elsewhere():
    _, known, ids = open_kitchen()
    action_key = (Verb.PICKUP, ids["Mug"], "", ())
    said = (PlannedStep(PrimitiveStep(Verb.PICKUP, "Mug", CLICK), action_key, known.pose),)
    own = PrimitiveStep(Verb.PICKUP, "Mug", Click(0.11, 0.22))
    learn_from_failure(FailureReport(own, "CanPickup to be picked up"), said, known)
    assert not known.memory.refused_poses
    learn_from_failure(FailureReport(own, "CanPickup to be picked up"), said, known)
    assert known.memory.refused_poses == {(action_key, known.pose)}
    assert not known.memory.ruled_out


def test_occluder_is_set_aside():
    _, known, ids = open_kitchen()
    plans = recovery_plans(PlanFailure(FailureReason.NO_VIEW, ids["Mug"]), KEY, known)
    moved = [plan[0].object_id for plan in plans]  # type: ignore[attr-defined]
    assert moved and ids["Mug"] not in moved
    assert plans == tuple((SetAside(name, ids["Mug"]),) for name in moved)


def test_the_dish_of_what_cannot_be_seen_is_put_low_before_others_are_moved():
    _, known, ids = open_kitchen()
    by_id = dict(known.snapshot.object_index.by_id)
    food = replace(known.snapshot.objects[by_id[ids["Egg"]]], parentReceptacles=(ids["Bowl"],))
    objects = tuple(food if o.objectId == ids["Egg"] else o for o in known.snapshot.objects)
    known.view = SnapshotView(replace(known.snapshot, objects=objects))
    plans = recovery_plans(PlanFailure(FailureReason.NO_VIEW, ids["Egg"]), KEY, known)
    lowered = (Hold(ids["Bowl"]), PutDown(surface_types=LAST_RESORT_TYPES))
    at = plans.index(lowered)
    assert plans[at + 1] == (SetAside(ids["Bowl"]),)
    assert all(plan[0].keep_clear_of == ids["Egg"] for plan in plans[at + 2 :])  # type: ignore[attr-defined]


def test_closed_container_is_opened_before_occluders():
    _, known, ids = open_kitchen()
    failure = PlanFailure(FailureReason.NO_VIEW, ids["SaltShaker"])
    assert recovery_plans(failure, KEY, known) == ((Open(ids["Drawer"]),),)


def test_drawer_is_closed_over_objects_left_behind():
    sim, known, ids = open_kitchen()
    failure = PlanFailure(FailureReason.NO_VIEW, ids["SaltShaker"])
    again = (OpenClose(ids["Drawer"], is_open=False),)
    builder = planned(known, Open(ids["Drawer"]))
    left = replace(known.snapshot.get(ids["SaltShaker"]), parentReceptacles=None)
    assert builder.predicted_object(ids["SaltShaker"]) == left
    carry_out(sim, builder)
    assert recovery_plans(failure, KEY, known)[0] == again
    mug = PlanFailure(FailureReason.NO_VIEW, ids["Mug"])
    assert again not in recovery_plans(mug, KEY, known), "it stands on the counter"
    plant = PlanFailure(FailureReason.NO_VIEW, ids["HousePlant"])
    assert again not in recovery_plans(plant, KEY, known), "it is far from the drawer"


def test_open_door_in_path_is_closed():
    sim, known, ids = open_kitchen()
    carry_out(sim, planned(known, Open(ids["Drawer"])))
    sim.put_follower(AgentState((0.25, 0.9, 0.0), 0.0, 30.0))
    refused = sim.step(Role.FOLLOWER, Action(Verb.FORWARD))
    assert blocker_named_in(refused.message) == ids["Drawer"]
    known.refresh()
    assert refused.refusal_code is not None
    report = FailureReport(PrimitiveStep(Verb.FORWARD), refused.refusal_code.value)
    learn_from_failure(report, (), known)
    edges = known.memory.blocked_edges
    assert len(edges) > 1 and set(edges.values()) == {ids["Drawer"]}, "it is in the way of others"
    around = [(x, z) for x in range(-6, 7) for z in range(-6, 7)]
    refused_edges, free_edges = set[tuple[Cell, Cell]](), set[tuple[Cell, Cell]]()
    for (x, z), yaw in product(around, (0.0, 90.0, 180.0, 270.0)):
        sim.put_follower(AgentState((x / 4, 0.9, z / 4), yaw, 30.0))
        result = sim.step(Role.FOLLOWER, Action(Verb.FORWARD))
        edge = (x, z), cell_after((x, z), yaw, Verb.FORWARD)
        if result.success:
            free_edges.add(edge)
        elif blocker_named_in(result.message) == ids["Drawer"]:
            refused_edges.add(edge)
    assert refused_edges and refused_edges <= set(edges), "the world refuses no step beside them"
    assert free_edges and free_edges.isdisjoint(edges), "the world allows none of them"
    plans = recovery_plans(PlanFailure(FailureReason.NO_VIEW, ids["Mug"]), KEY, known)
    assert (OpenClose(ids["Drawer"], is_open=False),) in plans


def test_path_past_door_is_free_once_closed():
    _, known, ids = open_kitchen()
    free = known.shortest_paths_from(known.pose).verbs_to(POSE_AHEAD)
    known.memory.blocked_edges[(0, 0), (0, 1)] = ids["Drawer"]
    known.refresh()
    assert known.shortest_paths_from(known.pose).verbs_to(POSE_AHEAD) == free, "it is shut"
    known.memory.blocked_edges[(0, 0), (0, 1)] = ids["Mug"]
    known.refresh()
    assert known.shortest_paths_from(known.pose).verbs_to(POSE_AHEAD) != free


def test_refusals_are_forgotten_at_most_twice():
    memory = RefusalMemory()
    assert not memory.forget_refusals(), "there is nothing to forget"
    action_key = (Verb.PICKUP, "Mug", "", ())
    for _ in range(2):
        memory.record_refusal(action_key, Pose(0, 0, 0, 0), budget=1)
        assert action_key in memory.ruled_out
        assert memory.forget_refusals() and not memory.ruled_out and not memory.refused_poses
    memory.record_refusal(action_key, Pose(0, 0, 0, 0), budget=1)
    assert not memory.forget_refusals() and action_key in memory.ruled_out


def test_a_new_block_or_refusal_does_not_use_up_a_plan():
    memory, plan = RefusalMemory(), (SetAside("Mug"),)
    for uses in (0, 1):
        memory.count_plan(plan)
        memory.record_blocked_step(((0, 0), (0, 1)), "")
        assert memory.plan_counts[plan] == uses, "a step that was blocked before is no news"
    memory, action_key = RefusalMemory(), (Verb.PLACE, "Shelf", "Mug", ())
    for yaw, uses in ((0, 0), (90, 0), (90, 1)):
        memory.count_plan(plan)
        memory.record_refusal(action_key, Pose(0, 0, yaw, 0), budget=9)
        assert memory.plan_counts[plan] == uses, "only the third was refused at a pose before"


def test_what_was_full_is_full_with_more_in_it():
    memory = RefusalMemory()
    memory.refusal_counts_by_type[Verb.PLACE, "Shelf", "Mug", ("Cup",)] += 1
    assert memory.was_full_with_less((Verb.PLACE, "Shelf", "Mug", ("Cup",)))
    assert memory.was_full_with_less((Verb.PLACE, "Shelf", "Mug", ("Cup", "Egg")))
    assert not memory.was_full_with_less((Verb.PLACE, "Shelf", "Mug", ("Egg",)))
    assert not memory.was_full_with_less((Verb.PLACE, "Shelf", "Plate", ("Cup",)))
    assert not memory.was_full_with_less((Verb.PLACE, "Desk", "Mug", ("Cup",)))


def test_objects_placed_for_key_are_not_set_aside():
    _, known, ids = open_kitchen()
    full = PlanFailure(FailureReason.NO_ROOM, known.snapshot.get(ids["Mug"]).parentReceptacles[0])
    types = {
        known.snapshot.get(plan[0].object_id).objectType
        for plan in recovery_plans(full, KEY, known)
    }
    assert types and "Mug" not in types


def test_dish_is_cleared_of_what_was_placed_there_for_the_key_last():
    bowl = kitchen().initial.of_type("Bowl")[0].objectId
    _, known, ids = open_kitchen(
        Potato={"parentReceptacles": (bowl,)}, Egg={"parentReceptacles": (bowl,)}
    )
    key = ProblemKey("", "Potato", "a", "parentReceptacles", "Bowl")
    full = PlanFailure(FailureReason.NO_ROOM, bowl)
    aside = (SetAside(ids["Egg"], bowl),)
    assert recovery_plans(full, key, known) == (aside, (ClearOut(bowl),))


def test_strangers_are_set_aside_before_what_the_task_names():
    """A board as deep as the table has room once the bread or two other things are gone."""
    _, known, ids = open_kitchen()
    table = known.snapshot.get(ids["DiningTable"])
    board = replace(known.snapshot.get(ids["Plate"]).box, size=(0.5, 0.1, 0.6))
    _, known, ids = open_kitchen(Plate={"box": board})
    key = ProblemKey("", "Plate", "a", "parentReceptacles", "DiningTable")
    full = PlanFailure(FailureReason.NO_ROOM, table.objectId, ids["Plate"])
    assert recovery_plans(full, key, known)[0] == (SetAside(ids["Bread"], table.objectId),)
    known.task_kinds = frozenset({"Plate", "Bread"})
    first, second = recovery_plans(full, key, known)[:2]
    assert len(first) > 1 and SetAside(ids["Bread"], table.objectId) not in first
    assert second == (SetAside(ids["Bread"], table.objectId),)


def test_type_that_room_was_made_for_last_comes_first():
    _, known, ids = open_kitchen()
    keys = tuple(
        ProblemKey(ids[kind], kind, "a", "parentReceptacles", "Sink")
        for kind in ("Mug", "Plate", "Potato")
    )
    for kind in ("Potato", "Plate", "Potato"):
        known.memory.prioritize(kind)
    ordered = order_problem_keys(keys, known)
    assert [key.object_type for key in ordered] == ["Potato", "Plate", "Mug"]


def test_receptacle_refuses_an_object_from_wherever_its_points_are_out_of_reach():
    _, known, ids = open_kitchen()
    north = known.snapshot.get(ids["Mug"]).parentReceptacles[0]  # 2.6 m long
    action_key = (Verb.PLACE, north, ids["Egg"], ())
    click = PrimitiveStep(Verb.PLACE, "CounterTop", CLICK)
    full = FailureReport(click, "No valid positions to place object found")
    for x in (-1.0, 0.5):
        assert action_key not in known.memory.ruled_out
        said = (PlannedStep(click, action_key, Pose(x, 0.25, 0.0, 0.0)),)
        learn_from_failure(full, said, known)
    assert action_key in known.memory.ruled_out


class OneCellSimulator(EmbeddedSimulator):
    """Leaves one place to stand at, and refuses to pick the potato up until all poses are tried."""

    refusals = 2

    def reachable(self):
        at = self.snapshot().follower.pose
        return tuple(p for p in super().reachable() if (p.x, p.z) == (at.x, at.z))

    def step(self, role: Role, action: Action) -> ActionResult:
        if action.verb is Verb.PICKUP and self.refusals:
            self.refusals -= 1
            return ActionResult(False, "somehow it did not work")
        return super().step(role, action)


def test_views_are_searched_again_once_refusals_are_forgotten():
    task = shipped_library().compile("Put All X On Y", ("Potato", "on", "CounterTop"))
    result = run_session(OneCellSimulator(), kitchen(), task, RuleCommander(), RuleFollower())
    assert result.end is SessionEnd.SUCCESS


def test_recovery_for_one_type_is_bounded():
    _, known, ids = open_kitchen()
    failure = PlanFailure(FailureReason.NO_VIEW, ids["Mug"])
    for _ in range(6):
        assert recovery_plans(failure, KEY, known)
        known.memory.recovery_counts["Mug"] += 1
    assert recovery_plans(failure, KEY, known) == ()


class RefusingSimulator(EmbeddedSimulator):
    """Refuses one verb, whatever is clicked."""

    refused: Verb = Verb.PICKUP

    def step(self, role: Role, action: Action) -> ActionResult:
        if action.verb is self.refused:
            return ActionResult(False, "somehow it did not work")
        return super().step(role, action)


@pytest.mark.parametrize("verb", [Verb.PICKUP, Verb.PLACE, Verb.TOGGLE_ON])
def test_always_refusing_world_ends_session(verb: Verb):
    sim = RefusingSimulator()
    sim.refused = verb
    task = shipped_library().compile("Coffee")
    result = run_session(sim, kitchen(), task, RuleCommander(), RuleFollower())
    assert result.end in (SessionEnd.GAVE_UP, SessionEnd.FAILURE_LIMIT)
    assert len(result.interactions) < 1000


def test_commander_before_begin_raises():
    with pytest.raises(UsageError, match="begin"):
        RuleCommander().act(CommanderView((), None))


def test_knowledge_needs_only_oracle():
    sim = EmbeddedSimulator()
    sim.reset(kitchen())
    oracle = SimpleNamespace(snapshot=sim.snapshot, reachable=sim.reachable)
    assert Knowledge(oracle).snapshot.objects


@pytest.mark.parametrize(("depth", "first"), [(0.7, "Mug"), (0.1, "Bread")])
def test_what_crowds_one_receptacle_is_taken_up_by_size(depth: float, first: str):
    table = kitchen().initial.of_type("DiningTable")[0]
    size = (table.box.size[0], table.box.size[1], depth)
    _, known, ids = open_kitchen(DiningTable={"box": replace(table.box, size=size)})
    keys = tuple(
        ProblemKey(ids[kind], kind, "all", "parentReceptacles", "DiningTable", (table.objectId,))
        for kind in ("Bread", "Mug")
    )
    assert order_problem_keys(keys, known)[0].object_type == first
