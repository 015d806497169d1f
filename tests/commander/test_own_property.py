"""A property that the package does not know: its facts and its policy are all it takes."""

import json
from pathlib import Path

import pytest

from tatc.base.errors import UsageError
from tatc.commander import PddlCommander, RuleCommander
from tatc.commander.policies import policy_of, properties_with_policy
from tatc.commander.rule_planner import order_problem_keys
from tatc.evaluation.scoring.lower_bound import interaction_needs_of, min_interaction_count
from tatc.follower import RuleFollower
from tatc.planners.properties import PropertyFacts, facts_of, register_property, registered_facts
from tatc.session.agents.agents import user_policies
from tatc.session.loop import run_session
from tatc.session.records import SessionEnd
from tatc.session.session_types import SessionResult
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Task, load_library
from tests.commander.test_plan_builder import open_kitchen
from tests.sim.box_kitchen import kitchen

HOLDING = """
from tatc.commander.policies import policy
from tatc.commander.skills.hold import Hold
from tatc.planners.properties import PddlGoal, PropertyFacts, PropertyNeed

FACTS = PropertyFacts(
    "isPickedUp",
    rank=5,
    goals={True: PddlGoal("holding", 3.0)},
    need_of=lambda means, obj, desired: PropertyNeed(own_interactions=1),
)


@policy("isPickedUp", facts=FACTS, override=True)
def hold(key, known):
    return ((Hold(key.object_id),),)
"""
CLEAN_MUG_IN_HAND = {
    "task_id": 9001,
    "task_name": "Clean Mug In Hand",
    "task_nparams": 0,
    "task_anchor_object": "mug",
    "desc": "Hold a clean mug.",
    "components": {
        "mug": {
            "determiner": "a",
            "primary_condition": "objectType",
            "instance_shareable": False,
            "conditions": {"objectType": "Mug", "isDirty": 0, "isPickedUp": 1},
            "condition_failure_descs": {"isDirty": "Wash it.", "isPickedUp": "Take it."},
        }
    },
    "relations": [],
}
DIRTY_MUG = {"Mug": {"isDirty": True}}


def _task(folder: Path, name: str = "isPickedUp") -> Task:
    written = json.dumps(CLEAN_MUG_IN_HAND).replace("isPickedUp", name)
    (folder / "hold.json").write_text(written)
    return load_library((folder,)).compile("Clean Mug In Hand")


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return _task(tmp_path)


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "is_picked_up.py").write_text(HOLDING)
    return folder


def _play(task: Task, commander: RuleCommander) -> SessionResult:
    scene = kitchen(**DIRTY_MUG)
    return run_session(EmbeddedSimulator(), scene, task, commander, RuleFollower())


@pytest.mark.parametrize("commander", [RuleCommander, PddlCommander])
def test_a_task_with_it_is_done(commander, task, policies):
    with user_policies((policies,)):
        result = _play(task, commander())
    assert result.end is SessionEnd.SUCCESS, result.decisions[-1:]
    planned_by = "pddl" if commander is PddlCommander else "isPickedUp"
    assert result.decisions[-2].policy == planned_by


@pytest.mark.parametrize("commander", [RuleCommander, PddlCommander])
def test_without_a_policy_the_commander_gives_up(commander, tmp_path):
    task = _task(tmp_path, "isUsedUp")
    assert policy_of("isUsedUp") is None
    assert _play(task, commander()).end is SessionEnd.GAVE_UP


def test_its_rank_decides_when_it_is_taken_up(task, policies):
    _, known, _ = open_kitchen(**DIRTY_MUG)
    keys = task.check(known.snapshot).problem_keys()
    assert {key.property_name for key in keys} == {"isDirty", "isPickedUp"}
    with user_policies((policies,)):
        ordered = order_problem_keys(tuple(reversed(keys)), known)
    assert [key.property_name for key in ordered] == ["isDirty", "isPickedUp"]


def test_the_lower_bound_counts_what_it_needs(task, policies):
    start = EmbeddedSimulator().reset(kitchen(**DIRTY_MUG))
    without = min_interaction_count(interaction_needs_of(task.definition, start))
    with user_policies((policies,)):
        needed = min_interaction_count(interaction_needs_of(task.definition, start))
    assert needed == without + 1


def test_it_is_forgotten_afterwards_and_registered_once(policies):
    before = policy_of("isPickedUp")
    with user_policies((policies,)), user_policies((policies,)):  # the second time anew
        assert facts_of("isPickedUp").rank == 5
        with pytest.raises(UsageError, match="isPickedUp are registered twice"):
            register_property(PropertyFacts("isPickedUp"))
    assert policy_of("isPickedUp") is before
    assert facts_of("isPickedUp").rank == 2


def test_each_property_with_a_policy_has_facts():
    names = [facts.name for facts in registered_facts()]
    assert set(names) - set(properties_with_policy()) == {"simbotIsFilledWithWater"}
    assert set(properties_with_policy()) <= set(names)


def test_each_goal_of_a_property_is_a_predicate_of_the_domain():
    domain = (Path(__file__).parents[2] / "tatc/planners/pddl/domain.pddl").read_text("utf-8")
    goals = [goal for facts in registered_facts() for goal in facts.goals.values()]
    assert len({goal.predicate for goal in goals}) == len(goals) == 16
    assert all(f"({goal.predicate} ?" in domain for goal in goals)
