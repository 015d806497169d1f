"""Tells by example what an utterance does: "that plate could do with a wash" is an order to wash.

Its words, pairs of words and triples of letters are weighted by how rare they are (TF-IDF), and a
linear classifier is fitted by ridge regression to the sentences of `examples.toml`, which are
listed there by dialogue act, by the skill of an order, or as a `task`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

import numpy as np
from scipy.sparse import csr_array

from tatc.base.files import package_table
from tatc.language.conversation import dialogue_acts
from tatc.language.understanding import tokens

_RIDGE = 0.3
_LEAST_SURE = 0.3
_AFTER_VERBS = ("the", "a", "an", "my", "that", "this", "it", "some", "me")  # "microwave the egg"
_LEAST_SENTENCES = 2
"""Features of fewer sentences are left out."""


@dataclass(frozen=True, slots=True)
class _Classifier:
    kinds: tuple[str, ...]
    columns: Mapping[str, int]
    rarities: np.ndarray
    weights: np.ndarray


@lru_cache(maxsize=1_000)
def classify(text: str) -> tuple[str, float]:
    """Return what an utterance most likely does, and how sure that is, from 0 to about 1."""
    fitted = _fitted()
    likely = (_vectors([_features(text)], fitted.columns, fitted.rarities) @ fitted.weights)[0]
    best = int(np.argmax(likely))
    return fitted.kinds[best], float(likely[best])


def guessed_act(words: str) -> dialogue_acts.Said | None:
    """Return the dialogue act that words most likely are, None if none is likely."""
    kind, sure = classify(words)
    is_act = sure >= _LEAST_SURE and kind in dialogue_acts.known_acts()
    return dialogue_acts.told_by_example(kind, words) if is_act else None


@cache
def _fitted() -> _Classifier:
    table: dict[str, list[str]] = package_table("tatc.language.conversation", "examples.toml")
    kinds = [kind for kind, texts in table.items() for _ in texts]
    found = [_features(text) for text in chain.from_iterable(table.values())]
    counts = Counter(chain.from_iterable(found))
    columns = {
        name: i
        for i, name in enumerate(name for name, n in counts.items() if n >= _LEAST_SENTENCES)
    }
    rarities = np.array([math.log((len(found) + 1) / (counts[name] + 0.5)) for name in columns])
    vectors = _vectors(found, columns, rarities)
    wanted = np.array([[float(kind == each) for each in table] for kind in kinds])
    likeness = (vectors @ vectors.T).toarray() + _RIDGE * np.eye(len(found))
    weights = vectors.T @ np.linalg.solve(likeness, wanted)
    return _Classifier(tuple(table), columns, rarities, weights)


def _vectors(
    found: Iterable[Counter[str]], columns: Mapping[str, int], rarities: np.ndarray
) -> csr_array:
    """Return a row of unit length for the features of each text."""
    values, places, ends = list[float](), list[int](), [0]
    for features in found:
        known = [(columns[name], n) for name, n in features.items() if name in columns]
        row = [rarities[i] * (1 + math.log(n)) for i, n in known]
        length = math.hypot(*row) or 1.0
        values += [value / length for value in row]
        places += [i for i, _ in known]
        ends.append(len(places))
    return csr_array((values, places, ends), shape=(len(ends) - 1, len(columns)))


def _features(text: str) -> Counter[str]:
    """Return the words, pairs and letters of a text in which all things have one name."""
    terms = tokens.read_terms(dialogue_acts.plain_words(text), 0)
    following = [each.text for each in terms[1:]] + [""]
    shown = " ".join(
        "thing" if each.value("thing") and after not in _AFTER_VERBS else each.text
        for each, after in zip(terms, following, strict=False)
    )
    words = ["^", *shown.split(), "$"]
    pairs = zip(words, words[1:], strict=False)
    apart = zip(words, words[2:], strict=False)
    letters = f" {shown} "
    return Counter(
        chain(
            words,
            (f"{first} {second}" for first, second in pairs),
            (f"{first} * {second}" for first, second in apart),
            (f"'{letters[i : i + 3]}" for i in range(len(letters) - 2)),
        )
    )
