"""What dialogue is worth: the same sessions with no words, words one way, and a dialogue.

`conditions` says what each agent hears, `stated_facts` what an utterance states, `measured_session`
counts in one session, `sessions` runs many and keeps their counts, and `worth_table` puts those
together.  The measures are tatc's own, by the rules stated there.
"""

from tatc.evaluation.dialogue_worth.conditions import DialogueCondition
from tatc.evaluation.dialogue_worth.measured_session import SessionMeasures
from tatc.evaluation.dialogue_worth.sessions import (
    AgentPair,
    KeptMeasures,
    Trials,
    measure_sessions,
)
from tatc.evaluation.dialogue_worth.worth_table import WorthRow, pass_power_k, worth_row

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
