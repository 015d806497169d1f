"""E.T.'s optimisation (spec section 7.6): AdamW, a step schedule, no clipping.

The state of a training is one file; an interrupted training resumes after its last whole
epoch with the order and the dropout that it would have had.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from tatc.apps.training.et.training_items import TrainingItem
from tatc.apps.training.fit import seed_torch
from tatc.apps.training.training_folder import Stateful, load_training_state, save_training_state
from tatc.follower.learned.et.network import ET, Logits
from tatc.follower.learned.et.vocabulary import PADDING_ID


@dataclass(frozen=True, slots=True)
class OfficialHyperparameters:
    """The published settings; the batch is 3 in the paper and 8 by default in its code.

    `decay` is AdamW's weight decay; the rate is multiplied with `drop` every `drop_every`
    epochs.
    """

    epochs: int = 20
    batch: int = 8
    rate: float = 1e-4
    decay: float = 0.33
    drop_every: int = 10
    drop: float = 0.1
    seed: int = 1
    device: str = "cpu"


class OfficialFitter:
    """An E.T. in training, with its optimiser and schedule."""

    def __init__(
        self, network: ET, hyperparameters: OfficialHyperparameters = OfficialHyperparameters()
    ) -> None:
        """Start before the first epoch."""
        self.network, self.hyperparameters = (network.to(hyperparameters.device), hyperparameters)
        self._optimiser: Any = torch.optim.AdamW(
            network.parameters(), lr=hyperparameters.rate, weight_decay=hyperparameters.decay
        )
        self._scheduler = torch.optim.lr_scheduler.StepLR(
            self._optimiser, hyperparameters.drop_every, hyperparameters.drop
        )
        self.epochs_done = 0

    @property
    def learning_rate(self) -> float:
        """The learning rate of the next epoch."""
        return float(self._optimiser.param_groups[0]["lr"])

    def run_epoch(
        self, items: Sequence[TrainingItem], on_batch: Callable[[int], None] = lambda items: None
    ) -> float:
        """Fit one more epoch and return its mean loss.

        Args:
            items: to fit to.
            on_batch: called with the number of items of each batch.

        """
        seed_torch(self.hyperparameters.seed * 100_003 + self.epochs_done)
        self.network.train()
        losses: list[float] = []
        for batch in self._batches(items):
            losses.append(self._step(batch))
            on_batch(len(batch))
        self._scheduler.step()
        self.network.eval()
        self.epochs_done += 1
        return sum(losses) / max(len(losses), 1)

    def save(self, path: Path) -> None:
        """Write everything that a later run needs to resume."""
        save_training_state(path, self.epochs_done, self._state_parts())

    def resume(self, path: Path) -> None:
        """Resume from a file that `save` wrote."""
        self.epochs_done = load_training_state(path, self._state_parts())

    def _state_parts(self) -> dict[str, Stateful]:
        return {"network": self.network, "optimiser": self._optimiser, "schedule": self._scheduler}

    def _batches(self, items: Sequence[TrainingItem]) -> Iterator[list[TrainingItem]]:
        order = list(range(len(items)))
        Random(f"{self.hyperparameters.seed} {self.epochs_done}").shuffle(order)
        for start in range(0, len(order), self.hyperparameters.batch):
            yield [items[i] for i in order[start : start + self.hyperparameters.batch]]

    def _step(self, items: Sequence[TrainingItem]) -> float:
        device = self.hyperparameters.device
        lengths = torch.tensor([len(each.actions) for each in items], device=device)
        words, frames, actions, is_target, classes = (
            _pad_tensors([getattr(each, name) for each in items]).to(device)
            for name in TrainingItem.__slots__
        )
        self._optimiser.zero_grad()
        logits = self.network(words, frames, actions, lengths)
        loss: Any = total_loss(logits, actions, is_target, classes)
        loss.backward()
        self._optimiser.step()
        return float(loss.detach())


def _pad_tensors(rows: list[Tensor]) -> Tensor:
    """Return rows of different lengths as one tensor, padded with 0."""
    return pad_sequence(rows, batch_first=True)


# E.T.'s losses (spec section 7.5).


def action_loss(logits: Tensor, targets: Tensor, is_target: Tensor) -> Tensor:
    """Return the loss of the actions, a mean over *all* steps of the batch.

    Steps that are no targets, and targets with the id 0 (padding and, officially, Stop),
    add nothing to the sum but count in the mean all the same.

    Args:
        logits: (batch, steps, actions).
        targets: action ids, (batch, steps).
        is_target: whether a step is to be predicted, (batch, steps).

    """
    each = cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    counts = is_target.flatten() & (targets.flatten() != PADDING_ID)
    return (each * counts).mean()


def class_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of the object classes, a mean over the steps with a class.

    Args:
        logits: (batch, steps, classes).
        targets: class ids, (batch, steps); 0 for a step without a class.

    """
    has_class = targets.flatten() != 0
    if not bool(has_class.any()):
        return logits.sum() * 0.0
    return cross_entropy(logits.flatten(0, 1)[has_class], targets.flatten()[has_class])


def total_loss(logits: Logits, actions: Tensor, is_target: Tensor, classes: Tensor) -> Tensor:
    """Return the sum of both losses, each with the weight 1."""
    return action_loss(logits.actions, actions, is_target) + class_loss(logits.classes, classes)
