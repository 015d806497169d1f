"""The rule Follower: hears the closed language and does what it says, step by step.

Paper, appendix D: it keeps a queue of primitives, does one a turn, and asks when the
queue is empty.  When a step fails it drops the rest and reports; it refuses in words
what it cannot parse.  Of phrases it does the motions; at a deed without a click, and at
a goal, it says that it cannot see.
"""

from collections import deque

from tatc.actions import Action, Observation, Role, Verb
from tatc.language import (
    Aims,
    Deed,
    Done,
    GiveUp,
    Meaning,
    Question,
    Refusal,
    Report,
    Step,
    Stretch,
    Told,
    Unseen,
    Walk,
    hear,
    say,
)


class RuleFollower:
    """A Follower that parses what it hears and does exactly that."""

    def __init__(self) -> None:
        """Start with nothing to do."""
        self._queue: deque[Step | Deed] = deque()
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
        for utterance in seen.utterances:
            if utterance.speaker is not Role.COMMANDER:
                continue
            answer = self._listen(utterance.text)
            if answer is not None:
                self._queue.clear()
                return answer
        if not self._queue:
            return _spoken(Question())
        step = self._queue.popleft()
        if isinstance(step, Deed):
            self._queue.clear()
            return _spoken(Unseen(say(Told((step,)))))
        self._doing = step
        return step.action

    def _listen(self, text: str) -> Action | None:
        """Queue what is to be done; return the answer to all else."""
        match hear(text):
            case Stretch(steps):
                self._queue.extend(steps)
                return None
            case Told(phrases):
                for phrase in phrases:
                    self._queue.extend(_steps(phrase))
                return None
            case Aims():
                return _spoken(Unseen(text))
            case Done() | GiveUp():
                return Action(Verb.STOP)
            case Refusal(word):
                return _spoken(Refusal(word))
            case Question() | Report() | Unseen():
                return _spoken(Refusal(text))


def _steps(phrase: Walk | Deed) -> tuple[Step | Deed, ...]:
    return (
        (Step(phrase.verb),) * phrase.times if isinstance(phrase, Walk) else (phrase,)
    )


def _spoken(meaning: Meaning) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
