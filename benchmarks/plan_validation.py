"""Executes plans in pddlpy, step by step, to see whether they lead to the goal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antlr4 import CommonTokenStream, InputStream, ParseTreeWalker
from antlr4.error.ErrorListener import ErrorListener
from pddlpy.pddl import DomainListener, ProblemListener
from pddlpy.pddlLexer import pddlLexer
from pddlpy.pddlParser import pddlParser
from pddlpy.planning import GroundedTask, atom_tuple

from tatc.planners.pddl.pddlpy_adapter import action_key, to_domain_problem
from tatc.planners.pddl.problem import PddlProblem, PlanStep


@dataclass(frozen=True, slots=True)
class PlanValidation:
    """Whether a plan leads to the goal; `reason` says why not."""

    is_valid: bool
    reason: str = ""


def validate_plan(
    problem: str, steps: Sequence[PlanStep], domain: str | None = None
) -> PlanValidation:
    """Execute a plan step by step in pddlpy, from the problem's text."""
    task: Any = GroundedTask(parse(problem, domain))
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


def parse(problem: str, domain: str | None = None) -> Any:
    """Return a text as pddlpy's problem, in the household domain or another; else a ValueError.

    pddlpy prints syntax errors to stderr and goes on, so they are collected here and raised.
    """
    made = to_domain_problem(PddlProblem((), (), ()))
    if domain is not None:
        made.domain = _parse_with(domain, "domain", DomainListener())
    made.problem = _parse_with(problem, "problem", ProblemListener())
    objects, predicates = set(made.worldobjects()), made.predicates()
    for atom in sorted(map(atom_tuple, [*made.initialstate(), *made.goals()])):
        if atom[0] not in predicates:
            raise ValueError(f"{atom[0]!r} is no predicate of the domain")
        for name in atom[1:]:
            if name not in objects:
                raise ValueError(f"{name!r} is not among the objects")
    return made


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
        raise ValueError(f"this is no PDDL: {errors.messages[0]}")
    ParseTreeWalker().walk(listener, tree)
    return listener
