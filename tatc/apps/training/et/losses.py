"""E.T.'s losses (spec section 7.5)."""

from torch import Tensor
from torch.nn.functional import cross_entropy

from tatc.follower.learned.et.labels import PADDING_ID
from tatc.follower.learned.et.network import Logits


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
