"""What dialogue is worth, by rules of our own: no words, words one way, and a dialogue."""

from tatc.evaluation.dialogue_worth.measured_session import DialogueCondition, SessionMeasures
from tatc.evaluation.dialogue_worth.sessions import (
    AgentPair,
    KeptMeasures,
    Trials,
    WorthRow,
    measure_sessions,
    pass_power_k,
    worth_row,
)

__all__ = [
    "AgentPair",
    "DialogueCondition",
    "KeptMeasures",
    "SessionMeasures",
    "Trials",
    "WorthRow",
    "measure_sessions",
    "pass_power_k",
    "worth_row",
]
