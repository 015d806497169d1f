"""Finds what words describe: "something to change channels" is a remote control.

`descriptions.toml` says what each type is for, has, is made of and looks like.  What is described
is less sure than what is named.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from tatc.base import files
from tatc.home.assets import known_object_types
from tatc.language import text_classifier

_table = partial(files.package_table, __package__, "descriptions.toml")
_CUES = ("uses", "parts", "looks", "made_of", "kind", "gloss", "also")
_WORD = re.compile(r"[a-z]+")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ings?|ers?|e[dns]?|s)$|(?<=[a-z]i)e[ds]$")
_MOST_SURE = 0.6  # less than a name
_LEAST_SURE_IN_TEXT = 0.2
_MOST_MODIFIERS, _MOST_WORDS, _MOST_CONTRASTED = 4, 24, 7
_PLACING = frozenset(
    "in on into onto inside to at atop under by near beside next from upon within".split()
)
_ALWAYS_DESCRIBED = ("something", "anything")
_NAMES = ("name", "place")
_WITH_ONE = ("with", "the")  # "anything with the stove" describes nothing
_MARKS = frozenset(".,;:!?\n/()")


@dataclass(frozen=True, slots=True)
class Description:
    """Which words of an utterance describe a type, from first to past last, and how surely."""

    start: int
    end: int
    type: str
    confidence: float


def type_from_description(words: str, among: Collection[str] = ()) -> tuple[str, float]:
    """Return the type (of those `among`, if any) that words describe best, and how sure that is.

    Words that no cue has make it less sure.
    """
    kind, sure = _classifier().classify(words, among)
    unmeant = _words()["skipped"] | _words()["prepositions"]
    told = [_stem(each) for each in _WORD.findall(words.lower()) if each not in unmeant]
    return kind, sure * sum(map(_classifier().has_feature, told)) / max(1, len(told))


def vocabulary() -> frozenset[str]:
    """Return all words of the table."""
    return frozenset(_WORD.findall(str(_table()).lower()))


@cache
def fixed_types() -> frozenset[str]:
    """Return the types that nobody carries."""
    known = known_object_types()
    return frozenset(name for name in known if not known[name].affordances.pickupable)


def descriptions_in(
    words: Sequence[str],
    known: Mapping[int, str],
    things: Collection[str] = (),
    places: Collection[str] = (),
) -> Iterator[Description]:
    """Yield the descriptions among the words and marks of an utterance in lower case.

    `known` has words that mean something themselves, by index: a "place", before which descriptions
    end, a "name", or a "state" such as "hot".  What follows a preposition of place is one of the
    types `places`, all else of `things`; of "where ..." what stands fast is meant.
    """
    i = 0
    while i < len(words):
        start, end = _extent(words, i, known)
        if end - start > 1:
            leading = (k for k in range(start - 1, -1, -1) if words[k] not in _words()["articles"])
            before = words[next(leading, 0)] if start else ""
            is_place = before in _PLACING and before != "at"  # "look at what rings"
            among = places if words[start] == "where" or is_place else things
            among = among or (fixed_types() if words[start] == "where" else ())
            kind, sure = type_from_description(" ".join(words[start:end]), among)
            if sure >= _LEAST_SURE_IN_TEXT:
                yield Description(start, end, kind, round(min(_MOST_SURE, sure), 3))
                i = end - 1
        i += 1


def _extent(words: Sequence[str], i: int, known: Mapping[int, str]) -> tuple[int, int]:
    """Return where a description whose head is at an index starts and ends; (i, i) if none."""
    table, head, start = _words(), words[i], i
    before, (after, second) = words[i - 1] if i else ".", (*words[i + 1 : i + 3], ".", ".")[:2]
    is_held = head == "what" and (second if after == "is" else after) in _PLACING
    if is_held or {after, second} & table["vague"] or (after, second) == _WITH_ONE:
        return i, i
    if head in ("what", "where"):
        end, asks = _end_of(words, i + 1, known), before in _MARKS or after in table["asking"]
        asks = asks or (head == "where" and second.endswith("ed"))  # "where you sliced it"
        points = words[end - 1] in table["closing"] or (end - i < 3 and i + 1 in known)
        return (i, i) if asks or points else (i, end)
    is_in_name = any(known.get(k) in _NAMES for k in (i - 1, i + 1))
    if is_in_name or table["heads"].isdisjoint((head, head.removesuffix("s"))):
        return i, i
    for k in range(i - 1, max(-1, i - 2 - _MOST_MODIFIERS), -1):
        if words[k] in table["articles"] or k in known:
            start = k + 1
            break
        if words[k] in table["skipped"] | table["vague"] | _PLACING | _MARKS:
            break
    leads = after in _PLACING and second in table["articles"] | table["heads"]
    goes_on = after in table["links"] or head in _ALWAYS_DESCRIBED
    goes_on = goes_on or after not in table["prepositions"] | table["closing"] | _MARKS
    needs = {after} & table["defining"] if known.get(i) in _NAMES else goes_on
    if not needs and start > i - 2:  # one word before "thing" tells too little
        return i, i
    end = _end_of(words, i + 1, known) if goes_on and not leads else i + 1
    says_nothing = {*words[start:end]} <= {head} | table["prepositions"]  # "do with something"
    return (i, i) if says_nothing else (start, end)


def _end_of(words: Sequence[str], first: int, known: Mapping[int, str]) -> int:
    table, says = _words(), False
    last = min(len(words), first + _MOST_WORDS)
    for k in range(first, last):
        word = words[k]
        is_next = word == "then" or (word == "and" and {*words[k + 1 : k + 2]} & table["orders"])
        if word in _MARKS or is_next:
            return k
        if says and (word in table["ending"] or _leads_to_place(words, k, known)):
            return k
        says = says or word not in table["skipped"] | table["prepositions"]
    return last


def _leads_to_place(words: Sequence[str], k: int, known: Mapping[int, str]) -> bool:
    for j in range(k + 1, min(len(words), k + 5) if words[k] in _PLACING else k):
        if known.get(j) == "place" or words[j] in {"what", "where", *_words()["heads"]}:
            return True
        if words[j] in _words()["prepositions"] | _MARKS or known.get(j) == "name":
            return False
    return False


def unmeant(words: Sequence[str], known: Mapping[int, str]) -> Iterator[tuple[int, int]]:
    """Yield from where to where words name what is not meant: "although ...", "not the fork".

    What is conceded goes to the end of its clause, what is contrasted to that of its name, if the
    name is `known`.
    """
    table, end = _words(), 0
    for i, word in enumerate(words):
        rest = range(i + 1, len(words))
        if i >= end and word in table["conceding"]:
            end = next((k for k in rest if words[k] in _MARKS), len(words))
            if i == 0 and end == len(words):  # "although there is a cup take the mug"
                end = next((k for k in rest if words[k] in table["orders"]), i)
            yield i, end
        elif known and i >= end and word in table["contrasting"]:
            near = rest[:_MOST_CONTRASTED]
            stop = next((k for k in near if words[k] in _MARKS | table["kept"]), len(words))
            named = [k for k in near if known.get(k) in _NAMES or words[k] in ("it", "them")]
            ends = (k + 1 for k in named if k < stop and known.get(k + 1) not in _NAMES)
            end = next(ends, i)
            yield i, end


@cache
def _words() -> Mapping[str, frozenset[str]]:
    return {key: frozenset(text.split()) for key, text in _table()["words"].items()}


@cache
def _classifier() -> text_classifier.TextClassifier:
    cues = {name: [*_texts(row)] for name, row in _table().items() if name != "words"}
    return text_classifier.TextClassifier(cues, _features)


def _texts(row: dict[str, Any]) -> Iterable[str]:
    """Yield each cue of a type, and all of them together."""
    cues = [row.get(key, "") for key in _CUES]
    for cue in cues:
        yield from filter(None, cue.split(",") if isinstance(cue, str) else cue)
    yield str(cues)


def _features(text: str) -> Iterable[str]:
    words = (each for each in _WORD.findall(text.lower()) if each not in _words()["skipped"])
    words = [*words]
    return [*text_classifier.word_features(map(_stem, words)), *(f"={w}" for w in words)]


@cache
def _irregular_forms() -> Mapping[str, str]:
    return dict(each.split("=") for each in sorted(_words()["irregular"]))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Return what the forms of a word share: "fri" of "fry", "fries", "fried" and "frying"."""
    stem = _ENDING.sub("", _irregular_forms().get(word, word))
    if len(stem) > 3 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    return f"{stem[:-1]}i" if stem[-1:] == "y" else stem
