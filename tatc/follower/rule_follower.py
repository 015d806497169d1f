"""The rule Follower: it parses the closed language and does what it is told, step by step.

As in the paper (appendix D), it keeps a queue of primitive actions, takes one a turn, and asks for
an instruction when it is empty.  When a step fails, it drops the rest and reports it; it refuses
what it cannot parse.  It does not see: told an interaction without a click, or a goal, it says so.
"""

from collections import deque

from tatc import language
from tatc.home import actions, refusals
from tatc.home.observation import Observation


class RuleFollower:
    """A Follower that does exactly what it is told, and nothing else."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self._queue: deque[actions.PrimitiveStep | language.InteractionPhrase] = deque()
        self._current_step: actions.PrimitiveStep | None = None

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._queue.clear()
        self._current_step = None

    def act(self, observation: Observation) -> actions.Action:
        """Return the next queued action, a question, or an answer in words."""
        done, self._current_step = self._current_step, None
        result = observation.last_result
        if done is not None and result is not None and not result.success:
            self._queue.clear()
            reason = result.refusal_code or refusals.RefusalCode.UNKNOWN
            return _text_action(actions.FailureReport(done, reason.value))
        for utterance in observation.utterances:
            if utterance.speaker is not actions.Role.COMMANDER:
                continue
            answer = self._process_utterance(utterance.text)
            if answer is not None:
                self._queue.clear()
                return answer
        if not self._queue:
            return _text_action(language.InstructionRequest())
        step = self._queue.popleft()
        if isinstance(step, language.InteractionPhrase):
            self._queue.clear()
            return _text_action(language.CannotSee(language.say(language.PhraseStretch((step,)))))
        self._current_step = step
        return step.action

    def _process_utterance(self, text: str) -> actions.Action | None:
        match language.hear(text):
            case language.Stretch(steps):
                self._queue.extend(steps)
                return None
            case language.PhraseStretch(phrases):
                for phrase in phrases:
                    if isinstance(phrase, language.MotionPhrase):
                        self._queue.extend([actions.PrimitiveStep(phrase.verb)] * phrase.times)
                    else:
                        self._queue.append(phrase)
                return None
            case language.GoalStretch():
                return _text_action(language.CannotSee(text))
            case language.TaskDone() | language.GiveUp():
                return actions.Action(actions.Verb.STOP)
            case language.NotUnderstood(word):
                return _text_action(language.NotUnderstood(word))
            case language.InstructionRequest() | actions.FailureReport() | language.CannotSee():
                return _text_action(language.NotUnderstood(text))


def _text_action(meaning: language.Meaning) -> actions.Action:
    return actions.Action(actions.Verb.TEXT, text=language.say(meaning))
