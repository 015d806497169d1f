"""What was tried for one utterance and could not be said: the log of alternatives."""

from tatc.commander.plan_builder import SkillPlan
from tatc.commander.plan_failure import PlanFailure
from tatc.tdl import ProblemKey


class RejectedPlans:
    """The plans that could not be drafted for one utterance, and why."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rejected: list[tuple[ProblemKey, SkillPlan, PlanFailure | None]] = []

    def add(self, key: ProblemKey, plan: SkillPlan, failure: PlanFailure | None) -> None:
        """Note a plan for a key, and what put it in trouble; None: nothing to add."""
        self._rejected.append((key, plan, failure))

    def failures(self) -> tuple[tuple[ProblemKey, PlanFailure], ...]:
        """Return each trouble once, with the first key that met it."""
        first: dict[PlanFailure, ProblemKey] = {}
        for key, _, failure in self._rejected:
            if failure is not None:
                first.setdefault(failure, key)
        return tuple((key, trouble) for trouble, key in first.items())

    def describe(self) -> tuple[str, ...]:
        """Return a line for each plan, in the order they were tried."""
        return tuple(
            f"{describe_plan(plan) or key.property_name}: {failure or 'nothing to add'}"
            for key, plan, failure in self._rejected
        )

    def reason(self) -> str:
        """Return the reason to give up, as a clause."""
        lines = self.describe()
        return lines[0] if lines else "no policy knows what to change"


def describe_plan(plan: SkillPlan) -> str:
    """Return what a plan's skills are called, in their order."""
    return ", ".join(repr(skill) for skill in plan)
