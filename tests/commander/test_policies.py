"""Policies: each problem key is solved in a little kitchen, by words alone."""

from pathlib import Path

import pytest

from tatc.base.errors import UsageError
from tatc.commander import RuleCommander
from tatc.commander.policies import policy, policy_of, properties_with_policy
from tatc.follower import RuleFollower
from tatc.home.state import Scene
from tatc.session.loop import run_session
from tatc.session.records import SessionEnd
from tatc.session.session_types import SessionResult
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.sim.box_kitchen import kitchen

DIRTY = {"isDirty": True}
FULL = {"isFilledWithLiquid": True}
ON = {"isToggled": True}


def play(scene: Scene, task: str, *params: str) -> SessionResult:
    goal = shipped_library().compile(task, params)
    assert not goal.check(EmbeddedSimulator().reset(scene)).success
    return run_session(EmbeddedSimulator(), scene, goal, RuleCommander(), RuleFollower())


@pytest.mark.parametrize(
    ("task", "params", "changes"),
    [
        ("Clean X", ("Plate",), {}),
        ("Clean All X", ("Dishware",), {"Bowl": DIRTY}),
        ("Clean X", ("Plate",), {"Faucet": ON}),
        ("Coffee", (), {}),
        ("Coffee", (), {"Mug": DIRTY}),
        ("Coffee", (), {"Mug": FULL}),
        ("Coffee", (), {"Mug": DIRTY | FULL, "CoffeeMachine": ON}),
        ("Water Plant", (), {}),
        ("Water Plant", (), {"Mug": FULL}),
        ("Sliced X", ("Tomato",), {}),
        ("Toast", (), {}),
        ("Toast", (), {"Toaster": ON}),
        ("Omelette", (), {}),
        ("Cooked Slice Of X", ("Potato",), {}),
        ("Cooked Slice Of X", ("Potato",), {"Microwave": ON}),
        ("Boil X", ("Potato",), {}),
        ("Boil X", ("Potato",), {"Pot": FULL}),
        ("Put All X On Y", ("Mug", "in", "Fridge"), {}),
        ("Put All X In One Y", ("SaltShaker", "on", "Tables"), {}),
        ("Put All X On Y", ("Knife", "in", "Drawer"), {}),
        ("Toggle X All Y", ("on", "1", "Faucet"), {}),
        ("Toggle X All Y", ("off", "0", "Microwave"), {"Microwave": ON}),
        ("N Slices Of X In Y", ("2", "Tomato", "on", "Plate"), {}),
        ("Plate Of Toast", (), {}),
    ],
)
def test_agents_reach_goal(task, params, changes):
    result = play(kitchen(**changes), task, *params)
    assert result.end is SessionEnd.SUCCESS, result.decisions[-1:]


@pytest.mark.parametrize(
    ("gone", "task", "params"),
    [
        ("CoffeeMachine", "Coffee", ()),
        ("Faucet", "Clean X", ("Plate",)),
        ("Knife", "Sliced X", ("Tomato",)),
    ],
)
def test_impossible_task_is_given_up_with_reason(gone, task, params):
    whole = kitchen()
    start = whole.start
    rest = [o for o in start.objects if o.objectType != gone]
    scene = Scene(
        whole.place, whole.kind, start.from_objects(rest, start.commander, start.follower)
    )
    result = play(scene, task, *params)
    assert result.end is SessionEnd.GAVE_UP
    assert result.decisions[-1].reason


def test_every_property_that_a_task_can_ask_to_change_has_a_policy():
    asked = {
        key.property_name
        for definition in shipped_library().definitions()
        for key in _keys(definition)
    }
    assert asked <= set(properties_with_policy()) | {"simbotObjectClass", "receptacle"}


def _keys(definition):
    from tatc.tdl import ProblemKey
    from tatc.tdl.definition import AtomicComponent

    for _, component in definition.components:
        if isinstance(component, AtomicComponent):
            for name, want in component.conditions:
                yield ProblemKey("", "", component.determiner, name, want)
        else:
            yield from _keys(component.task)
    for relation in definition.relations:
        yield ProblemKey("", "", relation.tail_determiner, "parentReceptacles", None)


def test_a_policy_is_registered_once():
    with pytest.raises(UsageError, match="isDirty"):
        policy("isDirty")(lambda key, known: ())
    assert policy_of("isDirty") is not None
    assert policy_of("isPurple") is None


def test_each_policy_has_a_file_named_after_its_property():
    folder = Path(__file__).parents[2] / "tatc" / "commander" / "policies"
    files = {path.stem for path in folder.glob("[a-z]*.py")}
    named = {
        "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
        for name in properties_with_policy()
    }
    assert named == files
