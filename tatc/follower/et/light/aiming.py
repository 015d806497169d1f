"""What a recalling Follower would do something to: it knows what it has seen done.

A network gives the odds of verbs and of object types apart.  Here they are joined: a
verb is for the types that people did it to, and for what is in view; the less of what
it is likely to want is in view, the less likely is the verb itself.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tatc.actions import Verb


@dataclass(frozen=True, slots=True)
class Aim:
    """A type, and by how much it changes the odds of its verb."""

    noun: str
    odds: float


class Aiming:
    """Chooses what a verb is for."""

    def __init__(
        self, classes: Sequence[str], deeds: Collection[tuple[str, str]]
    ) -> None:
        """Take the types by number, and what was ever done to what: all, if nothing."""
        self._classes = tuple(classes)
        self._deeds = frozenset(deeds)

    def at(
        self,
        verb: Verb,
        logits: Tensor,
        view: Collection[str] | None,
        tired: Mapping[tuple[Verb, str], float],
    ) -> Aim | None:
        """Return what is best done with a verb, None for nothing.

        Args:
            verb: an interaction.
            logits: those of the types.
            view: types that are in view; None where that is not known.
            tired: by how much deeds are less likely, since they were done already.

        """
        apt = [i for i, noun in enumerate(self._classes) if self._knows(verb, noun)]
        there = [i for i in apt if view is None or self._classes[i] in view]
        if not there:
            return None
        share = torch.logsumexp(logits[there], 0) - torch.logsumexp(logits[apt], 0)
        rest = [tired.get((verb, self._classes[i]), 0.0) for i in there]
        best = int((logits[there] - torch.tensor(rest)).argmax())
        return Aim(self._classes[there[best]], float(share) - rest[best])

    def _knows(self, verb: Verb, noun: str) -> bool:
        return not self._deeds or (verb.value, noun) in self._deeds
