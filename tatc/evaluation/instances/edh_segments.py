"""Where a session is cut into EDH instances.

TEACh's own cutter was never released (spec section 4.4, inferred from the paper's
section 4.1).  The rule here: every utterance of either agent opens an instance, which
ends with the next utterance or with the session; it is kept where the Follower
interacts with an object in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Role, Verb
from tatc.session.records import Interaction

SPEECH_VERBS = (Verb.TEXT, Verb.SPEECH)
"""The verbs that say something."""

_WORLD_VERBS = frozenset((*MOTION_VERBS, *INTERACTION_VERBS, Verb.NAVIGATION))


@dataclass(frozen=True, slots=True)
class EdhSegment:
    """The place of an instance in a session: it predicts the interactions from `start` to `stop`.

    `number` counts the utterances, so that there are gaps where no instance was kept.
    """

    number: int
    start: int
    stop: int


def cut_into_segments(done: Sequence[Interaction]) -> tuple[EdhSegment, ...]:
    """Return the instances of a session, in order."""
    said = [i for i, each in enumerate(done) if each.verb in SPEECH_VERBS]
    ends = [*said[1:], len(done)]
    return tuple(
        EdhSegment(number, start + 1, stop)
        for number, (start, stop) in enumerate(zip(said, ends, strict=True))
        if any(map(_is_world_interaction, done[start + 1 : stop]))
    )


def _is_world_interaction(done: Interaction) -> bool:
    return is_world_action(done) and done.verb in INTERACTION_VERBS


def is_world_action(done: Interaction) -> bool:
    """Return whether this is an action of the Follower in the world that succeeded.

    Navigation counts although it moves nobody: it is a word of the vocabulary that TEACh's baseline
    takes from its instances (spec section 7.1).
    """
    return done.role is Role.FOLLOWER and done.verb in _WORLD_VERBS and bool(done.success)
