"""PDDL by pddlpy: the domain, problems, grounding, and plans replayed.

The domain is parsed once a process.  A problem written by us need not be parsed to be
grounded (`bound` fills pddlpy's own classes, which takes a tenth of the time); a replay
always goes through the text.  pddlpy reports syntax errors on stderr and goes on, so
they are collected here and raised.
"""

# pddlpy tells type checkers nothing.
# pyright: reportMissingTypeStubs=false

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from antlr4 import CommonTokenStream, InputStream, ParseTreeWalker
from antlr4.error.ErrorListener import ErrorListener
from pddlpy.binding import StaticPrunedBinder
from pddlpy.pddl import Atom as PddlAtom
from pddlpy.pddl import DomainListener, DomainProblem, ProblemListener
from pddlpy.pddlLexer import pddlLexer
from pddlpy.pddlParser import pddlParser
from pddlpy.planning import GroundedTask, atom_tuple

from tatc.errors import BadInput
from tatc.planners.pddl.problem import Problem, Step


@cache
def domain_text() -> str:
    """Return the household domain in PDDL."""
    return files("tatc.planners.pddl").joinpath("domain.pddl").read_text("utf-8")


@cache
def _household() -> Any:
    return _listened(domain_text(), "domain", DomainListener())


def parse(problem: str, domain: str | None = None) -> Any:
    """Return pddlpy's reading of a problem in the household, or another domain.

    Raises:
        BadInput: the text has a syntax error, or names what is not declared.

    """
    known = _household()
    if domain is not None:
        known = _listened(domain, "domain", DomainListener())
    read = _joined(known, _listened(problem, "problem", ProblemListener()))
    _require_declared(read)
    return read


def bound(problem: Problem) -> Any:
    """Return what pddlpy would read from a problem's text, without the text."""
    listener: Any = ProblemListener()
    listener.objects = dict(problem.objects)
    listener.initialstate = {PddlAtom(list(atom)) for atom in problem.init}
    listener.goals = {PddlAtom(list(atom)) for atom in problem.goal}
    return _joined(_household(), listener)


@dataclass(frozen=True, slots=True)
class Replay:
    """Whether a plan leads to the goal, and if not why."""

    valid: bool
    why: str = ""


def replay(problem: str, steps: Sequence[Step], domain: str | None = None) -> Replay:
    """Carry a plan out by pddlpy, step by step, from the problem's text."""
    task = grounded_by_pddlpy(parse(problem, domain))
    actions = {key_of(action): action for action in task.actions}
    state = task.initial
    for number, step in enumerate(steps, 1):
        action = actions.get((step.action, step.args))
        if action is None:
            return Replay(False, f"step {number}: there is no action {step}")
        if not state.applicable(action):
            needs = sorted(set(action.precondition_pos) - state.atoms)
            lacks = ", ".join(" ".join(atom) for atom in needs)
            return Replay(False, f"step {number}: {step} needs {lacks}")
        state = state.apply(action)
    if not task.is_goal(state):
        unmet = sorted({atom_tuple(goal) for goal in task.goals} - state.atoms)
        lacks = ", ".join(" ".join(atom) for atom in unmet)
        return Replay(False, f"at the end: {lacks} does not hold")
    return Replay(True)


def grounded_by_pddlpy(read: Any) -> Any:
    """Return pddlpy's grounded task: `initial`, `goals`, `actions`."""
    return GroundedTask(read)


def key_of(action: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name and the arguments of a grounded action, in the action's order.

    pddlpy binds variables in the order in which it joins facts, so that the order of
    `variable_list` differs from that of the action's parameters.
    """
    order = _parameters(action.operator_name, tuple(sorted(action.variable_list)))
    return action.operator_name, tuple(action.variable_list[name] for name in order)


def _parameters(name: str, variables: tuple[str, ...]) -> tuple[str, ...]:
    lifted = _household().operators.get(name)
    if lifted is not None and tuple(sorted(lifted.variable_list)) == variables:
        return tuple(lifted.variable_list)
    return variables


def _joined(domain: Any, problem: Any) -> Any:
    """Return a DomainProblem of these parts: its constructor reads files alone."""
    joined: Any = DomainProblem.__new__(DomainProblem)
    joined.domain, joined.problem = domain, problem
    joined.binder = StaticPrunedBinder()
    return joined


class _Faults(ErrorListener):
    def __init__(self) -> None:
        self.found: list[str] = []

    def syntaxError(
        self,
        recognizer: Any,
        offendingSymbol: Any,
        line: int,
        column: int,
        msg: str,
        e: Any,
    ) -> None:
        self.found.append(f"line {line}:{column} {msg}")


def _listened(text: str, rule: str, listener: Any) -> Any:
    faults = _Faults()
    lexer: Any = pddlLexer(InputStream(text))
    parser: Any = pddlParser(CommonTokenStream(lexer))
    for part in (lexer, parser):
        part.removeErrorListeners()
        part.addErrorListener(faults)
    tree = getattr(parser, rule)()
    if faults.found:
        raise BadInput(
            f"this is no PDDL: {faults.found[0]}", where=rule, fix="mend the text"
        )
    ParseTreeWalker().walk(listener, tree)
    return listener


def _require_declared(read: Any) -> None:
    objects, predicates = set(read.worldobjects()), read.predicates()
    for atom in sorted(map(atom_tuple, _facts(read))):
        if atom[0] not in predicates:
            raise BadInput(f"{atom[0]!r} is no predicate of the domain")
        for name in atom[1:]:
            if name not in objects:
                raise BadInput(f"{name!r} is not among the objects")


def _facts(read: Any) -> Iterable[Any]:
    return [*read.initialstate(), *read.goals()]
