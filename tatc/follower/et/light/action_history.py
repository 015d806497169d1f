"""What the light Follower has done since it was spoken to, as numbers.

Runs of equal motions are numbered as the phrases of an utterance are (see `word_encoding`);
each interaction is a run of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tatc.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Verb
from tatc.follower.et.light.word_encoding import MAX_PHRASES, MAX_WORDS_PER_PHRASE

MAX_ACTIONS_PER_UTTERANCE = 64
"""Actions after one utterance, the last of them a question."""

ASK_VERB = Verb.TEXT
"""The action of a Follower that has done what it was told."""
NETWORK_VERBS = (ASK_VERB, *FOLLOWER_VERBS[1:])
"""What it may do; Stop is not among them: the Commander says when all is done."""
START_INDEX = len(NETWORK_VERBS)
"""Stands for the action before the first."""

HAND_FULL_AFTER = {Verb.PICKUP: True, Verb.PLACE: False}
"""What the hand holds something after, and what it is empty after."""

IMPOSSIBLE_VERBS: Mapping[bool | None, tuple[Verb, ...]] = {
    True: (Verb.PICKUP,),
    False: (Verb.PLACE, Verb.POUR, Verb.SLICE),
}
"""What a full hand cannot do, and an empty one."""

_VERB_INDEX = {verb: i for i, verb in enumerate(NETWORK_VERBS)}


@dataclass(frozen=True, slots=True)
class ActionHistory:
    """The past before each action: the last one, its run, and how long that is."""

    actions: tuple[int, ...]
    runs: tuple[int, ...]
    repeats: tuple[int, ...]


def verb_indices(verbs: Sequence[Verb]) -> tuple[int, ...]:
    """Return the numbers of verbs."""
    return tuple(_VERB_INDEX[verb] for verb in verbs)


def action_history(verbs: Sequence[Verb]) -> ActionHistory:
    """Return the past before each of these actions, and before the one after them."""
    runs, repeats = [0], [0]
    for i, verb in enumerate(verbs):
        goes_on = i > 0 and verbs[i - 1] is verb and verb not in INTERACTION_VERBS
        runs.append(runs[-1] if goes_on else runs[-1] + 1)
        repeats.append(repeats[-1] + 1 if goes_on else 1)
    return ActionHistory(
        (START_INDEX, *verb_indices(verbs)),
        tuple(min(run, MAX_PHRASES - 1) for run in runs),
        tuple(min(repeat, MAX_WORDS_PER_PHRASE - 1) for repeat in repeats),
    )
