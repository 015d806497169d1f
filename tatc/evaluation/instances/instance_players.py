"""The player of an instance: a Follower, a model with TEACh's interface, or one behind HTTP.

A TEACh model gets the instance's JSON and frames.  It answers with the name of an action and a
click as (row, column) fractions (spec section 6.1).
"""

import json
import math
import os
import signal
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from types import FrameType
from typing import Any, Protocol, cast, runtime_checkable

from PIL import Image

from tatc import follower as followers
from tatc.base.errors import BadInput, MissingExtra, TatcError, UsageError
from tatc.base.files import MODEL_ANSWER, parse_json
from tatc.evaluation.instances.source_games import SPEECH_VERBS, is_world_action
from tatc.home.actions import INTERACTION_VERBS, Action, Click, Role, Utterance, Verb
from tatc.home.agent_traits import traits_of
from tatc.home.observation import Observation
from tatc.home.percepts import VIEW_SIDE_PIXELS
from tatc.session import records
from tatc.session.agents.agent_names import is_learned_name, is_model_agent
from tatc.session.agents.agents import follower_factory, import_target
from tatc.session.agents.session_setup import SessionSetup, with_reading, with_settings
from tatc.tdl import Task, edh

MODEL_METHODS = ("start_new_edh_instance", "get_next_action")
"""The methods that a model with TEACh's interface has."""
MAX_CLICK_FRACTION = 0.999
"""The largest fraction of a frame; TEACh's simulator fails beyond it (spec section 8.1)."""
_GRACE_SECONDS = 10.0  # seconds after which code that cannot be interrupted ends its process
_START_ROUTE, _NEXT_ROUTE = MODEL_METHODS
_IMAGE_TYPE = "image/jpeg"


@dataclass(frozen=True, slots=True)
class PastSight:
    """What was seen during an instance's history, drawn on demand.

    `frames` and `views` give what was seen before each action, the oldest first; `views` is None
    where the Follower does not perceive.  `number_of` takes an object's id in the history and
    returns its number in the views.
    """

    frames: followers.FrameSource
    views: followers.ViewSource | None = None
    number_of: Callable[[str], int | None] = lambda object_id: None


class InvalidAnswer(Exception):
    """The answer of a model is not an action."""


class InstancePlayer(Protocol):
    """Plays instances, one after the other; what it perceives has so many pixels a side."""

    view_side_pixels: int

    def begin(self, instance: records.Instance, past: PastSight) -> None:
        """Start with an instance; `past` draws what was seen during its history."""

    def act(self, observation: Observation) -> Action:
        """Return the next action."""
        ...


class FollowerPlayer:
    """Plays with a Follower.

    One that can enter a session gets all that was said and done before.  Any other hears at once
    what it has not acted on yet, the Commander's last words at least; without a history, the whole
    dialogue.  Unless it `speaks`, nobody answers: when it says something, it is done, and stops.
    """

    def __init__(self, follower: followers.Follower, *, speaks: bool = False) -> None:
        """Play with a Follower; `speaks` says whether what it says is passed on."""
        self._follower, self._speaks = follower, speaks
        self.view_side_pixels = traits_of(follower).view_side_pixels or VIEW_SIDE_PIXELS
        self._pending: tuple[Utterance, ...] = ()

    def begin(self, instance: records.Instance, past: PastSight) -> None:
        """Reset the Follower; it hears the dialogue in its first turn."""
        self._follower.begin()
        if not isinstance(self._follower, followers.ResumableFollower):
            self._pending = unanswered_utterances(instance)
        elif past.views is not None and traits_of(self._follower).perceives:
            cast(followers.PerceivingFollower, self._follower).begin_after(
                history_events(instance, past.number_of), past.frames, past.views
            )
        else:
            self._follower.begin_after(history_events(instance), past.frames)

    def act(self, observation: Observation) -> Action:
        """Return the Follower's action."""
        heard = (*self._pending, *observation.utterances)
        action = self._follower.act(replace(observation, utterances=heard))
        self._pending = ()
        return Action(Verb.STOP) if action.verb is Verb.TEXT and not self._speaks else action

    def take_goal(self, goal: Task) -> None:
        """Hand the Follower the task of the next instance, for an upper bound."""
        if not isinstance(self._follower, GoalTakingFollower):
            raise UsageError("the Follower accepts no goal", fix="give it a method take_goal")
        self._follower.take_goal(goal)


@runtime_checkable
class GoalTakingFollower(Protocol):
    """A Follower that accepts its goal, for evaluation with the true one."""

    def take_goal(self, goal: Task) -> None:
        """Pursue this goal from the next `begin` on, whatever is said."""


