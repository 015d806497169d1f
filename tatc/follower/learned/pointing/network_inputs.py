"""The pointing network's words and verbs as numbers.

A phrase of a text ends at a comma.  In the wording of the paper, each primitive action begins a
phrase, and equal motions in a row are one.  Past actions are counted alike: consecutive equal
motions form a run, and each interaction is a run of its own.  So a phrase has the number of the run
that it asks for, and the network need not learn to count phrases.  How often a phrase asks for its
action is encoded too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tatc.base.plain_text import whole_number
from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, MOTION_VERBS, Verb
from tatc.language.step_wording import NUMBER_WORDS

MAX_WORDS = 192  # the number of words of a text that are read; the rest is cut off
MAX_PHRASES = 64  # the number of phrases that have numbers of their own; later ones share the last
MAX_WORDS_PER_PHRASE = 32
"""The number of positions in a phrase that are told apart; later words share the last."""
UNKNOWN_ID, NUMBER_ID, FIRST_WORD_ID = 1, 2, 3  # 0 pads
ASK_VERB = Verb.TEXT
"""The action that asks for the next instruction, because this one is carried out."""
NETWORK_VERBS = (ASK_VERB, *FOLLOWER_VERBS[1:])
"""The network's actions in the order of their ids; the Commander ends sessions, so no Stop."""
START_INDEX = len(NETWORK_VERBS)  # the id that stands for the action before the first
HAND_FULL_AFTER = {Verb.PICKUP: True, Verb.PLACE: False}
"""Whether the hand holds something after these verbs; other verbs leave it as it is."""
IMPOSSIBLE_VERBS = {True: (Verb.PICKUP,), False: (Verb.PLACE, Verb.POUR, Verb.SLICE)}
"""The verbs that fail while the hand holds something, and while it is empty."""
_MOTION_WORDS = frozenset(verb.value.replace(" ", "") for verb in MOTION_VERBS)
_INTERACTION_WORDS = frozenset(verb.value.replace(" ", "") for verb in INTERACTION_VERBS)


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text as numbers for each word: id, phrase, position in it, and repeats asked for."""

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
        tuple(
            NUMBER_ID if _is_number(word) else vocabulary.get(word.lower(), UNKNOWN_ID)
            for word, _ in words
        ),
        tuple(min(phrase, MAX_PHRASES - 1) for _, phrase in words),
        tuple(positions),
        tuple(_repeat_counts(words)),
    )


def collect_words(texts: Iterable[str], min_texts: int = 1) -> tuple[str, ...]:
    """Return the words of at least `min_texts` texts, lower case and sorted, without numbers."""
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


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()
