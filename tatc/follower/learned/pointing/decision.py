"""What the pointing network is given for one decision, and the session that it is made of.

`SessionMemory` turns what a Follower hears, sees and does into `Decision`s.  Training uses the same
class, so what is learned is what is played.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import floor_map, network_inputs
from tatc.follower.learned.pointing.goal_memory import GoalMemory
from tatc.follower.learned.pointing.instance_memory import Floats, Instance, InstanceMemory
from tatc.home.actions import INTERACTION_VERBS, TRANSLATION_VERBS, Cell, Click, Verb
from tatc.home.percepts import View

VERB_IDS = {verb: i for i, verb in enumerate(network_inputs.NETWORK_VERBS)}
INTERACTION_IDS = frozenset(VERB_IDS[verb] for verb in INTERACTION_VERBS)
NO_TYPE, UNKNOWN_TYPE, FIRST_TYPE = 0, 1, 2
"""The ids of no object, of a type that the model does not know, and of its first type."""
RECENT, PAST = 6, 8
"""How many of the last actions, and of the session's last interactions, are given."""
_PLACE_METRES = 0.2  # things of a type within such a cube are taken from one place
_DONE_ONCE = (Verb.OPEN, Verb.CLOSE, Verb.TOGGLE_ON, Verb.TOGGLE_OFF)
MAX_ACTIONS = 63  # the most actions after one utterance, before the Follower asks
NUMBERS = {
    name: slice(start, start + length)
    for name, start, length in (
        ("run", 0, 1), ("repeat", 1, 1), ("last", 2, 1), ("held", 3, 1), ("pitch", 4, 1),
        ("failed", 5, 1), ("count", 6, 1), ("told", 7, 1), ("recent", 8, RECENT),
        ("past_verbs", 8 + RECENT, PAST), ("past_types", 8 + RECENT + PAST, PAST),
        ("past_outcomes", 8 + RECENT + 2 * PAST, PAST), ("looked", 8 + RECENT + 3 * PAST, 4),
    )
}  # fmt: skip
"""Where in `Decision.numbers` each group of ids stands.

`run` and `repeat` count as the text's phrases do (`network_inputs`), `count` is how many actions
were done since the utterance, and `told` how often the same words were said, at most 3.  Of past
interactions the latest comes first; an outcome is 2 if it was since the utterance, plus 1 if it
succeeded.  `looked` says whether it has looked ahead, right, back and left near here.
"""
NUMBER_COUNT = 12 + RECENT + 3 * PAST
PITCHES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The network's inputs for one decision, beside the words.

    `features` is (instances, `FEATURE_COUNT`), `types` (instances,); the first `in_view` are in
    view.  `window` is the floor around the body.
    """

    features: NDArray[np.float16]
    types: NDArray[np.int16]
    in_view: int
    window: floor_map.Window
    numbers: NDArray[np.int16]


@dataclass(slots=True)
class Done:
    """An action that was done; `object_type` is "" for a motion."""

    verb: Verb
    object_type: str = ""
    success: bool = True


class SessionMemory:
    """What a Follower remembers of one session: instances, floor, words and its own actions.

    `begin_utterance` starts to carry out a text; then, turn by turn, `look` makes the decision's
    inputs, `act` notes what is done, and `note_result` what came of it.
    """

    def __init__(self, type_ids: Mapping[str, int], mode: InputMode = InputMode.FULL) -> None:
        """Start a session; `mode` may leave something out."""
        self._type_ids, self._mode = type_ids, mode
        self.instances, self.floor = InstanceMemory(), floor_map.FloorMap()
        self.goals = GoalMemory(type_ids)
        self.held_type: str | None = None
        self.done: list[Done] = []
        self._past: list[Done] = []
        self._past_before = 0
        self._told = Counter[str]()
        self._told_now = 0
        self._refused_cells = set[Cell]()
        self._refused = set[tuple[Verb, Instance]]()
        self._switched, self._wrong = set[Instance](), set[Instance]()
        self.text = ""  # what was said last
        self._repeats = Counter[tuple[object, ...]]()
        self._pending: tuple[Verb, Instance | None, Click | None] | None = None
        self._look_limits = set[tuple[Verb, int]]()
        self.failed = False
        self.aim: object = None  # what it pointed at last since words were said
        self.ordered: list[Instance] = []

    def begin_utterance(self, text: str) -> None:
        """Begin to carry out a text."""
        self._told[text] += 1
        without = InputMode.NO_WORDS, InputMode.NO_MEMORY, InputMode.NO_GEOMETRY
        self.goals.begin_utterance("" if self._mode in without else text)
        self.aim = None
        self._told_now = min(self._told[text] - 1, 3)
        self.done, self._past_before, self.failed = [], len(self._past), False
        self._wrong |= self._switched
        self._switched.clear()
        if text != self.text:
            self.text = text
            self._wrong.clear()
            self._refused_cells.clear()
            self._repeats.clear()

    def see(self, view: View) -> None:
        """Take a view."""
        self.instances.see(view)
        if self._mode is InputMode.NO_MEMORY:
            self.instances.forget_view_alone()
            self.floor = floor_map.FloorMap()
        self.floor.see(view, self.instances.points, self.instances.instances)

    def look(self, view: View) -> Decision:
        """Take a view, and return the inputs of the decision that is due."""
        self.see(view)
        memory, mode = self.instances, self._mode
        self.ordered, in_view = memory.ordered(self.goals.named)
        window = self.floor.window(view)
        if mode in (InputMode.NO_MAP, InputMode.NO_GEOMETRY):
            window = np.zeros_like(window)
        features = memory.features(self.ordered, [0.0] * len(self.ordered))
        features[:, 15] = np.minimum(floor_map.lengths_to_instances(window, boxes_of(features)), 40)
        features[:, 15] /= 16
        if mode is InputMode.NO_GEOMETRY:
            features[:, 1:] = 0.0
        types = [type_id(each.object_type, self._type_ids) for each in self.ordered]
        pitch = min(max(round(view.body.horizon / 30) + 1, 0), PITCHES - 1)
        return Decision(
            features.astype(np.float16),
            np.array(types, np.int16),
            in_view,
            window,
            self._numbers(pitch, self.floor.looked(view)),
        )

    def act(self, verb: Verb, instance: Instance | None = None, click: Click | None = None) -> None:
        """Note what is done, before its result is known."""
        self.done.append(Done(verb, instance.object_type if instance else ""))
        self._pending = verb, instance, click
        self._repeats[self._key(verb, instance)] += 1

    def is_done(self, instance: Instance) -> bool:
        """Return whether words mean another thing than this one.

        It was put where it is already, or opened or switched after steps that are told again.
        """
        is_wrong = instance in self._wrong and not self.goals.goals
        return is_wrong or self.goals.is_done(instance)

    def is_hiding(self, verb: Verb, object_type: str) -> bool:
        """Return whether a verb opens what words do not name: it looks for something in there."""
        return verb is Verb.OPEN and object_type not in self.goals.named

    def search_length(self) -> int:
        """Return how many motions, and openings of what words do not name, were done last."""
        got_on = (
            each.object_type and not self.is_hiding(each.verb, each.object_type)
            for each in reversed(self.done)
        )
        return next((i for i, done in enumerate(got_on) if done), len(self.done))

    def repeats(self, verb: Verb, instance: Instance | None) -> int:
        """Return how often, after the same words, this was done from this pose, or to this type.

        An interaction may be done once more before it counts.  What is opened counts by itself, and
        what is picked up by where it was: another of its type may be wanted too.
        """
        count = self._repeats[self._key(verb, instance)]
        return count if instance is None else max(0, count - 1)

    def note_result(
        self, success: bool, *, fits: bool = True
    ) -> tuple[Verb, Instance | None, Click | None] | None:
        """Note the result of what was done; return that if it failed.

        What does not fit an instance is not possible again before something is done to that.
        """
        pending, self._pending, self.failed = self._pending, None, False
        if pending is None:
            return None
        verb, instance, click = pending
        done = self.done[-1] if self.done else Done(verb)
        done.success, self.failed = success, not success
        if instance is not None and click is not None:
            if success:
                self.goals.note(verb, instance, self.held_type, self.instances.point_at(click))
            self.instances.note_result(verb, instance, click, success=success)
            if success and verb in _DONE_ONCE:
                self._switched.add(instance)
            if not fits:
                self._refused.add((verb, instance))
            self._note_interaction(done, instance)
        elif verb in (Verb.LOOK_UP, Verb.LOOK_DOWN) and not success:
            self._look_limits.add((verb, round(self.instances.view.body.horizon)))
        elif verb in TRANSLATION_VERBS and not success:
            self.floor.bump(self.instances.view, verb)
            self._refused_cells.add(floor_map.cell_towards(self.instances.view, verb))
        return None if success else pending

    def take_past(self, verb: Verb, object_type: str = "", click: Click | None = None) -> None:
        """Note what somebody did with success in the view that was last seen."""
        self.done.append(done := Done(verb, object_type))
        if click is not None:
            instance = self.instances.clicked(object_type, click)
            if instance is not None:
                self.instances.note_result(verb, instance, click, success=True)
            self._note_interaction(done, instance)

    def _note_interaction(self, done: Done, instance: Instance | None) -> None:
        self._past.append(done)
        if done.success:
            self._refused = {each for each in self._refused if each[1] is not instance}
            if done.verb in network_inputs.HAND_FULL_AFTER:
                self._refused = {each for each in self._refused if each[0] is not Verb.PLACE}
                holds = network_inputs.HAND_FULL_AFTER[done.verb]
                self.held_type = done.object_type if holds else None

    def _key(self, verb: Verb, instance: Instance | None) -> tuple[object, ...]:
        if instance is not None:
            if verb is Verb.PICKUP:
                place = (round(float(at) / _PLACE_METRES) for at in instance.middle)
                return verb, instance.object_type, *place
            return verb, instance if verb is Verb.OPEN else instance.object_type
        body = self.instances.view.body
        return verb, *(round(at * 4) for at in body.position), round(body.yaw), round(body.horizon)

    def is_bumped(self, verb: Verb) -> bool:
        """Return whether a step into this cell was refused since other words were said."""
        cell = floor_map.cell_towards(self.instances.view, verb)
        return cell in self._refused_cells and cell in self.floor.bumped

    def is_at_limit(self, verb: Verb) -> bool:
        """Return whether the head could not be turned further from here."""
        return (verb, round(self.instances.view.body.horizon)) in self._look_limits

    def is_futile(self, verb: Verb, instance: Instance) -> bool:
        """Return whether a verb did not fit an instance, to which nothing was done since.

        Or whether it was the last thing that was done to it, which leaves nothing to be done.
        """
        is_done = verb is instance.last_verb and verb in _DONE_ONCE
        return is_done or (verb, instance) in self._refused

    def _numbers(self, pitch: int, looked: Sequence[bool]) -> NDArray[np.int16]:
        own = len(self._past) - self._past_before
        past = [] if self._mode is InputMode.NO_MEMORY else self._past
        return encode_numbers(
            self.done, past, own, self.held_type, pitch, self._type_ids,
            failed=self.failed, told=self._told_now, looked=looked,
        )  # fmt: skip


def type_id(name: str | None, type_ids: Mapping[str, int]) -> int:
    """Return the id of an object type, or of none."""
    return type_ids.get(name, UNKNOWN_TYPE) if name else NO_TYPE


def encode_numbers(
    done: Sequence[Done],
    past: Sequence[Done],
    own: int,
    held_type: str | None,
    pitch: int,
    type_ids: Mapping[str, int],
    *,
    failed: bool = False,
    told: int = 0,
    looked: Sequence[int] = (0, 0, 0, 0),
) -> NDArray[np.int16]:
    """Return `Decision.numbers`: `done` since the utterance, and the session's interactions so far.

    Of these, the last `own` were done since the utterance.
    """
    run, repeat, last = _run_of(done)
    latest = past[-PAST:][::-1]
    recent = [VERB_IDS[each.verb] for each in done[-RECENT:]]
    recent = [network_inputs.START_INDEX] * (RECENT - len(recent)) + recent
    rows: list[int] = [run, repeat, last, type_id(held_type, type_ids), pitch, failed]
    rows += [min(len(done), MAX_ACTIONS), told, *recent]
    rows += _padded([VERB_IDS[each.verb] for each in latest], network_inputs.START_INDEX)
    rows += _padded([type_id(each.object_type, type_ids) for each in latest], NO_TYPE)
    rows += _padded([2 * (i < own) + each.success for i, each in enumerate(latest)], 0)
    return np.array([*rows, *looked], np.int16)


def _run_of(done: Sequence[Done]) -> tuple[int, int, int]:
    """Return the number of the run that was last, its length, and the id of its verb."""
    run, repeat, last = 0, 0, None
    for each in done:
        if each.verb is last and each.verb not in INTERACTION_VERBS:
            repeat += 1
        else:
            run, repeat = run + 1, 1
        last = each.verb
    last_id = network_inputs.START_INDEX if last is None else VERB_IDS[last]
    return (
        min(run, network_inputs.MAX_PHRASES - 1),
        min(repeat, network_inputs.MAX_WORDS_PER_PHRASE - 1),
        last_id,
    )


def _padded(ids: list[int], fill: int) -> list[int]:
    return ids + [fill] * (PAST - len(ids))


def boxes_of(features: Floats | NDArray[np.float16]) -> Floats:
    """Return boxes by instances' features: middle right and ahead, and sizes, metres."""
    boxes = features[:, [2, 4, 5, 7]].astype(np.float32)
    boxes[:, :2] *= 2
    return boxes
