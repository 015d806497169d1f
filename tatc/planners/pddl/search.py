"""Greedy best-first search with h_FF, and a goal agenda before it.

A search ends with a plan, with a proof that there is none (the relaxed task has none, or
no state is left to expand), or with its budget spent.  It is deterministic: equal states
keep the order in which they were found.

The agenda (Koehler & Hoffmann 2000) gives groups of facts to achieve one after the other:
each search starts where the last ended and keeps what is achieved.  Where that fails, the
whole goal is searched for at once, so that an agenda never loses a plan.

    J. Koehler, J. Hoffmann: On Reasonable and Forced Goal Orderings and their Use in
    an Agenda-Driven Planning Algorithm. JAIR 12 (2000).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from tatc.planners.pddl.pddlpy_adapter import StripsAction, StripsTask, bitmask
from tatc.planners.pddl.problem import Atom, PlanStep, SearchVerdict, format_atom

MAX_EXPANSIONS = 4000  # states expanded for one plan, at most
_UNREACHED_LAYER = 1 << 30


@dataclass(frozen=True, slots=True)
class RelaxedPlanEstimate:
    """The relaxed plan's length, and the facts that it reaches in one step, as bits."""

    length: int
    helpful_facts: int


@dataclass(slots=True)
class _PlanningGraph:
    """For each fact: the first layer that has it, the action that adds it, its difficulty."""

    layer_of_fact: list[int]
    achiever_of_fact: list[int]
    difficulty_of_fact: list[int]


class HffHeuristic:
    """h_FF: the length of a plan that ignores deletions (Hoffmann & Nebel 2001).

    From a state, a planning graph reaches facts layer by layer as if actions deleted nothing.  A
    relaxed plan is then read off backwards: for each fact, among the actions that reach it first,
    the one with the easiest preconditions.  The plan's length estimates the distance to the goal,
    and the facts that it reaches in one step tell which actions are helpful.

        J. Hoffmann, B. Nebel: The FF Planning System: Fast Plan Generation Through
        Heuristic Search. Journal of Artificial Intelligence Research 14 (2001).
    """

    def __init__(self, actions: tuple[StripsAction, ...], facts: int) -> None:
        """Index the actions by their preconditions; `facts` is the number of facts."""
        self._actions = actions
        self._actions_needing: list[list[int]] = [[] for _ in range(facts)]
        self._precondition_counts = [len(action.preconditions) for action in actions]
        self._actions_without_preconditions = [
            i for i, action in enumerate(actions) if not action.preconditions
        ]
        for i, action in enumerate(actions):
            for fact in action.preconditions:
                self._actions_needing[fact].append(i)

    def estimate(self, state: int, goal: tuple[int, ...]) -> RelaxedPlanEstimate | None:
        """Return the estimate, or None where not even a relaxed plan reaches the goal."""
        graph = self._build_graph(state, goal)
        if any(graph.layer_of_fact[fact] == _UNREACHED_LAYER for fact in goal):
            return None
        return self._extract_relaxed_plan(graph, goal)

    def _build_graph(self, state: int, goal: tuple[int, ...]) -> _PlanningGraph:
        """Add layers until they hold the whole goal, or no new fact appears."""
        facts = len(self._actions_needing)
        graph = _PlanningGraph([_UNREACHED_LAYER] * facts, [-1] * facts, [_UNREACHED_LAYER] * facts)
        unmet_counts, fresh, level = (self._precondition_counts.copy(), set_bits(state), 0)
        for fact in fresh:
            graph.layer_of_fact[fact] = 0
        ready = self._actions_without_preconditions.copy()
        while fresh and any(graph.layer_of_fact[fact] == _UNREACHED_LAYER for fact in goal):
            for fact in fresh:
                for i in self._actions_needing[fact]:
                    unmet_counts[i] -= 1
                    if not unmet_counts[i]:
                        ready.append(i)
            level += 1
            fresh = self._add_layer(graph, level, ready)
            ready.clear()
        return graph

    def _add_layer(self, graph: _PlanningGraph, level: int, ready: list[int]) -> list[int]:
        """Apply the actions that are ready; return the facts that are new in this layer."""
        levels, by, costs = (graph.layer_of_fact, graph.achiever_of_fact, graph.difficulty_of_fact)
        fresh: list[int] = []
        for i in ready:
            action = self._actions[i]
            cost = -1
            for fact in action.add_effects:
                if levels[fact] < level:
                    continue
                if cost < 0:
                    cost = sum(levels[need] for need in action.preconditions)
                if levels[fact] == _UNREACHED_LAYER:
                    levels[fact] = level
                    fresh.append(fact)
                if cost < costs[fact]:
                    costs[fact], by[fact] = cost, i
        return fresh

    def _extract_relaxed_plan(
        self, graph: _PlanningGraph, goal: tuple[int, ...]
    ) -> RelaxedPlanEstimate:
        marked, chosen, helpful_facts = set(goal), set[int](), list[int]()
        stack = list(goal)
        while stack:
            fact = stack.pop()
            level, i = graph.layer_of_fact[fact], graph.achiever_of_fact[fact]
            if level == 1:
                helpful_facts.append(fact)
            if level and i not in chosen:
                chosen.add(i)
                for need in self._actions[i].preconditions:
                    if need not in marked:
                        marked.add(need)
                        stack.append(need)
        return RelaxedPlanEstimate(len(chosen), bitmask(helpful_facts))


