"""The language of the agents: everything that they can say to each other.

It is closed: `hear(say(m)) == m` for every meaning, and `hear` refuses all other text.  One
utterance of the Commander contains one stretch, in one of three wordings:

- `actions`, the paper's own (appendix D): "Forward TurnRight Pickup Mug at 0.57 0.25";
- `steps`, where the Follower finds the click itself: "turn right, pick up the mug on the desk";
- `goals`, where the Follower finds the path as well: "wash the mug".
"""

from tatc.language.goal_wording import (
    GoalStretch as GoalStretch,
    GoalVerb as GoalVerb,
    SpokenGoal as SpokenGoal,
)
from tatc.language.meanings import (
    CannotSee as CannotSee,
    GiveUp as GiveUp,
    InstructionRequest as InstructionRequest,
    NotUnderstood as NotUnderstood,
    Stretch as Stretch,
    TaskDone as TaskDone,
    Wording as Wording,
)
from tatc.language.speech import Meaning as Meaning, hear as hear, say as say
from tatc.language.step_wording import (
    InteractionPhrase as InteractionPhrase,
    MotionPhrase as MotionPhrase,
    PhraseStretch as PhraseStretch,
    ViewRegion as ViewRegion,
    merge_motions as merge_motions,
    view_region_of as view_region_of,
)
