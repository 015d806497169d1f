"""Tells what people say beside their orders: greetings, questions, "stop", "forget it".

A dialogue act is what an utterance does, whatever it is about (Austin 1962; ISO 24617-2).  The
patterns stand in `dialogue_acts.toml`; what matches none is left for the orders.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from tatc.base.files import package_table
from tatc.language.understanding import clause_reader, tokens

MAX_CHARACTERS = 2_000
"""What is read of one utterance; the rest of a longer one is not."""
_PIECE_ENDS = re.compile(r"([.!?;:\n\u2026]+|,|\s[-\u2013\u2014]+\s)")
_NO_LETTERS = re.compile(r"[^a-z0-9' ]+")
_APOSTROPHES = str.maketrans("\u2019\u2018\u00b4`", "''''")
_MAX_PIECES = 40
_LEAST_LIKENESS = 70.0  # of 100, by `rapidfuzz`; of unseen orders 2 to 4 in 100 are taken for acts
_PRONOUNS = frozenset("it that this them those these they one ones".split())


@dataclass(frozen=True, slots=True)
class Said:
    """A dialogue act, named as in the table, and what it is about.

    `thing` is a type, a class or "" for "it" and for nothing; `unknown` is what was named in
    words that mean no type.  `state` is a key of the table's states, `is_place` says that what is
    in or on the thing was asked for.  `words` are those that were typed.
    """

    act: str
    words: str
    thing: str = ""
    unknown: str = ""
    state: str = ""
    is_place: bool = False


@cache
def _table() -> dict[str, Any]:
    return package_table("tatc.language.conversation", "dialogue_acts.toml")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    named = _table()["acts"].items()
    return tuple((name, re.compile(text)) for name, texts in named for text in texts)


@cache
def _edges() -> tuple[re.Pattern[str], re.Pattern[str]]:
    fillers, endings = (_table()[name] for name in ("fillers", "endings"))
    return re.compile(rf"^(?:{fillers}\s+)+(?=\S)"), re.compile(rf"(?:\s+{endings})+$")


@cache
def state_properties() -> Mapping[str, tuple[str, object]]:
    """Return what makes each state true: a property of objects, and its value."""
    named = _table()["states"].items()
    return MappingProxyType({name: (raw["property"], raw["value"]) for name, raw in named})


@cache
def _state_of_word() -> Mapping[str, str]:
    named = _table()["states"].items()
    return MappingProxyType({word: name for name, raw in named for word in raw["words"]})


def read_acts(text: str) -> tuple[tuple[Said, ...], str]:
    """Return the dialogue acts of an utterance, and the rest of its words, "" for none.

    A sentence is an act as a whole, or else each part between commas may be one.
    """
    text = text[:MAX_CHARACTERS]
    found = act_of(text)
    if found is not None:
        return (found,), ""
    acts: list[Said] = []
    rest = ""
    parts = [*_PIECE_ENDS.split(text, maxsplit=_MAX_PIECES), ""]
    for piece, end in zip(parts[::2], parts[1::2], strict=True):
        act = act_of(piece)
        if act is None or act.act in ("yes", "no"):
            rest += piece + end  # "no, the other one" says what is meant
        else:
            acts.append(act)
    act = act_of(rest) if re.search(r"[^\W_]", rest) else None
    if act is not None:
        return (*acts, act), ""
    return tuple(acts), rest.strip(" ,.!?;:\n")


def act_of(piece: str) -> Said | None:
    """Return the dialogue act that a piece is as a whole, None if it is none."""
    words = plain_words(piece)
    before, after = _edges()
    bare = before.sub("", words)
    for form in dict.fromkeys((words, bare, after.sub("", words), after.sub("", bare))):
        for act, pattern in _patterns():
            if form and (found := pattern.fullmatch(form)) is not None:
                return _said(act, found, piece.strip())
    return None


def plain_words(text: str) -> str:
    """Return a text in lower case with single blanks, with nothing but words."""
    plain = text[:MAX_CHARACTERS].translate(_APOSTROPHES).lower()
    spelled: dict[str, str] = _table()["spellings"]
    return " ".join(spelled.get(word, word) for word in _NO_LETTERS.sub(" ", plain).split())


def guessed_act(words: str) -> Said | None:
    """Return the act of the example that words are most like, None if they are like none."""
    from rapidfuzz import fuzz, process

    said = [(text, act) for act, texts in _table()["examples"].items() for text in texts]
    texts = [text for text, _ in said]
    scorer, least = fuzz.token_sort_ratio, _LEAST_LIKENESS
    found = process.extractOne(plain_words(words), texts, scorer=scorer, score_cutoff=least)
    return None if found is None else Said(said[found[2]][1], words)


def _said(act: str, found: re.Match[str], words: str) -> Said:
    named = found.groupdict()
    state = _state_of_word().get(named.get("state") or "", "")
    asked = named.get("thing") or named.get("place") or ""
    what, unknown = noun_in(asked)
    return Said(act, words, what, unknown, state, is_place=bool(named.get("place")))


def noun_in(words: str) -> tuple[str, str]:
    """Return the type or class that words name, "" for "it"; or else the words that name none."""
    if not words.strip():
        return "", ""
    phrases = [
        phrase
        for clause in clause_reader.read_clauses(tokens.read_terms(words, 0))
        for phrase in clause.phrases
    ]
    named = [each.what for each in phrases if each.what and not each.is_dish]
    if named:
        return named[0], ""
    said = words.split()
    return ("", "") if _PRONOUNS & {*said} or phrases else ("", " ".join(said))
