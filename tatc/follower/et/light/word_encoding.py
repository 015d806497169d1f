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

from tatc.actions import INTERACTION_VERBS, MOTION_VERBS
from tatc.language.step_wording import NUMBER_WORDS

MAX_WORDS = 192
"""Words of an utterance that are read at most."""
MAX_PHRASES = 64
"""Phrases that are told apart at most."""
MAX_WORDS_PER_PHRASE = 32
"""Words of one phrase that are told apart at most."""

PAD_ID, UNKNOWN_ID, NUMBER_ID = 0, 1, 2
FIRST_WORD_ID = 3

_MOTION_WORDS = frozenset(verb.value.replace(" ", "") for verb in MOTION_VERBS)
_INTERACTION_WORDS = frozenset(verb.value.replace(" ", "") for verb in INTERACTION_VERBS)


@dataclass(frozen=True, slots=True)
class EncodedText:
    """An utterance as numbers, one for each word.

    `word_encoding` are the words, `phrases` their phrases and `positions` their places in these;
    `repeat_counts` is how often the word's phrase asks for its action.
    """

    words: tuple[int, ...]
    phrases: tuple[int, ...]
    positions: tuple[int, ...]
    repeat_counts: tuple[int, ...]


def encode_text(text: str, vocabulary: Mapping[str, int]) -> EncodedText:
    """Return an utterance as numbers; there is at least one word."""
    found = list(_words_with_phrases(text))[:MAX_WORDS] or [("", 0)]
    places: list[int] = []
    for i, (_, phrase) in enumerate(found):
        same = i > 0 and found[i - 1][1] == phrase
        places.append(min(places[-1] + 1, MAX_WORDS_PER_PHRASE - 1) if same else 0)
    return EncodedText(
        tuple(_word_id(word, vocabulary) for word, _ in found),
        tuple(min(phrase, MAX_PHRASES - 1) for _, phrase in found),
        tuple(places),
        tuple(_repeat_counts(found)),
    )


def collect_words(texts: Iterable[str], min_texts: int = 1) -> tuple[str, ...]:
    """Return the words of texts in the alphabet's order, numbers left out.

    Words that fewer than `min_texts` texts have are left out too.
    """
    found = Counter[str]()
    for text in texts:
        found.update({word.lower() for word, _ in _words_with_phrases(text)})
    frequent = (word for word, count in found.items() if count >= min_texts)
    return tuple(sorted(word for word in frequent if word and not _is_number(word)))


def word_ids(words: Iterable[str]) -> dict[str, int]:
    """Return the number of each word of a vocabulary."""
    return {word: i for i, word in enumerate(words, FIRST_WORD_ID)}


def _words_with_phrases(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word with the number of its phrase."""
    phrase, before = -1, ","
    for word in text.split():
        if before.endswith(","):
            begins = True
        elif word in _MOTION_WORDS:
            begins = word != before
        else:
            begins = word in _INTERACTION_WORDS or before in _MOTION_WORDS
        phrase += begins
        yield word.rstrip(","), phrase
        before = word


def _repeat_counts(found: Sequence[tuple[str, int]]) -> Iterator[int]:
    """Yield for each word how often its phrase asks for its action."""
    for _, group in groupby(found, key=lambda pair: pair[1]):
        words = [word for word, _ in group]
        asked = len(words) if words[0] in _MOTION_WORDS else max(map(_count_meant_by, words))
        yield from [min(asked, MAX_WORDS_PER_PHRASE - 1)] * len(words)


def _count_meant_by(word: str) -> int:
    """Return the number that a word means, 1 for one that means none."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS.index(word) + 1
    return 2 if word == "twice" else int(word) if word.isdigit() else 1


def _word_id(word: str, vocabulary: Mapping[str, int]) -> int:
    return NUMBER_ID if _is_number(word) else vocabulary.get(word.lower(), UNKNOWN_ID)


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()
