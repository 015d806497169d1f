"""The Follower that goes on with a session as people did in recorded games.

Its text is the session so far.  People did not report failures, so it does not either: what failed
becomes less likely.
"""

import re
from collections.abc import Sequence
from math import inf

from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import decision, instance_memory, pointing_follower, policy
from tatc.follower.protocol import FrameSource, HistoryEvent, ViewSource
from tatc.home.actions import INTERACTION_VERBS, Role, Utterance, Verb

INTERACTION_BONUS, FAILURE_PENALTY = 1.5, 1.5
"""Added to the logit of an interaction: a needless one costs an action, and a missing one the
session; and subtracted for each time that it failed with such a thing since the last utterance."""
ASK_PENALTY = 7.0
"""Subtracted from the logit of a question: people often speak before they are done."""
MAX_EVENTS, FIRST_INSTRUCTIONS_KEPT, MAX_WORDS_PER_UTTERANCE = 12, 2, 25
"""How many latest events the text holds at most, how many of the Commander's first utterances,
however old, and how many words of one utterance."""
_WORD_PATTERN = re.compile(r"[a-z0-9]+")


class PeopleFollower(pointing_follower.PointingFollower):
    """A Follower that does what people did after the same words and actions."""

    max_actions, reports_failures = 200, False

    def __init__(self, model: policy.PointingModel, mode: InputMode = InputMode.FULL) -> None:
        """Make a Follower of a model that `is_of_people`."""
        super().__init__(model, mode)
        self._policy.bias = self._bias

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        super().begin()
        self._history = History(self.memory)

    def begin_after(
        self, events: Sequence[HistoryEvent], frames: FrameSource, views: ViewSource
    ) -> None:
        """Begin after these events, the oldest first, and remember what was seen."""
        self.begin()
        shown = iter(views())
        for event in events:
            if isinstance(event, Utterance):
                self._hear(event)
                continue
            self.memory.see(next(shown))
            if event.verb in decision.VERB_IDS:
                self.memory.take_past(event.verb, event.object_type or "", event.click)

    def read(self, text: str) -> None:
        """Go on after the Commander's words."""
        self._hear(Utterance(Role.COMMANDER, text, 0.0))

    def _hear(self, said: Utterance) -> None:
        self._policy.read(self._history.hear(said))
        self._has_instruction |= said.speaker is Role.COMMANDER

    def _bias(self, instance: instance_memory.Instance | None) -> dict[Verb, float]:
        """Return what is given of each verb's worth for what is pointed at."""
        kind, done = "" if instance is None else instance.object_type, self.memory.done
        failed = [each.verb for each in done if each.object_type == kind and not each.success]
        cost = FAILURE_PENALTY
        worth = {v: INTERACTION_BONUS - cost * failed.count(v) for v in INTERACTION_VERBS}
        return {**worth, Verb.TEXT: -ASK_PENALTY if self._history.has_acted else -inf}


class History:
    """What was said and done in a session, beside what its memory holds."""

    def __init__(self, memory: decision.SessionMemory) -> None:
        """Start a session."""
        self._memory = memory
        self._events: list[Utterance | decision.Done] = []

    @property
    def has_acted(self) -> bool:
        """Whether an interaction succeeded since the last utterance."""
        return any(each.success and each.object_type for each in self._memory.done)

    def hear(self, said: Utterance) -> str:
        """Begin to carry out the session so far, which ends with these words; return it as text.

        First comes what the hand holds, then a phrase for each event but motions, the newest first,
        so that a phrase's number says how long ago it was.  Spelling is lower-case letters and
        digits.
        """
        done = (each for each in self._memory.done if each.success and each.object_type)
        self._events += [*done, said]
        early = [e for e in self._events[:-MAX_EVENTS] if isinstance(e, Utterance)]
        first = [each for each in early if each.speaker is Role.COMMANDER]
        phrases = [f"holding {self._memory.held_type or 'nothing'}"]
        for event in reversed([*first[:FIRST_INSTRUCTIONS_KEPT], *self._events[-MAX_EVENTS:]]):
            if isinstance(event, Utterance):
                words = _WORD_PATTERN.findall(event.text.lower().replace("'", ""))
                who = "told" if event.speaker is Role.COMMANDER else "said"
                phrases.append(" ".join((who, *words[:MAX_WORDS_PER_UTTERANCE])))
            else:
                phrases.append(f"did {event.verb} {event.object_type}".lower())
        text = ", ".join(phrases)
        self._memory.begin_utterance(text)
        return text
