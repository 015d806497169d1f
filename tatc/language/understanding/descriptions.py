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
_WORD = re.compile(r"[a-z]+")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ings?|ers?|e[dns]?|s)$|(?<=[a-z]i)e[ds]$")
_DONE = re.compile(r"\b(is|are|was|were|g[eo]ts?) (\w+ ){1,3}(in|on|with|from|off) (it|them)\b")
_OF_IT = re.compile(r"\b(?:it|them)\b")
_MOST_SURE = 0.6  # less than a name
_LEAST_SURE_IN_TEXT, _LEAST_SURE_BY_NOUN = 0.2, 0.33
_NEARLY, _SURE_OF_LATER = 0.6, 0.4  # as sure as the surest; of another that ends one before it
_MOST_WORDS, _MOST_CONTRASTED, _MOST_READ = 24, 7, 300
_PLACING = frozenset(
    "in on into onto inside to at atop under by near beside next from upon within".split()
)
_Types = tuple[Collection[str], Collection[str]]
_NAMES = ("name", "place")
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
    unmeant = word_lists()["skipped"] | word_lists()["prepositions"]
    told = [_stem(each) for each in _WORD.findall(words.lower()) if each not in unmeant]
    return kind, sure * (sum(map(_classifier().has_feature, told)) / max(1, len(told)))


def vocabulary() -> frozenset[str]:
    """Return all words of the table."""
    rows = ({key: row[key] for key in row if key != "also"} for row in _table().values())
    return frozenset(_WORD.findall(str([*rows]).lower()))


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
    by_any_noun: bool = False,
) -> Iterator[Description]:
    """Yield the descriptions among the words and marks of an utterance in lower case.

    `known` has words that mean something themselves, by index: a "place", before which descriptions
    end, a "name", or a "state" such as "hot".  What follows a preposition of place is likelier one
    of the types `places`, all else of `things`; of "where ..." what stands fast is meant.  Only if
    `by_any_noun` they begin with nouns that are none of `heads`.
    """
    among, end = (things, places or fixed_types()), 0
    found = _Descriptions(words, known, among, by_any_noun).found
    for i in range(len(words)):
        if i >= end and i in found:
            end = found[i].end
            yield found[i]


def topic_of(words: Sequence[str], known: Mapping[int, str], among: Collection[str]) -> Description:
    """Return what is said of an "it" before the first order, confidence 0 if nothing.

    "Eggs were fried in it. Wash it." is about a pan.
    """
    starts = (k for k in range(len(words)) if k == 0 or words[k - 1] in _MARKS | {"and", "so"})
    is_order = (k for k in starts if words[k] in word_lists()["verbs"] or known.get(k) == "state")
    end = next(is_order, 0)
    said, named = " ".join(words[:end]), [k for k in known if known[k] == "name"]
    is_told = (_DONE if named else _OF_IT).search(said) and all(k < end for k in named)
    kind, sure = type_from_description(said, among) if is_told else ("", 0.0)
    return Description(0, end, kind, sure if sure >= _LEAST_SURE_BY_NOUN else 0.0)


