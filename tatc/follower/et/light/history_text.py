"""What a recalling Follower knows of a session: words and deeds, as one text.

The newest comes first, one phrase each, so that a phrase's number says how long ago it
was: what the hand holds, then what was said, by whom, and what was done to what.
Motions are left out.  People's spelling is evened: small letters and digits alone.
"""

import re
from collections.abc import Iterator, Sequence

from tatc.actions import INTERACTION_VERBS, Role, Utterance
from tatc.follower.et.light.action_history import HAND_FULL_AFTER
from tatc.follower.protocol import HistoryEvent, PastAction

MAX_EVENTS = 12
"""Things said and done that are recalled, at most."""
FIRST_INSTRUCTIONS_KEPT = 2
"""Of the Commander's words, those that are recalled however long ago they were."""
MAX_WORDS_PER_UTTERANCE = 25
"""Words of one utterance that are recalled, at most."""

EMPTY_HAND = "nothing"
"""What an empty hand holds."""

_WORD_PATTERN = re.compile(r"[a-z0-9]+")


def history_text(events: Sequence[HistoryEvent], *, include_words: bool = True) -> str:
    """Return what is known after these events, the oldest first.

    One that does not hear knows who spoke, and not what was said.
    """
    known = [event for event in events if not _is_motion(event)]
    return ", ".join([f"holding {held_type(known)}", *_event_phrases(known, include_words)])


def held_type(events: Sequence[HistoryEvent]) -> str:
    """Return the type of what the hand holds after these events, or "nothing"."""
    for event in reversed(events):
        if isinstance(event, PastAction) and event.verb in HAND_FULL_AFTER:
            return event.object_type or EMPTY_HAND if HAND_FULL_AFTER[event.verb] else EMPTY_HAND
    return EMPTY_HAND


def _event_phrases(events: Sequence[HistoryEvent], include_words: bool) -> Iterator[str]:
    first = [event for event in events[:-MAX_EVENTS] if _is_instruction(event)]
    for event in reversed([*first[:FIRST_INSTRUCTIONS_KEPT], *events[-MAX_EVENTS:]]):
        if isinstance(event, Utterance):
            text = event.text.lower().replace("'", "") if include_words else ""
            words = _WORD_PATTERN.findall(text)[:MAX_WORDS_PER_UTTERANCE]
            who = "told" if event.speaker is Role.COMMANDER else "said"
            yield " ".join((who, *words))
        else:
            yield f"did {event.verb} {event.object_type}".lower()


def _is_motion(event: HistoryEvent) -> bool:
    return isinstance(event, PastAction) and event.verb not in INTERACTION_VERBS


def _is_instruction(event: HistoryEvent) -> bool:
    return isinstance(event, Utterance) and event.speaker is Role.COMMANDER