class ModelPlayer:
    """Plays with a model that has TEACh's interface; each call has a time limit.

    A model with `uses_images = False` gets None for every frame, and no frame is drawn.  With
    `uses_segments = True`, its `edh_segments` is set to the segmentation frame before each action.
    """

    view_side_pixels = VIEW_SIDE_PIXELS

    def __init__(self, model: Any, seconds: float) -> None:
        """Play with a model."""
        self._model, self._seconds = model, seconds
        self._instance: records.Instance | None = None
        self._uses_images = bool(getattr(model, "uses_images", True))
        self._uses_segments = bool(getattr(model, "uses_segments", False))
        self._previous: dict[str, Any] | None = None

    def begin(self, instance: records.Instance, past: PastSight) -> None:
        """Start the model on the instance, or raise an InvalidAnswer: it does not say so."""
        drawn = [*map(Image.fromarray, past.frames())] if self._uses_images else None
        self._instance, self._previous = instance, None
        with time_limit(self._seconds, MODEL_METHODS[0]):
            started = self._model.start_new_edh_instance(instance.document, drawn, instance.name)
        if not started:
            raise InvalidAnswer(f"{MODEL_METHODS[0]} answered {started!r}, not True")

    def act(self, observation: Observation) -> Action:
        """Return the model's action; raise InvalidAnswer if it is no action with a click."""
        instance = self._instance
        if instance is None:
            raise UsageError("no instance was begun", fix="call begin before act")
        if self._uses_segments:
            self._model.segments = observation.segments
        frame = observation.frame() if self._uses_images and observation.frame is not None else None
        image = None if frame is None else Image.fromarray(frame)
        with time_limit(self._seconds, MODEL_METHODS[1]):
            answer: Any = self._model.get_next_action(
                image, instance.document, self._previous, None, instance.name
            )
        action = parse_answer(answer)
        self._previous = {"action": answer[0], "obj_relative_coord": answer[1]}
        return action


def parse_answer(answer: Any) -> Action:
    """Return the action that an answer means, a name and None or two fractions (row, column)."""
    try:
        name, at = cast(tuple[Any, Any], answer)
        verb = Verb(name)
    except (TypeError, ValueError) as fault:
        raise InvalidAnswer(f"{answer!r} names no action of TEACh's") from fault
    if at is None:
        return Action(verb)
    try:
        row, column = (float(each) for each in at)
    except (OverflowError, TypeError, ValueError) as fault:
        raise InvalidAnswer(f"{at!r} is no (row, column)") from fault
    if not all(math.isfinite(each) and 0 <= each <= 1 for each in (row, column)):
        raise InvalidAnswer(f"{at!r} lies outside the frame")
    return Action(verb, Click(min(column, MAX_CLICK_FRACTION), min(row, MAX_CLICK_FRACTION)))


def player_named(
    name: str,
    arguments: Sequence[str],
    seconds: float,
    *,
    speaks: bool = False,
    setup: SessionSetup = SessionSetup(),
) -> InstancePlayer:
    """Return a player by the name of a Follower, a class (module:Class) or a server's address.

    `arguments` are those of a model's class, `seconds` is the time for each answer of a model.  A
    Follower that `speaks` may say something and go on.
    """
    if _is_address(name):
        return ModelPlayer(HttpModel(name, seconds), 2 * seconds)
    make = player_class(name)
    if all(hasattr(make, method) for method in MODEL_METHODS):
        return ModelPlayer(make(0, 1, list(arguments)), seconds)
    if arguments:
        raise BadInput(f"{name} takes no arguments", fix="leave out --model-args")
    make = with_settings(make, Role.FOLLOWER, setup)
    make = with_reading(make, name, setup.get("goals"))
    return FollowerPlayer(make(), speaks=speaks)


def player_class(name: str) -> Any:
    """Return the factory of the Follower or the model of this name, None for an address."""
    if _is_address(name):
        return None
    by_tatc = is_learned_name(name) or is_model_agent(name)
    if ":" in name and not by_tatc:
        make = import_target(name)
        if all(hasattr(make, method) for method in MODEL_METHODS):
            return make
    return follower_factory(name)


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def unanswered_utterances(instance: records.Instance) -> tuple[Utterance, ...]:
    """Return what the Commander said that nothing was done about yet, the last words at least."""
    said = [each for each in instance.dialogue if each.speaker is Role.COMMANDER]
    if not instance.history:
        return tuple(said)
    new = 0
    for each in instance.history:
        if is_world_action(each):
            new = 0
        elif each.role is Role.COMMANDER and each.verb in SPEECH_VERBS:
            new += 1
    return tuple(said[-max(new, 1) :])


