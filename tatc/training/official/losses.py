"""E.T.'s losses (spec section 7.5)."""

from torch import Tensor
from torch.nn.functional import cross_entropy

from tatc.follower.et.official.labels import PADDING_ID
from tatc.follower.et.official.network import Logits


def action_loss(logits: Tensor, targets: Tensor, is_target: Tensor) -> Tensor:
    """Return the loss of the actions, a mean over *all* places of the batch.

    Places that are not asked for, and targets of number 0 (padding and officially
    Stop), add nothing to the sum and count in the mean all the same.
    """
    each = cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    counts = is_target.flatten() & (targets.flatten() != PADDING_ID)
    return (each * counts).mean()


def class_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of the object classes, a mean over the interactions asked for."""
    wanted = targets.flatten() != 0
    if not bool(wanted.any()):
        return logits.sum() * 0.0
    return cross_entropy(logits.flatten(0, 1)[wanted], targets.flatten()[wanted])


def total_loss(logits: Logits, actions: Tensor, is_target: Tensor, classes: Tensor) -> Tensor:
    """Return the sum of both, each with the weight 1."""
    found = action_loss(logits.actions, actions, is_target)
    return found + class_loss(logits.classes, classes)
