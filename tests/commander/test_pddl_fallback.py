"""The fallback: whole tasks planned in PDDL; what is refused constrains the next plan."""

from dataclasses import replace

import pytest

from benchmarks.plan_validation import parse
from tatc.commander.knowledge import Knowledge
from tatc.commander.pddl_fallback import PddlFallback, current_refusals, skills_of_step
from tatc.commander.rule_planner import RulePlanner
from tatc.commander.skills.hold import Hold
from tatc.home.actions import Verb
from tatc.planners.pddl.problem import PlanStep
from tatc.planners.snapshot_view import RefusedInteraction, SnapshotView
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.commander.test_policies import kitchen_without
from tests.planners.pddl.household_problems import TOAST_PROBLEM
from tests.sim.box_kitchen import kitchen


def known_of(scene):
    sim = EmbeddedSimulator()
    sim.reset(scene)
    known = Knowledge(sim)
    known.refresh()
    return known


def start(name, *params):
    return known_of(kitchen()), PddlFallback(shipped_library().compile(name, params))


@pytest.mark.parametrize(
    ("gone", "task", "params", "why"),
    [
        ("CoffeeMachine", "Coffee", (), "nothing ever brings about (coffee mug-1)"),
        ("Faucet", "Clean X", ("Plate",), "nothing ever brings about (clean plate-1)"),
        ("Tomato", "Sliced X", ("Tomato",), "too few TomatoSliced that could serve"),
    ],
)
def test_missing_object_is_given_up_with_reason(gone, task, params, why):
    fallback = PddlFallback(shipped_library().compile(task, params))
    assert fallback.next_plan(known_of(kitchen_without(gone))) is None
    assert fallback.reason == why


def test_refusal_constrains_next_plan():
    known, fallback = start("N Slices Of X In Y", "1", "Tomato", "on", "Plate")
    plan = fallback.next_plan(known)
    knives = [t.objectId for t in known.view.find_objects("Knife", "ButterKnife")]
    taken = [k for k in knives if Hold(k) in (s for s, _ in plan.guarded_skills)]
    assert len(taken) == 1
    for refused in (taken, knives):
        facts = [RefusedInteraction(Verb.PICKUP, knife) for knife in refused]
        named = repr(fallback.next_plan(known, facts))
        assert not any(knife in named for knife in refused)


def test_refusal_holds_until_receptacle_changes():
    known, _ = start("Coffee")
    [machine] = known.view.find_objects("CoffeeMachine")
    inside = tuple(t.objectId for t in known.view.contents_of(machine))
    known.memory.ruled_out.add((Verb.PLACE, machine.objectId, "cup", inside))
    known.memory.ruled_out.add((Verb.OPEN, "door", "cup", ()))
    assert set(current_refusals(known)) == {
        RefusedInteraction(Verb.PLACE, machine.objectId, "cup"),
        RefusedInteraction(Verb.OPEN, "door"),
    }
    known.memory.ruled_out.add((Verb.PLACE, machine.objectId, "pot", ("gone",)))
    assert len(set(current_refusals(known))) == 2


def changed(known, obj, **fields):
    """Return a view of the same home in which one object is otherwise."""
    others = [each for each in known.snapshot.objects if each is not obj]
    agents = known.snapshot.commander, known.snapshot.follower
    return SnapshotView(known.snapshot.from_objects([*others, replace(obj, **fields)], *agents))


def test_valid_plan_has_no_refusal_and_is_kept():
    known, fallback = start("Coffee")
    plan = fallback.next_plan(known)
    assert plan.first_refusal(known) is None
    assert fallback.next_plan(known) == plan


def test_repeated_plan_is_shortened_then_given_up():
    known, fallback = start("Coffee")
    lengths = []
    for _ in range(20):
        plan = fallback.next_plan(known)
        if plan is None:
            break
        lengths.append(len(plan.guarded_skills))
        known.view = SnapshotView(replace(known.snapshot))  # the same home, later
    assert lengths[0] > 1
    assert lengths[-1] == 1
    assert sorted(lengths, reverse=True) == lengths
    assert fallback.reason == "the same plan comes again and again"


def test_fallback_goes_round_where_all_things_are_as_before():
    known, fallback = start("Coffee")
    assert not fallback.goes_round(known)
    assert fallback.build_stretch(known).builder is not None
    assert fallback.goes_round(known)
    for mug in known.view.find_objects("Mug"):
        for change in ({"isDirty": True}, {"isCooked": True}, {"parentReceptacles": ("x",)}):
            elsewhere, _ = start("Coffee")
            elsewhere.view = changed(known, mug, **change)
            assert not fallback.goes_round(elsewhere), change


def test_policies_are_asked_first_while_the_fallback_goes_round(monkeypatch):
    task = shipped_library().compile("Coffee", ())
    sim = EmbeddedSimulator()
    progress = task.check(sim.reset(kitchen()))
    spoken = {}
    for is_round in (False, True):
        monkeypatch.setattr(PddlFallback, "goes_round", lambda *_, now=is_round: now)
        planner = RulePlanner(Knowledge(sim), task)
        planner._fallback_active = True
        spoken[is_round] = planner.next_stretch(progress).decision.policy
    assert spoken[False] == "pddl" != spoken[True]


def test_placement_missed_twice_counts_as_refused():
    known, fallback = start("Coffee")
    [mug], [machine] = known.view.find_objects("Mug"), known.view.find_objects("CoffeeMachine")
    for _ in range(2):
        assert "PlaceIn" in repr(fallback.next_plan(known))
        known.view = changed(known, mug, simbotLastParentReceptacle=machine.objectId)
    assert fallback.next_plan(known) is None
    assert fallback.reason.startswith("nothing ever brings about (coffee")


def test_every_pddl_action_has_skills():
    known, _ = start("Coffee")
    [knife] = known.view.find_objects("Knife")
    actions = parse(TOAST_PROBLEM.pddl_text()).domain.operators
    for name, action in actions.items():
        step = PlanStep(name, (knife.objectId,) * len(action.variable_list))
        assert skills_of_step(step, known), name
