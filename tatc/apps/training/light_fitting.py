"""Fits a light network to batches of examples, epoch by epoch, with a validation after each.

Each epoch draws its order, wordings and dropout from the seed and the epoch's number, so
a training that was interrupted resumes as if it had not been.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
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
from tatc.follower.learned.light.network import ActionScores, LanguageBatch, StepBatch
from tatc.follower.learned.light.network_inference import LightModel
from tatc.home.actions import Verb

IGNORE_INDEX = -100
"""The target of a step that the loss leaves out; torch's own default."""
MAX_BATCH_TOKENS = 1200
"""The number of words and steps in a batch, padding included; a single example may exceed it."""
MAX_GRADIENT_NORM = 1.0
"""The norm to which gradients are clipped."""
FINAL_RATE_SHARE = 0.05
"""The share of the learning rate towards which it falls in the last epoch."""


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
    language = LanguageBatch(
        _pad_rows([each.words for each in encoded]),
        _pad_rows([each.phrases for each in encoded]),
        _pad_rows([each.positions for each in encoded]),
        _pad_rows([each.repeat_counts for each in encoded]),
    )
    past_actions: list[list[int]] = [each.actions[:-1].tolist() for each in examples]
    verbs = network_inputs.NETWORK_VERBS
    histories = [network_inputs.action_history([verbs[i] for i in row]) for row in past_actions]
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


def _pad_targets(rows: Sequence[NDArray[np.int16]]) -> Tensor:
    """Return padded targets, with -1 (an action without a target) ignored too."""
    padded = _pad_rows(rows, IGNORE_INDEX)
    return padded.masked_fill(padded < 0, IGNORE_INDEX)


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


@dataclass(frozen=True, slots=True)
class FittingOptions:
    """How to fit."""

    epochs: int
    learning_rate: float = 1.5e-3
    weight_decay: float = 0.01
    seed: int = 1
    device: str = "cpu"

    def learning_rate_in(self, epoch: int) -> float:
        """Return the learning rate of an epoch (from 0): half a cosine down to its last share."""
        share = (1.0 + cos(pi * epoch / max(self.epochs, 1))) / 2.0
        return self.learning_rate * (FINAL_RATE_SHARE + (1.0 - FINAL_RATE_SHARE) * share)


@dataclass(frozen=True, slots=True)
class ValidationAccuracy:
    """Shares of right predictions, each given the right actions before."""

    actions: float
    classes: float
    cells: float


@dataclass(frozen=True, slots=True)
class EpochResult:
    """The result of one epoch: its number from 1, its mean loss, and the validation, if any."""

    number: int
    loss: float
    validation: ValidationAccuracy | None

    @property
    def line(self) -> str:
        """The result as text."""
        line, right = f"epoch {self.number}: loss {self.loss:.3f}", self.validation
        if right is None:
            return line
        shares = f"{right.actions:.1%} of actions, {right.classes:.1%} of classes"
        return f"{line}; right of held-out: {shares}, {right.cells:.1%} of cells"


class LightFitter(Resumable):
    """A network in training, with its optimiser."""

    def __init__(self, model: LightModel, options: FittingOptions) -> None:
        """Start before the first epoch."""
        self.model, self.options = model, options
        self._device = torch.device(options.device)
        self._network = model.network.to(self._device)
        self._optimiser = torch.optim.AdamW(
            self._network.parameters(), lr=options.learning_rate, weight_decay=options.weight_decay
        )
        self._word_ids = network_inputs.word_ids(model.words)
        self._scaler = torch.amp.GradScaler(self._device.type, enabled=self._device.type == "cuda")

    def run_epoch(
        self,
        examples: Sequence[Example],
        held_out: Sequence[Example],
        on_batch: Callable[[int], None] = lambda examples: None,
    ) -> EpochResult:
        """Fit an epoch and validate, unless `held_out` is empty; `on_batch` gets batches' sizes."""
        seed = f"{self.options.seed} {self.epochs_done}"
        seed_torch(self.options.seed * 100_003 + self.epochs_done)
        for group in self._optimiser.param_groups:
            group["lr"] = self.options.learning_rate_in(self.epochs_done)
        self._network.train()
        total, count = 0.0, 0
        for batch in epoch_batches(examples, self._word_ids, seed):
            total += self._step(batch.to(self._device))
            count += 1
            on_batch(len(batch.actions))
        self._network.eval()
        self.epochs_done += 1
        validation = self._validate(held_out) if held_out else None
        return EpochResult(self.epochs_done, total / max(count, 1), validation)

    def state_parts(self) -> Mapping[str, Any]:
        """Return the network, its optimiser and its scaler."""
        return {"network": self._network, "optimiser": self._optimiser, "scaler": self._scaler}

    def _step(self, batch: Batch) -> float:
        self._optimiser.zero_grad()
        with torch.autocast(self._device.type, enabled=self._device.type == "cuda"):
            loss = _light_loss(self._network(batch.language, batch.steps), batch)
        scaled: Any = self._scaler.scale(loss)
        scaled.backward()
        self._scaler.unscale_(self._optimiser)
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), MAX_GRADIENT_NORM)
        self._scaler.step(self._optimiser)
        self._scaler.update()
        return float(loss.detach())

    def _validate(self, examples: Sequence[Example]) -> ValidationAccuracy:
        correct_counts = torch.zeros(3)
        target_counts = torch.zeros(3)
        with torch.inference_mode():
            for start in range(0, len(examples), 16):
                batch_examples = examples[start : start + 16]
                batch = make_batch(batch_examples, self._word_ids).to(self._device)
                scores = self._network(batch.language, batch.steps)
                for i, (logits, target) in enumerate(_logits_and_targets(scores, batch)):
                    is_target = target != IGNORE_INDEX
                    correct_counts[i] += (logits.argmax(-1) == target)[is_target].sum().cpu()
                    target_counts[i] += is_target.sum().cpu()
        shares = correct_counts / target_counts.clamp(min=1)
        actions, classes, cells = (float(share) for share in shares)
        return ValidationAccuracy(actions, classes, cells)


def seed_torch(seed: int) -> None:
    """Seed torch's generator."""
    cast(Any, torch).manual_seed(seed)


def _logits_and_targets(scores: ActionScores, batch: Batch) -> tuple[tuple[Tensor, Tensor], ...]:
    return (
        (scores.actions, batch.actions),
        (scores.classes, batch.classes),
        (scores.cells, batch.cells),
    )


def _light_loss(scores: ActionScores, batch: Batch) -> Tensor:
    """Return the sum of the three losses, each a mean over the steps with a target."""
    losses: list[Tensor] = []
    for logits, target in _logits_and_targets(scores, batch):
        count = (target != IGNORE_INDEX).sum().clamp(min=1)
        total = cross_entropy(logits.flatten(0, 1).float(), target.flatten(), reduction="sum")
        losses.append(total / count)
    return torch.stack(losses).sum()
