"""Names of object types as words: "CounterTop" is "counter top", and back."""

import re

RESERVED_WORDS = frozenset(
    "the it in into on to with for upper lower left right middle up down away open "
    "closed accessible".split()
)
"""Words that phrases are built from; a type with such a name is said as TEACh spells it."""

_WORD_PATTERN = rf"(?!(?:{'|'.join(sorted(RESERVED_WORDS))})\b)[A-Za-z0-9]+"
TYPE_WORDS_PATTERN = rf"{_WORD_PATTERN}(?: {_WORD_PATTERN})*"  # a pattern for the words of a type

_CAMEL_CASE_PART = re.compile(r"[A-Z]+(?![a-z0-9])|[A-Z][a-z0-9]*")

_CONTAINER_TYPES = frozenset(
    "Bathtub BathtubBasin Bowl Box Cabinet CoffeeMachine Cup Drawer Fridge GarbageCan "
    "LaundryHamper Microwave Mug Pot Safe Sink SinkBasin Toaster".split()
)


def words_for_type(noun: str) -> str:
    """Return the words for a type: in lower case, except for abbreviations."""
    parts = _CAMEL_CASE_PART.findall(noun)
    said = [p if len(p) > 1 and p.isupper() else p.lower() for p in parts]
    words = " ".join(said)
    return words if RESERVED_WORDS.isdisjoint(said) and type_from_words(words) == noun else noun


def type_from_words(words: str) -> str:
    """Return the type that these words name."""
    return "".join(word[:1].upper() + word[1:] for word in words.split())


def preposition_for(noun: str) -> str:
    """Return "in" or "on": how things lie with respect to a receptacle of this type."""
    return "in" if noun in _CONTAINER_TYPES else "on"


def location_words(noun: str) -> str:
    """Return where things in or on a receptacle are: "in the drawer", "on the desk"."""
    return f"{preposition_for(noun)} the {words_for_type(noun)}"
