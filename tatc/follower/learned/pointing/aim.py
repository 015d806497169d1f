"""Which of the things that the pointer weighs is pointed at: words name types, and not things."""

from collections.abc import Container

import torch
from torch import Tensor

from tatc.follower.learned.pointing import network
from tatc.follower.learned.pointing.decision import Decision, SessionMemory

KEPT_BONUS = 1.0
"""Added to the logit of what was pointed at before."""
REFUSED_PENALTY = 1.0
"""Subtracted from the logit of a thing for each click that it refused, but the first."""
ALIKE_SHARE = 0.5
"""Of things of one type, those with so much of the weight of the likeliest are as good."""


def choose_aim(logits: Tensor, memory: SessionMemory, seen: Decision, alike: Container[str]) -> int:
    """Return the number of what is pointed at by the pointer's `logits`, and keep it in mind.

    Things of one of the types `alike` share their weight.  The one that was pointed at before
    stands for them, or else the nearest.
    """
    things: list[object] = ["not seen", "nothing", *memory.ordered]
    kinds, worth = [*things], [KEPT_BONUS * (each is memory.aim) for each in things]
    for i, each in enumerate(memory.ordered, network.FIRST_INSTANCE):
        worth[i] -= REFUSED_PENALTY * max(0, len(each.refused_points) - 1)
        if each.object_type in alike:
            kinds[i] = each.object_type
    weighed = (logits[: len(things)] + torch.tensor(worth)).softmax(-1)
    shares = [float(share) for share in weighed]
    totals = dict[object, float]()
    for kind, share in zip(kinds, shares, strict=True):
        totals[kind] = totals.get(kind, 0.0) + share
    best = max(totals, key=totals.__getitem__)
    equal = [i for i, kind in enumerate(kinds) if kind == best]
    least = ALIKE_SHARE * max(shares[i] for i in equal)
    paths: list[float] = [0.0, 0.0, *map(float, seen.features[:, 15])]
    number = min(
        (i for i in equal if shares[i] >= least),
        key=lambda i: (things[i] is not memory.aim, paths[i], -shares[i]),
    )
    memory.aim = things[number]
    return number
