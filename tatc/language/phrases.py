"""The wording `steps`: motions in words, and deeds that leave the click to be seen.

"turn left, walk four steps, pick up the mug on the counter top".  A deed names what it
is done to, and where that is or what is in the hand; a side of the view is said where
the type alone would not tell ("open the lower left drawer").
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tatc.actions import INTERACTIONS, MOTIONS, TRANSLATIONS, Click, Verb
from tatc.language.meanings import NOUN, Refusal
from tatc.language.nouns import NAME, noun_of, within, words_of


class Side(StrEnum):
    """A ninth of the view."""

    UPPER_LEFT = "upper left"
    UPPER = "upper"
    UPPER_RIGHT = "upper right"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    LOWER_LEFT = "lower left"
    LOWER = "lower"
    LOWER_RIGHT = "lower right"


def side_of(click: Click) -> Side:
    """Return the ninth of the view that a click is in."""
    return tuple(Side)[3 * min(2, int(click.y * 3)) + min(2, int(click.x * 3))]


@dataclass(frozen=True, slots=True)
class Walk:
    """The same motion, one or more times."""

    verb: Verb
    times: int = 1

    def __post_init__(self) -> None:
        """Refuse what could not be said."""
        if self.verb not in MOTIONS or self.times < 1:
            raise ValueError(f"{self.verb!r} {self.times} times is no walk")


@dataclass(frozen=True, slots=True)
class Deed:
    """An interaction without its click.

    `other` is what is in the hand for Place and Pour, else what the noun is in or on;
    `side` tells it from others of its type.
    """

    verb: Verb
    noun: str
    other: str | None = None
    side: Side | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be said."""
        if self.verb not in INTERACTIONS:
            raise ValueError(f"{self.verb!r} is no deed")
        for name in (self.noun, self.other):
            if name is not None and not NOUN.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of an object type")


Phrase = Walk | Deed


@dataclass(frozen=True, slots=True)
class Told:
    """What the Commander asks for, in phrases to carry out one after the other."""

    phrases: tuple[Phrase, ...]

    def __post_init__(self) -> None:
        """Refuse silence, and two walks that are one."""
        if not self.phrases:
            raise ValueError("a stretch has at least one phrase")
        if walks(self.phrases) != self.phrases:
            raise ValueError("walks by the same verb in a row are one walk")


def walks(phrases: Iterable[Phrase]) -> tuple[Phrase, ...]:
    """Return the phrases, neighbouring walks by the same verb joined."""
    joined: list[Phrase] = []
    for phrase in phrases:
        last = joined[-1] if joined else None
        if (
            isinstance(phrase, Walk)
            and isinstance(last, Walk)
            and last.verb is phrase.verb
        ):
            joined[-1] = Walk(phrase.verb, last.times + phrase.times)
        else:
            joined.append(phrase)
    return tuple(joined)


_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_HEADING = {
    Verb.FORWARD: "",
    Verb.BACKWARD: " back",
    Verb.PAN_LEFT: " left",
    Verb.PAN_RIGHT: " right",
}
_VERB_OF_HEADING = {words.strip(): verb for verb, words in _HEADING.items()}
_OFTEN = {1: "", 2: " twice"}
_VERB_OF_TURN = {
    verb.value.lower(): verb for verb in MOTIONS if verb not in TRANSLATIONS
}

_COUNT = rf"{'|'.join(_NUMBERS)}|[1-9]\d{{0,3}}"
_WALK = re.compile(rf"walk (?P<n>{_COUNT}) steps?(?: (?P<to>back|left|right))?")
_TURN = re.compile(
    rf"(?P<verb>{'|'.join(_VERB_OF_TURN)})"
    rf"(?: (?:(?P<twice>twice)|(?P<n>{_COUNT}) times))?"
)

_DEEDS = {
    Verb.PICKUP: "pick up",
    Verb.OPEN: "open",
    Verb.CLOSE: "close",
    Verb.TOGGLE_ON: "turn on",
    Verb.TOGGLE_OFF: "turn off",
    Verb.SLICE: "slice",
}
_VERB_OF_DEED = {words: verb for verb, words in _DEEDS.items()}
_SIDES = "|".join(sorted(Side, key=len, reverse=True))
_THE = rf"the (?:(?P<side>{_SIDES}) )?(?P<noun>{NAME})"
_DEED = re.compile(
    rf"(?P<verb>{'|'.join(_VERB_OF_DEED)}) {_THE}(?: (?:in|on) the (?P<other>{NAME}))?"
)
_PUT = re.compile(
    rf"(?P<verb>put|pour) (?:it|the (?P<other>{NAME})) (?:in|on|into) {_THE}"
)


def say_told(told: Told) -> str:
    """Return the words for phrases."""
    return ", ".join(map(_say_phrase, told.phrases))


def hear_told(text: str) -> Told | Refusal:
    """Return the phrases that words carry, or a refusal of the first that is none."""
    heard: list[Phrase] = []
    for words in text.split(", "):
        phrase = _hear_walk(words) or _hear_deed(words)
        if phrase is None:
            return Refusal(words)
        heard.append(phrase)
    return Told(walks(heard))


def _say_phrase(phrase: Phrase) -> str:
    return _say_walk(phrase) if isinstance(phrase, Walk) else _say_deed(phrase)


def _say_walk(walk: Walk) -> str:
    number = _NUMBERS[walk.times - 1] if walk.times <= len(_NUMBERS) else walk.times
    if walk.verb in TRANSLATIONS:
        steps = "step" if walk.times == 1 else "steps"
        return f"walk {number} {steps}{_HEADING[walk.verb]}"
    return walk.verb.value.lower() + _OFTEN.get(walk.times, f" {number} times")


def _say_deed(deed: Deed) -> str:
    side = "" if deed.side is None else f"{deed.side} "
    noun = f"the {side}{words_of(deed.noun)}"
    if deed.verb in (Verb.PLACE, Verb.POUR):
        held = "it" if deed.other is None else f"the {words_of(deed.other)}"
        if deed.verb is Verb.POUR:
            return f"pour {held} into {noun}"
        return f"put {held} {within(deed.noun)[:2]} {noun}"
    where = "" if deed.other is None else f" {within(deed.other)}"
    return f"{_DEEDS[deed.verb]} {noun}{where}"


def _hear_walk(words: str) -> Walk | None:
    if found := _WALK.fullmatch(words):
        return Walk(_VERB_OF_HEADING[found["to"] or ""], _number(found["n"]))
    if found := _TURN.fullmatch(words):
        times = 2 if found["twice"] else _number(found["n"] or "one")
        return Walk(_VERB_OF_TURN[found["verb"]], times)
    return None


def _hear_deed(words: str) -> Deed | None:
    if found := _PUT.fullmatch(words):
        verb = Verb.PLACE if found["verb"] == "put" else Verb.POUR
    elif found := _DEED.fullmatch(words):
        verb = _VERB_OF_DEED[found["verb"]]
    else:
        return None
    noun, other = noun_of(found["noun"]), found["other"] and noun_of(found["other"])
    if not NOUN.fullmatch(noun) or (other and not NOUN.fullmatch(other)):
        return None
    side = Side(found["side"]) if found["side"] else None
    return Deed(verb, noun, other or None, side)


def _number(word: str) -> int:
    return _NUMBERS.index(word) + 1 if word in _NUMBERS else int(word)
