"""Greedy best-first search with h_FF, and a goal agenda before it.

A search ends with a plan, with the proof that there is none (the goal is out of reach
even if nothing were undone, or no state is left), or with its budget spent.  It is
deterministic: equals keep the order in which they were found.

The agenda (Koehler & Hoffmann 2000) gives groups of facts to achieve one after the
other, each search starting where the last ended and keeping what is achieved; where
that fails the whole goal is searched for at once, so that nothing is lost by it.

    J. Koehler, J. Hoffmann: On Reasonable and Forced Goal Orderings and their Use in
    an Agenda-Driven Planning Algorithm. JAIR 12 (2000).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from tatc.planners.pddl.grounding import Action, Grounded, bits
from tatc.planners.pddl.problem import Atom, Step, Verdict, written
from tatc.planners.pddl.relaxed import Relaxed

EXPANSIONS = 4000
"""States expanded in one search at most."""


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a search.

    `out_of_reach` are goal facts that no plan can achieve, each for itself.
    """

    verdict: Verdict
    actions: tuple[Action, ...] = ()
    expansions: int = 0
    reason: str = ""
    out_of_reach: tuple[Atom, ...] = ()


def search(
    task: Grounded,
    agenda: Sequence[Sequence[Atom]] = (),
    *,
    budget: int = EXPANSIONS,
) -> Found:
    """Return a plan for a grounded task, or why there is none.

    Args:
        task: what to plan for.
        agenda: groups of facts to achieve one after the other, first of all.
        budget: states that may be expanded, over all searches.

    """
    if never := task.never(task.goal):
        return _unsolvable(never, 0)
    relaxed = Relaxed(task.actions, len(task.index))
    goal = task.wanted(task.goal)
    if relaxed.estimate(task.start, goal) is None:
        lost = [a for a in task.goal if _lost(relaxed, task, a)]
        return _unsolvable(tuple(lost), 0)
    actions, state, spent = _by_agenda(task, relaxed, agenda, goal, budget // 2)
    last = _best_first(task, relaxed, state, goal, budget - spent)
    spent += last.expansions
    if last.verdict is not Verdict.FOUND and actions:
        actions = []
        last = _best_first(task, relaxed, task.start, goal, budget - spent)
        spent += last.expansions
    if last.verdict is not Verdict.FOUND:
        return Found(last.verdict, expansions=spent, reason=last.reason)
    plan = _thinned(task.start, [*actions, *last.actions], bits(goal))
    return Found(Verdict.FOUND, tuple(plan), spent, f"{len(plan)} steps")


def resume(task: Grounded, steps: Sequence[Step]) -> Found | None:
    """Return the rest of an earlier plan, where it still leads to the goal.

    Of all its ends the shortest that does is taken; None where none does.
    """
    if task.never(task.goal):
        return None
    by_step = {action.step: action for action in task.actions}
    done = bits(task.wanted(task.goal))
    for first in range(len(steps), -1, -1):
        state, rest = task.start, list[Action]()
        for step in steps[first:]:
            action = by_step.get(step)
            if action is None or action.need & state != action.need:
                break
            state = action.apply(state)
            rest.append(action)
        else:
            if state & done == done:
                return Found(Verdict.FOUND, tuple(rest), 0, "as planned before")
    return None


def _lost(relaxed: Relaxed, task: Grounded, atom: Atom) -> bool:
    return relaxed.estimate(task.start, task.wanted((atom,))) is None


def _unsolvable(never: tuple[Atom, ...], spent: int) -> Found:
    names = ", ".join(map(written, never))
    why = f"nothing ever brings about {names}"
    return Found(Verdict.UNSOLVABLE, (), spent, why, never)


def _by_agenda(
    task: Grounded,
    relaxed: Relaxed,
    agenda: Sequence[Sequence[Atom]],
    goal: tuple[int, ...],
    budget: int,
) -> tuple[list[Action], int, int]:
    """Achieve the groups in order; a group that cannot be is left to the end.

    Returns:
        The actions, the state they lead to, and the states expanded.

    """
    actions: list[Action] = []
    state, spent, kept = task.start, 0, set[int]()
    for group in agenda:
        if task.never(group):
            continue
        wanted = task.wanted(group)
        aim = tuple(sorted(kept.union(wanted)))
        found = _best_first(task, relaxed, state, aim, budget - spent)
        spent += found.expansions
        if found.verdict is Verdict.FOUND:
            actions += found.actions
            for action in found.actions:
                state = action.apply(state)
            kept.update(set(wanted).intersection(goal))
    return actions, state, spent


def _best_first(
    task: Grounded, relaxed: Relaxed, start: int, goal: tuple[int, ...], budget: int
) -> Found:
    """Expand the state that seems nearest to the goal, until one meets it.

    Children by helpful actions are estimated at once; the others wait with their
    parent's estimate and are estimated when their turn comes.
    """
    done = bits(goal)
    first = relaxed.estimate(start, goal)
    if first is None:
        return Found(Verdict.UNSOLVABLE, reason="the goal is out of reach")
    came: dict[int, tuple[int, Action] | None] = {start: None}
    queue = [(first.length, False, 0, start)]
    expanded = 0
    while queue:
        state = heappop(queue)[3]
        if state & done == done:
            return Found(Verdict.FOUND, _path(came, state), expanded)
        if expanded >= budget:
            why = f"{expanded} states were expanded"
            return Found(Verdict.SPENT, expansions=expanded, reason=why)
        expanded += 1
        here = relaxed.estimate(state, goal)
        if here is None:
            continue  # nothing that follows can reach the goal
        for action, child in _children(task, state):
            if child in came:
                continue
            came[child] = state, action
            helpful = bool(action.add & here.near)
            seen = relaxed.estimate(child, goal) if helpful else here
            if seen is not None:
                heappush(queue, (seen.length, not helpful, len(came), child))
    return Found(
        Verdict.UNSOLVABLE, expansions=expanded, reason="no other state is left"
    )


def _children(task: Grounded, state: int) -> Iterator[tuple[Action, int]]:
    for action in task.actions:
        if action.need & state == action.need:
            yield action, action.apply(state)


def _path(came: dict[int, tuple[int, Action] | None], state: int) -> tuple[Action, ...]:
    actions: list[Action] = []
    while (step := came[state]) is not None:
        state, action = step
        actions.append(action)
    return tuple(reversed(actions))


def _thinned(start: int, plan: list[Action], done: int) -> list[Action]:
    """Leave out actions that the plan does without (Nakhost & Mueller 2010).

    An action goes together with those after it that then cannot be carried out.
    """
    i = 0
    while i < len(plan):
        shorter = _without(start, plan, i)
        state = start
        for action in shorter:
            state = action.apply(state)
        if state & done == done:
            plan = shorter
        else:
            i += 1
    return plan


def _without(start: int, plan: list[Action], left_out: int) -> list[Action]:
    state, kept = start, list[Action]()
    for i, action in enumerate(plan):
        if i != left_out and action.need & state == action.need:
            state = action.apply(state)
            kept.append(action)
    return kept
