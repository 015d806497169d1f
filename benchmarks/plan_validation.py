"""Executes plans in pddlpy, step by step, to see whether they lead to the goal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pddlpy.planning import GroundedTask, atom_tuple

from tatc.planners.pddl.pddlpy_adapter import action_key, parse
from tatc.planners.pddl.problem import PlanStep


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
