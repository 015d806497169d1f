"""Encodes a text for the light network: ids of words, and numbers of their phrases.

A phrase ends at a comma.  In the wording of the paper, each primitive action begins a
phrase, and equal motions in a row are one.  So a phrase has the number of the run of equal
actions that it asks for, and the network need not learn to count phrases.  How often a
phrase asks for its action is encoded too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tatc.base.plain_text import whole_number
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS
from tatc.language.step_wording import NUMBER_WORDS

MAX_WORDS = 192
"""The number of words of a text that are read; the rest is cut off."""
MAX_PHRASES = 64
"""The number of phrases that have numbers of their own; later ones share the last."""
MAX_WORDS_PER_PHRASE = 32
"""The number of positions in a phrase that are told apart; later words share the last."""

PAD_ID, UNKNOWN_ID, NUMBER_ID = 0, 1, 2
FIRST_WORD_ID = 3

_MOTION_WORDS = frozenset(verb.value.replace(" ", "") for verb in MOTION_VERBS)
_INTERACTION_WORDS = frozenset(verb.value.replace(" ", "") for verb in INTERACTION_VERBS)


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text as numbers, one entry of each tuple for each word.

    `words` are the words' ids, `phrases` the numbers of their phrases, `positions` their
    positions in these, and `repeat_counts` how often the phrase asks for its action.
    """

    words: tuple[int, ...]
    phrases: tuple[int, ...]
    positions: tuple[int, ...]
    repeat_counts: tuple[int, ...]


def encode_text(text: str, vocabulary: Mapping[str, int]) -> EncodedText:
    """Return a text as numbers; an empty text counts as one unknown word."""
    words = list(_words_with_phrases(text))[:MAX_WORDS] or [("", 0)]
    positions: list[int] = []
    for i, (_, phrase) in enumerate(words):
        same = i > 0 and words[i - 1][1] == phrase
        positions.append(min(positions[-1] + 1, MAX_WORDS_PER_PHRASE - 1) if same else 0)
    return EncodedText(
        tuple(_word_id(word, vocabulary) for word, _ in words),
        tuple(min(phrase, MAX_PHRASES - 1) for _, phrase in words),
        tuple(positions),
        tuple(_repeat_counts(words)),
    )


def collect_words(texts: Iterable[str], min_texts: int = 1) -> tuple[str, ...]:
    """Return the words of texts, lower case and sorted; numbers are left out.

    Words that occur in fewer than `min_texts` texts are left out too.
    """
    counts = Counter[str]()
    for text in texts:
        counts.update({word.lower() for word, _ in _words_with_phrases(text)})
    frequent = (word for word, count in counts.items() if count >= min_texts)
    return tuple(sorted(word for word in frequent if word and not _is_number(word)))


def word_ids(words: Iterable[str]) -> dict[str, int]:
    """Return the id of each word of a vocabulary."""
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


def _repeat_counts(words_with_phrases: Sequence[tuple[str, int]]) -> Iterator[int]:
    """Yield for each word how often its phrase asks for its action."""
    for _, group in groupby(words_with_phrases, key=lambda pair: pair[1]):
        words = [word for word, _ in group]
        count = len(words) if words[0] in _MOTION_WORDS else max(map(_count_meant_by, words))
        yield from [min(count, MAX_WORDS_PER_PHRASE - 1)] * len(words)


def _count_meant_by(word: str) -> int:
    """Return the number that a word means; 1 if it means none."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS.index(word) + 1
    number = 2 if word == "twice" else whole_number(word)
    return 1 if number is None else number


def _word_id(word: str, vocabulary: Mapping[str, int]) -> int:
    return NUMBER_ID if _is_number(word) else vocabulary.get(word.lower(), UNKNOWN_ID)


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()
