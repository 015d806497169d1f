"""Fits a light network to batches of examples, epoch by epoch, with a validation after each.

Each epoch draws its order and the mirrored half from the seed and the epoch's number, so
a training that was interrupted resumes as if it had not been.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi
from random import Random
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from tatc.apps.training.examples import NO_CLICK, Example
from tatc.apps.training.training_folder import Resumable
from tatc.follower.learned.light import network_inputs
from tatc.follower.learned.light.network import LanguageBatch, StepBatch
from tatc.follower.learned.light.network_inference import LightModel
from tatc.home.actions import Verb

IGNORE_INDEX = -100
"""The target of a step that the loss leaves out; torch's own default."""
MAX_BATCH_TOKENS = 1200
"""The number of words and steps in a batch, padding included; a single example may exceed it."""
MAX_GRADIENT_NORM = 1.0
"""The norm to which gradients are clipped."""
LEARNING_RATE, FINAL_RATE_SHARE = 1.5e-3, 0.05
"""The learning rate, and the share of it towards which it falls in the last epoch."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The network's inputs; the targets are ids (batch, steps) of actions, classes and cells."""

    language: LanguageBatch
    steps: StepBatch
    targets: tuple[Tensor, ...]


def epoch_batches(
    examples: Sequence[Example],
    vocabulary: Mapping[str, int],
    seed: str,
) -> Iterator[Batch]:
    """Yield all examples once, in batches; the seed draws their order and the mirrored half."""
    rng = Random(seed)
    examples = [mirror_example(e) if rng.random() < 0.5 else e for e in examples]
    words = [min(each.text.count(" ") + 1, network_inputs.MAX_WORDS) for each in examples]
    costs = [len(each) + count for each, count in zip(examples, words, strict=True)]
    order = sorted(range(len(examples)), key=lambda i: (costs[i], rng.random()))
    groups = list(_group_by_cost(order, costs))
    rng.shuffle(groups)
    for group in groups:
        yield make_batch([examples[i] for i in group], vocabulary)


def make_batch(examples: Sequence[Example], vocabulary: Mapping[str, int]) -> Batch:
    """Return examples as one batch."""
    encoded = [network_inputs.encode_text(each.text, vocabulary) for each in examples]
    texts = ("words", "phrases", "positions", "repeat_counts")
    language = LanguageBatch(*(_pad_rows([getattr(e, name) for e in encoded]) for name in texts))
    past_actions: list[list[int]] = [each.actions[:-1].tolist() for each in examples]
    verbs = network_inputs.NETWORK_VERBS
    histories = [network_inputs.action_history([verbs[i] for i in row]) for row in past_actions]
    names = ("actions", "runs", "repeats")
    done, runs, repeats = (_pad_rows([getattr(h, name) for h in histories]) for name in names)
    steps = StepBatch(done, runs, repeats, _stack_maps([each.maps for each in examples]))
    labels = ("actions", "classes", "cells")
    padded = (_pad_rows([getattr(e, name) for e in examples], IGNORE_INDEX) for name in labels)
    # An action without a click has the class and the cell -1.
    return Batch(language, steps, tuple(p.masked_fill(p < 0, IGNORE_INDEX) for p in padded))


