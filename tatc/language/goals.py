"""The wording `goals`: what a stretch is for, and not how it is done.

"wash the mug", "bring the mug to the side table".  No goal is worded as a phrase of
`steps` is, so that both can be heard.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from tatc.language.meanings import NOUN, Refusal
from tatc.language.nouns import NAME, noun_of, words_of


class AimVerb(StrEnum):
    """What is wanted; the value is how it is said, {} for the thing and the place."""

    GET = "get the {}"
    BRING = "bring the {} to the {}"
    PUT_DOWN = "find room for the {}"
    CLEAR = "clear away the {}"
    UNCOVER = "make the {} accessible"
    WASH = "wash the {}"
    FILL = "fill the {} with water"
    EMPTY = "empty the {}"
    EMPTY_INTO = "empty the {} into the {}"
    WATER = "use the {} to water the {}"
    BREW = "make coffee in the {}"
    HEAT = "heat the {} with the {}"
    CUT = "cut up the {}"
    SWITCH_ON = "switch on the {}"
    SWITCH_OFF = "switch off the {}"
    LEAVE_OPEN = "leave the {} open"
    LEAVE_CLOSED = "leave the {} closed"

    @property
    def places(self) -> int:
        """How many nouns it takes."""
        return self.value.count("{}")


@dataclass(frozen=True, slots=True)
class Aim:
    """One thing that is wanted; `place` is given exactly where its words need one."""

    verb: AimVerb
    noun: str
    place: str | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be said."""
        if (self.verb.places == 2) != (self.place is not None):
            raise ValueError(f"{self.verb.name}: wrong number of nouns")
        for name in (self.noun, self.place):
            if name is not None and not NOUN.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of an object type")


@dataclass(frozen=True, slots=True)
class Aims:
    """What the Commander asks for: aims, to be reached one after the other."""

    aims: tuple[Aim, ...]

    def __post_init__(self) -> None:
        """Refuse silence."""
        if not self.aims:
            raise ValueError("a stretch has at least one aim")


_PATTERNS = tuple(
    (verb, re.compile(verb.value.replace("{}", f"({NAME})"))) for verb in AimVerb
)


def say_aims(aims: Aims) -> str:
    """Return the words for aims."""
    return ", ".join(map(_say_aim, aims.aims))


def hear_aims(text: str) -> Aims | Refusal:
    """Return the aims that words carry, or a refusal of the first that is none."""
    heard: list[Aim] = []
    for words in text.split(", "):
        aim = _hear_aim(words)
        if aim is None:
            return Refusal(words)
        heard.append(aim)
    return Aims(tuple(heard))


def _say_aim(aim: Aim) -> str:
    names = (aim.noun,) if aim.place is None else (aim.noun, aim.place)
    return aim.verb.value.format(*map(words_of, names))


def _hear_aim(words: str) -> Aim | None:
    for verb, pattern in _PATTERNS:
        if found := pattern.fullmatch(words):
            nouns = tuple(map(noun_of, found.groups()))
            if all(map(NOUN.fullmatch, nouns)):
                return Aim(verb, *nouns)
    return None
