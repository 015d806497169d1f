"""h_FF: how far a goal is if nothing were ever undone (Hoffmann & Nebel 2001).

From a state, facts are reached in layers as if actions deleted nothing; a plan of that
easier task is read off backwards, taking for each fact, of the actions that reach it
first, the one whose preconditions are easiest.  Its length estimates the distance, and
the facts that it reaches in one step tell which actions are helpful.

    J. Hoffmann, B. Nebel: The FF Planning System: Fast Plan Generation Through
    Heuristic Search. Journal of Artificial Intelligence Research 14 (2001).
"""

from dataclasses import dataclass

from tatc.planners.pddl.grounding import StripsAction, bitmask

_UNREACHED_LAYER = 1 << 30


@dataclass(frozen=True, slots=True)
class RelaxedPlanEstimate:
    """The relaxed plan's length, and as bits the facts it reaches in one step."""

    length: int
    helpful_facts: int


@dataclass(slots=True)
class _PlanningGraph:
    """For each fact: the layer that reaches it, by which action, how hard that is."""

    layer_of_fact: list[int]
    achiever_of_fact: list[int]
    difficulty_of_fact: list[int]


class HffHeuristic:
    """The relaxed task of these actions; keeps nothing from question to question."""

    def __init__(self, actions: tuple[StripsAction, ...], facts: int) -> None:
        """Note which actions wait for which fact."""
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
        """Return the estimate, or None where the goal cannot be reached at all."""
        graph = self._build_graph(state, goal)
        if any(graph.layer_of_fact[fact] == _UNREACHED_LAYER for fact in goal):
            return None
        return self._extract_relaxed_plan(graph, goal)

    def _build_graph(self, state: int, goal: tuple[int, ...]) -> _PlanningGraph:
        """Reach facts layer by layer until the goal is among them, or no more come."""
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
        """Reach a layer by the actions that have become ready; return what is new."""
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
