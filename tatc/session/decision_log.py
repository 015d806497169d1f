"""A Commander's decisions in the form that records keep them."""

from dataclasses import fields

from tatc.commander import Decision
from tatc.session.records.record import RecordedDecision


def recorded_decision(step: int, decision: Decision) -> RecordedDecision:
    """Return a decision with the step of the session at which it was spoken."""
    values = {field.name: getattr(decision, field.name) for field in fields(decision)}
    if key := decision.problem_key:
        values["problem_key"] = (key.object_id, key.object_type, key.property_name, key.desired)
    return RecordedDecision(step=step, **values)
