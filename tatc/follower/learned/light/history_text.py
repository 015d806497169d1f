"""The history of a session as one text, which `HistoryFollower` reads.

First comes what the hand holds, then one phrase for each event, the newest first, so that
a phrase's number says how long ago it was: who said what, or what was done to what type.
Motions are left out.  People's spelling is normalised to lower-case letters and digits.
"""

import re
from collections.abc import Iterator, Sequence

from tatc.follower.learned.light.network_inputs import HAND_FULL_AFTER
from tatc.follower.protocol import HistoryEvent, PastAction
from tatc.home.actions import INTERACTION_VERBS, Role, Utterance

MAX_EVENTS = 12
"""The number of latest events that the text holds, at most."""
FIRST_INSTRUCTIONS_KEPT = 2
"""The number of the Commander's first utterances that the text holds, however old."""
MAX_WORDS_PER_UTTERANCE = 25
"""The number of words of one utterance that the text holds, at most."""
EMPTY_HAND = "nothing"
"""The word for an empty hand, in place of the held object's type."""
_WORD_PATTERN = re.compile(r"[a-z0-9]+")


def history_text(events: Sequence[HistoryEvent], *, include_words: bool = True) -> str:
    """Return a history (oldest event first) as text; without `include_words`, only who spoke."""
    known = [e for e in events if isinstance(e, Utterance) or e.verb in INTERACTION_VERBS]
    return ", ".join([f"holding {held_type(known)}", *_event_phrases(known, include_words)])


def held_type(events: Sequence[HistoryEvent]) -> str:
    """Return the type of the object in the hand after these events, or `EMPTY_HAND`."""
    for event in reversed(events):
        if isinstance(event, PastAction) and event.verb in HAND_FULL_AFTER:
            return event.object_type or EMPTY_HAND if HAND_FULL_AFTER[event.verb] else EMPTY_HAND
    return EMPTY_HAND


def _event_phrases(events: Sequence[HistoryEvent], include_words: bool) -> Iterator[str]:
    early = (event for event in events[:-MAX_EVENTS] if isinstance(event, Utterance))
    first = [event for event in early if event.speaker is Role.COMMANDER]
    for event in reversed([*first[:FIRST_INSTRUCTIONS_KEPT], *events[-MAX_EVENTS:]]):
        if isinstance(event, Utterance):
            text = event.text.lower().replace("'", "") if include_words else ""
            words = _WORD_PATTERN.findall(text)[:MAX_WORDS_PER_UTTERANCE]
            who = "told" if event.speaker is Role.COMMANDER else "said"
            yield " ".join((who, *words))
        else:
            yield f"did {event.verb} {event.object_type}".lower()
