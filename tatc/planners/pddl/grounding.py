"""A grounded task in whole numbers: facts are bits, a state is one integer.

pddlpy grounds; here its actions are put in name order (pddlpy goes through sets, whose
order differs from run to run), facts that always hold are dropped, and so is every
action that no state can ever apply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tatc.planners.pddl.language import atom_tuple, grounded_by_pddlpy, key_of
from tatc.planners.pddl.problem import Atom, Step


@dataclass(frozen=True, slots=True)
class Action:
    """A grounded action: what it needs and adds, as indices and as bits.

    `source` is pddlpy's own operator.
    """

    step: Step
    needs: tuple[int, ...]
    adds: tuple[int, ...]
    need: int
    add: int
    keep: int
    source: Any

    def apply(self, state: int) -> int:
        """Return the state after this action."""
        return state & self.keep | self.add


@dataclass(frozen=True, slots=True)
class Grounded:
    """A task in numbers.

    `index` numbers the facts that come and go, `always` are those that hold whatever
    is done; all others can never hold.
    """

    index: dict[Atom, int]
    always: frozenset[Atom]
    actions: tuple[Action, ...]
    start: int
    goal: tuple[Atom, ...]

    def wanted(self, atoms: Iterable[Atom]) -> tuple[int, ...]:
        """Return the indices of facts, without those that hold anyway.

        Raises:
            KeyError: one can never hold; ask `never` first.

        """
        return tuple(self.index[a] for a in atoms if a not in self.always)

    def never(self, atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        """Return those of some facts that can never hold."""
        return tuple(a for a in atoms if a not in self.index and a not in self.always)


def ground(read: Any) -> Grounded:
    """Return the numbers of a task that pddlpy has read or was given.

    Only positive conjunctions are understood, which is all that the domain holds.
    """
    task = grounded_by_pddlpy(read)
    actions = sorted(task.actions, key=key_of)
    start: set[Atom] = set(task.initial.atoms)
    reached, usable = _reach(start, actions)
    undone = {atom for action in usable for atom in action.effect_neg}
    always = frozenset(start - undone)
    index = {atom: i for i, atom in enumerate(sorted(reached - always))}
    full = (1 << len(index)) - 1
    return Grounded(
        index,
        always,
        tuple(_action(action, index, full) for action in usable),
        bits(index[atom] for atom in start - always),
        tuple(sorted({atom_tuple(atom) for atom in task.goals})),
    )


def bits(indices: Iterable[int]) -> int:
    """Return the integer with these bits set."""
    made = 0
    for i in indices:
        made |= 1 << i
    return made


def _reach(start: set[Atom], actions: Sequence[Any]) -> tuple[set[Atom], list[Any]]:
    """Return the facts that can ever hold, deletions ignored, and usable actions."""
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


def _action(source: Any, index: dict[Atom, int], full: int) -> Action:
    needs = tuple(sorted(index[a] for a in source.precondition_pos if a in index))
    adds = tuple(sorted(index[a] for a in source.effect_pos if a in index))
    gone = bits(index[a] for a in source.effect_neg if a in index)
    step = Step(*key_of(source))
    return Action(step, needs, adds, bits(needs), bits(adds), full & ~gone, source)
