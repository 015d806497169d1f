"""Chooses the object type that `HistoryFollower` would apply a verb to.

The network scores verbs and object types separately.  Here the two are combined: a verb
applies to types that people applied it to and that are in view.  The smaller the share of
the network's probability that falls on types in view, the less likely is the verb.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tatc.home.actions import Verb


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """An object type, and what is added to the logit of the verb for it."""

    object_type: str
    logit_change: float


class TargetChooser:
    """Chooses the target of a verb."""

    def __init__(
        self, classes: Sequence[str], verb_object_pairs: Collection[tuple[str, str]]
    ) -> None:
        """Make a chooser.

        Args:
            classes: object types in the order of the network's classes.
            verb_object_pairs: the (verb, type) pairs of the training; if there are none,
                every pair is allowed.

        """
        self._classes = tuple(classes)
        self._verb_object_pairs = frozenset(verb_object_pairs)

    def choose(
        self,
        verb: Verb,
        logits: Tensor,
        types_in_view: Collection[str] | None,
        repeat_penalties: Mapping[tuple[Verb, str], float],
    ) -> TargetChoice | None:
        """Return the best target of a verb; None if it has none.

        Args:
            verb: an interaction.
            logits: of the object types, (types,).
            types_in_view: None if they are not known.
            repeat_penalties: what is subtracted for interactions that were already done.

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
        penalties = [repeat_penalties.get((verb, self._classes[i]), 0.0) for i in in_view]
        best = int((logits[in_view] - torch.tensor(penalties)).argmax())
        return TargetChoice(self._classes[in_view[best]], float(share) - penalties[best])

    def _was_demonstrated(self, verb: Verb, object_type: str) -> bool:
        return not self._verb_object_pairs or (verb.value, object_type) in self._verb_object_pairs
