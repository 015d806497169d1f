"""The words that `tatc.language.understanding` knows, from `lexicon.json`.

A phrase of one or more words has senses: "slice" is a verb and a measure, "one" a number, a
pronoun and a mark that one place is meant.  Which sense counts, `clause_reader` decides.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

_LEXICON_FILE = Path(__file__).parent / "lexicon.json"
_MAX_PHRASE = 6  # words

WordKind = str
"""What a phrase is for: thing, dish, verb, number, or a key of `words` in the file."""


@dataclass(frozen=True, slots=True)
class Senses:
    """What a phrase can mean: a value by kind, and whether it is a plural noun."""

    by_kind: Mapping[WordKind, str]
    is_plural: bool = False


@dataclass(frozen=True)
class Lexicon:
    """All known phrases, and the single words by how willingly spelling is repaired to them.

    `content_words` say what is wanted; `known_words` are never repaired.
    """

    phrases: Mapping[tuple[str, ...], Senses]
    content_words: tuple[str, ...]
    known_words: frozenset[str]


@lru_cache(maxsize=1)
def shipped_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    table = json.loads(_LEXICON_FILE.read_text(encoding="utf-8"))
    draft = _Draft()
    for kind, key in (("thing", "things"), ("thing", "classes"), ("dish", "dishes")):
        for value, nouns in table[key].items():
            draft.add_nouns(kind, value, nouns)
    for kind, key in (("verb", "verbs"), ("number", "numbers")):
        for value, words in table[key].items():
            draft.add(kind, value, words)
    content = dict.fromkeys(word for phrase in draft.senses for word in phrase)
    for kind, words in table["words"].items():
        draft.add(kind, kind, words)
    known = {word for phrase in draft.senses for word in phrase}
    known |= {*table["plain"], *table["chat"]}
    phrases = {key: Senses(kinds, key in draft.plurals) for key, kinds in draft.senses.items()}
    content_words = tuple(word for word in content if len(word) > 2)
    return Lexicon(MappingProxyType(phrases), content_words, frozenset(known))


def longest_phrase(words: Iterable[str]) -> tuple[int, Senses] | None:
    """Return how many of the first words form the longest known phrase, and its senses."""
    key = tuple(words)[:_MAX_PHRASE]
    phrases = shipped_lexicon().phrases
    while key:
        if key in phrases:
            return len(key), phrases[key]
        key = key[:-1]
    return None


class _Draft:
    def __init__(self) -> None:
        self.senses: dict[tuple[str, ...], dict[str, str]] = {}
        self.plurals: set[tuple[str, ...]] = set()

    def add(self, kind: str, value: str, texts: Iterable[str]) -> None:
        for text in texts:
            self.senses.setdefault(tuple(text.split()), {}).setdefault(kind, value)

    def add_nouns(self, kind: str, value: str, texts: Iterable[str]) -> None:
        self.add(kind, value, texts)
        for text in texts:
            *head, last = text.split()
            for plural in _plurals(last):
                key = (*head, plural)
                if key not in self.senses:
                    self.senses[key] = {kind: value}
                    self.plurals.add(key)


def _plurals(noun: str) -> list[str]:
    if noun.endswith("s") and not noun.endswith("ss"):
        return []
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return [noun[:-1] + "ies", noun + "s"]
    if noun.endswith(("s", "x", "ch", "sh", "o")):
        return [noun + "es", noun + "s"]
    if noun.endswith("fe"):
        return [noun[:-2] + "ves", noun + "s"]
    if noun.endswith("lf"):
        return [noun[:-1] + "ves", noun + "s"]
    return [noun + "s"]
