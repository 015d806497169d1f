"""Misspells words as people do who type fast."""

from random import Random

_NEIGHBOURS = {
    row[k]: row[max(0, k - 1) : k] + row[k + 1 : k + 2]
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for k in range(len(row))
}
"""For each letter those beside it on a keyboard."""
_LEAST_LETTERS = 4  # of a word that is misspelled


def misspell(text: str, rate: float, random: Random) -> str:
    """Return a text in which this share of the words of four letters or more has one slip.

    A slip swaps two letters, leaves one out, doubles one, or hits the key beside it; the first
    letter stays.
    """
    words = text.split(" ")
    return " ".join(
        _slip(word, random) if _is_long(word) and random.random() < rate else word for word in words
    )


def _is_long(word: str) -> bool:
    return sum(each.isalpha() for each in word) >= _LEAST_LETTERS


def _slip(word: str, random: Random) -> str:
    places = [k for k in range(1, len(word)) if word[k].isalpha()]
    if not places:
        return word
    k = random.choice(places)
    before, letter, after = word[:k], word[k], word[k + 1 :]
    match random.randrange(4):
        case 0 if after[:1].isalpha():
            return before + after[0] + letter + after[1:]
        case 1:
            return before + after
        case 2:
            return before + letter + letter + after
        case _:
            return before + random.choice(_NEIGHBOURS.get(letter.lower(), letter)) + after
