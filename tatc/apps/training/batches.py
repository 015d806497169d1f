"""Batches of examples: tensors of examples of similar length, with one text drawn for each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tatc.apps.training.examples import NO_CLICK, Example
from tatc.follower.learned.light.network import LanguageBatch, StepBatch
from tatc.follower.learned.light.network_inputs import (
    CLASS_MAP_SIDE,
    CLICK_GRID_SIDE,
    MAX_WORDS,
    NETWORK_VERBS,
    action_history,
    encode_text,
)
from tatc.home.actions import Verb

IGNORE_INDEX = -100
"""The target of a step that the loss leaves out; torch's own default."""

MAX_BATCH_TOKENS = 1200
"""The number of words and steps in a batch, padding included; a single example may exceed it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The network's inputs, and the targets: ids of shape (batch, steps) each."""

    language: LanguageBatch
    steps: StepBatch
    actions: Tensor
    classes: Tensor
    cells: Tensor

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on another device."""
        return Batch(
            LanguageBatch(*_moved(self.language, device)),
            StepBatch(*_moved(self.steps, device)),
            *(t.to(device) for t in (self.actions, self.classes, self.cells)),
        )


def _moved(tensors: LanguageBatch | StepBatch, device: torch.device) -> Iterator[Tensor]:
    return (getattr(tensors, field.name).to(device) for field in fields(tensors))


def epoch_batches(
    examples: Sequence[Example],
    vocabulary: Mapping[str, int],
    text_weights: Mapping[str, float],
    seed: str,
    *,
    mirror: bool = False,
) -> Iterator[Batch]:
    """Yield all examples once, in batches; the seed draws their order and texts.

    Args:
        examples: each with as many texts as there are `text_weights`.
        vocabulary: word ids.
        text_weights: names of the texts, and the weights with which they are drawn.
        seed: of the generator.
        mirror: whether each example is mirrored with probability 0.5.

    """
    rng = Random(seed)
    if mirror:
        examples = [mirror_example(e) if rng.random() < 0.5 else e for e in examples]
    drawn = rng.choices(range(len(text_weights)), list(text_weights.values()), k=len(examples))
    texts = [example.texts[number] for example, number in zip(examples, drawn, strict=True)]
    words = [min(text.count(" ") + 1, MAX_WORDS) for text in texts]
    costs = [len(each) + count for each, count in zip(examples, words, strict=True)]
    order = sorted(range(len(examples)), key=lambda i: (costs[i], rng.random()))
    groups = list(_group_by_cost(order, costs))
    rng.shuffle(groups)
    for group in groups:
        yield make_batch([examples[i] for i in group], [texts[i] for i in group], vocabulary)


def make_batch(
    examples: Sequence[Example], texts: Sequence[str], vocabulary: Mapping[str, int]
) -> Batch:
    """Return examples as one batch, each with the text at its place in `texts`."""
    encoded = [encode_text(text, vocabulary) for text in texts]
    language = LanguageBatch(
        _pad_rows([each.words for each in encoded]),
        _pad_rows([each.phrases for each in encoded]),
        _pad_rows([each.positions for each in encoded]),
        _pad_rows([each.repeat_counts for each in encoded]),
    )
    past_actions: list[list[int]] = [each.actions[:-1].tolist() for each in examples]
    histories = [action_history([NETWORK_VERBS[i] for i in row]) for row in past_actions]
    steps = StepBatch(
        _pad_rows([each.actions for each in histories]),
        _pad_rows([each.runs for each in histories]),
        _pad_rows([each.repeats for each in histories]),
        _stack_maps([each.maps for each in examples]),
    )
    targets = (
        _pad_rows([each.actions for each in examples], IGNORE_INDEX),
        _pad_targets([each.classes for each in examples]),
        _pad_targets([each.cells for each in examples]),
    )
    return Batch(language, steps, *targets)


def _group_by_cost(order: Sequence[int], costs: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of consecutive examples that fit into one padded batch.

    Args:
        order: indices of the examples, in rising order of their costs.
        costs: the number of words and steps of each example.

    """
    group: list[int] = []
    for i in order:
        if group and costs[i] * (len(group) + 1) > MAX_BATCH_TOKENS:
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def _pad_rows(rows: Sequence[Sequence[int] | NDArray[np.int16]], fill: int = 0) -> Tensor:
    length = max(len(row) for row in rows)
    padded = torch.full((len(rows), length), fill, dtype=torch.int64)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = torch.tensor(list(map(int, row)))
    return padded


def _pad_targets(rows: Sequence[NDArray[np.int16]]) -> Tensor:
    """Return padded targets, with -1 (an action without a target) ignored too."""
    padded = _pad_rows(rows, IGNORE_INDEX)
    return padded.masked_fill(padded < 0, IGNORE_INDEX)


def _stack_maps(maps: Sequence[NDArray[np.uint8]]) -> Tensor:
    length = max(len(each) for each in maps)
    stacked = np.zeros((len(maps), length, CLASS_MAP_SIDE, CLASS_MAP_SIDE), dtype=np.int64)
    for i, each in enumerate(maps):
        stacked[i, : len(each)] = each
    return torch.tensor(stacked)


# Mirrors examples, with left and right swapped, so that one game shows two rooms.

_OPPOSITE_SIDE = {"left": "right", "right": "left"}
_SIDE_WORD_PATTERN = re.compile(r"\b(left|right)\b")
_OPPOSITE_VERB = {
    Verb.TURN_LEFT: Verb.TURN_RIGHT,
    Verb.TURN_RIGHT: Verb.TURN_LEFT,
    Verb.PAN_LEFT: Verb.PAN_RIGHT,
    Verb.PAN_RIGHT: Verb.PAN_LEFT,
}
_MIRRORED_ACTIONS = np.array(
    [NETWORK_VERBS.index(_OPPOSITE_VERB.get(v, v)) for v in NETWORK_VERBS], dtype=np.int16
)


def mirror_example(example: Example) -> Example:
    """Return the mirror image of an example: its views, clicks, verbs and words.

    The mirror image of the mirror image is the example.
    """
    rows, columns = example.cells // CLICK_GRID_SIDE, example.cells % CLICK_GRID_SIDE
    cells = rows * CLICK_GRID_SIDE + (CLICK_GRID_SIDE - 1 - columns)
    return replace(
        example,
        texts=tuple(
            _SIDE_WORD_PATTERN.sub(lambda word: _OPPOSITE_SIDE[word[0]], text)
            for text in example.texts
        ),
        actions=_MIRRORED_ACTIONS[example.actions],
        cells=np.where(example.cells == NO_CLICK, NO_CLICK, cells).astype(np.int16),
        maps=example.maps[:, :, ::-1],
    )
