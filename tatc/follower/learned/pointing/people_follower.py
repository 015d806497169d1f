"""The Follower that goes on with a session as people did in recorded games.

Its text is the session so far.  People did not report failures, so it does not either: it only
avoids what failed.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import inf

from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import policy
from tatc.follower.learned.pointing.decision import VERB_IDS
from tatc.follower.learned.pointing.instance_memory import Instance
from tatc.follower.learned.pointing.pointing_follower import PointingFollower
from tatc.follower.protocol import FrameSource, HistoryEvent, PastAction, ViewSource
from tatc.home.actions import INTERACTION_VERBS, Action, Role, Utterance, Verb
from tatc.home.observation import Observation
from tatc.language import GiveUp, InstructionRequest, TaskDone, hear

MAX_ACTIONS = 100
"""The number of actions since the last utterance after which it gives up and asks."""
INTERACTION_BONUS = 1.5
"""Added to the logit of an interaction: a needless one costs an action, and a missing one
the session."""
FAILURE_PENALTY, MAX_FAILURES = 1.5, 3
"""Subtracted from the logit of an interaction for each time that it failed with an object of this
type since the last utterance, and after how many it is ruled out."""
ASK_PENALTY = 5.0
"""Subtracted from the logit of a question: people often speak before they are done."""
MAX_EVENTS, FIRST_INSTRUCTIONS_KEPT, MAX_WORDS_PER_UTTERANCE = 12, 2, 25
"""How many latest events the text holds at most, how many of the Commander's first utterances,
however old, and how many words of one utterance."""
_NOTHING = PastAction(Verb.STOP)
_WORD_PATTERN = re.compile(r"[a-z0-9]+")


class PeopleFollower(PointingFollower):
    """A Follower that does what people did after the same words and actions."""

    def __init__(self, model: policy.PointingModel, mode: InputMode = InputMode.FULL) -> None:
        """Make a Follower of a model that people's games taught (`verb_object_pairs`)."""
        self._pairs = frozenset(model.verb_object_pairs)
        super().__init__(model, mode)

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        super().begin()
        self._events: list[HistoryEvent] = []
        self._last = _NOTHING
        self._has_acted = False  # whether an interaction succeeded since the last utterance
        self._failures = Counter[tuple[Verb, str | None]]()

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
            if event.verb in VERB_IDS:
                self.memory.take_past(event.verb, event.object_type or "", event.click)
                self._note(event)

    def act(self, observation: Observation) -> Action:
        """Return the next action, or a question when it is done or gives up."""
        if observation.last_result is not None:
            self.memory.note_result(observation.last_result.success)
            self.memory.failed = False  # which people's games never show
            if observation.last_result.success:
                self._note(self._last)
            else:
                self._failures[self._last.verb, self._last.object_type] += 1
            self._last = _NOTHING
        told = [u.text for u in observation.utterances if u.speaker is Role.COMMANDER]
        if any(isinstance(hear(text), TaskDone | GiveUp) for text in told):
            return Action(Verb.STOP)
        for each in observation.utterances:
            self._hear(each)
        view = observation.percepts() if observation.percepts is not None else None
        if view is None or not self._has_instruction or len(self.memory.done) >= MAX_ACTIONS:
            return self.say(InstructionRequest())
        choice = self._policy.decide(self.memory, self.memory.look(view), self._bias)
        if choice.verb is Verb.TEXT:
            return self.say(InstructionRequest())
        self.memory.act(choice.verb, choice.instance, choice.click)
        kind = None if choice.instance is None else choice.instance.object_type
        self._last = PastAction(choice.verb, kind)
        return Action(choice.verb, choice.click)

    def _hear(self, said: Utterance) -> None:
        self._events.append(said)
        self._has_instruction |= said.speaker is Role.COMMANDER
        self._has_acted = False
        self._failures.clear()
        text = history_text(self._events, self.memory.held_type)
        self._policy.read(text)
        self.memory.begin_utterance(text)

    def _note(self, done: PastAction) -> None:
        if done.verb in INTERACTION_VERBS:
            self._events.append(done)
            self._has_acted = True

    def _bias(self, instance: Instance | None) -> dict[Verb, float]:
        """Return what is given of each verb's worth: what people never did is ruled out."""
        kind = None if instance is None else instance.object_type
        found = dict.fromkeys(INTERACTION_VERBS, -inf)
        for verb in INTERACTION_VERBS:
            failed = self._failures[verb, kind]
            if (verb.value, kind) in self._pairs and failed < MAX_FAILURES:
                found[verb] = INTERACTION_BONUS - FAILURE_PENALTY * failed
        return {**found, Verb.TEXT: -ASK_PENALTY if self._has_acted else -inf}


def history_text(events: Sequence[HistoryEvent], held_type: str | None) -> str:
    """Return a history (oldest event first) as text.

    First comes what the hand holds, then a phrase for each event but motions, the newest first, so
    that a phrase's number says how long ago it was.  Spelling is lower-case letters and digits.
    """
    early = (event for event in events[:-MAX_EVENTS] if isinstance(event, Utterance))
    first = [event for event in early if event.speaker is Role.COMMANDER]
    phrases = [f"holding {held_type or 'nothing'}"]
    for event in reversed([*first[:FIRST_INSTRUCTIONS_KEPT], *events[-MAX_EVENTS:]]):
        if isinstance(event, Utterance):
            words = _WORD_PATTERN.findall(event.text.lower().replace("'", ""))
            who = "told" if event.speaker is Role.COMMANDER else "said"
            phrases.append(" ".join((who, *words[:MAX_WORDS_PER_UTTERANCE])))
        else:
            phrases.append(f"did {event.verb} {event.object_type}".lower())
    return ", ".join(phrases)