def set_bits(state: int) -> list[int]:
    """Return the indices of the bits that are set, ascending."""
    found: list[int] = []
    while state:
        low = state & -state
        found.append(low.bit_length() - 1)
        state ^= low
    return found


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search; `unreachable_goals` are those that no plan achieves even alone."""

    verdict: SearchVerdict
    actions: tuple[StripsAction, ...] = ()
    expansions: int = 0
    reason: str = ""
    unreachable_goals: tuple[Atom, ...] = ()


def search_plan(
    task: StripsTask, agenda: Sequence[Sequence[Atom]] = (), *, budget: int = MAX_EXPANSIONS
) -> SearchResult:
    """Return a plan, or why there is none; the `agenda` comes first, `budget` is in expansions."""
    if never_reached := task.unreachable_facts(task.goal):
        return _unsolvable_result(never_reached)
    heuristic = HffHeuristic(task.actions, len(task.fact_index))
    goal = task.fact_indices(task.goal)
    if heuristic.estimate(task.initial_state, goal) is None:
        start = task.initial_state
        alone = [(a, heuristic.estimate(start, task.fact_indices((a,)))) for a in task.goal]
        return _unsolvable_result(tuple(atom for atom, found in alone if found is None))
    actions, state, spent = _search_by_agenda(task, heuristic, agenda, goal, budget // 2)
    final_search = _best_first_search(task, heuristic, state, goal, budget - spent)
    spent += final_search.expansions
    if final_search.verdict is not SearchVerdict.PLAN_FOUND and actions:
        actions = []
        final_search = _best_first_search(task, heuristic, task.initial_state, goal, budget - spent)
        spent += final_search.expansions
    if final_search.verdict is not SearchVerdict.PLAN_FOUND:
        return SearchResult(final_search.verdict, expansions=spent, reason=final_search.reason)
    found = [*actions, *final_search.actions]
    plan = _eliminate_redundant_actions(task.initial_state, found, bitmask(goal))
    return SearchResult(SearchVerdict.PLAN_FOUND, tuple(plan), spent, f"steps: {len(plan)}")


def resume_plan(task: StripsTask, steps: Sequence[PlanStep]) -> SearchResult | None:
    """Return the shortest suffix of an earlier plan that leads to the goal, or None."""
    if task.unreachable_facts(task.goal):
        return None
    by_step = {action.step: action for action in task.actions}
    done = bitmask(task.fact_indices(task.goal))
    for first in range(len(steps), -1, -1):
        state, rest = task.initial_state, list[StripsAction]()
        for step in steps[first:]:
            action = by_step.get(step)
            if action is None or action.precondition_mask & state != action.precondition_mask:
                break
            state = action.apply(state)
            rest.append(action)
        else:
            if state & done == done:
                return SearchResult(SearchVerdict.PLAN_FOUND, tuple(rest), 0, "as planned before")
    return None


def _unsolvable_result(unreachable: tuple[Atom, ...]) -> SearchResult:
    why = f"nothing ever brings about {', '.join(map(format_atom, unreachable))}"
    return SearchResult(SearchVerdict.UNSOLVABLE, reason=why, unreachable_goals=unreachable)


def _search_by_agenda(
    task: StripsTask,
    heuristic: HffHeuristic,
    agenda: Sequence[Sequence[Atom]],
    goal: tuple[int, ...],
    budget: int,
) -> tuple[list[StripsAction], int, int]:
    """Achieve the groups in order; a group that fails is left to the final search.

    Return the actions, the state that they lead to, and the number of states expanded.
    """
    actions: list[StripsAction] = []
    state, spent, kept = task.initial_state, 0, set[int]()
    for group in agenda:
        if task.unreachable_facts(group):
            continue
        wanted = task.fact_indices(group)
        subgoal = tuple(sorted(kept.union(wanted)))
        found = _best_first_search(task, heuristic, state, subgoal, budget - spent)
        spent += found.expansions
        if found.verdict is SearchVerdict.PLAN_FOUND:
            actions += found.actions
            for action in found.actions:
                state = action.apply(state)
            kept.update(set(wanted).intersection(goal))
    return actions, state, spent


def _best_first_search(
    task: StripsTask, heuristic: HffHeuristic, start: int, goal: tuple[int, ...], budget: int
) -> SearchResult:
    """Expand the state nearest by h_FF; children of unhelpful actions get their parent's value."""
    done = bitmask(goal)
    first = heuristic.estimate(start, goal)
    if first is None:
        return SearchResult(SearchVerdict.UNSOLVABLE, reason="the goal is out of reach")
    parent_of: dict[int, tuple[int, StripsAction] | None] = {start: None}
    queue = [(first.length, False, 0, start)]
    expanded = 0
    while queue:
        state = heappop(queue)[3]
        if state & done == done:
            return SearchResult(SearchVerdict.PLAN_FOUND, _extract_plan(parent_of, state), expanded)
        if expanded >= budget:
            why = f"{expanded} states were expanded"
            return SearchResult(SearchVerdict.BUDGET_SPENT, expansions=expanded, reason=why)
        expanded += 1
        estimate = heuristic.estimate(state, goal)
        if estimate is None:
            continue  # a dead end
        for action in task.actions:
            if action.precondition_mask & state != action.precondition_mask:
                continue
            child = action.apply(state)
            if child in parent_of:
                continue
            parent_of[child] = state, action
            helpful = bool(action.add_mask & estimate.helpful_facts)
            seen = heuristic.estimate(child, goal) if helpful else estimate
            if seen is not None:
                heappush(queue, (seen.length, not helpful, len(parent_of), child))
    why = "no other state is left"
    return SearchResult(SearchVerdict.UNSOLVABLE, expansions=expanded, reason=why)


def _extract_plan(
    parent_of: dict[int, tuple[int, StripsAction] | None], state: int
) -> tuple[StripsAction, ...]:
    actions: list[StripsAction] = []
    while (step := parent_of[state]) is not None:
        state, action = step
        actions.append(action)
    return tuple(reversed(actions))


def _eliminate_redundant_actions(
    start: int, plan: list[StripsAction], goal_mask: int
) -> list[StripsAction]:
    """Drop actions that a plan does not need, with those after them (Nakhost & Mueller 2010)."""
    i = 0
    while i < len(plan):
        state, shorter = start, list[StripsAction]()
        for k, action in enumerate(plan):
            if k != i and action.precondition_mask & state == action.precondition_mask:
                state = action.apply(state)
                shorter.append(action)
        if state & goal_mask == goal_mask:
            plan = shorter
        else:
            i += 1
    return plan