def history_events(
    instance: records.Instance, number_of: Callable[[str], int | None] = lambda object_id: None
) -> tuple[followers.HistoryEvent, ...]:
    """Return what was said and done, the oldest first; `number_of` numbers objects as views do."""
    if not instance.history:
        return instance.dialogue
    found: list[followers.HistoryEvent] = []
    for each in instance.history:
        if each.verb in SPEECH_VERBS:
            found.append(Utterance(each.role, each.text, each.time))
        elif is_world_action(each):
            met, done = each.object_id, followers.PastAction(each.verb)
            if met is not None and each.verb in INTERACTION_VERBS:
                kind = edh.type_of_object_id(met)
                done = followers.PastAction(each.verb, kind, number_of(met), each.click)
            found.append(done)
    return tuple(found)


class TimeLimitExceeded(Exception):
    """Code took longer than its limit."""


@contextmanager
def time_limit(seconds: float, what: str) -> Generator[None]:
    """Raise TimeLimitExceeded in the code within when it has run for this many seconds.

    Code that cannot be interrupted, such as a loop in C, ends its process 10 s later: a worker's,
    which is recorded as a crash of the session.  Outside the main thread there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TimeLimitExceeded(f"{what} took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    last = threading.Timer(seconds + _GRACE_SECONDS, os._exit, (1,))
    last.daemon = True
    last.start()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        last.cancel()
        signal.signal(signal.SIGALRM, before)


class HttpModel:
    """Has TEACh's model interface and asks a server; TEACh's servers play EDH only."""

    def __init__(self, address: str, timeout_seconds: float) -> None:
        """Ask the server at this address; each answer may take this many seconds."""
        self._httpx = MissingExtra.module("http", "httpx2")
        self._address = address.rstrip("/")
        self._client: Any = self._httpx.Client(timeout=timeout_seconds, trust_env=False)
        self._steps = 0

    def start_new_edh_instance(
        self, document: Mapping[str, Any], images: Sequence[Image.Image], name: str
    ) -> bool:
        """Start the model on an instance; the history's frames are sent along."""
        files = [
            ("edh_history_images", (f"history{i}", _encode_jpeg(image), _IMAGE_TYPE))
            for i, image in enumerate(images)
        ]
        self._steps = 0
        form = {"edh_name": name, "edh_instance": json.dumps(document)}
        answer = self._post(_START_ROUTE, form, files)
        return answer.decode("utf-8", "replace").strip().strip('"') == "success"

    def get_next_action(
        self,
        image: Image.Image,
        document: Mapping[str, Any],
        previous: Mapping[str, Any] | None,
        image_name: str | None,
        name: str,
    ) -> tuple[Any, Any]:
        """Return the server's answer: the name of an action, and its click or None."""
        self._steps += 1
        shown = image_name or f"img__{name}_{self._steps}.jpeg"
        form = {"img_name": shown, "edh_name": name, "edh_instance": json.dumps(document)}
        if previous is not None:
            form["prev_action"] = json.dumps(previous)
        answer = self._post(_NEXT_ROUTE, form, [("img", (shown, _encode_jpeg(image), _IMAGE_TYPE))])
        where = f"{self._address}/{_NEXT_ROUTE}"
        raw = parse_json(answer, where, MODEL_ANSWER)
        if not isinstance(raw, dict) or "action" not in raw:
            raise TatcError("answers with no object that has `action`", where=where)
        found = cast(dict[str, Any], raw)
        return found["action"], found.get("obj_relative_coord")

    def _post(self, route: str, form: Mapping[str, str], files: Sequence[Any]) -> bytes:
        where = f"{self._address}/{route}"
        body = bytearray()
        try:
            with self._client.stream("POST", where, data=form, files=files or None) as answer:
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > MODEL_ANSWER.max_bytes:
                        raise TatcError("answers with more than a model has to say", where=where)
        except self._httpx.HTTPError as fault:
            fix = "start the model's server, or name its address"
            why = f"does not answer: {type(fault).__name__}: {fault}"
            raise TatcError(why, where=where, fix=fix) from fault
        if answer.status_code != 200:
            text = body.decode("utf-8", "replace").strip()[:200]
            raise TatcError(f"answers {answer.status_code}: {text}", where=where)
        return bytes(body)


def _encode_jpeg(image: Image.Image) -> bytes:
    data = BytesIO()
    image.save(data, "JPEG", quality=95)
    return data.getvalue()
