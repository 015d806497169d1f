"""Understands what people say: from the utterances of a dialogue to a goal.

    understood = understand(utterances)
    if understood.goal is not None:
        progress = understood.goal.task.check(snapshot)

Words are read by a lexicon and a grammar written by hand (`lexicon.json`), offline, the same for
the same words.  Nothing here knows a simulator, a record or a room.
"""

from tatc.language.understanding.goal_edits import further_task
from tatc.language.understanding.goals import Evidence, Goal, GoalContent, PlaceHint, Understanding
from tatc.language.understanding.understand import understand

__all__ = ["Evidence", "Goal", "GoalContent", "PlaceHint", "Understanding", "further_task"]
__all__ += ["understand"]
