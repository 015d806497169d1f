"""The fallback: whole tasks planned in PDDL, carried out in a little kitchen."""

from dataclasses import replace

import pytest

from tatc.actions import Action, Verb
from tatc.commander import CommanderView, Decision
from tatc.commander.fallback import Fallback, refusal_of, ruled_out
from tatc.commander.knowledge import Knowledge
from tatc.commander.moves import MOVES
from tatc.commander.recovery import Said, learn
from tatc.commander.skills.hold import Hold
from tatc.follower import RuleFollower
from tatc.language import Report, Stretch, hear, say
from tatc.planners.pddl.home import Refusal
from tatc.planners.pddl.language import parse
from tatc.records import End
from tatc.session import run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.planners.pddl.kitchens import TOAST
from tests.sim.scenes import kitchen

DIRTY = {"isDirty": True}
FULL = {"isFilledWithLiquid": True}
ON = {"isToggled": True}


class Planning:
    """A Commander of the fallback alone."""

    def __init__(self) -> None:
        self.decisions: tuple[Decision, ...] = ()
        self.why = ""
        self._said: tuple[Said, ...] = ()

    def begin(self, oracle, task) -> None:
        self._known, self._fallback = Knowledge(oracle), Fallback(task)

    def act(self, view: CommanderView) -> Action:
        if view.progress is None:
            self._known.refresh()
            for utterance in view.utterances:
                heard = hear(utterance.text)
                if isinstance(heard, Report):
                    learn(heard, self._said, self._known)
            return Action(Verb.OPEN_PROGRESS_CHECK)
        if view.progress.success:
            return Action(Verb.STOP)
        found = self._fallback.draft(self._known)
        if found.draft is None:
            self.why = found.why
            return Action(Verb.STOP)
        draft = found.draft
        parts = zip(draft.steps, draft.targets, draft.poses, strict=True)
        self._said = tuple(Said(*part) for part in parts)
        return Action(Verb.TEXT, text=say(Stretch(tuple(draft.steps))))


def play(scene, name, *params):
    task = shipped_library().compile(name, params)
    assert not task.check(EmbeddedSimulator().reset(scene)).success
    commander = Planning()
    result = run_session(EmbeddedSimulator(), scene, task, commander, RuleFollower())
    return result, commander.why


def start(name, *params, **changes):
    sim = EmbeddedSimulator()
    sim.reset(kitchen(**changes))
    known = Knowledge(sim)
    known.refresh()
    return known, Fallback(shipped_library().compile(name, params))


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
    ],
)
def test_the_goal_is_reached_without_any_policy(task, params, changes):
    result, why = play(kitchen(**changes), task, *params)
    assert result.end is End.SUCCESS, why


@pytest.mark.parametrize(
    ("gone", "task", "params", "why"),
    [
        ("CoffeeMachine", "Coffee", (), "nothing ever brings about (coffee mug-1)"),
        ("Faucet", "Clean X", ("Plate",), "nothing ever brings about (clean plate-1)"),
        ("Tomato", "Sliced X", ("Tomato",), "too few TomatoSliced that could serve"),
    ],
)
def test_a_home_that_lacks_something_is_given_up_with_the_reason(
    gone, task, params, why
):
    sim = EmbeddedSimulator()
    scene = kitchen()
    kept = [t for t in scene.start.objects if t.objectType != gone]
    start = scene.start.of(kept, scene.start.commander, scene.start.follower)
    sim.reset(replace(scene, start=start))
    known = Knowledge(sim)
    known.refresh()
    fallback = Fallback(shipped_library().compile(task, params))
    assert fallback.plans(known) == ()
    assert fallback.why == why


def test_a_refusal_is_a_fact_of_the_next_plan():
    known, fallback = start("N Slices Of X In Y", "1", "Tomato", "on", "Plate")
    [plan] = fallback.plans(known)
    knives = [t.objectId for t in known.all("Knife", "ButterKnife")]
    taken = [k for k in knives if Hold(k) in (s for s, _ in plan[0].moves)]
    assert len(taken) == 1
    for refused in ([Refusal(Verb.PICKUP, taken[0])], map_all(Verb.PICKUP, knives)):
        plans = fallback.plans(known, refused)
        named = repr(plans)
        assert not any(fact.target in named for fact in refused)


def map_all(verb, targets):
    return [Refusal(verb, target) for target in targets]


def test_what_the_world_has_ruled_out_holds_until_the_place_has_changed():
    known, _ = start("Coffee")
    [machine] = known.all("CoffeeMachine")
    inside = tuple(t.objectId for t in known.contents(machine))
    known.memory.ruled_out.add((Verb.PLACE, machine.objectId, "cup", inside))
    known.memory.ruled_out.add((Verb.OPEN, "door", "cup", ()))
    assert set(ruled_out(known)) == {
        Refusal(Verb.PLACE, machine.objectId, "cup"),
        Refusal(Verb.OPEN, "door"),
    }
    known.memory.ruled_out.add((Verb.PLACE, machine.objectId, "pot", ("gone",)))
    assert len(set(ruled_out(known))) == 2


def test_a_plan_without_trouble_teaches_nothing():
    known, fallback = start("Coffee")
    [plan] = fallback.plans(known)
    assert refusal_of((Hold("no such thing"),), known) is None
    assert refusal_of(plan[:0], known) is None


def test_the_same_plan_is_kept_while_it_holds():
    known, fallback = start("Coffee")
    assert fallback.plans(known) == fallback.plans(known)


def test_a_plan_that_comes_again_is_said_in_smaller_parts_and_then_given_up():
    known, fallback = start("Coffee")
    lengths = []
    for _ in range(20):
        plans = fallback.plans(known)
        if not plans:
            break
        lengths.append(len(plans[0][0].moves))
        known.snapshot = replace(known.snapshot)  # the same home, at a later moment
    assert lengths[0] > 1
    assert lengths[-1] == 1
    assert sorted(lengths, reverse=True) == lengths
    assert fallback.why == "the same plan comes again and again"


def test_what_lands_beside_a_place_twice_counts_as_refused():
    known, fallback = start("Coffee")
    [mug], [machine] = known.all("Mug"), known.all("CoffeeMachine")
    beside = replace(mug, simbotLastParentReceptacle=machine.objectId)
    others = [t for t in known.snapshot.objects if t is not mug]
    for _ in range(2):
        assert "PlaceIn" in repr(fallback.plans(known))
        agents = known.snapshot.commander, known.snapshot.follower
        known.snapshot = known.snapshot.of([*others, beside], *agents)
    assert fallback.plans(known) == ()
    assert fallback.why.startswith("nothing ever brings about (coffee")


def test_every_action_of_the_domain_becomes_skills():
    assert set(MOVES) == set(parse(TOAST.text()).operators())
