"""Where a session is cut into EDH instances.

TEACh's own cutter was never released (spec section 4.4, inferred from the paper's
section 4.1).  The rule here: every utterance of either agent opens an instance, which
ends with the next utterance or with the session; it is kept where the Follower
interacts with an object in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.actions import INTERACTIONS, MOTIONS, Role, Verb
from tatc.records import Interaction

SPOKEN = (Verb.TEXT, Verb.SPEECH)
"""The verbs that say something."""

_IN_THE_WORLD = frozenset((*MOTIONS, *INTERACTIONS, Verb.NAVIGATION))


@dataclass(frozen=True, slots=True)
class Segment:
    """An instance's place in a session: it predicts interactions `start` to `stop`.

    `number` counts the utterances, so that numbers have gaps where nothing was kept.
    """

    number: int
    start: int
    stop: int


def segments_of(done: Sequence[Interaction]) -> tuple[Segment, ...]:
    """Return the instances of a session, in order."""
    said = [i for i, each in enumerate(done) if each.verb in SPOKEN]
    ends = [*said[1:], len(done)]
    cut = (
        Segment(number, start + 1, stop)
        for number, (start, stop) in enumerate(zip(said, ends, strict=True))
    )
    return tuple(each for each in cut if any(_interacts(done, each)))


def _interacts(done: Sequence[Interaction], segment: Segment) -> list[bool]:
    within = done[segment.start : segment.stop]
    return [in_the_world(each) and each.verb in INTERACTIONS for each in within]


def in_the_world(done: Interaction) -> bool:
    """Whether it is an action of the Follower's in the world, and succeeded.

    Navigation counts, as it is a word of the vocabulary that TEACh's baseline made of
    its instances (spec section 7.1), though it moves nobody.
    """
    return (
        done.role is Role.FOLLOWER and done.verb in _IN_THE_WORLD and bool(done.success)
    )
