"""Finds in a sentence of ALFRED's annotators what it mentions: things, places, lamps and marks.

A mark is a word that says what is done to something ("chilled", "rinse", "slice", "two").  Each
mention has the preposition before it: what something is put *in* or *on* is where it ends up, and
what it is *next to* or comes *from* is not.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

_WORDS_FILE = Path(__file__).parent / "directive_words.json"
_MAX_PHRASE = 4  # words
_MAX_SENTENCE = 20_000  # characters; the rest of a longer one is not read
_TOKEN = re.compile(r"[a-z]+|\d+|[.,;]")

INTO = frozenset("in on into onto inside to atop within upon unto at under".split())
"""Prepositions of where something ends up; "under" the sink is a cabinet."""
BESIDE = frozenset("next by near beside".split())
"""Prepositions of what something stands beside."""
_ELSEWHERE = BESIDE | frozenset(
    "from off below beneath above over front across behind between against of with "
    "underneath opposite out closest nearest that for".split()
)
"""Prepositions of what says where a thing is, or where it comes from."""
_PARTS = (
    "(?:front|back|upper|lower|bottom|top)[ -](?:left|right)(?: side| corner| hand side)?"
    "|top|back|back side|back end|seat|edge|side|lid|middle|center|centre|corner|front edge|surface"
    "|end|inside|base|bottom|ledge|tank|rim|cushion|cushions|arm|foot|spout"
)
_ON_PART = re.compile(
    r"\b(?:on |in |to |at |onto |into |inside )?(?:the |a )?(?:very )?"
    rf"(?:{_PARTS})(?: part| half)? of\b"
)
_BESIDE = re.compile(
    r"in front of|in between|in the (?:left|right) of"
    r"|to the (?:(?:upper|lower|bottom|top) )?(?:left|right)(?: side)?(?: of)?"
    r"|on the (?:left|right)(?: side)? of|next to|close to|(?:left|right)(?: hand)?(?: side)? of"
    r"|(?:by|at|near) the (?:side|foot|edge|end) of"
)
_FRIDGE = "fridge|refrigerator|freezer"
_IN_FRIDGE = re.compile(
    r"\b(?:shelf|shelves|rack|drawer|door|compartment|part|section)s? (?:of|in|inside)(?: of)? "
    rf"(?:the |a )?({_FRIDGE})|\b({_FRIDGE})(?:'s)? (?:shelf|shelves|rack|drawer|door)"
)
_UNDER_SINK = re.compile(
    r"\b(cabinet|cupboard|drawer|door)s? (?:that is |that's |located )?"
    r"(?:under|below|beneath|underneath) (?:the |a )?(?:kitchen |bathroom )?sink"
)
_MICROWAVING = re.compile(
    r"^(?:to )?microwav(?:e|ing)\b|\b(?:and|then|to) microwave\b(?= (?:it|the|a|an|them) )"
    r"|(?<=[,;.] )microwave\b(?= (?:it|the|a|an) |, | and )"
    r"|(?<=[,;] )microwave(?=[.]?$)"
)
_WASHING = re.compile(r"(^|[,;.] (?:and )?|\b(?:to|then|and) )wash (?=cloth|rag|towel)")
_THROWING = re.compile(
    r"\b(?:throw|toss|throwing|thrown|dispos\w*|discard\w*|get rid|trash|recycle|recycling)\b"
    r"(?=(?: of)? (?:out |away )?(?:a |an |the |two |it)|.*\baway\b)"
)
_BIN = re.compile(r"garbage|bins?\b|rubbish|basket|trash can|in the trash|trash$")


class MentionKind(StrEnum):
    """What a phrase can be."""

    THING = "things"
    PLACE = "places"
    LAMP = "lamps"
    MARK = "marks"


@dataclass(frozen=True, slots=True)
class Mention:
    """A known phrase: its kind, the type or mark that it means, and the preposition before it."""

    kind: MentionKind
    value: str
    preposition: str
    is_plural: bool = False

    @property
    def is_elsewhere(self) -> bool:
        """Whether the phrase only says where a thing is, or where it comes from."""
        return self.preposition in _ELSEWHERE


_Meanings = dict[MentionKind, tuple[str, bool]]
"""What a phrase means as each kind: a type or mark, and whether it is a plural."""


def mentions_in(sentence: str) -> tuple[Mention, ...]:
    """Return what a sentence mentions, in order."""
    return tuple(_find_mentions(_TOKEN.findall(_in_plain_order(sentence))))


@lru_cache(maxsize=1)
def other_types() -> Mapping[str, tuple[str, ...]]:
    """Return the types that the words for a type may also mean, the likeliest first."""
    return {name: tuple(others) for name, others in _word_table()["also"].items()}


def _in_plain_order(sentence: str) -> str:
    """Return a sentence in lower case, with its turns of phrase in simpler words."""
    text = " ".join(sentence[:_MAX_SENTENCE].lower().split())
    text = _WASHING.sub(r"\1wash , ", text)
    text = _ON_PART.sub(" on ", _BESIDE.sub(" near ", text))
    text = _IN_FRIDGE.sub(lambda found: found[1] or found[2], text)
    text = _MICROWAVING.sub("heat", _UNDER_SINK.sub(r"\1", text))
    return text if _BIN.search(text) else _THROWING.sub("put in garbage can , ", text)


def _find_mentions(words: list[str]) -> Iterator[Mention]:
    i, preposition = 0, ""
    while i < len(words):
        length, found = _longest_phrase(words, i)
        for kind, value, is_plural in _choose_meanings(found, preposition):
            yield Mention(kind, value, preposition, is_plural)
            if kind is not MentionKind.MARK:
                preposition = ""
        if not found:
            preposition = _preposition_after(words[i], preposition)
        i += length


def _longest_phrase(words: list[str], i: int) -> tuple[int, _Meanings]:
    for length in range(_MAX_PHRASE, 0, -1):
        found = _phrases().get(tuple(words[i : i + length]))
        if found is not None and i + length <= len(words):
            return length, found
    return 1, {}


def _choose_meanings(found: _Meanings, preposition: str) -> Iterator[tuple[MentionKind, str, bool]]:
    """Yield the meanings of a phrase that count: a place where something is put, else a thing."""
    both = MentionKind.THING in found and MentionKind.PLACE in found
    skipped = MentionKind.THING if preposition in INTO else MentionKind.PLACE
    for kind, (value, is_plural) in found.items():
        if not (both and kind is skipped):
            yield kind, value, is_plural


def _preposition_after(word: str, before: str) -> str:
    if word == "of" and before:
        return before
    if word in INTO or word in _ELSEWHERE:
        return word
    return "" if word in ("and", "then", ",", ".", ";", "it", "them") else before


@lru_cache(maxsize=1)
def _phrases() -> Mapping[tuple[str, ...], _Meanings]:
    table, phrases = _word_table(), dict[tuple[str, ...], _Meanings]()
    for kind in MentionKind:
        for value, texts in table[kind].items():
            for text in texts:
                words = tuple(text.split())
                phrases.setdefault(words, {})[kind] = (value, False)
                for form in _plural_forms(words) if kind is not MentionKind.MARK else ():
                    phrases.setdefault(form, {}).setdefault(kind, (value, True))
    return phrases


@lru_cache(maxsize=1)
def _word_table() -> Mapping[str, Mapping[str, list[str]]]:
    return json.loads(_WORDS_FILE.read_text(encoding="utf-8"))


def _plural_forms(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    *head, last = words
    for plural in _plurals(last):
        yield (*head, plural)
    if "of" in words:
        for plural in _plurals(words[0]):
            yield (plural, *words[1:])


def _plurals(noun: str) -> Iterator[str]:
    yield f"{noun}s"
    if noun.endswith(("s", "x", "ch", "sh", "o")):
        yield f"{noun}es"
    if noun.endswith("y"):
        yield f"{noun[:-1]}ies"
    if noun.endswith("fe"):
        yield f"{noun[:-2]}ves"
    elif noun.endswith("f"):
        yield f"{noun[:-1]}ves"
