"""Tells what people say beside their orders: greetings, questions, "stop", "forget it".

A dialogue act is what an utterance does, whatever it is about (Austin 1962; ISO 24617-2).  The
patterns stand in `dialogue_acts.toml`; what matches none is left for the orders.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from types import MappingProxyType

from tatc.base.files import package_table
from tatc.language.conversation.normalization import MAX_CHARACTERS, reworded
from tatc.language.understanding import clause_reader, clauses, tokens

_table = partial(package_table, __package__, "dialogue_acts.toml")
_PIECE_ENDS = re.compile(r"([.!?;:\n\u2026]+|,|\s[-\u2013\u2014]+\s)")
_NO_LETTERS = re.compile(r"[^a-z0-9' ]+")
_HEAD = re.compile(r"(?!.*\b(?:\w+thing|things|stuff|one)\b)(.+?) (?:in|on|under) (?:the|my) ")
_MAX_PIECES = 40
_PRONOUNS = frozenset(
    "it that this them those these they one ones he she him her inside there".split()
)


@dataclass(frozen=True, slots=True)
class Said:
    """A dialogue act, named as in the table, and what it is about.

    `thing` is a type, a class or "" for "it" and for nothing; `unknown` is what was named in
    words that mean no type.  `state` is a key of the table's states, `is_place` says that what is
    in or on the thing was asked for; only what is `at` a place may be meant.  `words` were typed.
    """

    act: str
    words: str
    thing: str = ""
    unknown: str = ""
    state: str = ""
    is_place: bool = False
    at: str = ""


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    named = _table()["acts"].items()
    return tuple((name, re.compile(text)) for name, texts in named for text in texts)


@cache
def known_acts() -> frozenset[str]:
    """Return the names of the dialogue acts."""
    return frozenset(_table()["acts"])


@cache
def _edges() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    fillers, endings, thing = (_table()[name] for name in ("fillers", "endings", "cancelled"))
    before, after = re.compile(rf"^(?:{fillers}\s+)+(?=\S)"), re.compile(rf"(?:\s+{endings})+$")
    return before, after, re.compile(thing)


@cache
def state_properties() -> Mapping[str, tuple[str, object]]:
    """Return what makes each state true: a property of objects, and its value."""
    named = _table()["states"].items()
    return MappingProxyType({name: (raw["property"], raw["value"]) for name, raw in named})


@lru_cache
def state_of_word(word: str) -> str:
    """Return the state that a word tells ("shut": closed), "" for none."""
    named = _table()["states"].items()
    return next((name for name, raw in named if word in raw["words"]), "")


def read_acts(text: str) -> tuple[tuple[Said, ...], str]:
    """Return the dialogue acts of an utterance, and the rest of its words, "" for none.

    A sentence is an act as a whole, or else each part between commas may be one.
    """
    text = text[:MAX_CHARACTERS]
    is_one = not re.search(r"\?[\s!.]*\w", text)  # "where is the mug? wash it"
    found = (act_of(text) if is_one else None) or _bare_question(text)
    if found is not None:
        return (found,), ""
    acts: list[Said] = []
    rest = ""
    parts = [*_PIECE_ENDS.split(text, maxsplit=_MAX_PIECES), ""]
    for piece, end in zip(parts[::2], parts[1::2], strict=True):
        act = act_of(piece)
        leads = act is not None and (
            act.act in ("yes", "no")
            or (act.act == "ask_cause" and end == ",")  # "who left it open, close it"
            or (act.act == "repeat" and (":" in end or "same" in piece) and len(parts) > 2)
            or (act.act == "cancel" and _PRONOUNS & {*piece.lower().split()} and names_any(rest))
            or (act.act == "cancel" and "mind" in piece and "changed" in piece)
            or (act.act == "wait" and "no" in piece.split() and names_any(text.partition(piece)[2]))
        )
        if act is None or leads:
            rest += piece + end  # "no, the other one" says what is meant, "one more: ..." what more
        else:
            acts.append(act)
    act = act_of(rest) if re.search(r"[^\W_]", rest) else None
    if act is not None:
        return (*acts, act), ""
    return tuple(acts), rest.strip(" ,.!?;:\n")


def _bare_question(text: str) -> Said | None:
    """Return the question whether a thing was found that is only named: "and the mug?"."""
    name = _edges()[0].sub("", plain_words(text)).removeprefix("the ").removeprefix("my ")
    found = tokens.longest_phrase(name.split()) if text.rstrip().endswith("?") else None
    kinds: Mapping[str, str] = found[1].by_kind if found and found[0] == len(name.split()) else {}
    said = Said("ask_found", text, kinds.get("thing", ""), name * ("thing" not in kinds))
    return said if kinds.keys() & {"thing", "unavailable"} else None


@lru_cache
def act_of(piece: str) -> Said | None:
    """Return the dialogue act that a piece is as a whole, None if it is none."""
    words = plain_words(piece)
    before, after, _ = _edges()
    bare = before.sub("", words)
    for form in dict.fromkeys((words, bare, after.sub("", words), after.sub("", bare))):
        for act, pattern in _patterns():
            if form and (found := pattern.fullmatch(form)) is not None:
                return _said(act, found, piece.strip())
    return None


@lru_cache
def plain_words(text: str) -> str:
    """Return a text in lower case with single blanks, with nothing but words."""
    return " ".join(_NO_LETTERS.sub(" ", reworded(text)).split())


def told_by_example(act: str, words: str) -> Said:
    """Return an act that words are by their likeness to others, with what they name."""
    states = filter(None, map(state_of_word, plain_words(words).split()))
    what, _ = noun_in(words)
    return Said(act, words, what, state=next(states, "") if act == "ask_state" else "")


def _said(act: str, found: re.Match[str], words: str) -> Said:
    named = found.groupdict()
    state = state_of_word(named.get("state") or "")
    asked = named.get("thing") or named.get("place") or ""
    head = _HEAD.match(asked)  # "a duck in the sink"
    what, unknown = noun_in(asked if head is None or noun_in(head[1])[0] else head[1])
    at, _ = noun_in(named.get("at") or "")
    return Said(act, words, what, unknown, state, is_place=bool(named.get("place")), at=at)


def names_any(words: str) -> bool:
    """Return whether words name a thing or a dish."""
    return any(each.what or each.is_dish for each in phrases_in(words))


def cancels_one(words: str) -> bool:
    """Return whether words that cancel something name it: "no croissant needed"."""
    return names_any(words) or _edges()[2].search(words.lower()) is not None


def phrases_in(words: str) -> list[clauses.NounPhrase]:
    """Return the noun phrases of words, in order."""
    read = clause_reader.read_clauses(tokens.read_terms(words, 0))
    return [phrase for clause in read for phrase in clause.phrases]


def noun_in(words: str) -> tuple[str, str]:
    """Return the type or class that words name, "" for "it"; or else the words that name none."""
    if not words.strip():
        return "", ""
    phrases = phrases_in(words)
    named = [e.what for e in phrases if e.what and not (e.is_dish or e.relation == "with")]
    if named:
        return named[0], ""
    said = words.split()
    return ("", "") if _PRONOUNS & {*said} or phrases else ("", " ".join(said))
