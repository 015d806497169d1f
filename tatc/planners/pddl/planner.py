"""Our search as a pddlpy planner, registered on import, and `solve_problem` for any engine."""

# pddlpy tells type checkers nothing.
# pyright: reportMissingTypeStubs=false

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pddlpy.planning import Plan, Planner, PlannerError, registry, validate_requirements

from tatc.planners.pddl import fast_downward, pddlpy_adapter, search
from tatc.planners.pddl.problem import Atom, PddlProblem, PlanStep, SearchEngine, SearchVerdict

PLANNER_NAME = "tatc-hff"


@dataclass(frozen=True, slots=True)
class Solution:
    """An engine's answer: a plan, or why there is none.

    `unreachable_goals` are the goal facts that no plan can achieve even alone; only our own
    search fills it.
    """

    verdict: SearchVerdict
    steps: tuple[PlanStep, ...]
    reason: str
    expansions: int = 0
    unreachable_goals: tuple[Atom, ...] = ()


class SearchBudgetSpent(PlannerError):
    """The search ended without a plan and without a proof that there is none."""


class HffPlanner(Planner):
    """Greedy best-first search with h_FF; satisficing, deterministic, bounded."""

    capabilities = frozenset({":strips", ":typing"})

    def __init__(
        self,
        agenda: Sequence[Sequence[Atom]] = (),
        budget: int = search.MAX_EXPANSIONS,
        previous_steps: Sequence[PlanStep] = (),
    ) -> None:
        """Set the agenda, the most states to expand, and an earlier plan whose end may serve."""
        self._agenda, self._budget, self._previous_steps = agenda, budget, previous_steps

    def solve(self, domainproblem: Any) -> Plan | None:
        """Return a plan, or None where it is proven that there is none.

        Raises:
            SearchBudgetSpent: the budget ended before a plan or a proof was found.
        """
        found = self.run_search(domainproblem)
        if found.verdict is SearchVerdict.BUDGET_SPENT:
            raise SearchBudgetSpent(found.reason)
        if found.verdict is SearchVerdict.UNSOLVABLE:
            return None
        return Plan([action.pddlpy_operator for action in found.actions])

    def run_search(self, domainproblem: Any) -> search.SearchResult:
        """Return the outcome of the search as a value."""
        validate_requirements(domainproblem)
        self.check_capabilities(domainproblem)
        task = pddlpy_adapter.ground_task(domainproblem)
        found = search.resume_plan(task, self._previous_steps) if self._previous_steps else None
        return found or search.search_plan(task, self._agenda, budget=self._budget)


registry.register(PLANNER_NAME, HffPlanner)


def solve_problem(
    problem: PddlProblem,
    *,
    engine: SearchEngine = SearchEngine.HFF,
    budget: int = search.MAX_EXPANSIONS,
    previous_steps: Sequence[PlanStep] = (),
) -> Solution:
    """Return a plan, or why there is none; `budget` and `previous_steps` are for our own search."""
    if engine is SearchEngine.FAST_DOWNWARD:
        verdict, steps, reason = fast_downward.plan_with_fast_downward(
            pddlpy_adapter.domain_text(), problem.pddl_text()
        )
        return Solution(verdict, steps, reason)
    planner: Any = registry.get(PLANNER_NAME, problem.agenda, budget, previous_steps)
    found: search.SearchResult = planner.run_search(pddlpy_adapter.to_domain_problem(problem))
    steps = tuple(action.step for action in found.actions)
    return Solution(found.verdict, steps, found.reason, found.expansions, found.unreachable_goals)
