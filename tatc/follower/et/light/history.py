"""What the light Follower has done since it was spoken to, as numbers.

Runs of equal motions are numbered as the phrases of an utterance are (see `words`);
each interaction is a run of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tatc.actions import FOLLOWER_VERBS, INTERACTIONS, Verb
from tatc.follower.et.light.words import MOST_IN_PHRASE, MOST_PHRASES

MOST_ACTIONS = 64
"""Actions after one utterance, the last of them a question."""

ASK = Verb.TEXT
"""The action of a Follower that has done what it was told."""
VERBS = (ASK, *FOLLOWER_VERBS[1:])
"""What it may do; Stop is not among them: the Commander says when all is done."""
START = len(VERBS)
"""Stands for the action before the first."""

HAND = {Verb.PICKUP: True, Verb.PLACE: False}
"""What the hand holds something after, and what it is empty after."""

IMPOSSIBLE: Mapping[bool | None, tuple[Verb, ...]] = {
    True: (Verb.PICKUP,),
    False: (Verb.PLACE, Verb.POUR, Verb.SLICE),
}
"""What a full hand cannot do, and an empty one."""

_NUMBER = {verb: i for i, verb in enumerate(VERBS)}


@dataclass(frozen=True, slots=True)
class Past:
    """The past before each action: the last one, its run, and how long that is."""

    actions: tuple[int, ...]
    runs: tuple[int, ...]
    repeats: tuple[int, ...]


def numbers(verbs: Sequence[Verb]) -> tuple[int, ...]:
    """Return the numbers of verbs."""
    return tuple(_NUMBER[verb] for verb in verbs)


def past(verbs: Sequence[Verb]) -> Past:
    """Return the past before each of these actions, and before the one after them."""
    runs, repeats = [0], [0]
    for i, verb in enumerate(verbs):
        goes_on = i > 0 and verbs[i - 1] is verb and verb not in INTERACTIONS
        runs.append(runs[-1] if goes_on else runs[-1] + 1)
        repeats.append(repeats[-1] + 1 if goes_on else 1)
    return Past(
        (START, *numbers(verbs)),
        tuple(min(run, MOST_PHRASES - 1) for run in runs),
        tuple(min(repeat, MOST_IN_PHRASE - 1) for repeat in repeats),
    )
