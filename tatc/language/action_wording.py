"""The paper's own wording (appendix D): primitives, one after the other.

"Forward TurnRight LookUp Pickup Mug at 0.57 0.25".
"""

import re

from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    OBJECT_TYPE_PATTERN,
    Click,
    PrimitiveStep,
    Verb,
)
from tatc.language.meanings import NotUnderstood, Stretch

_WORD_OF_VERB = {verb: verb.value.replace(" ", "") for verb in MOTION_VERBS + INTERACTION_VERBS}
_VERB_OF_WORD = {word: verb for verb, word in _WORD_OF_VERB.items()}
_FRACTION_PATTERN = re.compile(r"0\.\d\d")


def say_stretch(stretch: Stretch) -> str:
    """Return the words for a stretch."""
    return " ".join(map(say_step, stretch.steps))


def say_step(step: PrimitiveStep) -> str:
    """Return the words for one primitive."""
    word = _WORD_OF_VERB[step.verb]
    if step.click is None:
        return word
    return f"{word} {step.object_type} at {step.click.x:.2f} {step.click.y:.2f}"


def hear_stretch(text: str) -> Stretch | NotUnderstood:
    """Return the stretch that a text means, or the first words that mean none."""
    words = text.split()
    steps: list[PrimitiveStep] = []
    at = 0
    while at < len(words):
        verb = _VERB_OF_WORD.get(words[at])
        if verb is None:
            return NotUnderstood(words[at])
        if verb in MOTION_VERBS:
            steps.append(PrimitiveStep(verb))
            at += 1
            continue
        step = _hear_interaction_step(verb, words[at + 1 : at + 5])
        if step is None:
            return NotUnderstood(" ".join(words[at : at + 5]))
        steps.append(step)
        at += 5
    return Stretch(tuple(steps)) if steps else NotUnderstood(text)


def _hear_interaction_step(verb: Verb, words: list[str]) -> PrimitiveStep | None:
    match words:
        case [noun, "at", x, y] if (
            OBJECT_TYPE_PATTERN.fullmatch(noun)
            and _FRACTION_PATTERN.fullmatch(x)
            and _FRACTION_PATTERN.fullmatch(y)
        ):
            return PrimitiveStep(verb, noun, Click(float(x), float(y)))
        case _:
            return None
