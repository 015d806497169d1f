"""Our search as a planner of pddlpy, and the way to ask for a plan.

Importing this registers it: `pddlpy.planning.registry.get("tatc-hff")`.
"""

# pddlpy tells type checkers nothing.
# pyright: reportMissingTypeStubs=false

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pddlpy.planning import Plan, Planner, PlannerError, registry, validate_requirements

from tatc.planners.pddl.downward import fast_downward
from tatc.planners.pddl.grounding import ground
from tatc.planners.pddl.language import bound, domain_text
from tatc.planners.pddl.problem import Atom, Problem, Step, Verdict
from tatc.planners.pddl.search import EXPANSIONS, Found, resume, search

NAME = "tatc-hff"


class Engine(StrEnum):
    """What searches: ours, or Fast Downward where the user has installed it."""

    HFF = "hff"
    FAST_DOWNWARD = "fast-downward"


@dataclass(frozen=True, slots=True)
class Solution:
    """What an engine answered: a plan, or why there is none.

    `out_of_reach` are goal facts that no plan can achieve, each for itself, where the
    engine says so.
    """

    verdict: Verdict
    steps: tuple[Step, ...]
    reason: str
    expansions: int = 0
    out_of_reach: tuple[Atom, ...] = ()


class BudgetSpent(PlannerError):
    """The search ended without a plan and without the proof that there is none."""


class HffPlanner(Planner):
    """Greedy best-first search with h_FF; satisficing, deterministic, bounded."""

    capabilities = frozenset({":strips", ":typing"})

    def __init__(
        self,
        agenda: Sequence[Sequence[Atom]] = (),
        budget: int = EXPANSIONS,
        before: Sequence[Step] = (),
    ) -> None:
        """Plan with this many expansions, in this order of goals first.

        `before` is an earlier plan, whose rest is taken where it still does.
        """
        self._agenda, self._budget, self._before = agenda, budget, before

    def solve(self, domainproblem: Any) -> Plan | None:
        """Return a plan, or None where there is none.

        Raises:
            BudgetSpent: nobody knows.

        """
        found = self.find(domainproblem)
        if found.verdict is Verdict.SPENT:
            raise BudgetSpent(found.reason)
        if found.verdict is Verdict.UNSOLVABLE:
            return None
        return Plan([action.source for action in found.actions])

    def find(self, domainproblem: Any) -> Found:
        """Return what came of the search, as a value."""
        validate_requirements(domainproblem)
        self.check_capabilities(domainproblem)
        task = ground(domainproblem)
        found = resume(task, self._before) if self._before else None
        return found or search(task, self._agenda, budget=self._budget)


registry.register(NAME, HffPlanner)


def solve(
    problem: Problem,
    *,
    engine: Engine = Engine.HFF,
    budget: int = EXPANSIONS,
    before: Sequence[Step] = (),
) -> Solution:
    """Return a plan for a problem of the household, or why there is none.

    Args:
        problem: what to plan for.
        engine: what searches.
        budget: states that our search may expand.
        before: an earlier plan; its rest is taken where it still leads to the goal.

    Raises:
        MissingProgram: Fast Downward is asked for and not installed.

    """
    if engine is Engine.FAST_DOWNWARD:
        verdict, steps, reason = fast_downward(domain_text(), problem.text())
        return Solution(verdict, steps, reason)
    planner: Any = registry.get(NAME, problem.agenda, budget, before)
    found: Found = planner.find(bound(problem))
    return Solution(
        found.verdict,
        tuple(action.step for action in found.actions),
        found.reason,
        found.expansions,
        found.out_of_reach,
    )
