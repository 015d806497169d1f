"""Say and hear: every wording that the agents exchange, and nothing else.

The language is closed: `hear(say(m)) == m` for every meaning, and what is not in it is
refused.  One utterance of the Commander's carries one stretch, at one of three grains:

- `actions`, the paper's own (appendix D): "Forward TurnRight Pickup Mug at 0.57 0.25";
- `steps`, which leaves the click to be seen: "turn right, pick up the mug on the desk";
- `goals`, which leaves the way to be found too: "wash the mug".

`meanings` says what can be meant, `primitives`, `phrases` and `goals` word the three
grains, `nouns` the names of types, and `speech` joins them.
"""

from tatc.language.goals import Aim, Aims, AimVerb
from tatc.language.meanings import (
    Done,
    GiveUp,
    Question,
    Refusal,
    Report,
    Step,
    Stretch,
    Unseen,
    Wording,
    spoken_click,
)
from tatc.language.phrases import Deed, Side, Told, Walk, side_of, walks
from tatc.language.speech import Meaning, hear, say

__all__ = [
    "Aim",
    "AimVerb",
    "Aims",
    "Deed",
    "Done",
    "GiveUp",
    "Meaning",
    "Question",
    "Refusal",
    "Report",
    "Side",
    "Step",
    "Stretch",
    "Told",
    "Unseen",
    "Walk",
    "Wording",
    "hear",
    "say",
    "side_of",
    "spoken_click",
    "walks",
]
