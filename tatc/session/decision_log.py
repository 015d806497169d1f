"""A Commander's decisions in the form that records keep them."""

from tatc.commander import Decision
from tatc.records.record import RecordedDecision


def recorded_decision(step: int, decision: Decision) -> RecordedDecision:
    """Return a decision with the step of the session at which it was spoken."""
    key = decision.problem_key
    return RecordedDecision(
        step=step,
        utterance=decision.utterance,
        problem_key=None
        if key is None
        else (key.object_id, key.object_type, key.property_name, key.desired),
        policy=decision.policy,
        skill=decision.skill,
        reason=decision.reason,
        alternatives=decision.alternatives,
        cost=decision.cost,
        fallback_reason=decision.fallback_reason,
    )
