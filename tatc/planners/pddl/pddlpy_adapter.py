"""PDDL through pddlpy: parsing, grounding, and tasks in integers.

The domain is parsed once a process.  Our own problems are not parsed: `to_domain_problem`
fills pddlpy's classes directly, which takes a tenth of the time.
"""

# pddlpy tells type checkers nothing.
# pyright: reportMissingTypeStubs=false

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from antlr4 import CommonTokenStream, InputStream, ParseTreeWalker
from antlr4.atn.PredictionMode import PredictionMode
from pddlpy.binding import StaticPrunedBinder
from pddlpy.pddl import Atom as PddlAtom, DomainListener, DomainProblem, ProblemListener
from pddlpy.pddlLexer import pddlLexer
from pddlpy.pddlParser import pddlParser
from pddlpy.planning import GroundedTask, atom_tuple

from tatc.planners.pddl.problem import Atom, PddlProblem, PlanStep, domain_text


@cache
def _household_domain() -> Any:
    domain: Any = DomainListener()
    parser: Any = pddlParser(CommonTokenStream(pddlLexer(InputStream(domain_text()))))
    parser._interp.predictionMode = PredictionMode.SLL  # twice as fast, and enough for our text
    ParseTreeWalker().walk(domain, parser.domain())
    return domain


def to_domain_problem(problem: PddlProblem) -> Any:
    """Return the object that pddlpy would parse from a problem's text."""
    listener: Any = ProblemListener()
    listener.objects = dict(problem.objects)
    listener.initialstate = {PddlAtom(list(atom)) for atom in problem.init}
    listener.goals = {PddlAtom(list(atom)) for atom in problem.goal}
    made: Any = DomainProblem.__new__(DomainProblem)  # the constructor only reads files
    made.domain, made.problem, made.binder = _household_domain(), listener, StaticPrunedBinder()
    return made


def action_key(action: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name of a grounded action and its arguments, in the parameters' order.

    pddlpy's `variable_list` is in the order in which it joins facts, not in the action's.
    """
    variables = sorted(action.variable_list)
    operator = _household_domain().operators.get(action.operator_name)
    if operator is not None and sorted(operator.variable_list) == variables:
        variables = operator.variable_list
    return action.operator_name, tuple(action.variable_list[name] for name in variables)


@dataclass(frozen=True, slots=True)
class StripsAction:
    """A grounded action as fact indices and bit masks; `keep_mask` is zero for what it deletes."""

    step: PlanStep
    preconditions: tuple[int, ...]
    add_effects: tuple[int, ...]
    precondition_mask: int
    add_mask: int
    keep_mask: int

    def apply(self, state: int) -> int:
        """Return the state after this action."""
        return state & self.keep_mask | self.add_mask


@dataclass(frozen=True, slots=True)
class StripsTask:
    """A grounded task in integers: a fact is a bit, a state is one integer.

    `fact_index` numbers the facts that can change, and `static_facts` hold whatever is done;
    all other facts can never hold.
    """

    fact_index: dict[Atom, int]
    static_facts: frozenset[Atom]
    actions: tuple[StripsAction, ...]
    initial_state: int
    goal: tuple[Atom, ...]

    def fact_indices(self, atoms: Iterable[Atom]) -> tuple[int, ...]:
        """Return the indices of facts, none of them unreachable; static ones are left out."""
        return tuple(self.fact_index[a] for a in atoms if a not in self.static_facts)

    def unreachable_facts(self, atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        """Return those of some facts that can never hold."""
        return tuple(a for a in atoms if a not in self.fact_index and a not in self.static_facts)


def ground_task(domain_problem: Any) -> StripsTask:
    """Return a task of pddlpy's in integers.

    Its actions are put in name order, because pddlpy iterates over sets, whose order differs from
    run to run; facts that always hold and actions that can never be applied are dropped.  Only
    positive conjunctions are understood; the domain has nothing else.
    """
    task: Any = GroundedTask(domain_problem)
    actions = sorted(task.actions, key=action_key)
    start: set[Atom] = set(task.initial.atoms)
    reached, usable = _relaxed_reachability(start, actions)
    static_facts = frozenset(start - {atom for action in usable for atom in action.effect_neg})
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
    step, masks = PlanStep(*action_key(source)), (bitmask(preconditions), bitmask(add_effects))
    return StripsAction(step, preconditions, add_effects, *masks, full & ~gone)
