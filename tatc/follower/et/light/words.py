"""Words as the light Follower reads them: numbers of words, and of their phrases.

A phrase ends at a comma; in the paper's wording each primitive begins one, and equal
motions in a row are one.  So a phrase's number is the number of the run of equal
actions that it asks for, and the network need not learn to count phrases.  How often a
phrase asks for its action is told as a number too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tatc.actions import INTERACTIONS, MOTIONS

MOST_WORDS = 192
"""Words of an utterance that are read at most."""
MOST_PHRASES = 64
"""Phrases that are told apart at most."""
MOST_IN_PHRASE = 32
"""Words of one phrase that are told apart at most."""

PAD, UNKNOWN, NUMBER = 0, 1, 2
FIRST_WORD = 3

_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_MOTIONS = frozenset(verb.value.replace(" ", "") for verb in MOTIONS)
_DEEDS = frozenset(verb.value.replace(" ", "") for verb in INTERACTIONS)


@dataclass(frozen=True, slots=True)
class Read:
    """An utterance as numbers, one for each word.

    `words` are the words, `phrases` their phrases and `places` their places in these;
    `counts` is how often the word's phrase asks for its action.
    """

    words: tuple[int, ...]
    phrases: tuple[int, ...]
    places: tuple[int, ...]
    counts: tuple[int, ...]


def read(text: str, vocabulary: Mapping[str, int]) -> Read:
    """Return an utterance as numbers; there is at least one word."""
    found = list(_phrased(text))[:MOST_WORDS] or [("", 0)]
    places: list[int] = []
    for i, (_, phrase) in enumerate(found):
        same = i > 0 and found[i - 1][1] == phrase
        places.append(min(places[-1] + 1, MOST_IN_PHRASE - 1) if same else 0)
    return Read(
        tuple(_number(word, vocabulary) for word, _ in found),
        tuple(min(phrase, MOST_PHRASES - 1) for _, phrase in found),
        tuple(places),
        tuple(_counts(found)),
    )


def vocabulary_of(texts: Iterable[str], least: int = 1) -> tuple[str, ...]:
    """Return the words of texts in the alphabet's order, numbers left out.

    Words that fewer than `least` texts have are left out too.
    """
    found = Counter[str]()
    for text in texts:
        found.update({word.lower() for word, _ in _phrased(text)})
    often = (word for word, count in found.items() if count >= least)
    return tuple(sorted(word for word in often if word and not _is_number(word)))


def numbered(words: Iterable[str]) -> dict[str, int]:
    """Return the number of each word of a vocabulary."""
    return {word: i for i, word in enumerate(words, FIRST_WORD)}


def _phrased(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word with the number of its phrase."""
    phrase, before = -1, ","
    for word in text.split():
        if before.endswith(","):
            begins = True
        elif word in _MOTIONS:
            begins = word != before
        else:
            begins = word in _DEEDS or before in _MOTIONS
        phrase += begins
        yield word.rstrip(","), phrase
        before = word


def _counts(found: Sequence[tuple[str, int]]) -> Iterator[int]:
    """Yield for each word how often its phrase asks for its action."""
    for _, group in groupby(found, key=lambda pair: pair[1]):
        words = [word for word, _ in group]
        asked = len(words) if words[0] in _MOTIONS else max(map(_value, words))
        yield from [min(asked, MOST_IN_PHRASE - 1)] * len(words)


def _value(word: str) -> int:
    """Return the number that a word means, 1 for one that means none."""
    if word in _NUMBERS:
        return _NUMBERS.index(word) + 1
    return 2 if word == "twice" else int(word) if word.isdigit() else 1


def _number(word: str, vocabulary: Mapping[str, int]) -> int:
    return NUMBER if _is_number(word) else vocabulary.get(word.lower(), UNKNOWN)


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()
