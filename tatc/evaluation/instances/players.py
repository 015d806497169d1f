"""Who plays an instance: a Follower, or a model with TEACh's interface.

TEACh's models are given the instance's document and frames, and answer with the name
of an action and a click as (row, column) fractions (spec section 6.1).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

from PIL import Image

from tatc.actions import (
    INTERACTIONS,
    Action,
    Click,
    Frame,
    Observation,
    Role,
    Utterance,
    Verb,
)
from tatc.agents import follower_named, imported
from tatc.errors import BadInput, UsageError
from tatc.evaluation.instances.limit import time_limit
from tatc.evaluation.instances.segments import SPOKEN, in_the_world
from tatc.follower import Deed, Entrant, Event, Follower
from tatc.follower.et.named import is_learned
from tatc.records import Instance
from tatc.tdl.edh import type_of

Images = Callable[[], Sequence[Frame]]
"""Draws the frames of an instance's history, oldest first."""

MODEL_METHODS = ("start_new_edh_instance", "get_next_action")
"""What makes a class a model with TEACh's interface."""

LARGEST = 0.999
"""The largest fraction of a frame; TEACh's simulator fails on more (spec 8.1)."""


class Nonsense(Exception):
    """A model answered what is no action."""


class Player(Protocol):
    """Plays one instance after the other."""

    def begin(self, instance: Instance, images: Images) -> None:
        """Start with an instance; `images` draws its history where it is wanted."""
        ...

    def act(self, seen: Observation) -> Action:
        """Return the next action."""
        ...


class FollowerPlayer:
    """A Follower of tatc's.

    One that can enter a session is told of what was said and done.  Any other hears
    what it has not acted on yet, all at once: what the Commander said since the
    history's last action, or last of all; without a history, the whole dialogue.
    Nobody answers it: when it speaks, it has done what it could, and stops.
    """

    def __init__(self, follower: Follower) -> None:
        """Play with a Follower."""
        self._follower = follower
        self._heard: tuple[Utterance, ...] = ()

    def begin(self, instance: Instance, images: Images) -> None:
        """Let the Follower forget; what was said reaches it with its first turn."""
        self._follower.begin()
        if isinstance(self._follower, Entrant):
            self._follower.enter(events_of(instance), images)
        else:
            self._heard = _not_acted_on(instance)

    def act(self, seen: Observation) -> Action:
        """Return the Follower's action."""
        action = self._follower.act(replace(seen, utterances=self._heard))
        self._heard = ()
        return Action(Verb.STOP) if action.verb is Verb.TEXT else action


class ModelPlayer:
    """A model with TEACh's interface, held to a time limit a call.

    A model that says `uses_images = False` gets None in place of all frames, which
    need not be drawn then; one that says `uses_segments = True` has its `segments` set
    to the segmentation camera before each action.
    """

    def __init__(self, model: Any, seconds: float) -> None:
        """Play with a model."""
        self._model, self._seconds = model, seconds
        self._instance: Instance | None = None
        self._sees = bool(getattr(model, "uses_images", True))
        self._feels = bool(getattr(model, "uses_segments", False))
        self._previous: dict[str, Any] | None = None

    def begin(self, instance: Instance, images: Images) -> None:
        """Start the model on the instance.

        Raises:
            Nonsense: it does not say that it has started.

        """
        drawn = [_picture(frame) for frame in images()] if self._sees else None
        self._instance, self._previous = instance, None
        with time_limit(self._seconds, MODEL_METHODS[0]):
            started = self._model.start_new_edh_instance(
                instance.document, drawn, instance.name
            )
        if not started:
            raise Nonsense(f"{MODEL_METHODS[0]} answered {started!r}, not True")

    def act(self, seen: Observation) -> Action:
        """Return the model's action; an action that does not exist is a failed one.

        Raises:
            Nonsense: its answer is no action with a click.

        """
        if self._instance is None:
            raise UsageError("no instance was begun", fix="call begin before act")
        if self._feels:
            self._model.segments = seen.segments
        with time_limit(self._seconds, MODEL_METHODS[1]):
            answer: Any = self._model.get_next_action(
                self._look(seen),
                self._instance.document,
                self._previous,
                None,
                self._instance.name,
            )
        action = read_answer(answer)
        self._previous = {"action": answer[0], "obj_relative_coord": answer[1]}
        return action

    def _look(self, seen: Observation) -> Image.Image | None:
        frame = seen.frame() if self._sees and seen.frame is not None else None
        return None if frame is None else _picture(frame)


def _not_acted_on(instance: Instance) -> tuple[Utterance, ...]:
    said = [each for each in instance.dialogue if each.speaker is Role.COMMANDER]
    if not instance.history:
        return tuple(said)
    new = 0
    for each in instance.history:
        if in_the_world(each):
            new = 0
        elif each.role is Role.COMMANDER and each.verb in SPOKEN:
            new += 1
    return tuple(said[-max(new, 1) :])


def events_of(instance: Instance) -> tuple[Event, ...]:
    """Return what was said and done before the prediction starts, the oldest first.

    Without a history that is the dialogue alone.
    """
    if not instance.history:
        return instance.dialogue
    found: list[Event] = []
    for each in instance.history:
        if each.verb in SPOKEN:
            found.append(Utterance(each.role, each.text, each.time))
        elif in_the_world(each):
            met = each.object_id if each.verb in INTERACTIONS else None
            found.append(Deed(each.verb, None if met is None else type_of(met)))
    return tuple(found)


def read_answer(answer: Any) -> Action:
    """Return the action that a model's answer means.

    Raises:
        Nonsense: it is no pair of a name and None or two fractions (row, column).

    """
    try:
        name, at = cast(tuple[Any, Any], answer)
        verb = Verb(name)
    except (TypeError, ValueError) as fault:
        raise Nonsense(f"{answer!r} names no action of TEACh's") from fault
    if at is None:
        return Action(verb)
    try:
        row, column = (float(each) for each in at)
    except (TypeError, ValueError) as fault:
        raise Nonsense(f"{at!r} is no (row, column)") from fault
    if not all(math.isfinite(each) and 0 <= each <= 1 for each in (row, column)):
        raise Nonsense(f"{at!r} lies outside the frame")
    return Action(verb, Click(min(column, LARGEST), min(row, LARGEST)))


def player_named(name: str, arguments: Sequence[str], seconds: float) -> Player:
    """Return a player by the name of a Follower, a model's class or its address.

    Args:
        name: a Follower's name, module:Class of a Follower or of a model with
            TEACh's interface, or http://host:port of a server that runs one.
        arguments: what a model is made with.
        seconds: how long a model may take for each answer.

    Raises:
        BadInput: there is no such thing, or it is neither.

    """
    if _is_address(name):
        from tatc.evaluation.instances.http import HttpModel

        return ModelPlayer(HttpModel(name, seconds), 2 * seconds)
    made = model_class(name)
    if all(hasattr(made, method) for method in MODEL_METHODS):
        return ModelPlayer(made(0, 1, list(arguments)), seconds)
    if arguments:
        raise BadInput(f"{name} takes no arguments", fix="leave out --model-args")
    return FollowerPlayer(made())


def model_class(name: str) -> Any:
    """Return what makes the Follower or the model of this name; None at an address.

    Raises:
        BadInput: there is no such thing, or it is neither.

    """
    if _is_address(name):
        return None
    if ":" in name and not is_learned(name):
        made = imported(name)
        if all(hasattr(made, method) for method in MODEL_METHODS):
            return made
    return follower_named(name)


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _picture(frame: Frame) -> Image.Image:
    return Image.fromarray(frame)
