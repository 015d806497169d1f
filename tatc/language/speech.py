"""`say` and `hear`: inverses, whatever is meant."""

import re

from tatc.language.goals import Aims, hear_aims, say_aims
from tatc.language.meanings import (
    Done,
    GiveUp,
    Question,
    Refusal,
    Report,
    Stretch,
    Unseen,
)
from tatc.language.phrases import Told, hear_told, say_told
from tatc.language.primitives import hear_stretch, say_step, say_stretch

Meaning = Stretch | Told | Aims | Question | Report | Refusal | Unseen | Done | GiveUp

_QUESTION = "What should I do next?"
_DONE = "We are done. Thank you!"
_GIVE_UP = "We have to stop: "
_REPORT = re.compile(r"I could not (?P<step>[A-Za-z0-9 .]+): (?P<why>.*)")
_REFUSAL = re.compile(r"I do not understand \"(?P<word>.*)\"\.")
_UNSEEN = re.compile(r"I cannot see\. How do I \"(?P<words>.*)\"\?")


def say(meaning: Meaning) -> str:
    """Return the words for a meaning."""
    match meaning:
        case Stretch():
            return say_stretch(meaning)
        case Told():
            return say_told(meaning)
        case Aims():
            return say_aims(meaning)
        case Question():
            return _QUESTION
        case Report(step, why):
            return f"I could not {say_step(step)}: {why}"
        case Refusal(word):
            return f'I do not understand "{word}".'
        case Unseen(words):
            return f'I cannot see. How do I "{words}"?'
        case Done():
            return _DONE
        case GiveUp(why):
            return _GIVE_UP + why


def hear(text: str) -> Meaning:
    """Return the meaning that words carry; a `Refusal` where they carry none."""
    if text == _QUESTION:
        return Question()
    if text == _DONE:
        return Done()
    if text.startswith(_GIVE_UP):
        return GiveUp(text.removeprefix(_GIVE_UP))
    return _hear_answer(text) or _hear_request(text)


def _hear_answer(text: str) -> Meaning | None:
    """Return what the Follower says of what it was told; None where it is not that."""
    if refusal := _REFUSAL.fullmatch(text):
        return Refusal(refusal["word"])
    if unseen := _UNSEEN.fullmatch(text):
        return Unseen(unseen["words"])
    if report := _REPORT.fullmatch(text):
        return _hear_report(report["step"], report["why"])
    return None


def _hear_request(text: str) -> Stretch | Told | Aims | Refusal:
    """Return what the Commander asks for, at whichever grain."""
    told, aims = hear_told(text), hear_aims(text)
    if not isinstance(told, Refusal):
        return told
    if not isinstance(aims, Refusal):
        return aims
    # The first phrase that is none: more of it is known than the grain's own start.
    known = [r for r in (told, aims) if not text.startswith(r.word)]
    return known[0] if known else hear_stretch(text)


def _hear_report(step: str, why: str) -> Meaning:
    heard = hear_stretch(step)
    if isinstance(heard, Stretch) and len(heard.steps) == 1:
        return Report(heard.steps[0], " ".join(why.split()))
    return Refusal(step)
