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

from tatc.follower.et.light.network import Scores
from tatc.follower.et.light.weights import Light
from tatc.follower.et.light.words import numbered
from tatc.training.batches import NO_TARGET, Batch, batch_of, batches
from tatc.training.examples import Example
from tatc.training.state import Part, load_state, save_state

NORM = 1.0
"""The norm that gradients are clipped to."""
LEAST = 0.05
"""The share of the learning rate that is left in the last epoch."""

GRAIN_WEIGHTS: Mapping[str, float] = {"actions": 0.15, "steps": 0.5, "goals": 0.35}
"""How often each wording is trained on."""
RECALLED: Mapping[str, float] = {"recalled sessions": 1.0}
"""The one text of examples in which a session is recalled."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to fit: epochs, the learning rate, the seed, the device, and what is told.

    `grains` are the names of the examples' texts, and how often each is trained on;
    `mirrors` whether they are seen in a mirror as often as not.
    """

    epochs: int
    rate: float = 1.5e-3
    decay: float = 0.01
    seed: int = 1
    device: str = "cpu"
    grains: Mapping[str, float] = field(default_factory=lambda: GRAIN_WEIGHTS)
    mirrors: bool = False

    def rate_in(self, epoch: int) -> float:
        """Return the learning rate of an epoch: half a cosine down to a rest."""
        share = (1.0 + cos(pi * epoch / max(self.epochs, 1))) / 2.0
        return self.rate * (LEAST + (1.0 - LEAST) * share)


@dataclass(frozen=True, slots=True)
class Validation:
    """Shares of right answers at one grain, each given a right past."""

    grain: str
    actions: float
    classes: float
    cells: float


@dataclass(frozen=True, slots=True)
class Epoch:
    """What came of one epoch: its number from 1, its mean loss, and validations."""

    number: int
    loss: float
    validations: tuple[Validation, ...]


class Fitting:
    """A network that is being fitted."""

    def __init__(self, light: Light, plan: Plan) -> None:
        """Take a network and begin before the first epoch."""
        self.light, self.plan = light, plan
        self._device = torch.device(plan.device)
        self._network = light.network.to(self._device)
        self._optimiser = torch.optim.AdamW(
            self._network.parameters(), lr=plan.rate, weight_decay=plan.decay
        )
        self._words = numbered(light.words)
        self._scaler = torch.amp.GradScaler(
            self._device.type, enabled=self._device.type == "cuda"
        )
        self.done = 0

    def epoch(
        self,
        examples: Sequence[Example],
        held_out: Sequence[Example],
        told: Callable[[int], None] = lambda examples: None,
    ) -> Epoch:
        """Fit one more epoch, and validate; `told` of each batch's size."""
        seed = f"{self.plan.seed} {self.done}"
        seed_torch(self.plan.seed * 100_003 + self.done)
        for group in self._optimiser.param_groups:
            group["lr"] = self.plan.rate_in(self.done)
        self._network.train()
        total, count = 0.0, 0
        drawn = batches(
            examples, self._words, self.plan.grains, seed, mirrors=self.plan.mirrors
        )
        for batch in drawn:
            total += self._step(batch.to(self._device))
            count += 1
            told(len(batch.actions))
        self._network.eval()
        self.done += 1
        names = list(self.plan.grains) if held_out else []
        found = tuple(
            self._validate(held_out, name, at) for at, name in enumerate(names)
        )
        return Epoch(self.done, total / max(count, 1), found)

    def save(self, path: Path) -> None:
        """Write all that a later run needs to go on."""
        save_state(path, self.done, self._parts())

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote.

        Raises:
            BadInput: the file is damaged, or of another network.

        """
        self.done = load_state(path, self._parts(), self.plan.device)

    def _parts(self) -> dict[str, Part]:
        return {
            "network": self._network,
            "optimiser": self._optimiser,
            "scaler": self._scaler,
        }

    def _step(self, batch: Batch) -> float:
        self._optimiser.zero_grad()
        with torch.autocast(self._device.type, enabled=self._device.type == "cuda"):
            loss = _loss(self._network(batch.language, batch.steps), batch)
        scaled: Any = self._scaler.scale(loss)
        scaled.backward()
        self._scaler.unscale_(self._optimiser)
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), NORM)
        self._scaler.step(self._optimiser)
        self._scaler.update()
        return float(loss.detach())

    def _validate(self, examples: Sequence[Example], grain: str, at: int) -> Validation:
        right = torch.zeros(3)
        asked = torch.zeros(3)
        with torch.inference_mode():
            for start in range(0, len(examples), 16):
                some = examples[start : start + 16]
                texts = [example.texts[at] for example in some]
                batch = batch_of(some, texts, self._words).to(self._device)
                scores = self._network(batch.language, batch.steps)
                for i, (logits, target) in enumerate(_pairs(scores, batch)):
                    wanted = target != NO_TARGET
                    right[i] += (logits.argmax(-1) == target)[wanted].sum().cpu()
                    asked[i] += wanted.sum().cpu()
        shares = right / asked.clamp(min=1)
        actions, classes, cells = (float(share) for share in shares)
        return Validation(grain, actions, classes, cells)


def seed_torch(seed: int) -> None:
    """Let all that torch draws from here on depend on a seed."""
    cast(Any, torch).manual_seed(seed)


def _pairs(scores: Scores, batch: Batch) -> tuple[tuple[Tensor, Tensor], ...]:
    return (
        (scores.actions, batch.actions),
        (scores.classes, batch.classes),
        (scores.cells, batch.cells),
    )


def _loss(scores: Scores, batch: Batch) -> Tensor:
    """Return the sum of the three losses, each a mean over the steps that have it."""
    losses: list[Tensor] = []
    for logits, target in _pairs(scores, batch):
        count = (target != NO_TARGET).sum().clamp(min=1)
        summed = cross_entropy(
            logits.flatten(0, 1).float(), target.flatten(), reduction="sum"
        )
        losses.append(summed / count)
    return torch.stack(losses).sum()
