"""`solve_problem`: a plan for a PDDL problem by either engine, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.planners.pddl import fast_downward, pddlpy_adapter, search
from tatc.planners.pddl.problem import Atom, PddlProblem, PlanStep, SearchEngine, SearchVerdict


@dataclass(frozen=True, slots=True)
class Solution:
    """An engine's answer: a plan, or why there is none.

    `unreachable_goals`, which no plan can achieve even alone, only our own search fills.
    """

    verdict: SearchVerdict
    steps: tuple[PlanStep, ...]
    reason: str
    unreachable_goals: tuple[Atom, ...] = ()


def solve_problem(
    problem: PddlProblem,
    *,
    engine: SearchEngine = SearchEngine.HFF,
    previous_steps: Sequence[PlanStep] = (),
) -> Solution:
    """Return a plan, or why there is none; our own search goes on with `previous_steps`."""
    if engine is SearchEngine.FAST_DOWNWARD:
        return Solution(*fast_downward.plan_with_fast_downward(problem))
    task = pddlpy_adapter.ground_task(pddlpy_adapter.to_domain_problem(problem))
    found = search.resume_plan(task, previous_steps) if previous_steps else None
    found = found or search.search_plan(task, problem.agenda)
    steps = tuple(action.step for action in found.actions)
    return Solution(found.verdict, steps, found.reason, found.unreachable_goals)
