"""The fallback: whole tasks planned in PDDL, carried out in a little kitchen."""

from dataclasses import replace

import pytest

from tatc.commander import CommanderView, Decision
from tatc.commander.knowledge import Knowledge
from tatc.commander.pddl_fallback import PddlFallback, current_refusals, skills_of_step
from tatc.commander.plan_builder import PlannedStep
from tatc.commander.recovery import learn_from_failure
from tatc.commander.rule_planner import RulePlanner
from tatc.commander.skills.hold import Hold
from tatc.follower import RuleFollower
from tatc.home.actions import Action, FailureReport, Verb
from tatc.language import Stretch, hear, say
from tatc.planners.pddl.pddlpy_adapter import parse
from tatc.planners.pddl.problem import PlanStep
from tatc.planners.snapshot_view import RefusedInteraction, SnapshotView
from tatc.session.loop import run_session
from tatc.session.records import SessionEnd
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.planners.pddl.household_problems import TOAST_PROBLEM
from tests.sim.box_kitchen import kitchen

DIRTY = {"isDirty": True}
FULL = {"isFilledWithLiquid": True}
ON = {"isToggled": True}


class FallbackCommander:
    """A Commander of the fallback alone."""

    def __init__(self) -> None:
        self.decisions: tuple[Decision, ...] = ()
        self.reason = ""
        self._last_steps: tuple[PlannedStep, ...] = ()

    def begin(self, oracle, task) -> None:
        self._known, self._fallback = Knowledge(oracle), PddlFallback(task)

    def act(self, view: CommanderView) -> Action:
        if view.progress is None:
            self._known.refresh()
            for utterance in view.utterances:
                heard = hear(utterance.text)
                if isinstance(heard, FailureReport):
                    learn_from_failure(heard, self._last_steps, self._known)
            return Action(Verb.OPEN_PROGRESS_CHECK)
        if view.progress.success:
            return Action(Verb.STOP)
        found = self._fallback.build_stretch(self._known)
        if found.builder is None:
            self.reason = self._fallback.reason
            return Action(Verb.STOP)
        self._last_steps = tuple(found.builder.steps)
        return Action(Verb.TEXT, text=say(Stretch(tuple(s.step for s in self._last_steps))))


def play(scene, name, *params):
    task = shipped_library().compile(name, params)
    assert not task.check(EmbeddedSimulator().reset(scene)).success
    commander = FallbackCommander()
    result = run_session(EmbeddedSimulator(), scene, task, commander, RuleFollower())
    return result, commander.reason


def start(name, *params, **changes):
    sim = EmbeddedSimulator()
    sim.reset(kitchen(**changes))
    known = Knowledge(sim)
    known.refresh()
    return known, PddlFallback(shipped_library().compile(name, params))


@pytest.mark.parametrize(
    ("task", "params", "changes"),
    [
        ("Clean All X", ("Dishware",), {"Bowl": DIRTY}),
        ("Clean X", ("Plate",), {"Faucet": ON}),
        ("Coffee", (), {}),
        ("Coffee", (), {"Mug": DIRTY | FULL, "CoffeeMachine": ON}),
        ("Water Plant", (), {}),
        ("Water Plant", (), {"Mug": FULL}),
        ("Sliced X", ("Tomato",), {}),
        ("Toast", (), {"Toaster": ON}),
        ("Omelette", (), {}),
        ("Cooked Slice Of X", ("Potato",), {"Microwave": ON}),
        ("Boil X", ("Potato",), {}),
        ("Put All X On Y", ("Mug", "in", "Fridge"), {}),
        ("Put All X In One Y", ("SaltShaker", "on", "Tables"), {}),
        ("Put All X On Y", ("Knife", "in", "Drawer"), {}),
        ("Toggle X All Y", ("on", "1", "Faucet"), {}),
        ("N Slices Of X In Y", ("2", "Tomato", "on", "Plate"), {}),
        ("Plate Of Toast", (), {}),
        ("heat", ("TomatoSliced", "DiningTable"), {"Microwave": ON}),
        ("cool", ("Mug", "DiningTable"), {}),
        ("clean", ("Plate", "DiningTable"), {"Faucet": ON}),
        ("movable", ("SaltShaker", "Bowl", "DiningTable"), {}),
        ("look", ("Mug", "DeskLamp"), {"Faucet": {"objectType": "DeskLamp"}}),
    ],
)
def test_goal_is_reached_without_policies(task, params, changes):
    result, why = play(kitchen(**changes), task, *params)
    assert result.end is SessionEnd.SUCCESS, why


