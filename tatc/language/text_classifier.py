"""Tells the kind of a text by its likeness to others whose kinds are known.

Features of texts, such as their words, are weighted by how rare they are (TF-IDF), and a linear
classifier is fitted to them by ridge regression.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from itertools import chain, pairwise
from typing import Any

import numpy as np

_RIDGE, _STEPS = 0.3, 12
_LEAST_TEXTS = 2  # features of fewer texts are left out


class TextClassifier:
    """Classifies texts by examples of each kind; the same examples give the same answers."""

    def __init__(
        self, examples: Mapping[str, Collection[str]], features: Callable[[str], Iterable[str]]
    ) -> None:
        """Learn from the examples of each kind; `features` are what is compared of a text."""
        self._kinds, self._features = tuple(examples), features
        found = [Counter(features(text)) for text in chain.from_iterable(examples.values())]
        counts = Counter(chain.from_iterable(found))
        known = [name for name, count in counts.items() if count >= _LEAST_TEXTS]
        self._columns = {name: i for i, name in enumerate(known)}
        self._rarities = [math.log((len(found) + 1) / (counts[name] + 0.5)) for name in known]
        vectors = self._vectors(found)
        kinds = np.repeat(np.arange(len(examples)), [len(texts) for texts in examples.values()])
        self._weights: Any = vectors.T @ _solved(vectors, np.eye(len(examples))[kinds])

    def classify(self, text: str, among: Collection[str] = ()) -> tuple[str, float]:
        """Return the likeliest kind, of those `among` if any, and how likely, from 0 to about 1."""
        scores = (self._vectors([Counter(self._features(text))]) @ self._weights)[0]
        kinds = [i for i, kind in enumerate(self._kinds) if not among or kind in among]
        best = max(kinds, key=lambda i: float(scores[i]))
        return self._kinds[best], float(scores[best])

    def has_feature(self, name: str) -> bool:
        """Return whether any example has a feature, such as a word."""
        return name in self._columns

    def _vectors(self, found: Iterable[Counter[str]]) -> Any:
        """Return a row of unit length for the features of each text."""
        values, places, ends = list[float](), list[int](), [0]
        for features in found:
            columns = self._columns
            known = [(columns[name], n) for name, n in features.items() if name in columns]
            row = [self._rarities[i] * (1 + math.log(n)) for i, n in known]
            length = math.hypot(*row) or 1.0
            values += [value / length for value in row]
            places += [i for i, _ in known]
            ends.append(len(places))
        sparse: Any = import_module("scipy.sparse")  # slow, and without types
        return sparse.csr_array((values, places, ends), shape=(len(ends) - 1, len(self._columns)))


def _solved(vectors: Any, wanted: Any) -> Any:
    """Solve (V V' + ridge) X = wanted by some steps of conjugate gradients, which are enough."""
    found, rest, way = np.zeros_like(wanted), wanted, wanted
    size = (rest**2).sum(0)
    for _ in range(_STEPS):
        image = vectors @ (vectors.T @ way) + _RIDGE * way
        step = size / (way * image).sum(0)
        found, rest, before = found + step * way, rest - step * image, size
        size = (rest**2).sum(0)
        way = rest + size / before * way
    return found


def word_features(words: Iterable[str]) -> Iterable[str]:
    """Yield words, pairs of them, pairs that are one word apart, and triples of letters."""
    shown = ["^", *words, "$"]
    letters = f" {' '.join(shown[1:-1])} "
    yield from shown
    yield from (f"{first} {second}" for first, second in pairwise(shown))
    yield from (f"{first} * {second}" for first, second in zip(shown, shown[2:], strict=False))
    yield from (f"'{letters[i : i + 3]}" for i in range(len(letters) - 2))
