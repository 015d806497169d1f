"""Fits a pointing network to samples, batch by batch.

Each round draws its samples, drills and forced targets from the seed and the round's number, so a
training that was interrupted resumes as if it had not been.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from tatc.apps.training import samples, training_folder
from tatc.follower.learned.pointing import decision, instance_memory, network, network_inputs
from tatc.follower.learned.pointing.checkpoint import PointingModel
from tatc.language import Wording

Lessons = Sequence[samples.LessonUtterance]
BATCH_SAMPLES = 96  # decisions in a batch: with many more, there are too few steps
MAX_SAMPLES_OF_TEXT = 12  # decisions after one text in a batch, so that it has many texts
LEARNING_RATE, FINAL_RATE_SHARE, WARM_UP_BATCHES = 2e-3, 0.03, 60
FULL_RATE_SHARE = 0.5
"""The share of the training with the full learning rate, after which it falls by a cosine."""
FORCED_SHARE = 0.75
"""How often the verb is learned for the true target, and else for what the pointer chose."""
INTERACTION_WEIGHT, MOTION_WEIGHT, CLICK_WEIGHT = 2.0, 0.5, 0.5
MAX_GRADIENT_NORM = 1.0
_NO_CROP = np.zeros((3, instance_memory.CROP_SIDE, instance_memory.CROP_SIDE), np.float32)


@dataclass(frozen=True, slots=True)
class LabelledBatch:
    """The network's inputs, and labels of shape (decisions,)."""

    inputs: network.PointingBatch
    verbs: Tensor
    targets: Tensor
    cells: Tensor
    crops: Tensor

    @property
    def are_interactions(self) -> Tensor:
        """Which of the labels are interactions."""
        return torch.isin(self.verbs, torch.tensor(sorted(decision.INTERACTION_IDS)))


def labelled_batch(
    groups: Sequence[tuple[str, Sequence[samples.LabelledDecision]]], word_ids: Mapping[str, int]
) -> LabelledBatch:
    """Return texts, each with decisions after it, as a batch."""
    texts = [network_inputs.encode_text(text, word_ids) for text, _ in groups]
    labelled = [each for _, decisions in groups for each in decisions]
    text_of = [i for i, (_, decisions) in enumerate(groups) for _ in decisions]
    crops = [_NO_CROP if each.crop is None else each.crop for each in labelled]
    return LabelledBatch(
        network.make_batch(texts, text_of, [each.seen for each in labelled]),
        torch.tensor([each.verb for each in labelled]),
        torch.tensor([each.target for each in labelled]),
        torch.tensor([each.cell for each in labelled]),
        torch.as_tensor(np.stack(crops)),
    )


Accuracies = dict[str, Any]
"""Shares of right choices on held-out lessons, given the right past, and the `wording`.

`motions` are of verbs, `interactions` of verb and instance together, and `clicks` of cells.
"""


