"""The light Follower's actions since the last utterance, as numbers.

Consecutive equal motions form a run, and each interaction is a run of its own.  Runs are
numbered as the phrases of an utterance are (see `word_encoding`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tatc.follower.learned.light.word_encoding import MAX_PHRASES, MAX_WORDS_PER_PHRASE
from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Verb

MAX_ACTIONS_PER_UTTERANCE = 64
"""The largest number of actions after one utterance, the final question included."""

ASK_VERB = Verb.TEXT
"""The action that asks for the next instruction, because this one is carried out."""
NETWORK_VERBS = (ASK_VERB, *FOLLOWER_VERBS[1:])
"""The network's actions in the order of their ids; the Commander ends sessions, so no Stop."""
START_INDEX = len(NETWORK_VERBS)
"""The id that stands for the action before the first."""

HAND_FULL_AFTER = {Verb.PICKUP: True, Verb.PLACE: False}
"""Whether the hand holds something after these verbs; other verbs leave it as it is."""

IMPOSSIBLE_VERBS: Mapping[bool | None, tuple[Verb, ...]] = {
    True: (Verb.PICKUP,),
    False: (Verb.PLACE, Verb.POUR, Verb.SLICE),
}
"""The verbs that fail while the hand holds something, and while it is empty."""

_VERB_INDEX = {verb: i for i, verb in enumerate(NETWORK_VERBS)}


@dataclass(frozen=True, slots=True)
class ActionHistory:
    """What precedes each step: the last action's id, its run's number and length so far."""

    actions: tuple[int, ...]
    runs: tuple[int, ...]
    repeats: tuple[int, ...]


def verb_indices(verbs: Sequence[Verb]) -> tuple[int, ...]:
    """Return the ids of verbs."""
    return tuple(_VERB_INDEX[verb] for verb in verbs)


def action_history(verbs: Sequence[Verb]) -> ActionHistory:
    """Return the history before each of these actions and before the next one.

    Each tuple has `len(verbs) + 1` entries; the first stands for the start.
    """
    runs, repeats = [0], [0]
    for i, verb in enumerate(verbs):
        continues = i > 0 and verbs[i - 1] is verb and verb not in INTERACTION_VERBS
        runs.append(runs[-1] if continues else runs[-1] + 1)
        repeats.append(repeats[-1] + 1 if continues else 1)
    return ActionHistory(
        (START_INDEX, *verb_indices(verbs)),
        tuple(min(run, MAX_PHRASES - 1) for run in runs),
        tuple(min(repeat, MAX_WORDS_PER_PHRASE - 1) for repeat in repeats),
    )
