"""A grounded STRIPS task in integers: a fact is a bit, a state is one integer.

pddlpy grounds the task.  Here its actions are put in name order (pddlpy iterates over sets,
whose order differs from run to run), and facts that always hold and actions that can
never be applied are dropped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tatc.planners.pddl.pddlpy_adapter import action_key, atom_tuple, ground_with_pddlpy
from tatc.planners.pddl.problem import Atom, PlanStep


@dataclass(frozen=True, slots=True)
class StripsAction:
    """A grounded action: preconditions and add effects, as fact indices and as bit masks.

    `keep_mask` has a zero for each fact that the action deletes; `pddlpy_operator` is
    pddlpy's own operator.
    """

    step: PlanStep
    preconditions: tuple[int, ...]
    add_effects: tuple[int, ...]
    precondition_mask: int
    add_mask: int
    keep_mask: int
    pddlpy_operator: Any

    def apply(self, state: int) -> int:
        """Return the state after this action."""
        return state & self.keep_mask | self.add_mask


@dataclass(frozen=True, slots=True)
class StripsTask:
    """A task in integers.

    `fact_index` numbers the facts that can change, and `static_facts` hold whatever is done;
    all other facts can never hold.
    """

    fact_index: dict[Atom, int]
    static_facts: frozenset[Atom]
    actions: tuple[StripsAction, ...]
    initial_state: int
    goal: tuple[Atom, ...]

    def fact_indices(self, atoms: Iterable[Atom]) -> tuple[int, ...]:
        """Return the indices of facts, without the static ones.

        Raises:
            KeyError: a fact can never hold; ask `unreachable_facts` first.

        """
        return tuple(self.fact_index[a] for a in atoms if a not in self.static_facts)

    def unreachable_facts(self, atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        """Return those of some facts that can never hold."""
        return tuple(a for a in atoms if a not in self.fact_index and a not in self.static_facts)


def ground_task(domain_problem: Any) -> StripsTask:
    """Return a task of pddlpy's in integers.

    Only positive conjunctions are understood; the domain has nothing else.
    """
    task = ground_with_pddlpy(domain_problem)
    actions = sorted(task.actions, key=action_key)
    start: set[Atom] = set(task.initial.atoms)
    reached, usable = _relaxed_reachability(start, actions)
    undone = {atom for action in usable for atom in action.effect_neg}
    static_facts = frozenset(start - undone)
    fact_index = {atom: i for i, atom in enumerate(sorted(reached - static_facts))}
    full = (1 << len(fact_index)) - 1
    return StripsTask(
        fact_index,
        static_facts,
        tuple(_encode_action(action, fact_index, full) for action in usable),
        bitmask(fact_index[atom] for atom in start - static_facts),
        tuple(sorted({atom_tuple(atom) for atom in task.goals})),
    )


def bitmask(indices: Iterable[int]) -> int:
    """Return the integer with these bits set."""
    made = 0
    for i in indices:
        made |= 1 << i
    return made


def _relaxed_reachability(start: set[Atom], actions: Sequence[Any]) -> tuple[set[Atom], list[Any]]:
    """Return the facts and the actions that are reachable when deletions are ignored."""
    reached, usable = set(start), set[int]()
    waiting = [(i, action) for i, action in enumerate(actions)]
    while waiting:
        ready = [i for i, a in waiting if a.precondition_pos <= reached]
        if not ready:
            break
        usable.update(ready)
        waiting = [each for each in waiting if each[0] not in usable]
        for i in ready:
            reached |= actions[i].effect_pos
    return reached, [action for i, action in enumerate(actions) if i in usable]


def _encode_action(source: Any, index: dict[Atom, int], full: int) -> StripsAction:
    preconditions = tuple(sorted(index[a] for a in source.precondition_pos if a in index))
    add_effects = tuple(sorted(index[a] for a in source.effect_pos if a in index))
    gone = bitmask(index[a] for a in source.effect_neg if a in index)
    step = PlanStep(*action_key(source))
    return StripsAction(
        step,
        preconditions,
        add_effects,
        bitmask(preconditions),
        bitmask(add_effects),
        full & ~gone,
        source,
    )
