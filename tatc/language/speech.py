"""`say` puts a meaning into words and `hear` takes it out again."""

import re

from tatc.home.actions import FailureReport
from tatc.language.action_wording import hear_stretch, say_step, say_stretch
from tatc.language.goal_wording import GoalStretch, hear_goals, say_goals
from tatc.language.meanings import (
    CannotSee,
    GiveUp,
    InstructionRequest,
    NotUnderstood,
    Stretch,
    TaskDone,
)
from tatc.language.step_wording import PhraseStretch, hear_phrases, say_phrases

Meaning = (
    Stretch
    | PhraseStretch
    | GoalStretch
    | InstructionRequest
    | FailureReport
    | NotUnderstood
    | CannotSee
    | TaskDone
    | GiveUp
)

_INSTRUCTION_REQUEST = "What should I do next?"
_TASK_DONE = "We are done. Thank you!"
_GIVE_UP_PREFIX = "We have to stop: "
_FAILURE_REPORT_PATTERN = re.compile(r"I could not (?P<step>[A-Za-z0-9 .]+): (?P<why>.*)")
_NOT_UNDERSTOOD_PATTERN = re.compile(r"I do not understand \"(?P<word>.*)\"\.")
_CANNOT_SEE_PATTERN = re.compile(r"I cannot see\. How do I \"(?P<words>.*)\"\?")


def say(meaning: Meaning) -> str:
    """Return the words for a meaning."""
    match meaning:
        case Stretch():
            return say_stretch(meaning)
        case PhraseStretch():
            return say_phrases(meaning)
        case GoalStretch():
            return say_goals(meaning)
        case InstructionRequest():
            return _INSTRUCTION_REQUEST
        case FailureReport(step, why):
            return f"I could not {say_step(step)}: {why}"
        case NotUnderstood(word):
            return f'I do not understand "{word}".'
        case CannotSee(words):
            return f'I cannot see. How do I "{words}"?'
        case TaskDone():
            return _TASK_DONE
        case GiveUp(why):
            return _GIVE_UP_PREFIX + why


def hear(text: str) -> Meaning:
    """Return what a text means, a `NotUnderstood` where it means nothing."""
    if text == _INSTRUCTION_REQUEST:
        return InstructionRequest()
    if text == _TASK_DONE:
        return TaskDone()
    if text.startswith(_GIVE_UP_PREFIX):
        return GiveUp(text.removeprefix(_GIVE_UP_PREFIX))
    return _hear_answer(text) or _hear_request(text)


def _hear_answer(text: str) -> Meaning | None:
    """Return the Follower's answer to an instruction, None where the text is none."""
    if refusal := _NOT_UNDERSTOOD_PATTERN.fullmatch(text):
        return NotUnderstood(refusal["word"])
    if unseen := _CANNOT_SEE_PATTERN.fullmatch(text):
        return CannotSee(unseen["words"])
    if report := _FAILURE_REPORT_PATTERN.fullmatch(text):
        heard = hear_stretch(report["step"])
        if isinstance(heard, Stretch) and len(heard.steps) == 1:
            return FailureReport(heard.steps[0], " ".join(report["why"].split()))
        return NotUnderstood(report["step"])
    return None


def _hear_request(text: str) -> Stretch | PhraseStretch | GoalStretch | NotUnderstood:
    """Return what the Commander asks for, in whichever wording."""
    phrases, goals = hear_phrases(text), hear_goals(text)
    if not isinstance(phrases, NotUnderstood):
        return phrases
    if not isinstance(goals, NotUnderstood):
        return goals
    # A wording in which the start of the text was understood names the words that were not.
    known = [each for each in (phrases, goals) if not text.startswith(each.words)]
    return known[0] if known else hear_stretch(text)
