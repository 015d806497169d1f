"""Cuts utterances into terms: phrases of `lexicon.json` with their senses, and where they stand.

An unknown word becomes the lexicon's nearest, if one is near (optimal string alignment).  English
words that it does not need are listed there as known, so that "plan" does not become "pan".
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from tatc.base import files
from tatc.home.actions import Utterance
from tatc.language.understanding import descriptions

# A phrase has senses: "slice" is a verb and a measure.  Which counts, `clause_reader` decides.

_MAX_PHRASE = 6  # words

WordKind = str  # what a phrase is for: thing, dish, verb, number, or a key of `words` in the file


@dataclass(frozen=True, slots=True)
class Senses:
    """What a phrase can mean: a value by kind, and whether it is a plural noun."""

    by_kind: Mapping[WordKind, str]
    is_plural: bool = False


@dataclass(frozen=True)
class Lexicon:
    """All known phrases, the words that say what is wanted, and those that are never repaired."""

    phrases: Mapping[tuple[str, ...], Senses]
    content_words: tuple[str, ...]
    known_words: frozenset[str]
    first_words: frozenset[str]


@lru_cache(maxsize=1)
def shipped_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    table = files.package_table(__package__, "lexicon.json")
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
    known |= {*table["plain"], *table["chat"], *descriptions.vocabulary()}
    phrases = {key: Senses(kinds, key in draft.plurals) for key, kinds in draft.senses.items()}
    content_words = tuple(word for word in content if len(word) > 2)
    first = frozenset(key[0] for key in phrases)
    return Lexicon(MappingProxyType(phrases), content_words, frozenset(known), first)


def longest_phrase(words: Iterable[str]) -> tuple[int, Senses] | None:
    """Return how many of the first words form the longest known phrase, and its senses."""
    key = tuple(words)[:_MAX_PHRASE]
    lexicon = shipped_lexicon()
    phrases = lexicon.phrases
    while key and key[0] in lexicon.first_words:
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
            for plural in plurals_of(last):
                key = (*head, plural)
                if key not in self.senses:
                    self.senses[key] = {kind: value}
                    self.plurals.add(key)


def plurals_of(noun: str) -> list[str]:
    """Return the plurals that people write of a noun, right or wrong; none of one in -s."""
    if noun.endswith("s") and not noun.endswith("ss"):
        return []
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return [noun[:-1] + "ies", noun + "s"]
    if noun.endswith(("s", "x", "ch", "sh", "o")):
        return [noun + "es", noun + "s"]
    if noun.endswith("fe"):
        return [noun[:-2] + "ves", noun + "s"]
    return [noun[:-1] + "ves", noun + "s"] if noun.endswith("lf") else [noun + "s"]


_STRUCK_BETWEEN = re.compile(r"([a-z]+)[;,\]\[']([a-z]+)")
_TOKEN_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[.,;:!?\n/*()]|\+|&")
_APOSTROPHES = str.maketrans("\u2019\u2018\u00b4`", "''''")
_TERMINAL_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_STOPS = frozenset(".;!?\n/")
_MAX_UTTERANCE = 20_000  # characters; the rest of a longer one is not read
_NO_SENSES = Senses(MappingProxyType({}))
_MAX_WORD = 24  # letters; a longer word is no misspelling of ours
_SHORT_WORDS: tuple[str, ...] = tuple(files.package_table(__package__, "lexicon.json")["short"])
"""Words that are no content, and to which spelling is repaired too."""
_GLUED_FIRST: list[str] = files.package_table(__package__, "lexicon.json")["glued_first"]
_STARRED = re.compile(r"\W*[*^]\s*([a-z]+)\W*|\W*([a-z]+)\s*\*\W*", re.IGNORECASE)
_BARE = re.compile(r"\W*(?:(?:sorry|i meant?)\W+)?([a-z]+)\W*", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_LOOK_BACK = 3  # utterances of the same speaker
_LEAST_SIMILARITY = 0.5
_LEAST_SIMILARITY_IF_BARE = 0.6
_BEFORE_NOUN = ("a", "all", "number", "of")


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
    text: str,
    utterance: int,
    corrections: Mapping[str, str] = MappingProxyType({}),
    *,
    describes: bool = True,
) -> list[Term]:
    """Return an utterance's terms in order; `corrections` are spellings by lower-case word.

    What words describe is a term too, and what is not meant none, unless not `describes`.
    """
    words = list(_repaired_words(_lower(text[:_MAX_UTTERANCE]), corrections))
    terms, starts, i = list[Term](), list[int](), 0
    known = dict[int, str]()
    while i < len(words):
        found = longest_phrase(word for word, _, _ in words[i : i + 6])
        length, senses = (1, _NO_SENSES) if found is None else found
        starts.append(i)
        terms.append(_term_of(words[i : i + length], utterance, senses))
        if meaning := _known_as(senses):
            known.update(dict.fromkeys(range(i, i + length), meaning))
        i += length
    for k in range(len(terms) - 1, 0, -1):
        if terms[k].value("unavailable") and terms[k - 1].value("thing"):
            del terms[k - 1], starts[k - 1]  # "tomato soup" names no tomato
    if not describes:
        return terms
    said = [word for word, _, _ in words]
    for each in reversed([*descriptions.descriptions_in(said, known)]):
        meant = Senses({"thing": each.type, "described": str(each.confidence)})
        first, last = bisect_left(starts, each.start), bisect_left(starts, each.end)
        place = [replace(terms[first], senses={"on": "on"})] if said[each.start] == "where" else []
        terms[first:last] = [*place, _term_of(words[each.start : each.end], utterance, meant)]
    names = {k: _known_as(Senses(term.senses)) for k, term in enumerate(terms)}
    for start, end in reversed([*descriptions.unmeant([term.text for term in terms], names)]):
        leads = any(term.value("on") for term in terms[start + 1 : start + 2])
        if leads or not terms[start].value("not"):
            del terms[start:end]  # `clause_reader` reads "not the fork", but not "not on the desk"
    return terms


def _term_of(words: Sequence[tuple[str, int, int]], utterance: int, senses: Senses) -> Term:
    span = Span(utterance, words[0][1], words[-1][2])
    return Term(" ".join(word for word, _, _ in words), senses.by_kind, senses.is_plural, span)


def _known_as(senses: Senses) -> str:
    what = senses.by_kind.get("thing") or senses.by_kind.get("dish")
    if what:  # the names of classes are plural
        return "place" if what in descriptions.fixed_types() or what.endswith("s") else "name"
    return "state" if "verb" in senses.by_kind else ""


def _lower(text: str) -> str:
    """Return a text in lower case, each character in place, and terminals' sequences as blanks."""
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
        for word in _repair_spelling(typed if typed in known_words else typed.removesuffix("'s")):
            yield word, match.start(), match.end()


