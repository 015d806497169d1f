"""h_FF: how far a goal is if nothing were ever undone (Hoffmann & Nebel 2001).

From a state, facts are reached in layers as if actions deleted nothing; a plan of that
easier task is read off backwards, taking for each fact, of the actions that reach it
first, the one whose preconditions are easiest.  Its length estimates the distance, and
the facts that it reaches in one step tell which actions are helpful.

    J. Hoffmann, B. Nebel: The FF Planning System: Fast Plan Generation Through
    Heuristic Search. Journal of Artificial Intelligence Research 14 (2001).
"""

from dataclasses import dataclass

from tatc.planners.pddl.grounding import Action, bits

_FAR = 1 << 30


@dataclass(frozen=True, slots=True)
class Estimate:
    """The relaxed plan's length, and as bits the facts it reaches in one step."""

    length: int
    near: int


@dataclass(slots=True)
class _Layers:
    """For each fact: the layer that reaches it, by which action, how hard that is."""

    level: list[int]
    by: list[int]
    cost: list[int]


class Relaxed:
    """The relaxed task of these actions; keeps nothing from question to question."""

    def __init__(self, actions: tuple[Action, ...], facts: int) -> None:
        """Note which actions wait for which fact."""
        self._actions = actions
        self._users: list[list[int]] = [[] for _ in range(facts)]
        self._waits = [len(action.needs) for action in actions]
        self._free = [i for i, action in enumerate(actions) if not action.needs]
        for i, action in enumerate(actions):
            for fact in action.needs:
                self._users[fact].append(i)

    def estimate(self, state: int, goal: tuple[int, ...]) -> Estimate | None:
        """Return the estimate, or None where the goal cannot be reached at all."""
        layers = self._reach(state, goal)
        if any(layers.level[fact] == _FAR for fact in goal):
            return None
        return self._extract(layers, goal)

    def _reach(self, state: int, goal: tuple[int, ...]) -> _Layers:
        """Reach facts layer by layer until the goal is among them, or no more come."""
        facts = len(self._users)
        layers = _Layers([_FAR] * facts, [-1] * facts, [_FAR] * facts)
        waits, fresh, level = self._waits.copy(), held(state), 0
        for fact in fresh:
            layers.level[fact] = 0
        ready = self._free.copy()
        while fresh and any(layers.level[fact] == _FAR for fact in goal):
            for fact in fresh:
                for i in self._users[fact]:
                    waits[i] -= 1
                    if not waits[i]:
                        ready.append(i)
            level += 1
            fresh = self._layer(layers, level, ready)
            ready.clear()
        return layers

    def _layer(self, layers: _Layers, level: int, ready: list[int]) -> list[int]:
        """Reach a layer by the actions that have become ready; return what is new."""
        levels, by, costs = layers.level, layers.by, layers.cost
        fresh: list[int] = []
        for i in ready:
            action = self._actions[i]
            cost = -1
            for fact in action.adds:
                if levels[fact] < level:
                    continue
                if cost < 0:
                    cost = sum(levels[need] for need in action.needs)
                if levels[fact] == _FAR:
                    levels[fact] = level
                    fresh.append(fact)
                if cost < costs[fact]:
                    costs[fact], by[fact] = cost, i
        return fresh

    def _extract(self, layers: _Layers, goal: tuple[int, ...]) -> Estimate:
        marked, chosen, near = set(goal), set[int](), list[int]()
        stack = list(goal)
        while stack:
            fact = stack.pop()
            level, i = layers.level[fact], layers.by[fact]
            if level == 1:
                near.append(fact)
            if level and i not in chosen:
                chosen.add(i)
                for need in self._actions[i].needs:
                    if need not in marked:
                        marked.add(need)
                        stack.append(need)
        return Estimate(len(chosen), bits(near))


def held(state: int) -> list[int]:
    """Return the indices of the bits that are set, ascending."""
    found: list[int] = []
    while state:
        low = state & -state
        found.append(low.bit_length() - 1)
        state ^= low
    return found
