"""Language models as agents: the Follower `llm` and the Commander `llm`.

A model reads the texts of `tatc.text_world` and answers with tool calls.  What it was asked and
what it answered are kept in the session's record, from which the session can be played again
without the model.
"""

from tatc.language_agents.answer_sources import RecordedAnswers
from tatc.language_agents.model_agents import ModelCommander, ModelFollower
from tatc.language_agents.model_play import ModelPlay, SpeechKind, ToolCalling

__all__ = [
    "ModelCommander",
    "ModelFollower",
    "ModelPlay",
    "RecordedAnswers",
    "SpeechKind",
    "ToolCalling",
]
