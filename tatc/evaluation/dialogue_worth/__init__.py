"""What dialogue is worth: the same sessions with no words, words one way, and a dialogue.

`measured_session` says what each agent hears and what an utterance states, and counts in one
session; `sessions` runs many, keeps their counts and adds them up.  The measures are tatc's own, by
the rules stated there.
"""

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
