"""PDDL through pddlpy: parsing, grounding, and the validation of plans.

The domain is parsed once a process.  Our own problems are not parsed: `to_domain_problem`
fills pddlpy's classes directly, which takes a tenth of the time.  Validation always goes
through the text.  pddlpy prints syntax errors to stderr and goes on, so they are collected
here and raised.
"""

# pddlpy tells type checkers nothing.
# pyright: reportMissingTypeStubs=false

from collections.abc import Sequence
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

from tatc.base.errors import BadInput
from tatc.planners.pddl.problem import PddlProblem, PlanStep


@cache
def domain_text() -> str:
    """Return the household domain in PDDL."""
    return files("tatc.planners.pddl").joinpath("domain.pddl").read_text("utf-8")


@cache
def _household_domain() -> Any:
    return _parse_with(domain_text(), "domain", DomainListener())


def parse(problem: str, domain: str | None = None) -> Any:
    """Return a problem, parsed by pddlpy, in the household domain or another one."""
    parsed_domain = _household_domain()
    if domain is not None:
        parsed_domain = _parse_with(domain, "domain", DomainListener())
    domain_problem = _make_domain_problem(
        parsed_domain, _parse_with(problem, "problem", ProblemListener())
    )
    _check_declared(domain_problem)
    return domain_problem


def to_domain_problem(problem: PddlProblem) -> Any:
    """Return the object that pddlpy would parse from a problem's text."""
    listener: Any = ProblemListener()
    listener.objects = dict(problem.objects)
    listener.initialstate = {PddlAtom(list(atom)) for atom in problem.init}
    listener.goals = {PddlAtom(list(atom)) for atom in problem.goal}
    return _make_domain_problem(_household_domain(), listener)


@dataclass(frozen=True, slots=True)
class PlanValidation:
    """Whether a plan leads to the goal; `reason` says why not."""

    is_valid: bool
    reason: str = ""


def validate_plan(
    problem: str, steps: Sequence[PlanStep], domain: str | None = None
) -> PlanValidation:
    """Execute a plan step by step in pddlpy, from the problem's text."""
    task = ground_with_pddlpy(parse(problem, domain))
    actions = {action_key(action): action for action in task.actions}
    state = task.initial
    for number, step in enumerate(steps, 1):
        action = actions.get((step.action, step.args))
        if action is None:
            return PlanValidation(False, f"step {number}: there is no action {step}")
        if not state.applicable(action):
            needs = sorted(set(action.precondition_pos) - state.atoms)
            lacks = ", ".join(" ".join(atom) for atom in needs)
            return PlanValidation(False, f"step {number}: {step} needs {lacks}")
        state = state.apply(action)
    if not task.is_goal(state):
        unmet = sorted({atom_tuple(goal) for goal in task.goals} - state.atoms)
        lacks = ", ".join(" ".join(atom) for atom in unmet)
        return PlanValidation(False, f"at the end: {lacks} does not hold")
    return PlanValidation(True)


def ground_with_pddlpy(domain_problem: Any) -> Any:
    """Return pddlpy's grounded task, with `initial`, `goals` and `actions`."""
    return GroundedTask(domain_problem)


def action_key(action: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name of a grounded action and its arguments, in the parameters' order.

    pddlpy binds variables in the order in which it joins facts, so the order of its
    `variable_list` is not that of the action's parameters.
    """
    order = _parameters_in_order(action.operator_name, tuple(sorted(action.variable_list)))
    return action.operator_name, tuple(action.variable_list[name] for name in order)


def _parameters_in_order(name: str, variables: tuple[str, ...]) -> tuple[str, ...]:
    operator = _household_domain().operators.get(name)
    if operator is not None and tuple(sorted(operator.variable_list)) == variables:
        return tuple(operator.variable_list)
    return variables


def _make_domain_problem(domain: Any, problem: Any) -> Any:
    """Return a DomainProblem of parsed parts; its constructor only reads files."""
    domain_problem: Any = DomainProblem.__new__(DomainProblem)
    domain_problem.domain, domain_problem.problem = domain, problem
    domain_problem.binder = StaticPrunedBinder()
    return domain_problem


class _SyntaxErrorCollector(ErrorListener):
    def __init__(self) -> None:
        self.messages: list[str] = []

    def syntaxError(
        self, recognizer: Any, offendingSymbol: Any, line: int, column: int, msg: str, e: Any
    ) -> None:
        self.messages.append(f"line {line}:{column} {msg}")


def _parse_with(text: str, rule: str, listener: Any) -> Any:
    errors = _SyntaxErrorCollector()
    lexer: Any = pddlLexer(InputStream(text))
    parser: Any = pddlParser(CommonTokenStream(lexer))
    for part in (lexer, parser):
        part.removeErrorListeners()
        part.addErrorListener(errors)
    tree = getattr(parser, rule)()
    if errors.messages:
        raise BadInput(f"this is no PDDL: {errors.messages[0]}", where=rule, fix="mend the text")
    ParseTreeWalker().walk(listener, tree)
    return listener


def _check_declared(domain_problem: Any) -> None:
    objects, predicates = (set(domain_problem.worldobjects()), domain_problem.predicates())
    facts = [*domain_problem.initialstate(), *domain_problem.goals()]
    for atom in sorted(map(atom_tuple, facts)):
        if atom[0] not in predicates:
            raise BadInput(f"{atom[0]!r} is no predicate of the domain")
        for name in atom[1:]:
            if name not in objects:
                raise BadInput(f"{name!r} is not among the objects")
