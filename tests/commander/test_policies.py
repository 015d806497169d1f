"""Tasks are done in a little kitchen by words alone, planned with policies or in PDDL."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tatc.commander import PddlCommander, RuleCommander
from tatc.commander.oracle import PDDL_POLICY
from tatc.commander.policies import properties_with_policy
from tatc.follower import RuleFollower
from tatc.home.state import Scene
from tatc.session.loop import run_session
from tatc.session.records import SessionEnd
from tatc.session.session_types import SessionResult
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tatc.tdl.definition import AtomicComponent, TaskDefinition
from tests.sim.box_kitchen import kitchen

DIRTY = {"isDirty": True}
FULL = {"isFilledWithLiquid": True}
ON = {"isToggled": True}


def play(
    scene: Scene, task: str, *params: str, commander: type[RuleCommander] = RuleCommander
) -> SessionResult:
    goal = shipped_library().compile(task, params)
    assert not goal.check(EmbeddedSimulator().reset(scene)).success
    return run_session(EmbeddedSimulator(), scene, goal, commander(), RuleFollower())


def kitchen_without(kind: str) -> Scene:
    whole = kitchen()
    rest = [obj for obj in whole.initial.objects if obj.objectType != kind]
    start = whole.initial.from_objects(rest, whole.initial.commander, whole.initial.follower)
    return replace(whole, initial=start)


@pytest.mark.parametrize("commander", [RuleCommander, PddlCommander])
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
        ("heat", ("TomatoSliced", "DiningTable"), {"Microwave": ON}),
        ("cool", ("Mug", "DiningTable"), {}),
        ("clean", ("Plate", "DiningTable"), {"Faucet": ON}),
        ("movable", ("SaltShaker", "Bowl", "DiningTable"), {}),
        ("look", ("Mug", "DeskLamp"), {"Faucet": {"objectType": "DeskLamp"}}),
    ],
)
def test_agents_reach_goal(task, params, changes, commander):
    result = play(kitchen(**changes), task, *params, commander=commander)
    assert result.end is SessionEnd.SUCCESS, result.decisions[-1:]
    if commander is PddlCommander:
        assert {each.policy for each in result.decisions[:-1]} == {PDDL_POLICY}


@pytest.mark.parametrize(
    ("gone", "task", "params"),
    [
        ("CoffeeMachine", "Coffee", ()),
        ("Faucet", "Clean X", ("Plate",)),
        ("Knife", "Sliced X", ("Tomato",)),
    ],
)
def test_impossible_task_is_given_up_with_reason(gone, task, params):
    result = play(kitchen_without(gone), task, *params)
    assert result.end is SessionEnd.GAVE_UP
    assert result.decisions[-1].reason


def test_every_property_that_a_task_can_ask_to_change_has_a_policy():
    definitions = shipped_library().definitions()
    asked = {name for definition in definitions for name in _properties(definition)}
    assert asked <= set(properties_with_policy()) | {"simbotObjectClass", "receptacle"}


def _properties(definition: TaskDefinition) -> Iterator[str]:
    for _, component in definition.components:
        if isinstance(component, AtomicComponent):
            yield from (name for name, _ in component.conditions)
        else:
            yield from _properties(component.task)
    if definition.relations:
        yield "parentReceptacles"
