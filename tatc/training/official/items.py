"""Training items of E.T. (spec sections 7.1 and 7.3), made of EDH instances.

An item is an instance's dialogue, and its actions with what was seen before each: the
history's, the future's, and a Stop at the end, which sees the last frame again and is
never asked for.  Frames are drawn in our own world along the recorded course.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from tatc.actions import Frame, Role
from tatc.errors import BadInput
from tatc.evaluation.instances.course import replay
from tatc.evaluation.instances.segments import in_the_world
from tatc.follower.et.official.names import CLASSES
from tatc.follower.et.official.vocabulary import Vocabulary, tokens_of
from tatc.records import Instance, Interaction, parse_instance
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Scene

_HISTORY, _FUTURE = "driver_action_history", "driver_actions_future"

Encoder = Callable[[Frame], Tensor]
"""A frame's features, (512, 7, 7)."""


@dataclass(frozen=True, slots=True)
class Item:
    """One instance as numbers; all but `words` have one entry an action.

    `asked` says which actions are to be predicted: those of the future.  `classes` are
    0 but for interactions of the future.
    """

    words: Tensor
    frames: Tensor
    actions: Tensor
    asked: Tensor
    classes: Tensor


def frames_of(instance: Instance, scene: Scene) -> tuple[Frame, ...]:
    """Return what was seen before each action of an instance, the future's too.

    Raises:
        BadInput: its course cannot be done again in our world.

    """
    document = dict(instance.document)
    document["pred_start_idx"] = len(document["interactions"])
    sim, drawn = EmbeddedSimulator(), list[Frame]()
    sim.reset(scene)

    def draw(done: Interaction) -> None:
        frame = sim.frame(Role.FOLLOWER) if in_the_world(done) else None
        if frame is not None:
            drawn.append(frame)

    if not replay(sim, parse_instance(document, instance.name).history, draw):
        raise BadInput("an object of it is not in our world", where=instance.name)
    return tuple(drawn)


def item_of(instance: Instance, vocabulary: Vocabulary, features: Tensor) -> Item:
    """Return an instance as an item, given the features of its frames.

    Raises:
        BadInput: there are more or fewer frames than actions, or one of the actions is
            not of E.T.'s vocabulary.

    """
    done = [*_actions(instance, _HISTORY), *_actions(instance, _FUTURE)]
    if len(done) != len(features) or not done:
        why = f"it has {len(done)} actions and {len(features)} frames"
        raise BadInput(why, where=instance.name)
    first = len(_actions(instance, _HISTORY))
    variant = vocabulary.variant
    names = [str(each["action_name"]) for each in done]
    unknown = [name for name in names if name not in variant.actions]
    if unknown:
        raise BadInput(f"E.T. knows no action {unknown[0]}", where=instance.name)
    asked = [i >= first for i in range(len(done))]
    actions = [variant.actions.index(name) for name in (*names, "Stop")]
    classes = [0] * first + [_class_of(each) for each in done[first:]]
    return Item(
        torch.tensor(vocabulary.numbers(tokens_of(instance.dialogue, variant))),
        torch.cat([features, features[-1:]]),
        torch.tensor(actions),
        # Where Stop has a number of its own it is learned: a correction.
        torch.tensor([*asked, variant.stop]),
        torch.tensor([*classes, 0]),
    )


def _actions(instance: Instance, part: str) -> list[Mapping[str, Any]]:
    return list(instance.document.get(part) or ())


def _class_of(action: Mapping[str, Any]) -> int:
    """Return the class that is learned: of a slice the whole, of a basin the sink."""
    oid = action.get("oid")
    if not action.get("obj_interaction_action") or not oid:
        return 0
    kind = str(oid).split("|")[0]
    return CLASSES.index(kind) if kind in CLASSES else 0
