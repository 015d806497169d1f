"""h_FF: the length of a plan that ignores deletions (Hoffmann & Nebel 2001).

From a state, a planning graph reaches facts layer by layer as if actions deleted nothing.
A relaxed plan is then read off backwards: for each fact, among the actions that reach it
first, the one with the easiest preconditions.  The plan's length estimates the distance to
the goal, and the facts that it reaches in one step tell which actions are helpful.

    J. Hoffmann, B. Nebel: The FF Planning System: Fast Plan Generation Through
    Heuristic Search. Journal of Artificial Intelligence Research 14 (2001).
"""

from dataclasses import dataclass

from tatc.planners.pddl.grounding import StripsAction, bitmask

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
    """The heuristic for one set of actions; it keeps nothing between estimates."""

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
