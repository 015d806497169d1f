"""E.T.'s optimisation (spec section 7.6): AdamW, a step schedule, no clipping.

The state of a training is one file; a run that was broken off goes on from its last
whole epoch with the order and the dropout that it would have had.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from tatc.follower.et.official.network import ET
from tatc.training.fit import seed_torch
from tatc.training.official.items import Item
from tatc.training.official.losses import loss
from tatc.training.state import Part, load_state, save_state


@dataclass(frozen=True, slots=True)
class Recipe:
    """The published settings; the paper's batch is 3, the code's default 8."""

    epochs: int = 20
    batch: int = 8
    rate: float = 1e-4
    decay: float = 0.33
    drop_every: int = 10
    drop: float = 0.1
    seed: int = 1
    device: str = "cpu"


class OfficialFitting:
    """An E.T. that is being fitted."""

    def __init__(self, network: ET, recipe: Recipe = Recipe()) -> None:
        """Take a network and begin before the first epoch."""
        self.network, self.recipe = network.to(recipe.device), recipe
        self._optimiser: Any = torch.optim.AdamW(
            network.parameters(), lr=recipe.rate, weight_decay=recipe.decay
        )
        self._schedule = torch.optim.lr_scheduler.StepLR(
            self._optimiser, recipe.drop_every, recipe.drop
        )
        self.done = 0

    @property
    def rate(self) -> float:
        """The learning rate of the coming epoch."""
        return float(self._optimiser.param_groups[0]["lr"])

    def epoch(
        self, items: Sequence[Item], told: Callable[[int], None] = lambda items: None
    ) -> float:
        """Fit one more epoch and return its mean loss; `told` of each batch's size."""
        seed_torch(self.recipe.seed * 100_003 + self.done)
        self.network.train()
        losses: list[float] = []
        for some in self._batches(items):
            losses.append(self._step(some))
            told(len(some))
        self._schedule.step()
        self.network.eval()
        self.done += 1
        return sum(losses) / max(len(losses), 1)

    def save(self, path: Path) -> None:
        """Write all that a later run needs to go on."""
        save_state(path, self.done, self._parts())

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote.

        Raises:
            BadInput: the file is damaged, or of another network.

        """
        self.done = load_state(path, self._parts())

    def _parts(self) -> dict[str, Part]:
        return {
            "network": self.network,
            "optimiser": self._optimiser,
            "schedule": self._schedule,
        }

    def _batches(self, items: Sequence[Item]) -> Iterator[list[Item]]:
        order = list(range(len(items)))
        Random(f"{self.recipe.seed} {self.done}").shuffle(order)
        for start in range(0, len(order), self.recipe.batch):
            yield [items[i] for i in order[start : start + self.recipe.batch]]

    def _step(self, items: Sequence[Item]) -> float:
        device = self.recipe.device
        lengths = torch.tensor([len(each.actions) for each in items], device=device)
        words, frames, actions, asked, classes = (
            _padded([getattr(each, name) for each in items]).to(device)
            for name in Item.__slots__
        )
        self._optimiser.zero_grad()
        logits = self.network(words, frames, actions, lengths)
        found: Any = loss(logits, actions, asked, classes)
        found.backward()
        self._optimiser.step()
        return float(found.detach())


def _padded(rows: list[Tensor]) -> Tensor:
    """Return rows of unlike length as one tensor, filled up with 0."""
    return pad_sequence(rows, batch_first=True)
