"""Training items of E.T. (spec sections 7.1 and 7.3), made of EDH instances.

An item is an instance's dialogue and its actions, with the frame before each: those of the
history, those of the future, and a Stop, which gets the last frame again and officially is
no target.  The frames are drawn in the embedded world while the recording is replayed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from tatc.base.errors import BadInput
from tatc.evaluation.instances.source_games import is_world_action, replay_history
from tatc.follower.learned.et.vocabulary import ET_OBJECT_CLASSES, Vocabulary, dialogue_tokens
from tatc.home.actions import Role
from tatc.home.observation import Frame
from tatc.home.state import Scene
from tatc.session.records import Instance, Interaction, parse_instance
from tatc.sim.embedded.simulator import EmbeddedSimulator

_HISTORY_FIELD, _FUTURE_FIELD = "driver_action_history", "driver_actions_future"

FrameEncoder = Callable[[Frame], Tensor]
"""Returns a frame's features, (512, 7, 7)."""


@dataclass(frozen=True, slots=True)
class TrainingItem:
    """One instance as tensors; all but `words` have one entry for each action.

    `words` are word ids, `frames` features (actions, 512, 7, 7), `actions` action ids.
    `is_target` says which actions are to be predicted: those of the future.  `classes` are
    the class ids of the future's interactions, and 0 for all other actions.
    """

    words: Tensor
    frames: Tensor
    actions: Tensor
    is_target: Tensor
    classes: Tensor


def draw_instance_frames(instance: Instance, scene: Scene) -> tuple[Frame, ...]:
    """Return the frames before each action of an instance, the future's included."""
    document = dict(instance.document)
    document["pred_start_idx"] = len(document["interactions"])
    sim, drawn = EmbeddedSimulator(), list[Frame]()
    sim.reset(scene)

    def draw(interaction: Interaction) -> None:
        frame = sim.frame(Role.FOLLOWER) if is_world_action(interaction) else None
        if frame is not None:
            drawn.append(frame)

    if not replay_history(sim, parse_instance(document, instance.name).history, draw):
        raise BadInput("an object of it is not in our world", where=instance.name)
    return tuple(drawn)


def make_item(instance: Instance, vocabulary: Vocabulary, features: Tensor) -> TrainingItem:
    """Return the training item of an instance.

    Args:
        instance: an EDH instance.
        vocabulary: gives the ids of words and actions.
        features: of the frame before each action, (actions, 512, 7, 7).
    """
    history = _instance_actions(instance, _HISTORY_FIELD)
    recorded = [*history, *_instance_actions(instance, _FUTURE_FIELD)]
    if len(recorded) != len(features) or not recorded:
        why = f"it has {len(recorded)} actions and {len(features)} frames"
        raise BadInput(why, where=instance.name)
    variant = vocabulary.variant
    names = [str(each["action_name"]) for each in recorded]
    unknown = [name for name in names if name not in variant.actions]
    if unknown:
        raise BadInput(f"E.T. knows no action {unknown[0]}", where=instance.name)
    is_target = [i >= len(history) for i in range(len(recorded))]
    actions = [variant.actions.index(name) for name in (*names, "Stop")]
    classes = [0] * len(history) + [_target_class(each) for each in recorded[len(history) :]]
    return TrainingItem(
        torch.tensor(vocabulary.token_ids(dialogue_tokens(instance.dialogue, variant))),
        torch.cat([features, features[-1:]]),
        torch.tensor(actions),
        # The correction `stop`: with an id of its own, Stop is learned.
        torch.tensor([*is_target, variant.stop]),
        torch.tensor([*classes, 0]),
    )


def _instance_actions(instance: Instance, field: str) -> list[Mapping[str, Any]]:
    return list(instance.document.get(field) or ())


def _target_class(action: Mapping[str, Any]) -> int:
    """Return the class id of an interaction's object, 0 for none.

    Object ids begin with the type of the whole for a slice, and of the sink for its basin.
    """
    oid = action.get("oid")
    if not action.get("obj_interaction_action") or not oid:
        return 0
    object_type = str(oid).split("|")[0]
    return ET_OBJECT_CLASSES.index(object_type) if object_type in ET_OBJECT_CLASSES else 0