class _Descriptions:
    """The descriptions that begin at each word, the last first: a later one may end an earlier."""

    def __init__(
        self, words: Sequence[str], known: Mapping[int, str], among: _Types, by_any_noun: bool
    ) -> None:
        self._words, self._known, self._among = [*words, ".", ".", "."], known, among
        self._by_any_noun, self._lists = by_any_noun, word_lists()
        self.found = dict[int, Description]()
        for i in reversed(range(min(len(words), _MOST_READ))):
            if (core := self._core_end(i)) and (found := self._best(i, core)):
                self.found[i] = found

    def _is_head(self, k: int) -> bool:
        return self._words[k].removesuffix("s") in self._lists["heads"] and k not in self._known

    def _points(self, i: int) -> bool:
        """Return whether a word points at something, as "what" does, and asks nothing."""
        lists, (word, after, second) = self._lists, self._words[i : i + 3]
        asks = i == 0 or self._words[i - 1] in _MARKS or after in lists["asking"]
        asks = asks and word in ("what", "where") and not self._by_any_noun
        is_held = word == "what" and (second if after == "is" else after) in _PLACING
        is_vague = bool({after, second} & lists["vague"])
        return word in lists["pointing"] and not (asks or is_held or is_vague)

    def _core_end(self, i: int) -> int:
        """Return where the noun phrase ends with which a description may begin, 0 if none can."""
        words, known, lists = self._words, self._known, self._lists
        before, ends = words[i - 1] if i else ".", lists["bounds"] | lists["articles"] | _MARKS
        if (points := self._points(i)) or words[i] in ends or known.get(i - 1) in _NAMES:
            return points * (i + 1)
        is_named = before in lists["articles"]
        is_order = before in lists["verbs"] and (i < 2 or words[i - 2] not in lists["bounds"])
        leads = is_named or is_order or before in _MARKS or before in _PLACING - {"to"}
        leads = leads or known.get(i - 1 - (before == "of")) == "state" or self._is_head(i)
        if not leads or not (is_named or (words[i] not in lists["verbs"] and i not in known)):
            return 0
        core = next(k for k in range(i + 1, len(words)) if words[k] in ends or self._is_head(k - 1))
        kinds = [known.get(k, "") for k in range(i, core)]
        is_state = kinds[0] == "state" and core > i + 1 and words[i][-3:] != "ing"  # "a cold thing"
        is_verb = words[core] in lists["articles"] and not is_named
        is_part = kinds[-1] == "state" and words[core] not in lists["telling"]
        if is_state or is_verb or is_part or lists["scenery"].issuperset(words[i:core]):
            return 0
        if {*_NAMES}.isdisjoint(kinds) or (self._by_any_noun and self._is_head(core - 1)):
            return core * (self._by_any_noun or any(map(self._is_head, range(i, core))))
        is_full = known.get(core - 2) in _NAMES  # "alarm clock"
        tell = (("heads", "telling"), ("generic", "defining"))[: 1 + self._by_any_noun - is_full]
        return core * any(words[core - 1] in lists[k] and words[core] in lists[v] for k, v in tell)

    def _best(self, i: int, core: int) -> Description | None:
        """Return what the words from one on describe, as far as they go on about it."""
        words, lists, k = self._words, self._lists, core
        while k < i + _MOST_WORDS and not self._ends(k, core):
            k += 1
        lead = next((w for w in reversed(words[:i]) if w not in lists["articles"]), "at")
        weights = (1, 2) if lead in _PLACING and lead != "at" else (2, 1)  # "look at what rings"
        weights = (0, 1) if words[i].startswith("where") else weights
        bounds = (j for j in range(max(i + 1, core), k) if words[j] in lists["bounds"])
        told = [
            (*type_from_description(" ".join(words[i:end]), kinds), end, weight)
            for end in (*bounds, k)
            for kinds, weight in zip(self._among, weights, strict=True)
        ]
        kind, sure, *_ = max(told, key=lambda each: each[1] * each[3] * (each[2] - i + 6))
        end = max(e for what, least, e, _ in told if what == kind and least >= _NEARLY * sure)
        is_told = words[i] in lists["pointing"] or any(map(self._is_head, range(i, core)))
        least = _LEAST_SURE_IN_TEXT if is_told else _LEAST_SURE_BY_NOUN if k > i + 1 else _MOST_SURE
        content = {w for j, w in enumerate(words[i:end], i) if self._known.get(j) not in _NAMES}
        content -= lists["dull"] | lists["heads"]  # more is said than "that thing", "where it is"
        if sure < least or len(content) <= (not self._by_any_noun and end < i + 3):
            return None
        return Description(i, end, kind, round(min(_MOST_SURE, sure), 3))

    def _ends(self, k: int, core: int) -> bool:
        """Return whether a description surely goes no further than before a word."""
        known, lists = self._known, self._lists
        before, word, after, then = self._words[k - 1 : k + 3]
        if word in _MARKS or word in ("into", "onto", "inside"):
            return True
        if word in lists["ending"] or word in lists["stopping"]:
            return before not in lists["defining"] and not self._words[core - 1].startswith("where")
        if word == "and":
            return after in _MARKS or (after in lists["verbs"] and then in lists["following"])
        is_stranded = k > core + 1 and before in lists["stranded"]
        is_state = known.get(k) == "state" and not word.endswith("ing")
        if is_state and k == core and self._is_head(k - 1) and after in _MARKS | {"and", "then"}:
            return True  # "have the vessel chilled"
        if self._by_any_noun and known.get(k) == "name" and k > core:
            return lists["links"].isdisjoint(self._words[core - 1 : k])  # "the cat sat on the mat"
        if is_state or word in lists["being"]:
            return is_stranded or (after in lists["prepositions"] and not is_state)
        if word not in _PLACING or after in _PLACING:  # "what eggs are fried in on the stove"
            return known.get(k) == "place" and k > core
        later = [each for j in (k + 1, k + 2) if (each := self.found.get(j))]
        is_later = any(e.type in self._among[1] and e.confidence >= _SURE_OF_LATER for e in later)
        return is_later or any(known.get(j) == "place" for j in range(k + 1, k + 4))


def unmeant(words: Sequence[str], known: Mapping[int, str]) -> Iterator[tuple[int, int]]:
    """Yield from where to where words name what is not meant: "although ...", "not the fork".

    What is conceded goes to the end of its clause, what is contrasted to that of its name, if the
    name is `known`.
    """
    table, end = word_lists(), 0
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
            end = next((k + 1 for k in named if k < stop and known.get(k + 1) not in _NAMES), i)
            yield i, end


@cache
def word_lists() -> Mapping[str, frozenset[str]]:
    """Return the words that tell where descriptions begin and end, by what they do."""
    return {key: frozenset(text.split()) for key, text in _table()["words"].items()}


@cache
def _classifier() -> text_classifier.TextClassifier:
    cues = {name: [*_texts(row)] for name, row in _table().items() if name[0].isupper()}
    return text_classifier.TextClassifier(cues, _features)


def _texts(row: dict[str, Any]) -> Iterable[str]:
    """Yield each cue of a type, and all of them together."""
    cues = [row[key] for key in row if key != "wordnet"]
    for cue in cues:
        yield from filter(None, cue.split(",") if isinstance(cue, str) else cue)
    yield str(cues)


def _features(text: str) -> Iterable[str]:
    words = [e for e in _WORD.findall(text.lower()) if e not in word_lists()["skipped"]]
    return [*text_classifier.word_features(map(_stem, words)), *(f"={w}" for w in words)]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Return what the forms of a word share: "fri" of "fry", "fries", "fried" and "frying"."""
    stem = _ENDING.sub("", _table()["forms"].get(word, word))
    if len(stem) > 3 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    return f"{stem[:-1]}i" if stem[-1:] == "y" else stem
