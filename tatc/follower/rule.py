"""The rule Follower: hears the closed language and does what it says, step by step.

Paper, appendix D: it keeps a queue of primitives, does one a turn, and asks when the
queue is empty.  When a step fails it drops the rest and reports; it refuses in words
what it cannot parse.
"""

from collections import deque

from tatc.actions import Action, Observation, Role, Verb
from tatc.language import (
    Done,
    GiveUp,
    Meaning,
    Question,
    Refusal,
    Report,
    Step,
    Stretch,
    hear,
    say,
)


class RuleFollower:
    """A Follower that parses what it hears and does exactly that."""

    def __init__(self) -> None:
        """Start with nothing to do."""
        self._queue: deque[Step] = deque()
        self._doing: Step | None = None

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._queue.clear()
        self._doing = None

    def act(self, seen: Observation) -> Action:
        """Return the next queued primitive, or what there is to say."""
        done, self._doing = self._doing, None
        if done is not None and seen.last is not None and not seen.last.success:
            self._queue.clear()
            why = seen.last.message or seen.last.hint or "it did not work"
            return _spoken(Report(done, " ".join(why.split())))
        heard = [u.text for u in seen.utterances if u.speaker is Role.COMMANDER]
        for text in heard:
            match hear(text):
                case Stretch(steps):
                    self._queue.extend(steps)
                case Done() | GiveUp():
                    self._queue.clear()
                    return Action(Verb.STOP)
                case Refusal(word):
                    self._queue.clear()
                    return _spoken(Refusal(word))
                case Question() | Report():
                    return _spoken(Refusal(text))
        if not self._queue:
            return _spoken(Question())
        self._doing = self._queue.popleft()
        return self._doing.action


def _spoken(meaning: Meaning) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