@pytest.mark.parametrize(
    ("gone", "task", "params", "why"),
    [
        ("CoffeeMachine", "Coffee", (), "nothing ever brings about (coffee mug-1)"),
        ("Faucet", "Clean X", ("Plate",), "nothing ever brings about (clean plate-1)"),
        ("Tomato", "Sliced X", ("Tomato",), "too few TomatoSliced that could serve"),
    ],
)
def test_missing_object_is_given_up_with_reason(gone, task, params, why):
    sim = EmbeddedSimulator()
    scene = kitchen()
    kept = [t for t in scene.start.objects if t.objectType != gone]
    start = scene.start.from_objects(kept, scene.start.commander, scene.start.follower)
    sim.reset(replace(scene, start=start))
    known = Knowledge(sim)
    known.refresh()
    fallback = PddlFallback(shipped_library().compile(task, params))
    assert fallback.next_plan(known) is None
    assert fallback.reason == why


def test_refusal_constrains_next_plan():
    known, fallback = start("N Slices Of X In Y", "1", "Tomato", "on", "Plate")
    plan = fallback.next_plan(known)
    knives = [t.objectId for t in known.view.find_objects("Knife", "ButterKnife")]
    taken = [k for k in knives if Hold(k) in (s for s, _ in plan.guarded_skills)]
    assert len(taken) == 1
    for refused in ([RefusedInteraction(Verb.PICKUP, taken[0])], map_all(Verb.PICKUP, knives)):
        named = repr(fallback.next_plan(known, refused))
        assert not any(fact.target_id in named for fact in refused)


def map_all(verb, targets):
    return [RefusedInteraction(verb, target) for target in targets]


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


def test_successful_plan_has_no_refusal():
    known, fallback = start("Coffee")
    assert fallback.next_plan(known).first_refusal(known) is None


def test_valid_plan_is_kept():
    known, fallback = start("Coffee")
    assert fallback.next_plan(known) == fallback.next_plan(known)


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
        others = [t for t in known.snapshot.objects if t is not mug]
        for change in ({"isDirty": True}, {"isCooked": True}, {"parentReceptacles": ("x",)}):
            agents = known.snapshot.commander, known.snapshot.follower
            changed = known.snapshot.from_objects([*others, replace(mug, **change)], *agents)
            elsewhere, _ = start("Coffee")
            elsewhere.view = SnapshotView(changed)
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
    beside = replace(mug, simbotLastParentReceptacle=machine.objectId)
    others = [t for t in known.snapshot.objects if t is not mug]
    for _ in range(2):
        assert "PlaceIn" in repr(fallback.next_plan(known))
        agents = known.snapshot.commander, known.snapshot.follower
        known.view = SnapshotView(known.snapshot.from_objects([*others, beside], *agents))
    assert fallback.next_plan(known) is None
    assert fallback.reason.startswith("nothing ever brings about (coffee")


def test_every_pddl_action_has_skills():
    known, _ = start("Coffee")
    [knife] = known.view.find_objects("Knife")
    actions = parse(TOAST_PROBLEM.pddl_text()).domain.operators
    for name, action in actions.items():
        step = PlanStep(name, (knife.objectId,) * len(action.variable_list))
        assert skills_of_step(step, known), name