def _group_by_cost(order: Sequence[int], costs: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of examples that fit a batch, in rising order of words and steps."""
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


def _stack_maps(maps: Sequence[NDArray[np.uint8]]) -> Tensor:
    length, side = max(len(each) for each in maps), network_inputs.CLASS_MAP_SIDE
    stacked = np.zeros((len(maps), length, side, side), dtype=np.int64)
    for i, each in enumerate(maps):
        stacked[i, : len(each)] = each
    return torch.tensor(stacked)


_OPPOSITE_SIDE = {"left": "right", "right": "left"}
_SIDE_WORD_PATTERN = re.compile(r"\b(left|right)\b")
_OPPOSITE_VERB = {
    Verb.TURN_LEFT: Verb.TURN_RIGHT,
    Verb.TURN_RIGHT: Verb.TURN_LEFT,
    Verb.PAN_LEFT: Verb.PAN_RIGHT,
    Verb.PAN_RIGHT: Verb.PAN_LEFT,
}
_VERBS = network_inputs.NETWORK_VERBS
_MIRRORED_ACTIONS = np.array(
    [_VERBS.index(_OPPOSITE_VERB.get(verb, verb)) for verb in _VERBS], dtype=np.int16
)


def mirror_example(example: Example) -> Example:
    """Return the mirror image of an example: its views, clicks, verbs and words."""
    side = network_inputs.CLICK_GRID_SIDE
    rows, columns = example.cells // side, example.cells % side
    cells = rows * side + (side - 1 - columns)
    return replace(
        example,
        text=_SIDE_WORD_PATTERN.sub(lambda word: _OPPOSITE_SIDE[word[0]], example.text),
        actions=_MIRRORED_ACTIONS[example.actions],
        cells=np.where(example.cells == NO_CLICK, NO_CLICK, cells).astype(np.int16),
        maps=example.maps[:, :, ::-1],
    )


class LightFitter(Resumable):
    """A network in training, with its optimiser."""

    def __init__(self, model: LightModel, epochs: int, seed: int) -> None:
        """Start before the first epoch."""
        self.model, self._epochs, self._seed = model, epochs, seed
        self._optimiser: Any = torch.optim.AdamW(
            model.network.parameters(), lr=LEARNING_RATE, weight_decay=0.01
        )
        self._word_ids = network_inputs.word_ids(model.words)

    def state_parts(self) -> Mapping[str, Any]:
        """Return the network and its optimiser."""
        return {"network": self.model.network, "optimiser": self._optimiser}

    def run_epoch(
        self,
        examples: Sequence[Example],
        held_out: Sequence[Example],
        on_batch: Callable[[int], None] = lambda examples: None,
    ) -> tuple[float, list[float]]:
        """Fit an epoch; return its loss, and the shares right of `held_out` ([] without any).

        The shares are of actions, classes and cells.  `on_batch` gets batches' sizes.
        """
        seed_torch(self._seed * 100_003 + self.epochs_done)
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate_in(self.epochs_done, self._epochs)
        self.model.network.train()
        total, count = 0.0, 0
        for batch in epoch_batches(examples, self._word_ids, f"{self._seed} {self.epochs_done}"):
            total += self._step(batch)
            count += 1
            on_batch(len(batch.targets[0]))
        self.model.network.eval()
        self.epochs_done += 1
        return total / max(count, 1), self._validate(held_out) if held_out else []

    def _step(self, batch: Batch) -> float:
        """Fit a batch; its loss is the sum of three, each a mean over the steps with a target."""
        self._optimiser.zero_grad()
        losses = [
            cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="sum")
            / (target != IGNORE_INDEX).sum().clamp(min=1)
            for logits, target in zip(self._scores(batch), batch.targets, strict=True)
        ]
        loss: Any = torch.stack(losses).sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.network.parameters(), MAX_GRADIENT_NORM)
        self._optimiser.step()
        return float(loss.detach())

    @torch.inference_mode()
    def _validate(self, examples: Sequence[Example]) -> list[float]:
        right, count = torch.zeros(3), torch.zeros(3)
        for start in range(0, len(examples), 16):
            batch = make_batch(examples[start : start + 16], self._word_ids)
            for i, (logits, target) in enumerate(
                zip(self._scores(batch), batch.targets, strict=True)
            ):
                is_target = target != IGNORE_INDEX
                right[i] += (logits.argmax(-1) == target)[is_target].sum()
                count[i] += is_target.sum()
        return [float(share) for share in right / count.clamp(min=1)]

    def _scores(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        scores = self.model.network(batch.language, batch.steps)
        return scores.actions, scores.classes, scores.cells


def learning_rate_in(epoch: int, epochs: int) -> float:
    """Return the learning rate of an epoch (from 0): half a cosine down to its last share."""
    share = (1.0 + cos(pi * epoch / max(epochs, 1))) / 2.0
    return LEARNING_RATE * (FINAL_RATE_SHARE + (1.0 - FINAL_RATE_SHARE) * share)


def seed_torch(seed: int) -> None:
    """Seed torch's generator."""
    cast(Any, torch).manual_seed(seed)
