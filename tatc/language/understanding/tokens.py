"""Cuts utterances into terms: known phrases with their senses, and where they stand."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tatc.language.understanding.lexicon import Senses, WordKind, longest_phrase, shipped_lexicon
from tatc.language.understanding.spelling import repair_spelling

_STRUCK_BETWEEN = re.compile(r"([a-z]+)[;,\]\[']([a-z]+)")
_TOKEN_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[.,;:!?\n/*()]|\+|&")
_APOSTROPHES = str.maketrans("\u2019\u2018\u00b4`", "''''")
_TERMINAL_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_STOPS = frozenset(".;!?\n/")
_MAX_UTTERANCE = 20_000  # characters; the rest of a longer one is not read
_NO_SENSES = Senses(MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Span:
    """Where words stand: the number of the utterance, and the first and past-last character."""

    utterance: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Term:
    """A known phrase, an unknown word, or a mark such as a comma."""

    text: str
    senses: Mapping[WordKind, str]
    is_plural: bool
    span: Span

    def value(self, kind: WordKind) -> str:
        """Return what the term means as this kind, empty if it is not of it."""
        return self.senses.get(kind, "")

    @property
    def is_stop(self) -> bool:
        """Whether the term ends a sentence."""
        return self.text in _STOPS


def read_terms(
    text: str, utterance: int, corrections: Mapping[str, str] = MappingProxyType({})
) -> list[Term]:
    """Return the terms of an utterance in order.

    `corrections` has what to read in place of words in lower case.
    """
    words = list(_repaired_words(_lower(text[:_MAX_UTTERANCE]), corrections))
    terms: list[Term] = []
    i = 0
    while i < len(words):
        found = longest_phrase(word for word, _, _ in words[i : i + 6])
        length, senses = (1, None) if found is None else found
        last = words[i + length - 1]
        shown = " ".join(word for word, _, _ in words[i : i + length])
        span, known = Span(utterance, words[i][1], last[2]), senses or _NO_SENSES
        terms.append(Term(shown, known.by_kind, known.is_plural, span))
        i += length
    return terms


def _lower(text: str) -> str:
    """Return a text in lower case, with each character at its place.

    What only a terminal obeys is blank, so that the number of a colour is no number of things.
    """
    text = _TERMINAL_SEQUENCE.sub(lambda found: " " * len(found.group()), text)
    lower = text.translate(_APOSTROPHES).lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _repaired_words(text: str, corrections: Mapping[str, str]) -> Iterator[tuple[str, int, int]]:
    known_words = shipped_lexicon().known_words
    at = 0
    while (match := _TOKEN_PATTERN.search(text, at)) is not None:
        at = match.end()
        struck = _STRUCK_BETWEEN.match(text, match.start())  # "p;lates"
        if struck is not None and not known_words.issuperset(struck.groups()):
            joined = "".join(struck.groups())
            if joined in known_words:
                at = struck.end()
                yield joined, struck.start(), at
                continue
        typed = corrections.get(match.group(), match.group())
        known = typed in shipped_lexicon().known_words
        for word in repair_spelling(typed if known else typed.removesuffix("'s")):
            yield word, match.start(), match.end()