@lru_cache(maxsize=50_000)
def _repair_spelling(word: str) -> tuple[str, ...]:
    """Return the known word or words that a word in lower case stands for, else the word itself."""
    lexicon = shipped_lexicon()
    is_sought = 3 <= len(word) <= _MAX_WORD and word.isalpha() and word.isascii()
    if word in lexicon.known_words or not is_sought:
        return (word,)
    bare = word
    while len(bare) > 3 and bare[-1] == bare[-2]:  # "pleaseee"
        bare = bare[:-1]
    if bare in lexicon.known_words:
        return (bare,)
    return _split_glued(word) or _nearest_word(word) or (word,)


def _split_glued(word: str) -> tuple[str, ...]:
    content = shipped_lexicon().content_words
    for first in _GLUED_FIRST:
        rest = word.removeprefix(first)
        if rest != word and len(rest) > 3 and rest in content:
            return (first, rest)
    for cut in range(3, len(word) - 1):
        first, rest = word[:cut], word[cut:]
        if len(rest) == 2 and len(first) < 5:
            continue  # "cupon" is no cup on something
        ends = rest in (*_GLUED_FIRST, "with", "please") or (len(rest) > 3 and rest in content)
        if len(first) > 3 and first in content and ends:
            return (first, rest)
    return ()


