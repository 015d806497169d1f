"""The paper's own wording (appendix D): primitives, one after the other.

"Forward TurnRight LookUp Pickup Mug at 0.57 0.25".
"""

import re

from tatc.actions import INTERACTIONS, MOTIONS, Click, Verb
from tatc.language.meanings import NOUN, Refusal, Step, Stretch

_WORD_OF_VERB = {verb: verb.value.replace(" ", "") for verb in MOTIONS + INTERACTIONS}
_VERB_OF_WORD = {word: verb for verb, word in _WORD_OF_VERB.items()}
_FRACTION = re.compile(r"0\.\d\d")


def say_stretch(stretch: Stretch) -> str:
    """Return the words for a stretch."""
    return " ".join(map(say_step, stretch.steps))


def say_step(step: Step) -> str:
    """Return the words for one primitive."""
    word = _WORD_OF_VERB[step.verb]
    if step.click is None:
        return word
    return f"{word} {step.noun} at {step.click.x:.2f} {step.click.y:.2f}"


def hear_stretch(text: str) -> Stretch | Refusal:
    """Return the stretch that words carry, or a refusal of the first that does not."""
    words = text.split()
    steps: list[Step] = []
    at = 0
    while at < len(words):
        verb = _VERB_OF_WORD.get(words[at])
        if verb is None:
            return Refusal(words[at])
        if verb in MOTIONS:
            steps.append(Step(verb))
            at += 1
            continue
        step = _hear_interaction(verb, words[at + 1 : at + 5])
        if step is None:
            return Refusal(" ".join(words[at : at + 5]))
        steps.append(step)
        at += 5
    return Stretch(tuple(steps)) if steps else Refusal(text)


def _hear_interaction(verb: Verb, words: list[str]) -> Step | None:
    match words:
        case [noun, "at", x, y] if (
            NOUN.fullmatch(noun) and _FRACTION.fullmatch(x) and _FRACTION.fullmatch(y)
        ):
            return Step(verb, noun, Click(float(x), float(y)))
        case _:
            return None
