"""Normalises what a person says, before anything reads it, by the rules of `normalization.toml`.

Words are spelled out, hesitations and repeated words left out, clauses that run on are parted, and
polite, passive and foreign forms of a request are put as an order: "might you see your way to
bringing me a pillow" is "bring me a pillow".  What is said here once no reader needs to know.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache, partial
from itertools import chain

from tatc.base.files import package_table
from tatc.language.understanding import tokens

_table = partial(package_table, __package__, "normalization.toml")
MAX_CHARACTERS = 2_000  # what is read of one utterance; the rest of a longer one is not
_APOSTROPHES = str.maketrans("\u2019\u2018\u00b4`", "''''")
_WORD, _SENTENCE = re.compile(r"[a-z0-9]+(?:'[a-z]+)?"), re.compile(r"(?<=[.!?;])\s+")
_CLAUSE = re.compile(r"[,.;:!?\u2026]+|\b(?:so|because|cos|since)\b")
_QUESTION = re.compile(r"(?:what|which|where|who)\b(?!'| about| do you say| if|[^?]*[,.;])")
_MOST_CLAUSES = 6
_SHORT = 5  # letters
_TYPED, _LEAST_TYPED = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*"), 0.6
"""A word as it is typed; and the share of quoted words that must be found among these."""
_USUAL, _MORE_USUAL = 12, 20
"""Words in so many examples, and so many times as usual as one like them, are what that means."""
_TABLES = ("examples", "dialogue_acts", "orders", "limits", "normalization")


@cache
def _rules(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the rules of a table: what is matched, with its named parts, and what it becomes."""
    words = {part: "|".join(words.split()) for part, words in _table()["words"].items()}
    parts = _table()["parts"] | words | {"forms": "|".join(_plain_forms()[0])}
    rules = [*map(tuple, _table()["rules"][name])]
    for part, meant in [*parts.items()] * 2:  # a part may name others
        rules = [(text.replace(f"<{part}>", f"(?:{meant})"), told) for text, told in rules]
    return tuple((re.compile(text), told) for text, told in rules)


@cache
def _plain_forms() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return verbs by their other forms ("bring" by "bringing"), and by these and by states."""
    forms: dict[str, str] = dict(_table()["irregular"])
    for verb in f"{_table()['words']['verbs']} {_table()['words']['noun_verbs']}".split():
        stem = verb.removesuffix("e")
        starts = (stem, verb, stem + stem[-1], verb.removesuffix("y") + "i")
        forms = {f"{each}{end}": verb for each in starts for end in ("ed", "ing")} | forms
    return forms, forms | _table()["state_verbs"]


@lru_cache(maxsize=1_000)
def normalised(text: str) -> str:
    """Return a text in lower case in plain words and clauses, one that is too long as it is."""
    if len(text) > MAX_CHARACTERS:
        return text
    sentences = _SENTENCE.split(ruled("heard", _spelled_out(text)))
    asked = " ".join(e if _QUESTION.match(e) else ruled("requests", e) for e in sentences)
    return ruled("run_on", asked).strip()


@lru_cache(maxsize=1_000)
def reworded(text: str) -> str:
    """Return a text in the wordings that those who read acts and orders know."""
    return ruled("reworded", _spelled_out(text))


def _spelled_out(text: str) -> str:
    plain = ruled("stretched", text[:MAX_CHARACTERS].translate(_APOSTROPHES).lower())
    return _WORD.sub(lambda word: _spelled(word[0]), plain)


def ruled(name: str, text: str) -> str:
    """Return a text by the rules of a table."""
    for told, meant in _rules(name):
        text = told.sub(lambda found, meant=meant: _put(found, meant), text)
    return text


def _put(found: re.Match[str], meant: str) -> str:
    """Return what a match becomes, with its verb in the plain form."""
    verb = found.groupdict().get("verb") or ""
    return found.expand(meant.replace("<verb>", _plain_forms()[1].get(verb, verb)))


def as_typed(words: str, typed: str) -> str:
    """Return words as they were typed, in a text that was normalised since; as they are if not."""
    said, heard = _TYPED.findall(words.lower()), [*_TYPED.finditer(typed[:MAX_CHARACTERS])]
    same = SequenceMatcher(None, said, [each[0].lower() for each in heard], autojunk=False)
    blocks = same.get_matching_blocks()[:-1]
    is_found = bool(blocks) and blocks[0].a == 0
    if not is_found or sum(each.size for each in blocks) < _LEAST_TYPED * len(said):
        return words
    return typed[heard[blocks[0].b].start() : heard[blocks[-1].b + blocks[-1].size - 1].end()]


def parts_of(text: str) -> Iterator[str]:
    """Yield a text of several clauses without one of them, each by itself, and from a verb on."""
    parts = [*filter(None, map(str.strip, _CLAUSE.split(normalised(text))))][:_MOST_CLAUSES]
    without = (", ".join(parts[:i] + parts[i + 1 :]) for i in range(len(parts)))
    yield from filter(None, (*without, *parts[::-1]))
    for told, meant in _rules("within"):  # "be a lamb and fling open the blinds"
        yield from (_put(found, meant) for each in parts for found in told.finditer(each))


@lru_cache(maxsize=10_000)
def _spelled(word: str) -> str:
    """Return a word as it is spelled, or the usual one that is nearest if it is not known."""
    spelled: str = _table()["spellings"].get(word, word)
    usual, said, known = _vocabulary()
    is_known = word in known or word in tokens.shipped_lexicon().known_words or not word.isalpha()
    if spelled != word or len(word) < _SHORT - 1 or is_known:
        return spelled
    if (short := ruled("double", word)) in known or short in usual:
        return short  # "heyy", "robott"
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extract(word, [*usual], scorer=OSA.distance, score_cutoff=1, limit=None)
    alike = [(sorted(e) != sorted(word), -usual[e], e) for e, _, _ in near]
    alike = [each for each in alike if not each[0] or _is_slip(word, each[2])]
    alike = [each for each in alike if -each[1] >= _MORE_USUAL * said[word]]
    return min(alike, default=(False, 0, word))[2]


def _is_slip(word: str, meant: str) -> bool:
    """Return whether a word may be another mistyped: in a short one no letter is another."""
    return word[0] == meant[0] and (len(word) > _SHORT or len(word) != len(meant))


@cache
def _vocabulary() -> tuple[Mapping[str, int], Counter[str], frozenset[str]]:
    """Return how often usual and all words are said in the examples, and those of patterns."""
    tables = [package_table("tatc.language.conversation", f"{name}.toml") for name in _TABLES]
    said = Counter(w for text in chain(*tables[0].values()) for w in {*_WORD.findall(text.lower())})
    usual = {word: n for word, n in said.items() if n >= _USUAL and len(word) > 2}
    return usual, said, frozenset(chain(*[_WORD.findall(str(table)) for table in tables[1:]]))
