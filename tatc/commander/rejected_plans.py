"""The plans that were tried for one utterance and rejected, with their failures."""

from tatc.commander.decision import PDDL_POLICY
from tatc.commander.plan_builder import FailureReason, PlanFailure, SkillPlan
from tatc.commander.refusal_memory import RefusalMemory
from tatc.home.short_names import ShortNames
from tatc.language.skill_wording import explain
from tatc.tdl import ProblemKey

_TIMES = {1: "once", 2: "twice"}
_NO_POLICY = "no policy knows what to change"


class RejectedPlans:
    """The plans that could not be built for one utterance, and why."""

    def __init__(self) -> None:
        """Start without rejected plans."""
        self._rejected: list[tuple[ProblemKey, SkillPlan, PlanFailure | None]] = []

    def add(self, key: ProblemKey, plan: SkillPlan, failure: PlanFailure | None) -> None:
        """Add a plan for a key and its failure (None: it has no step left to do)."""
        self._rejected.append((key, plan, failure))

    def failures(self) -> tuple[tuple[ProblemKey, PlanFailure], ...]:
        """Return each distinct failure with the first key that met it."""
        first: dict[PlanFailure, ProblemKey] = {}
        for key, _, failure in self._rejected:
            if failure is not None:
                first.setdefault(failure, key)
        return tuple((key, failure) for failure, key in first.items())

    def describe(self) -> tuple[str, ...]:
        """Return a line for each plan, in the order of trying."""
        return tuple(
            f"{describe_plan(plan) or key.property_name}: {failure or 'nothing to add'}"
            for key, plan, failure in self._rejected
        )

    def reason(self) -> str:
        """Return the reason to give up, as a clause that names skills as code does."""
        lines = self.describe()
        return lines[0] if lines else _NO_POLICY

    def explain(
        self, keys: tuple[ProblemKey, ...], names: ShortNames, memory: RefusalMemory
    ) -> str:
        """Return in plain English why none of the problem keys could be planned for."""
        if not self._rejected:
            if not keys:
                return "nothing is named that policies could change"
            name = names.name_of(keys[0].object_id)
            return f"the policy of {keys[0].property_name} has no plan for {name}"
        key, plan, failure = self._rejected[0]
        what = describe_plan(plan) or _describe_key(key)
        return explain(names, f"{what}: {_describe_failure(failure, memory)}")


def _describe_key(key: ProblemKey) -> str:
    if key.property_name == PDDL_POLICY:
        return "plan the rest"
    return f"change {key.property_name} of {key.object_id or 'an object'}"


def _describe_failure(failure: PlanFailure | None, memory: RefusalMemory) -> str:
    if failure is None:
        return "nothing is left to do for it"
    why = str(failure.reason)
    if failure.reason is FailureReason.REFUSED:
        count = memory.count_refusals_on(failure.object_id)
        why = f"refused {_TIMES.get(count, f'{count} times')}" if count else why
    return f"{why} ({failure.object_id})" if failure.object_id else why


def describe_plan(plan: SkillPlan) -> str:
    """Return a plan's skills as text, in order."""
    return ", ".join(repr(skill) for skill in plan)
