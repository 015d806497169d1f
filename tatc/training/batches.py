"""Batches: examples of like length put together as tensors, a grain drawn for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tatc.follower.et.light.history import VERBS, past
from tatc.follower.et.light.network import Language, Steps
from tatc.follower.et.light.sight import SIDE
from tatc.follower.et.light.words import MOST_WORDS, read
from tatc.training.examples import Example
from tatc.training.mirror import mirrored

NO_TARGET = -100
"""The target of a step that a loss leaves out; torch's own default."""

BATCH_TOKENS = 1200
"""Words and steps of a batch, padding included, at most; one example may have more."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs of a network, and what should come out: (batch, steps) numbers each."""

    language: Language
    steps: Steps
    actions: Tensor
    classes: Tensor
    cells: Tensor

    def to(self, device: torch.device) -> "Batch":
        """Return it on another device."""
        told, steps = self.language, self.steps
        return Batch(
            Language(
                told.words.to(device),
                told.phrases.to(device),
                told.places.to(device),
                told.counts.to(device),
            ),
            Steps(
                *(
                    t.to(device)
                    for t in (steps.actions, steps.runs, steps.repeats, steps.maps)
                )
            ),
            *(t.to(device) for t in (self.actions, self.classes, self.cells)),
        )


def batches(
    examples: Sequence[Example],
    vocabulary: Mapping[str, int],
    grains: Mapping[str, float],
    seed: str,
    *,
    mirrors: bool = False,
) -> Iterator[Batch]:
    """Yield all examples once, in an order and at grains that the seed draws.

    `grains` are the weights with which each of an example's texts is drawn; with
    `mirrors` every other example is seen in a mirror.
    """
    rng = Random(seed)
    if mirrors:
        examples = [mirrored(e) if rng.random() < 0.5 else e for e in examples]
    drawn = rng.choices(range(len(grains)), list(grains.values()), k=len(examples))
    texts = [
        example.texts[number] for example, number in zip(examples, drawn, strict=True)
    ]
    words = [min(text.count(" ") + 1, MOST_WORDS) for text in texts]
    costs = [len(each) + count for each, count in zip(examples, words, strict=True)]
    order = sorted(range(len(examples)), key=lambda i: (costs[i], rng.random()))
    groups = list(_grouped(order, costs))
    rng.shuffle(groups)
    for group in groups:
        yield batch_of(
            [examples[i] for i in group], [texts[i] for i in group], vocabulary
        )


def batch_of(
    examples: Sequence[Example], texts: Sequence[str], vocabulary: Mapping[str, int]
) -> Batch:
    """Return examples as one batch, each told in one text."""
    told = [read(text, vocabulary) for text in texts]
    language = Language(
        _padded([each.words for each in told]),
        _padded([each.phrases for each in told]),
        _padded([each.places for each in told]),
        _padded([each.counts for each in told]),
    )
    done: list[list[int]] = [each.actions[:-1].tolist() for each in examples]
    before = [past([VERBS[number] for number in row]) for row in done]
    steps = Steps(
        _padded([each.actions for each in before]),
        _padded([each.runs for each in before]),
        _padded([each.repeats for each in before]),
        _stacked([each.maps for each in examples]),
    )
    targets = (
        _padded([each.actions for each in examples], NO_TARGET),
        _targets([each.classes for each in examples]),
        _targets([each.cells for each in examples]),
    )
    return Batch(language, steps, *targets)


def _grouped(order: Sequence[int], costs: Sequence[int]) -> Iterator[list[int]]:
    """Yield neighbours in rising order of costs that fit into one batch, padded."""
    group: list[int] = []
    for i in order:
        if group and costs[i] * (len(group) + 1) > BATCH_TOKENS:
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def _padded(rows: Sequence[Sequence[int] | NDArray[np.int16]], fill: int = 0) -> Tensor:
    length = max(len(row) for row in rows)
    found = torch.full((len(rows), length), fill, dtype=torch.int64)
    for i, row in enumerate(rows):
        found[i, : len(row)] = torch.tensor(list(map(int, row)))
    return found


def _targets(rows: Sequence[NDArray[np.int16]]) -> Tensor:
    """Return targets; an action without one has the number -1."""
    found = _padded(rows, NO_TARGET)
    return found.masked_fill(found < 0, NO_TARGET)


def _stacked(maps: Sequence[NDArray[np.uint8]]) -> Tensor:
    length = max(len(each) for each in maps)
    found = np.zeros((len(maps), length, SIDE, SIDE), dtype=np.int64)
    for i, each in enumerate(maps):
        found[i, : len(each)] = each
    return torch.tensor(found)
