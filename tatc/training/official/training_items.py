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
from tatc.follower.et.official.labels import ET_OBJECT_CLASSES
from tatc.follower.et.official.vocabulary import Vocabulary, dialogue_tokens
from tatc.instances.edh_segments import is_world_action
from tatc.instances.recorded_replay import replay_history
from tatc.records import Instance, Interaction, parse_instance
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.state import Scene

_HISTORY_FIELD, _FUTURE_FIELD = "driver_action_history", "driver_actions_future"

FrameEncoder = Callable[[Frame], Tensor]
"""A frame's features, (512, 7, 7)."""


@dataclass(frozen=True, slots=True)
class TrainingItem:
    """One instance as numbers; all but `words` have one entry an action.

    `is_target` says which actions are to be predicted: those of the future.  `classes` are
    0 but for interactions of the future.
    """

    words: Tensor
    frames: Tensor
    actions: Tensor
    is_target: Tensor
    classes: Tensor


def draw_instance_frames(instance: Instance, scene: Scene) -> tuple[Frame, ...]:
    """Return what was seen before each action of an instance, the future's too.

    Raises:
        BadInput: its course cannot be done again in our world.

    """
    document = dict(instance.document)
    document["pred_start_idx"] = len(document["interactions"])
    sim, drawn = EmbeddedSimulator(), list[Frame]()
    sim.reset(scene)

    def draw(done: Interaction) -> None:
        frame = sim.frame(Role.FOLLOWER) if is_world_action(done) else None
        if frame is not None:
            drawn.append(frame)

    if not replay_history(sim, parse_instance(document, instance.name).history, draw):
        raise BadInput("an object of it is not in our world", where=instance.name)
    return tuple(drawn)


def make_item(instance: Instance, vocabulary: Vocabulary, features: Tensor) -> TrainingItem:
    """Return an instance as an item, given the features of its frames.

    Raises:
        BadInput: there are more or fewer frames than actions, or one of the actions is
            not of E.T.'s vocabulary.

    """
    done = [
        *_instance_actions(instance, _HISTORY_FIELD),
        *_instance_actions(instance, _FUTURE_FIELD),
    ]
    if len(done) != len(features) or not done:
        why = f"it has {len(done)} actions and {len(features)} frames"
        raise BadInput(why, where=instance.name)
    first = len(_instance_actions(instance, _HISTORY_FIELD))
    variant = vocabulary.variant
    names = [str(each["action_name"]) for each in done]
    unknown = [name for name in names if name not in variant.actions]
    if unknown:
        raise BadInput(f"E.T. knows no action {unknown[0]}", where=instance.name)
    is_target = [i >= first for i in range(len(done))]
    actions = [variant.actions.index(name) for name in (*names, "Stop")]
    classes = [0] * first + [_target_class(each) for each in done[first:]]
    return TrainingItem(
        torch.tensor(vocabulary.token_ids(dialogue_tokens(instance.dialogue, variant))),
        torch.cat([features, features[-1:]]),
        torch.tensor(actions),
        # Where Stop has a number of its own it is learned: a correction.
        torch.tensor([*is_target, variant.stop]),
        torch.tensor([*classes, 0]),
    )


def _instance_actions(instance: Instance, field: str) -> list[Mapping[str, Any]]:
    return list(instance.document.get(field) or ())


def _target_class(action: Mapping[str, Any]) -> int:
    """Return the class that is learned: of a slice the whole, of a basin the sink."""
    oid = action.get("oid")
    if not action.get("obj_interaction_action") or not oid:
        return 0
    object_type = str(oid).split("|")[0]
    return ET_OBJECT_CLASSES.index(object_type) if object_type in ET_OBJECT_CLASSES else 0
