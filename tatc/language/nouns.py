"""Names of object types as words: "CounterTop" is "counter top", and back."""

import re

RESERVED = frozenset(
    "the it in into on to with for upper lower left right middle up down away open "
    "closed accessible".split()
)
"""Words that phrases are built of; a type named so is said as TEACh spells it."""

_WORD = rf"(?!(?:{'|'.join(sorted(RESERVED))})\b)[A-Za-z0-9]+"
NAME = rf"{_WORD}(?: {_WORD})*"
"""A pattern of the words for a type."""

_PART = re.compile(r"[A-Z]+(?![a-z0-9])|[A-Z][a-z0-9]*")

_INSIDE = frozenset(
    "Bathtub BathtubBasin Bowl Box Cabinet CoffeeMachine Cup Drawer Fridge GarbageCan "
    "LaundryHamper Microwave Mug Pot Safe Sink SinkBasin Toaster".split()
)


def words_of(noun: str) -> str:
    """Return the words for a type: lower case, but for what is an abbreviation."""
    parts = _PART.findall(noun)
    said = [p if len(p) > 1 and p.isupper() else p.lower() for p in parts]
    words = " ".join(said)
    clear = RESERVED.isdisjoint(said) and noun_of(words) == noun
    return words if clear else noun


def noun_of(words: str) -> str:
    """Return the type that words name."""
    return "".join(word[:1].upper() + word[1:] for word in words.split())


def within(noun: str) -> str:
    """Return "in the drawer" or "on the desk": where a thing is, in words."""
    return f"{'in' if noun in _INSIDE else 'on'} the {words_of(noun)}"
