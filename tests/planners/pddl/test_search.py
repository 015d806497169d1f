"""The search: what it finds replays, what it calls unsolvable is."""

import subprocess
import sys
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from benchmarks.plan_validation import validate_plan
from tatc.planners.pddl.pddlpy_adapter import (
    StripsTask,
    ground_task,
    to_domain_problem,
)
from tatc.planners.pddl.planner import solve_problem
from tatc.planners.pddl.problem import PddlProblem, SearchVerdict
from tatc.planners.pddl.search import HffHeuristic, resume_plan, search_plan
from tests.planners.pddl.household_problems import (
    MUG_PROBLEM,
    PLANT_PROBLEM,
    PROBLEMS,
    make_problem,
    parse_facts,
    parse_steps,
    random_problems,
)

UNSOLVABLE_PROBLEM = make_problem(
    "fork:solid box:fixture",
    "hand-free, aside fork, roomy box, shut box, fits fork box",
    "in fork box",
)
SWAP_PROBLEM = make_problem(
    "a:solid b:solid cup:vessel",
    "hand-free, aside a, in b cup, fits a cup, fits b cup, tight cup, reachable cup",
    "in a cup, in b cup",
)


@pytest.mark.parametrize("name", PROBLEMS)
def test_found_plan_is_valid(name):
    solution = solve_problem(PROBLEMS[name])
    assert solution.verdict is SearchVerdict.PLAN_FOUND
    assert validate_plan(PROBLEMS[name].pddl_text(), solution.steps).is_valid


@given(random_problems())
@settings(max_examples=60, deadline=None)
def test_plan_is_valid_or_goal_is_unreachable(kitchen: PddlProblem):
    solution = solve_problem(kitchen)
    if solution.verdict is SearchVerdict.PLAN_FOUND:
        assert validate_plan(kitchen.pddl_text(), solution.steps).is_valid
    else:
        assert solution.verdict is SearchVerdict.UNSOLVABLE
        assert solution.steps == ()
        assert not _is_goal_reachable(ground_task(to_domain_problem(kitchen)))


@given(random_problems())
@settings(max_examples=30, deadline=None)
def test_any_agenda_leads_to_a_plan_where_there_is_one(kitchen: PddlProblem):
    plain = solve_problem(kitchen)
    backwards = tuple((atom,) for atom in reversed(kitchen.goal))
    ordered = solve_problem(replace(kitchen, agenda=(*backwards, (("cut", "item-0"),))))
    # Without a plan, an agenda may cost the budget before that is proven.
    assert (ordered.verdict is SearchVerdict.PLAN_FOUND) is (
        plain.verdict is SearchVerdict.PLAN_FOUND
    )
    if ordered.verdict is SearchVerdict.PLAN_FOUND:
        assert validate_plan(kitchen.pddl_text(), ordered.steps).is_valid


def _is_goal_reachable(task: StripsTask) -> bool:
    """Look through all states, as far as a small kitchen has them."""
    if task.unreachable_facts(task.goal):
        return False
    goal = task.fact_indices(task.goal)
    seen, queue = {task.initial_state}, deque([task.initial_state])
    while queue:
        state = queue.popleft()
        if all(state >> fact & 1 for fact in goal):
            return True
        for action in task.actions:
            if action.precondition_mask & state == action.precondition_mask:
                child = action.apply(state)
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
    return False


def test_unreachable_goal_is_named():
    solution = solve_problem(UNSOLVABLE_PROBLEM)
    assert solution.verdict is SearchVerdict.UNSOLVABLE
    assert solution.unreachable_goals == (("in", "fork", "box"),)


def test_mutually_exclusive_goals_are_proven_unsolvable():
    solution = solve_problem(SWAP_PROBLEM)
    assert solution.verdict is SearchVerdict.UNSOLVABLE
    assert solution.reason == "no other state is left"


def test_spent_budget_ends_search():
    found = search_plan(ground_task(to_domain_problem(MUG_PROBLEM)), budget=1)
    assert found.verdict is SearchVerdict.BUDGET_SPENT
    assert found.actions == ()


def test_the_plan_is_the_same_in_every_process():
    code = (
        "from tatc.planners.pddl.planner import solve_problem\n"
        "from tests.planners.pddl.household_problems import PROBLEMS\n"
        "print([str(s) for p in PROBLEMS.values() for s in solve_problem(p).steps])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[3],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_redundant_actions_are_eliminated():
    task = ground_task(to_domain_problem(MUG_PROBLEM))
    found = search_plan(
        task, [parse_facts("aside other"), parse_facts("on tap"), parse_facts("holding mug")]
    )
    plan = [action.step for action in found.actions]
    for i in range(len(plan)):
        assert not validate_plan(MUG_PROBLEM.pddl_text(), plan[:i] + plan[i + 1 :]).is_valid


def test_rest_of_plan_is_resumed():
    before = solve_problem(PLANT_PROBLEM).steps
    now = replace(
        PLANT_PROBLEM,
        init=tuple(
            fact
            for fact in (*PLANT_PROBLEM.init, *parse_facts("on tap, full mug, wet mug, clean mug"))
            if fact not in parse_facts("off tap, empty mug")
        ),
    )
    found = resume_plan(ground_task(to_domain_problem(now)), before)
    assert found is not None
    assert [a.step for a in found.actions] == list(before[-2:])
    assert solve_problem(now, previous_steps=before).reason == "as planned before"
    assert (
        resume_plan(ground_task(to_domain_problem(MUG_PROBLEM)), parse_steps("pick-up mug")) is None
    )
    assert resume_plan(ground_task(to_domain_problem(UNSOLVABLE_PROBLEM)), before) is None


@pytest.mark.parametrize(
    ("goal", "length"),
    [
        ("off tap", 0),
        ("on tap", 1),
        ("holding mug", 1),
        ("full mug", 2),
        ("full plant", 4),
        ("full plant, holding mug", 4),
    ],
)
def test_the_estimate_is_the_length_of_the_relaxed_plan(goal, length):
    task = ground_task(to_domain_problem(PLANT_PROBLEM))
    estimate = HffHeuristic(task.actions, len(task.fact_index)).estimate(
        task.initial_state, task.fact_indices(parse_facts(goal))
    )
    assert estimate is not None
    assert estimate.length == length


def test_first_layer_facts_are_helpful():
    task = ground_task(to_domain_problem(PLANT_PROBLEM))
    estimate = HffHeuristic(task.actions, len(task.fact_index)).estimate(
        task.initial_state, task.fact_indices(parse_facts("full plant"))
    )
    assert estimate is not None
    near = {fact for fact, i in task.fact_index.items() if estimate.helpful_facts >> i & 1}
    assert near == set(parse_facts("on tap, holding mug"))
