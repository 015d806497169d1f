"""`say` puts a meaning into words and `hear` takes it out again.

The paper's own wording (appendix D) lists primitives: "Forward TurnRight Pickup Mug at 0.57 0.25".
"""

import re

from tatc.home import actions
from tatc.language import meanings, step_wording
from tatc.language.goal_wording import GoalStretch, hear_goals, say_goals

Meaning = (
    meanings.Stretch
    | step_wording.PhraseStretch
    | GoalStretch
    | meanings.InstructionRequest
    | actions.FailureReport
    | meanings.NotUnderstood
    | meanings.CannotSee
    | meanings.TaskDone
    | meanings.GiveUp
)

_INSTRUCTION_REQUEST = "What should I do next?"
_TASK_DONE = "We are done. Thank you!"
_GIVE_UP_PREFIX = "We have to stop: "
_FAILURE_REPORT_PATTERN = re.compile(r"I could not (?P<step>[A-Za-z0-9 .]+): (?P<why>.*)")
_NOT_UNDERSTOOD_PATTERN = re.compile(r"I do not understand \"(?P<word>.*)\"\.")
_NEEDS_HELP = "need help"
_CANNOT_SEE_PATTERN = re.compile(
    rf"I (?P<why>cannot see|{_NEEDS_HELP})\. How do I \"(?P<words>.*)\"\?"
)
_WORD_OF_VERB = {
    verb: verb.value.replace(" ", "") for verb in actions.MOTION_VERBS + actions.INTERACTION_VERBS
}
_VERB_OF_WORD = {word: verb for verb, word in _WORD_OF_VERB.items()}
_WHICH_PATTERN = re.compile(r"\bwhich\b", re.IGNORECASE)
_FRACTION_PATTERN = re.compile(r"0\.\d\d")


def say(meaning: Meaning) -> str:
    """Return the words for a meaning."""
    match meaning:
        case meanings.Stretch():
            return " ".join(map(_say_step, meaning.steps))
        case step_wording.PhraseStretch():
            return step_wording.say_phrases(meaning)
        case GoalStretch():
            return say_goals(meaning)
        case meanings.InstructionRequest():
            return _INSTRUCTION_REQUEST
        case actions.FailureReport(step, why):
            return f"I could not {_say_step(step)}: {why}"
        case meanings.NotUnderstood(word):
            return f'I do not understand "{word}".'
        case meanings.CannotSee(words, needs_help):
            return f'I {_NEEDS_HELP if needs_help else "cannot see"}. How do I "{words}"?'
        case meanings.TaskDone():
            return _TASK_DONE
        case meanings.GiveUp(why):
            return _GIVE_UP_PREFIX + why


def hear(text: str) -> Meaning:
    """Return what a text means, a `NotUnderstood` where it means nothing."""
    if text == _INSTRUCTION_REQUEST:
        return meanings.InstructionRequest()
    if text == _TASK_DONE:
        return meanings.TaskDone()
    if text.startswith(_GIVE_UP_PREFIX):
        return meanings.GiveUp(text.removeprefix(_GIVE_UP_PREFIX))
    return _hear_answer(text) or _hear_request(text)


def asks_which(text: str) -> bool:
    """Return whether free words ask which of several things is meant."""
    return _WHICH_PATTERN.search(text) is not None


def _hear_answer(text: str) -> Meaning | None:
    if refusal := _NOT_UNDERSTOOD_PATTERN.fullmatch(text):
        return meanings.NotUnderstood(refusal["word"])
    if unseen := _CANNOT_SEE_PATTERN.fullmatch(text):
        return meanings.CannotSee(unseen["words"], unseen["why"] == _NEEDS_HELP)
    if report := _FAILURE_REPORT_PATTERN.fullmatch(text):
        heard = _hear_stretch(report["step"])
        steps = heard.steps if isinstance(heard, meanings.Stretch) else ()
        steps = steps or _steps_in_words(report["step"])
        if len(steps) == 1:
            return actions.FailureReport(steps[0], " ".join(report["why"].split()))
        return meanings.NotUnderstood(report["step"])
    return None


def say_failure_in_words(report: actions.FailureReport) -> str:
    """Return the words for a failure as one tells it who found the click without its numbers.

    `hear` takes any click for them, the middle of the view.
    """
    verb, kind = report.step.verb, report.step.object_type
    phrase = step_wording.InteractionPhrase(verb, kind) if kind else step_wording.MotionPhrase(verb)
    words = step_wording.say_phrases(step_wording.PhraseStretch((phrase,)))
    return f"I could not {words}: {report.reason}"


def _steps_in_words(text: str) -> tuple[actions.PrimitiveStep, ...]:
    heard = step_wording.hear_phrases(text)
    match heard.phrases if isinstance(heard, step_wording.PhraseStretch) else ():
        case [step_wording.InteractionPhrase(verb, kind)]:
            return (actions.PrimitiveStep(verb, kind, actions.Click(0.5, 0.5)),)
        case [step_wording.MotionPhrase(verb, 1)]:
            return (actions.PrimitiveStep(verb),)
        case _:
            return ()


def _hear_request(text: str) -> Meaning:
    phrases, goals = step_wording.hear_phrases(text), hear_goals(text)
    if not isinstance(phrases, meanings.NotUnderstood):
        return phrases
    if not isinstance(goals, meanings.NotUnderstood):
        return goals
    # A wording in which the start of the text was understood names the words that were not.
    known = [each for each in (phrases, goals) if not text.startswith(each.words)]
    return known[0] if known else _hear_stretch(text)


def _say_step(step: actions.PrimitiveStep) -> str:
    word = _WORD_OF_VERB[step.verb]
    if step.click is None:
        return word
    return f"{word} {step.object_type} at {step.click.x:.2f} {step.click.y:.2f}"


def _hear_stretch(text: str) -> meanings.Stretch | meanings.NotUnderstood:
    """Return the stretch that primitives mean, or the first words that mean none."""
    words = text.split()
    steps: list[actions.PrimitiveStep] = []
    at = 0
    while at < len(words):
        verb = _VERB_OF_WORD.get(words[at])
        if verb is None:
            return meanings.NotUnderstood(words[at])
        if verb in actions.MOTION_VERBS:
            steps.append(actions.PrimitiveStep(verb))
            at += 1
            continue
        step = _hear_interaction_step(verb, words[at + 1 : at + 5])
        if step is None:
            return meanings.NotUnderstood(" ".join(words[at : at + 5]))
        steps.append(step)
        at += 5
    return meanings.Stretch(tuple(steps)) if steps else meanings.NotUnderstood(text)


def _hear_interaction_step(verb: actions.Verb, words: list[str]) -> actions.PrimitiveStep | None:
    match words:
        case [noun, "at", x, y] if (
            actions.OBJECT_TYPE_PATTERN.fullmatch(noun)
            and _FRACTION_PATTERN.fullmatch(x)
            and _FRACTION_PATTERN.fullmatch(y)
        ):
            return actions.PrimitiveStep(verb, noun, actions.Click(float(x), float(y)))
        case _:
            return None
