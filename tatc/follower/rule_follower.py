"""The rule Follower: it parses the closed language and does what it is told, step by step.

As in the paper (appendix D), it keeps a queue of primitive actions, takes one a turn, and
asks for an instruction when the queue is empty.  When a step fails, it drops the rest and
reports the failure; it answers what it cannot parse with a refusal.  It does not see:
told an interaction without a click, or a goal, it says so.
"""

from collections import deque

from tatc.home.actions import Action, FailureReport, PrimitiveStep, Role, Verb
from tatc.home.observation import Observation
from tatc.home.refusals import RefusalCode
from tatc.language import (
    CannotSee,
    GiveUp,
    GoalStretch,
    InstructionRequest,
    InteractionPhrase,
    Meaning,
    MotionPhrase,
    NotUnderstood,
    PhraseStretch,
    Stretch,
    TaskDone,
    hear,
    say,
)


class RuleFollower:
    """A Follower that does exactly what it is told, and nothing else."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self._queue: deque[PrimitiveStep | InteractionPhrase] = deque()
        self._current_step: PrimitiveStep | None = None

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._queue.clear()
        self._current_step = None

    def act(self, observation: Observation) -> Action:
        """Return the next queued action, a question, or an answer in words."""
        done, self._current_step = self._current_step, None
        if (
            done is not None
            and observation.last_result is not None
            and not observation.last_result.success
        ):
            self._queue.clear()
            reason = observation.last_result.refusal_code or RefusalCode.UNKNOWN
            return _text_action(FailureReport(done, reason.value))
        for utterance in observation.utterances:
            if utterance.speaker is not Role.COMMANDER:
                continue
            answer = self._process_utterance(utterance.text)
            if answer is not None:
                self._queue.clear()
                return answer
        if not self._queue:
            return _text_action(InstructionRequest())
        step = self._queue.popleft()
        if isinstance(step, InteractionPhrase):
            self._queue.clear()
            return _text_action(CannotSee(say(PhraseStretch((step,)))))
        self._current_step = step
        return step.action

    def _process_utterance(self, text: str) -> Action | None:
        """Queue the steps of an instruction and return None, or return the answer to it."""
        match hear(text):
            case Stretch(steps):
                self._queue.extend(steps)
                return None
            case PhraseStretch(phrases):
                for phrase in phrases:
                    self._queue.extend(_steps_of_phrase(phrase))
                return None
            case GoalStretch():
                return _text_action(CannotSee(text))
            case TaskDone() | GiveUp():
                return Action(Verb.STOP)
            case NotUnderstood(word):
                return _text_action(NotUnderstood(word))
            case InstructionRequest() | FailureReport() | CannotSee():
                return _text_action(NotUnderstood(text))


def _steps_of_phrase(
    phrase: MotionPhrase | InteractionPhrase,
) -> tuple[PrimitiveStep | InteractionPhrase, ...]:
    return (
        (PrimitiveStep(phrase.verb),) * phrase.times
        if isinstance(phrase, MotionPhrase)
        else (phrase,)
    )


def _text_action(meaning: Meaning) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