def _nearest_word(word: str) -> tuple[str, ...]:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    targets = (*shipped_lexicon().content_words, *_SHORT_WORDS)
    most = 1 if len(word) < 6 else 2
    near = process.extract(word, targets, scorer=OSA.distance, score_cutoff=most, limit=None)

    def rank(choice: str, distance: float, place: int) -> tuple[float, bool, bool, bool, int]:
        letters = iter(choice)  # "sald" is salad, of which it leaves a letter out, before salt
        leaves_out = all(letter in letters for letter in word)
        is_other = sorted(choice) != sorted(word)
        return distance, choice[0] != word[0], is_other, not leaves_out, place

    plausible = [each for each in near if _is_plausible(word, each[0], int(each[1]))]
    return (min(plausible, key=lambda each: rank(*each))[0],) if plausible else ()


def _is_plausible(word: str, choice: str, distance: int) -> bool:
    """Return whether a repair is not too bold: short words keep their first letter."""
    if len(word) <= 5 and choice[0] != word[0] and sorted(choice) != sorted(word):
        return False
    if distance == 2 and len(word) == 6 and choice[:3] != word[:3]:
        return False
    return distance == 1 and choice[0] == word[0] if len(choice) <= 4 < len(word) else True


@dataclass(slots=True)
class TypingCorrections:
    """What to read in place of which word, by utterance; `bare` are those that say nothing else."""

    meant: dict[int, dict[str, str]] = field(default_factory=dict[int, dict[str, str]])
    bare: set[int] = field(default_factory=set[int])


def typing_corrections(utterances: Sequence[Utterance]) -> TypingCorrections:
    """Return what was mistyped: "boil*" after "soil the potato", "book" after "put the cook"."""
    found = TypingCorrections()
    for number, utterance in enumerate(utterances):
        short = utterance.text[:60]
        starred, bare = _STARRED.fullmatch(short), _BARE.fullmatch(short)
        if starred is None and bare is None:
            continue
        meant = (starred[1] or starred[2] if starred else bare[1] if bare else "").lower()
        if starred is None and not _is_noun(meant):
            continue
        earlier = [k for k in range(number) if utterances[k].speaker is utterance.speaker]
        for k in reversed(earlier[-_LOOK_BACK if starred else -1 :]):
            words = _WORD.findall(utterances[k].text.lower())
            similar = _most_similar(meant, words, _LEAST_SIMILARITY)
            typed = similar if starred else _mistyped(meant, words)
            if typed is not None:
                found.meant.setdefault(k, {})[typed] = meant
                if starred is None:
                    found.bare.add(number)
                break
    return found


def _is_noun(word: str) -> bool:
    senses = shipped_lexicon().phrases.get((word,))
    return senses is not None and bool(senses.by_kind.keys() & {"thing", "dish"})


def _mistyped(meant: str, words: Sequence[str]) -> str | None:
    """Return the word that a noun corrects: an unknown one, or one where a noun should be."""
    if meant in words:
        return None
    lexicon = shipped_lexicon()

    def may_be_wrong(k: int) -> bool:
        if words[k] not in lexicon.known_words:
            return True
        before = lexicon.phrases.get((words[k - 1],)) if k else None
        follows = before is not None and any(kind in before.by_kind for kind in _BEFORE_NOUN)
        return follows and not _is_noun(words[k])

    doubtful = [word for k, word in enumerate(words) if may_be_wrong(k)]
    return _most_similar(meant, doubtful, _LEAST_SIMILARITY_IF_BARE)


def _most_similar(meant: str, words: Sequence[str], least: float) -> str | None:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    others, similarity = [word for word in words if word != meant], OSA.normalized_similarity
    near = process.extractOne(meant, others, scorer=similarity, score_cutoff=least)
    return None if near is None else near[0]