class PointingFitter(training_folder.Resumable):
    """A network in training, with its optimiser; `epochs_done` counts rounds."""

    def __init__(self, model: PointingModel, batches: int, rounds: int, seed: int) -> None:
        """Train for so many rounds of so many batches."""
        self.model, self._batches, self._rounds, self._seed = model, batches, rounds, seed
        self._optimiser: Any = torch.optim.AdamW(
            model.network.parameters(), lr=LEARNING_RATE, weight_decay=0.01, fused=True
        )
        self._word_ids = network_inputs.word_ids(model.words)

    def state_parts(self) -> Mapping[str, Any]:
        """Return the network and its optimiser."""
        return {"network": self.model.network, "optimiser": self._optimiser}

    def run_round(
        self, lessons: Lessons, held_out: Lessons, on_batch: Callable[[int], None]
    ) -> tuple[list[float], list[Accuracies]]:
        """Fit a round's batches; return mean losses and accuracies; `on_batch` gets 1 for each.

        The losses are of pointer, verb and click.
        """
        training_folder.seed_torch(self._seed * 100_003 + self.epochs_done)
        rng = Random(f"round {self._seed} {self.epochs_done}")
        groups = _endless_batches(lessons, self.model.classes, rng)
        self.model.network.train()
        losses = np.zeros(3)
        for number in range(self._batches):
            done = self.epochs_done * self._batches + number
            for group in self._optimiser.param_groups:
                group["lr"] = self._learning_rate(done)
            losses += self._step(labelled_batch(next(groups), self._word_ids))
            on_batch(1)
        self.model.network.eval()
        self.epochs_done += 1
        told = [w for w in (Wording.STEPS, Wording.GOALS) if any(w in u.texts for u in held_out)]
        accuracies = [self._accuracies(held_out, wording) for wording in told]
        return (losses / max(1, self._batches)).tolist(), accuracies

    def _learning_rate(self, done: int) -> float:
        share = done / max(1, self._batches * self._rounds)
        falls = max(0.0, (share - FULL_RATE_SHARE) / (1 - FULL_RATE_SHARE))
        rate = FINAL_RATE_SHARE + (1 - FINAL_RATE_SHARE) * (1 + cos(pi * falls)) / 2
        return LEARNING_RATE * rate * min(1.0, (done + 1) / WARM_UP_BATCHES)

    def _step(self, batch: LabelledBatch) -> tuple[float, float, float]:
        found = self.model.network.point(batch.inputs)
        is_forced = (torch.rand(len(batch.targets)) < FORCED_SHARE) & (batch.targets >= 0)
        chosen = torch.where(is_forced, batch.targets, found.logits.argmax(-1))
        verbs, state = self.model.network.act(batch.inputs, found, chosen)
        weights = torch.where(batch.are_interactions, INTERACTION_WEIGHT, MOTION_WEIGHT)
        pointer = (cross_entropy(found.logits, batch.targets, reduction="none") * weights).mean()
        count = (batch.verbs >= 0).sum().clamp(min=1)
        verb = cross_entropy(verbs, batch.verbs, reduction="sum") / count
        click = self._click_loss(batch, state)
        self._optimiser.zero_grad()
        loss: Any = pointer + verb + CLICK_WEIGHT * click
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.network.parameters(), MAX_GRADIENT_NORM)
        self._optimiser.step()
        return float(pointer.detach()), float(verb.detach()), float(click.detach())

    def _click_loss(self, batch: LabelledBatch, state: Tensor) -> Tensor:
        with_click = batch.cells >= 0
        if not with_click.any():
            return state.new_zeros(())
        cells = batch.cells[with_click]
        logits = self.model.network.click_logits(
            state[with_click], batch.verbs[with_click], batch.crops[with_click]
        )
        can_be = logits.gather(1, cells[:, None])[:, 0] > network.RULED_OUT
        if not can_be.any():
            return state.new_zeros(())
        return cross_entropy(logits[can_be], cells[can_be])

    @torch.inference_mode()
    def _accuracies(self, held_out: Lessons, wording: Wording) -> Accuracies:
        right, count = np.zeros(3), np.zeros(3)
        drawn = (samples.draw_samples(each, Random(0), wording) for each in held_out)
        for text, decisions in drawn:
            if not decisions:
                continue
            batch = labelled_batch([(text, decisions)], self._word_ids)
            found = self.model.network.point(batch.inputs)
            chosen = found.logits.argmax(-1)
            verbs, state = self.model.network.act(batch.inputs, found, chosen)
            is_right, is_click = verbs.argmax(-1) == batch.verbs, batch.are_interactions
            is_motion = ~is_click & (batch.verbs > 0)
            cells = self.model.network.click_logits(state, batch.verbs.clamp(min=0), batch.crops)
            hits = (
                is_right[is_motion],
                (is_right & (chosen == batch.targets))[is_click],
                (cells.argmax(-1) == batch.cells)[is_click],
            )
            right += [int(each.sum()) for each in hits]
            count += [len(each) for each in hits]
        names = ("motions", "interactions", "clicks")
        shares = (right / np.maximum(count, 1)).tolist()
        return {"wording": wording.value, **dict(zip(names, shares, strict=True))}


Group = tuple[str, list[samples.LabelledDecision]]


def _endless_batches(lessons: Lessons, types: Sequence[str], rng: Random) -> Iterator[list[Group]]:
    """Yield batches of texts and decisions, with drills among them, epoch after epoch."""
    drills = samples.DrillMaker(samples.interaction_pairs(lessons), types)
    pending, size = list[Group](), 0
    while True:
        for group in _epoch(lessons, drills, rng):
            pending.append(group)
            size += len(group[1])
            if size >= BATCH_SAMPLES:
                yield pending
                pending, size = [], 0


def _epoch(lessons: Lessons, drills: samples.DrillMaker, rng: Random) -> Iterator[Group]:
    order = list(range(len(lessons)))
    rng.shuffle(order)
    pool = list[Group]()
    for i in order:
        text, decisions = samples.draw_samples(lessons[i], rng)
        for start in range(0, len(decisions), MAX_SAMPLES_OF_TEXT):
            pool.append((text, decisions[start : start + MAX_SAMPLES_OF_TEXT]))
        for each in decisions:
            if rng.random() < samples.DRILL_SHARE and (made := drills.make(each, rng)):
                pool.append((made[0], [made[1]]))
        if len(pool) > 2000:
            rng.shuffle(pool)
            yield from pool
            pool.clear()
    rng.shuffle(pool)
    yield from pool
