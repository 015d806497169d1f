"""What a recalling Follower knows of a session: words and deeds, as one text.

The newest comes first, one phrase each, so that a phrase's number says how long ago it
was: what the hand holds, then what was said, by whom, and what was done to what.
Motions are left out.  People's spelling is evened: small letters and digits alone.
"""

import re
from collections.abc import Iterator, Sequence

from tatc.actions import INTERACTIONS, Role, Utterance
from tatc.follower.et.light.history import HAND
from tatc.follower.protocol import Deed, Event

MOST_EVENTS = 12
"""Things said and done that are recalled, at most."""
FIRST_ORDERS = 2
"""Of the Commander's words, those that are recalled however long ago they were."""
MOST_SAID = 25
"""Words of one utterance that are recalled, at most."""

NOTHING = "nothing"
"""What an empty hand holds."""

_WORD = re.compile(r"[a-z0-9]+")


def recalled(events: Sequence[Event], *, hears: bool = True) -> str:
    """Return what is known after these events, the oldest first.

    One that does not hear knows who spoke, and not what was said.
    """
    known = [event for event in events if not _is_motion(event)]
    return ", ".join([f"holding {held(known)}", *_told(known, hears)])


def held(events: Sequence[Event]) -> str:
    """Return the type of what the hand holds after these events, or "nothing"."""
    for event in reversed(events):
        if isinstance(event, Deed) and event.verb in HAND:
            return event.noun or NOTHING if HAND[event.verb] else NOTHING
    return NOTHING


def _told(events: Sequence[Event], hears: bool) -> Iterator[str]:
    first = [event for event in events[:-MOST_EVENTS] if _is_order(event)]
    for event in reversed([*first[:FIRST_ORDERS], *events[-MOST_EVENTS:]]):
        if isinstance(event, Utterance):
            text = event.text.lower().replace("'", "") if hears else ""
            words = _WORD.findall(text)[:MOST_SAID]
            who = "told" if event.speaker is Role.COMMANDER else "said"
            yield " ".join((who, *words))
        else:
            yield f"did {event.verb} {event.noun}".lower()


def _is_motion(event: Event) -> bool:
    return isinstance(event, Deed) and event.verb not in INTERACTIONS


def _is_order(event: Event) -> bool:
    return isinstance(event, Utterance) and event.speaker is Role.COMMANDER
