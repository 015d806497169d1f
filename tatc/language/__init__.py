"""Say and hear: every wording that the agents exchange, and nothing else.

The language is closed: `hear(say(m)) == m` for every meaning, and what is not in it is
refused.  One utterance of the Commander's carries one stretch, at one of three grains:

- `actions`, the paper's own (appendix D): "Forward TurnRight Pickup Mug at 0.57 0.25";
- `steps`, which leaves the click to be seen: "turn right, pick up the mug on the desk";
- `goal_wording`, which leaves the way to be found too: "wash the mug".

`meanings` says what can be meant, `action_wording`, `step_wording` and `goal_wording` word the
three
grains, `object_names` the names of types, and `speech` joins them.
"""

from tatc.language.goal_wording import GoalStretch, GoalVerb, SpokenGoal
from tatc.language.meanings import (
    CannotSee,
    FailureReport,
    GiveUp,
    InstructionRequest,
    NotUnderstood,
    PrimitiveStep,
    Stretch,
    TaskDone,
    Wording,
    round_click,
)
from tatc.language.speech import Meaning, hear, say
from tatc.language.step_wording import (
    InteractionPhrase,
    MotionPhrase,
    PhraseStretch,
    ViewRegion,
    merge_motions,
    view_region_of,
)

__all__ = [
    "CannotSee",
    "FailureReport",
    "GiveUp",
    "GoalStretch",
    "GoalVerb",
    "InstructionRequest",
    "InteractionPhrase",
    "Meaning",
    "MotionPhrase",
    "NotUnderstood",
    "PhraseStretch",
    "PrimitiveStep",
    "SpokenGoal",
    "Stretch",
    "TaskDone",
    "ViewRegion",
    "Wording",
    "hear",
    "merge_motions",
    "round_click",
    "say",
    "view_region_of",
]
