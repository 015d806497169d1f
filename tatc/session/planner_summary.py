"""Who planned a session: how many stretches policies and the PDDL fallback gave."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tatc.commander.decision import PDDL_POLICY
from tatc.session.records.record import RecordedDecision


@dataclass(frozen=True, slots=True)
class PlannerSummary:
    """Stretches by who planned them, and where PDDL first took the place of policies.

    `first_fallback_step` is the index of that interaction, None where PDDL never did so,
    and `first_fallback_reason` says why in plain English.
    """

    policy_stretches: int
    pddl_stretches: int
    first_fallback_step: int | None
    first_fallback_reason: str

    @staticmethod
    def of(decisions: Sequence[RecordedDecision]) -> "PlannerSummary":
        """Return the summary of a session's decisions."""
        planned = [each.policy == PDDL_POLICY for each in decisions if each.policy]
        first = next((each for each in decisions if each.fallback_reason), None)
        return PlannerSummary(
            policy_stretches=planned.count(False),
            pddl_stretches=planned.count(True),
            first_fallback_step=None if first is None else first.step,
            first_fallback_reason="" if first is None else first.fallback_reason,
        )

    def __str__(self) -> str:
        """Read as "policies: 3 stretches, PDDL: 9 (first at step 4: why)"."""
        unit = "stretch" if self.policy_stretches == 1 else "stretches"
        line = f"policies: {self.policy_stretches} {unit}, PDDL: {self.pddl_stretches}"
        if self.first_fallback_step is None:
            return line
        return f"{line} (first at step {self.first_fallback_step}: {self.first_fallback_reason})"

    def to_json(self) -> dict[str, object]:
        """Return the summary as JSON."""
        return asdict(self)
