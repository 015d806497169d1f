"""Fitting: epochs over examples, each validated, and a state that resumes exactly.

Every epoch draws its order, its grains and its dropout from the seed and its own
number, so that a run that was broken off goes on as if it had not been.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from tatc.follower.et.light.checkpoint import LightModel
from tatc.follower.et.light.network import ActionScores
from tatc.follower.et.light.word_encoding import word_ids
from tatc.training.batches import IGNORE_INDEX, Batch, epoch_batches, make_batch
from tatc.training.examples import Example
from tatc.training.training_state import Stateful, load_training_state, save_training_state

MAX_GRADIENT_NORM = 1.0
"""The norm that gradients are clipped to."""
FINAL_RATE_SHARE = 0.05
"""The share of the learning rate that is left in the last epoch."""

WORDING_WEIGHTS: Mapping[str, float] = {"actions": 0.15, "steps": 0.5, "goals": 0.35}
"""How often each wording is trained on."""
HISTORY_TEXT_WEIGHTS: Mapping[str, float] = {"recalled sessions": 1.0}
"""The one text of examples in which a session is recalled."""


@dataclass(frozen=True, slots=True)
class FittingOptions:
    """How to fit: epochs, the learning rate, the seed, the device, and what is told.

    `text_weights` are the names of the examples' texts, and how often each is trained on;
    `mirror` whether they are seen in a mirror as often as not.
    """

    epochs: int
    learning_rate: float = 1.5e-3
    weight_decay: float = 0.01
    seed: int = 1
    device: str = "cpu"
    text_weights: Mapping[str, float] = field(default_factory=lambda: WORDING_WEIGHTS)
    mirror: bool = False

    def learning_rate_in(self, epoch: int) -> float:
        """Return the learning rate of an epoch: half a cosine down to a rest."""
        share = (1.0 + cos(pi * epoch / max(self.epochs, 1))) / 2.0
        return self.learning_rate * (FINAL_RATE_SHARE + (1.0 - FINAL_RATE_SHARE) * share)


@dataclass(frozen=True, slots=True)
class ValidationAccuracy:
    """Shares of right answers at one grain, each given a right past."""

    grain: str
    actions: float
    classes: float
    cells: float


@dataclass(frozen=True, slots=True)
class EpochResult:
    """What came of one epoch: its number from 1, its mean loss, and validations."""

    number: int
    loss: float
    validations: tuple[ValidationAccuracy, ...]


class LightFitter:
    """A network that is being fitted."""

    def __init__(self, model: LightModel, options: FittingOptions) -> None:
        """Take a network and begin before the first epoch."""
        self.model, self.options = model, options
        self._device = torch.device(options.device)
        self._network = model.network.to(self._device)
        self._optimiser = torch.optim.AdamW(
            self._network.parameters(), lr=options.learning_rate, weight_decay=options.weight_decay
        )
        self._word_ids = word_ids(model.words)
        self._scaler = torch.amp.GradScaler(self._device.type, enabled=self._device.type == "cuda")
        self.epochs_done = 0

    def run_epoch(
        self,
        examples: Sequence[Example],
        held_out: Sequence[Example],
        on_batch: Callable[[int], None] = lambda examples: None,
    ) -> EpochResult:
        """Fit one more epoch, and validate; `on_batch` of each batch's size."""
        seed = f"{self.options.seed} {self.epochs_done}"
        seed_torch(self.options.seed * 100_003 + self.epochs_done)
        for group in self._optimiser.param_groups:
            group["lr"] = self.options.learning_rate_in(self.epochs_done)
        self._network.train()
        total, count = 0.0, 0
        drawn = epoch_batches(
            examples, self._word_ids, self.options.text_weights, seed, mirror=self.options.mirror
        )
        for batch in drawn:
            total += self._step(batch.to(self._device))
            count += 1
            on_batch(len(batch.actions))
        self._network.eval()
        self.epochs_done += 1
        names = list(self.options.text_weights) if held_out else []
        found = tuple(self._validate(held_out, name, at) for at, name in enumerate(names))
        return EpochResult(self.epochs_done, total / max(count, 1), found)

    def save(self, path: Path) -> None:
        """Write all that a later run needs to go on."""
        save_training_state(path, self.epochs_done, self._state_parts())

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote.

        Raises:
            BadInput: the file is damaged, or of another network.

        """
        self.epochs_done = load_training_state(path, self._state_parts(), self.options.device)

    def _state_parts(self) -> dict[str, Stateful]:
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

    def _validate(
        self, examples: Sequence[Example], text_name: str, text_index: int
    ) -> ValidationAccuracy:
        correct_counts = torch.zeros(3)
        target_counts = torch.zeros(3)
        with torch.inference_mode():
            for start in range(0, len(examples), 16):
                batch_examples = examples[start : start + 16]
                texts = [example.texts[text_index] for example in batch_examples]
                batch = make_batch(batch_examples, texts, self._word_ids).to(self._device)
                scores = self._network(batch.language, batch.steps)
                for i, (logits, target) in enumerate(_logits_and_targets(scores, batch)):
                    wanted = target != IGNORE_INDEX
                    correct_counts[i] += (logits.argmax(-1) == target)[wanted].sum().cpu()
                    target_counts[i] += wanted.sum().cpu()
        shares = correct_counts / target_counts.clamp(min=1)
        actions, classes, cells = (float(share) for share in shares)
        return ValidationAccuracy(text_name, actions, classes, cells)


def seed_torch(seed: int) -> None:
    """Let all that torch draws from here on depend on a seed."""
    cast(Any, torch).manual_seed(seed)


def _logits_and_targets(scores: ActionScores, batch: Batch) -> tuple[tuple[Tensor, Tensor], ...]:
    return (
        (scores.actions, batch.actions),
        (scores.classes, batch.classes),
        (scores.cells, batch.cells),
    )


def _light_loss(scores: ActionScores, batch: Batch) -> Tensor:
    """Return the sum of the three losses, each a mean over the steps that have it."""
    losses: list[Tensor] = []
    for logits, target in _logits_and_targets(scores, batch):
        count = (target != IGNORE_INDEX).sum().clamp(min=1)
        summed = cross_entropy(logits.flatten(0, 1).float(), target.flatten(), reduction="sum")
        losses.append(summed / count)
    return torch.stack(losses).sum()
