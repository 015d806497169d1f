"""The language of the agents: everything that they can say to each other.

It is closed: `hear(say(m)) == m` for every meaning, and `hear` refuses all other text.  One
utterance of the Commander contains one stretch, in one of four wordings:

- `actions`, the paper's own (appendix D): "Forward TurnRight Pickup Mug at 0.57 0.25";
- `steps`, where the Follower finds the click itself: "turn right, pick up the mug on the desk";
- `bearings`, steps in which what has others like it in view is told apart by its direction: "open
  the lower left cabinet (40 degrees left)";
- `goals`, where the Follower finds the path as well: "wash the mug".
"""

from tatc.language.goal_wording import GoalStretch, GoalVerb, SpokenGoal
from tatc.language.meanings import (
    CannotSee,
    GiveUp,
    InstructionRequest,
    NotUnderstood,
    Stretch,
    TaskDone,
    Wording,
)
from tatc.language.speech import Meaning, asks_which, hear, say
from tatc.language.step_wording import (
    InteractionPhrase,
    MotionPhrase,
    PhraseStretch,
    ViewRegion,
    merge_motions,
    view_region_of,
)

__all__ = ["CannotSee", "GiveUp", "GoalStretch", "GoalVerb", "InstructionRequest"]
__all__ += ["InteractionPhrase", "Meaning", "MotionPhrase", "NotUnderstood", "PhraseStretch"]
__all__ += ["SpokenGoal", "Stretch", "TaskDone", "ViewRegion", "Wording", "asks_which", "hear"]
__all__ += ["merge_motions", "say", "view_region_of"]
