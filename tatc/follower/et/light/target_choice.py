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
class TargetChoice:
    """A type, and by how much it changes the odds of its verb."""

    object_type: str
    logit_change: float


class TargetChooser:
    """Chooses what a verb is for."""

    def __init__(
        self, classes: Sequence[str], verb_object_pairs: Collection[tuple[str, str]]
    ) -> None:
        """Take the types by number, and what was ever done to what: all, if nothing."""
        self._classes = tuple(classes)
        self._verb_object_pairs = frozenset(verb_object_pairs)

    def choose(
        self,
        verb: Verb,
        logits: Tensor,
        types_in_view: Collection[str] | None,
        repeat_penalties: Mapping[tuple[Verb, str], float],
    ) -> TargetChoice | None:
        """Return what is best done with a verb, None for nothing.

        Args:
            verb: an interaction.
            logits: those of the types.
            types_in_view: types that are in view; None where that is not known.
            repeat_penalties: by how much deeds are less likely, since they were done already.

        """
        plausible = [
            i
            for i, object_type in enumerate(self._classes)
            if self._was_demonstrated(verb, object_type)
        ]
        in_view = [
            i for i in plausible if types_in_view is None or self._classes[i] in types_in_view
        ]
        if not in_view:
            return None
        share = torch.logsumexp(logits[in_view], 0) - torch.logsumexp(logits[plausible], 0)
        rest = [repeat_penalties.get((verb, self._classes[i]), 0.0) for i in in_view]
        best = int((logits[in_view] - torch.tensor(rest)).argmax())
        return TargetChoice(self._classes[in_view[best]], float(share) - rest[best])

    def _was_demonstrated(self, verb: Verb, object_type: str) -> bool:
        return not self._verb_object_pairs or (verb.value, object_type) in self._verb_object_pairs
