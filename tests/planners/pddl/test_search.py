"""The search: what it finds replays, what it calls unsolvable is."""

import subprocess
import sys
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from pddlpy.planning import registry

from tatc.planners.pddl import planner
from tatc.planners.pddl.grounding import Grounded, ground
from tatc.planners.pddl.language import bound, parse, replay
from tatc.planners.pddl.planner import BudgetSpent, solve
from tatc.planners.pddl.problem import Problem, Verdict
from tatc.planners.pddl.relaxed import Relaxed
from tatc.planners.pddl.search import resume, search
from tests.planners.pddl.kitchens import (
    MUG,
    PLANT,
    PROBLEMS,
    TOAST,
    facts,
    problem,
    random_kitchens,
    steps,
)

STUCK = problem(
    "fork:solid box:fixture",
    "hand-free, aside fork, roomy box, shut box, fits fork box",
    "in fork box",
)
SWAP = problem(
    "a:solid b:solid cup:vessel",
    "hand-free, aside a, in b cup, fits a cup, fits b cup, tight cup, reachable cup",
    "in a cup, in b cup",
)


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_found_replays(name):
    solution = solve(PROBLEMS[name])
    assert solution.verdict is Verdict.FOUND
    assert replay(PROBLEMS[name].text(), solution.steps).valid


@given(random_kitchens())
@settings(max_examples=120, deadline=None)
def test_a_plan_replays_and_a_proof_holds(kitchen: Problem):
    solution = solve(kitchen)
    if solution.verdict is Verdict.FOUND:
        assert replay(kitchen.text(), solution.steps).valid
    else:
        assert solution.verdict is Verdict.UNSOLVABLE
        assert solution.steps == ()
        assert not _reachable(ground(bound(kitchen)))


@given(random_kitchens())
@settings(max_examples=60, deadline=None)
def test_any_agenda_leads_to_a_plan_where_there_is_one(kitchen: Problem):
    plain = solve(kitchen)
    backwards = tuple((atom,) for atom in reversed(kitchen.goal))
    ordered = solve(replace(kitchen, agenda=(*backwards, (("cut", "item-0"),))))
    # Without a plan, an agenda may cost the budget before that is proven.
    assert (ordered.verdict is Verdict.FOUND) is (plain.verdict is Verdict.FOUND)
    if ordered.verdict is Verdict.FOUND:
        assert replay(kitchen.text(), ordered.steps).valid


def _reachable(task: Grounded) -> bool:
    """Look through all states, as far as a small kitchen has them."""
    if task.never(task.goal):
        return False
    goal = task.wanted(task.goal)
    seen, queue = {task.start}, deque([task.start])
    while queue:
        state = queue.popleft()
        if all(state >> fact & 1 for fact in goal):
            return True
        for action in task.actions:
            if action.need & state == action.need:
                child = action.apply(state)
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
    return False


def test_what_nothing_brings_about_is_named():
    solution = solve(STUCK)
    assert solution.verdict is Verdict.UNSOLVABLE
    assert solution.out_of_reach == (("in", "fork", "box"),)
    assert solution.expansions == 0


def test_what_only_hinders_itself_is_proven_by_looking_everywhere():
    solution = solve(SWAP)
    assert solution.verdict is Verdict.UNSOLVABLE
    assert solution.reason == "no other state is left"
    assert solution.expansions > 0


def test_a_budget_ends_a_search_without_a_verdict():
    solution = solve(MUG, budget=1)
    assert solution.verdict is Verdict.SPENT
    assert solution.steps == ()


def test_the_plan_is_the_same_every_time():
    plans = {solve(TOAST).steps for _ in range(3)}
    assert len(plans) == 1


def test_the_plan_is_the_same_in_every_process():
    code = (
        "from tatc.planners.pddl.planner import solve\n"
        "from tests.planners.pddl.kitchens import PROBLEMS\n"
        "print([str(s) for p in PROBLEMS.values() for s in solve(p).steps])"
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
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


def test_nothing_needless_is_left_in_a_plan():
    task = ground(bound(MUG))
    found = search(task, [facts("aside other"), facts("on tap"), facts("holding mug")])
    plan = [action.step for action in found.actions]
    for i in range(len(plan)):
        assert not replay(MUG.text(), plan[:i] + plan[i + 1 :]).valid


def test_the_rest_of_a_plan_is_taken_up_again():
    before = solve(PLANT).steps
    now = replace(
        PLANT,
        init=tuple(
            fact
            for fact in (*PLANT.init, *facts("on tap, full mug, wet mug, clean mug"))
            if fact not in facts("off tap, empty mug")
        ),
    )
    found = resume(ground(bound(now)), before)
    assert found is not None
    assert [a.step for a in found.actions] == list(before[-2:])
    assert solve(now, before=before).reason == "as planned before"
    assert resume(ground(bound(MUG)), steps("pick-up mug")) is None
    assert resume(ground(bound(STUCK)), before) is None


def test_pddlpy_knows_the_planner():
    ours = registry.get(planner.NAME)
    plan = ours.solve(parse(TOAST.text()))
    assert plan is not None
    taken = [a.operator_name for a in plan]
    assert taken == [step.action for step in solve(TOAST).steps]
    assert ours.solve(parse(STUCK.text())) is None
    with pytest.raises(BudgetSpent, match="expanded"):
        registry.get(planner.NAME, (), 1).solve(parse(MUG.text()))


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
    task = ground(bound(PLANT))
    estimate = Relaxed(task.actions, len(task.index)).estimate(
        task.start, task.wanted(facts(goal))
    )
    assert estimate is not None
    assert estimate.length == length


def test_the_first_facts_of_the_relaxed_plan_are_near():
    task = ground(bound(PLANT))
    estimate = Relaxed(task.actions, len(task.index)).estimate(
        task.start, task.wanted(facts("full plant"))
    )
    assert estimate is not None
    near = {fact for fact, i in task.index.items() if estimate.near >> i & 1}
    assert near == set(facts("on tap, holding mug"))
