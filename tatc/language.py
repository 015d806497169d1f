"""Say and hear: every wording that the agents exchange, and nothing else.

The language is closed (paper, appendix D).  The Commander speaks in stretches of
primitives, "Forward TurnRight LookUp Pickup Mug at 0.57 0.25"; the Follower asks
"What should I do next?", reports a failure in words, and refuses what it does not
know.  `say` and `hear` are inverses: `hear(say(m)) == m` for every meaning.
"""

import re
from dataclasses import dataclass

from tatc.actions import INTERACTIONS, MOTIONS, Action, Click, Verb

_WORD_OF_VERB = {verb: verb.value.replace(" ", "") for verb in MOTIONS + INTERACTIONS}
_VERB_OF_WORD = {word: verb for verb, word in _WORD_OF_VERB.items()}
_NOUN = re.compile(r"[A-Z][A-Za-z0-9]*")
_FRACTION = re.compile(r"0\.\d\d")

_QUESTION = "What should I do next?"
_DONE = "We are done. Thank you!"
_GIVE_UP = "We have to stop: "
_REPORT = re.compile(r"I could not (?P<step>[A-Za-z0-9 .]+): (?P<why>.*)")
_REFUSAL = re.compile(r"I do not understand \"(?P<word>.*)\"\.")


@dataclass(frozen=True, slots=True)
class Step:
    """One primitive as it is spoken; an interaction names its object and its click.

    A click has two decimals, because that is what is said: see `spoken_click`.
    """

    verb: Verb
    noun: str | None = None
    click: Click | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be said."""
        if self.verb not in _WORD_OF_VERB:
            raise ValueError(f"{self.verb!r} is not a primitive of the language")
        if (self.verb in INTERACTIONS) != (self.click is not None):
            raise ValueError(f"{self.verb}: a click belongs to interactions alone")
        if (self.noun is None) != (self.click is None):
            raise ValueError(f"{self.verb}: a click and its object go together")
        if self.noun is not None and not _NOUN.fullmatch(self.noun):
            raise ValueError(f"{self.noun!r} is not the name of an object type")
        if self.click is not None and spoken_click(self.click) != self.click:
            raise ValueError(f"{self.click} is not a click of two decimals below 1")

    @property
    def action(self) -> Action:
        """The action that the Follower takes for this step."""
        return Action(self.verb, self.click)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What the Commander asks for: primitives to carry out one after the other."""

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        """Refuse silence: it could not be told from no utterance."""
        if not self.steps:
            raise ValueError("a stretch has at least one step")


@dataclass(frozen=True, slots=True)
class Question:
    """The Follower has nothing left to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """The Follower could not do a step, and why; it waits for something else."""

    step: Step
    why: str

    def __post_init__(self) -> None:
        """Keep the reason to one line without blanks around it."""
        if " ".join(self.why.split()) != self.why:
            raise ValueError(f"a reason is one line of single blanks: {self.why!r}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was said is not in the language; `word` is the first that is not."""

    word: str


@dataclass(frozen=True, slots=True)
class Done:
    """The Commander says that the task is complete."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The Commander stops without success, and why."""

    why: str


Meaning = Stretch | Question | Report | Refusal | Done | GiveUp


def spoken_click(click: Click) -> Click:
    """Return the click that is said for this one: two decimals, at most 0.99."""
    x, y = (min(0.99, max(0.0, round(v, 2))) for v in (click.x, click.y))
    return Click(x, y)


def say(meaning: Meaning) -> str:
    """Return the words for a meaning."""
    match meaning:
        case Stretch(steps):
            return " ".join(map(_say_step, steps))
        case Question():
            return _QUESTION
        case Report(step, why):
            return f"I could not {_say_step(step)}: {why}"
        case Refusal(word):
            return f'I do not understand "{word}".'
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
    if refusal := _REFUSAL.fullmatch(text):
        return Refusal(refusal["word"])
    if report := _REPORT.fullmatch(text):
        return _hear_report(report["step"], report["why"])
    return _hear_stretch(text)


def _say_step(step: Step) -> str:
    word = _WORD_OF_VERB[step.verb]
    if step.click is None:
        return word
    return f"{word} {step.noun} at {step.click.x:.2f} {step.click.y:.2f}"


def _hear_report(step: str, why: str) -> Meaning:
    heard = _hear_stretch(step)
    if isinstance(heard, Stretch) and len(heard.steps) == 1:
        return Report(heard.steps[0], " ".join(why.split()))
    return Refusal(step)


def _hear_stretch(text: str) -> Stretch | Refusal:
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
            _NOUN.fullmatch(noun) and _FRACTION.fullmatch(x) and _FRACTION.fullmatch(y)
        ):
            return Step(verb, noun, Click(float(x), float(y)))
        case _:
            return None
