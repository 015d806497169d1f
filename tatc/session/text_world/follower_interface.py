"""The Follower's side of the text world: what it perceives as text, and its tools.

It is made from `Observation`s alone, so it can name nothing that the Follower has not perceived.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice

from tatc.follower.listener.map_frame import box_around
from tatc.home import actions, percepts, refusals, type_facts
from tatc.home.body import TEACH, Body
from tatc.home.observation import Observation, ObservedResult
from tatc.home.state import AgentState, Box, ObjectState
from tatc.language import InstructionRequest, say as say_meaning
from tatc.session.text_world import tools, walking
from tatc.session.text_world.reading import Reading
from tatc.session.text_world.seen_objects import SeenObject, number_of_handle, seen_objects
from tatc.session.text_world.wording import phrase, refusal

TEXT_VIEW_SIDE_PIXELS = 180
"""Pixels along each side of the view from which the text is made: every fifth of a frame's, so
that what the text names can be clicked on, and a knife in a drawer is named."""

_TURNS = {"left": actions.Verb.TURN_LEFT, "right": actions.Verb.TURN_RIGHT}
_LOOKS = {"up": actions.Verb.LOOK_UP, "down": actions.Verb.LOOK_DOWN}


class FollowerInterface:
    """What one Follower has perceived in a session, its text, and the actions of its calls.

    After each action call `observe`.  While `next_action` returns actions, the last call is still
    being carried out.  Then `text` is what a model reads, and `call` takes its answer.
    """

    def __init__(self, grain: tools.Grain = tools.Grain.GO_TO, body: Body = TEACH) -> None:
        """Start a session; the tools are those of `body` until a view tells whose eyes see it."""
        self._grain = grain
        self.tools = tools.follower_tools(grain, body)
        self.text = FollowerText()
        self.seen: tuple[SeenObject, ...] = ()
        self._view: percepts.View | None = None
        self._handles: dict[int, str] = {}
        self._last_seen: dict[int, SeenObject] = {}
        self._states: dict[int, ObjectState] = {}
        self._floors: dict[int, Box] = {}
        self._floor = walking.SeenFloor()
        self._held: int | None = None
        self._queue: deque[actions.Action] = deque()
        self._current: actions.Action | None = None
        self._target: int | None = None
        self._falls_short = False

    @property
    def held(self) -> str | None:
        """The handle of what the hand holds, or None."""
        return None if self._held is None else self._handle(self._held)

    @property
    def has_more(self) -> bool:
        """Whether the last call has further actions."""
        return bool(self._queue)

    @property
    def reading(self) -> Reading:
        """What a model reads before a call, and the calls that it may expect to go well."""
        known = tuple(map(self._handles.__getitem__, sorted(self._last_seen)))
        told = str(self.text), self.text.changes, self.text.instruction
        return Reading(*told, known, self._objects_for)

    def _objects_for(self, action: str) -> tuple[str, ...]:
        """Return the objects in reach with which an action may be expected to go well."""
        verb = tools.INTERACTION_VERBS_BY_ACTION[action]
        return tuple(e.handle for e in self.seen if is_in_reach(e) and self._can(verb, e))

    def _can(self, verb: actions.Verb, seen: SeenObject) -> bool:
        """Return whether what is seen and held lets an interaction be expected to go well."""
        held, state = self._held, self._states.get(seen.number)
        if state is None or seen.number == held:
            return False
        can = state.affordances
        match verb:
            case actions.Verb.PICKUP:
                return can.pickupable and held is None
            case actions.Verb.PLACE:
                return can.receptacle and held is not None
            case actions.Verb.OPEN | actions.Verb.CLOSE:
                return can.openable and state.isOpen is (verb is actions.Verb.CLOSE)
            case actions.Verb.TOGGLE_ON | actions.Verb.TOGGLE_OFF:
                return can.toggleable and state.isToggled is (verb is actions.Verb.TOGGLE_OFF)
            case actions.Verb.SLICE:
                kind, _, _ = self._handle(held or 0).partition("_")
                return can.sliceable and kind in type_facts.KNIFE_TYPES
            case _:
                return can.receptacle and held is not None

    def observe(self, observation: Observation) -> None:
        """Take in what the Follower perceives after an action, and before the first."""
        self.hear(observation.utterances)
        self.see(None if observation.percepts is None else observation.percepts())
        self.take_result(observation.last_result)

    def hear(self, utterances: tuple[actions.Utterance, ...]) -> None:
        """Take in what the Commander said."""
        self.text.hear(each.text for each in utterances if each.speaker is actions.Role.COMMANDER)

    def see(self, view: percepts.View | None) -> None:
        """Take in a view; nothing is done for the one that was seen last."""
        if view is self._view:
            return
        self._view = view
        if view is None:
            self.seen = ()
            self.text.show(None)
            return
        self.tools = tools.follower_tools(self._grain, view.body.body)
        seen, handles, states, lines = _read(view)
        self.seen = tuple(seen.values())
        self._handles.update(handles)
        self._last_seen.update(seen)
        self._floor.add_view(view)
        self._states.update(states)
        for number, state in states.items():
            if state.objectType == type_facts.FLOOR_TYPE:
                self._remember_floor(number, state.box, view.body)
        self.text.show(lines)

    def _remember_floor(self, number: int, seen: Box, body: AgentState) -> None:
        """Keep all of a floor that was seen or stood on."""
        box = box_around(seen, walking.floor_under(body, seen))
        known = self._floors.get(number)
        self._floors[number] = box if known is None else box_around(box, known)

    def take_result(self, result: ObservedResult | None) -> None:
        """Take in how the action went that `next_action` returned last; a failure ends its call."""
        done, self._current = self._current, None
        if done is None or result is None or done.verb is actions.Verb.TEXT:
            return
        if not result.success:
            self._queue.clear()
            if done.verb in actions.TRANSLATION_VERBS and self._view is not None:
                self._floor.note_blocked(self._view.body, done.verb)
        elif result.number is not None:
            self._take_interaction(done.verb, result.number)
        falls_short = self._falls_short and result.success and not self._queue
        met = result.number if done.verb in actions.INTERACTION_VERBS else None
        acted_on = None if met in (None, self._target) else self._handle(met)
        self.text.take_result(result, acted_on, falls_short=falls_short)

    def call(self, name: object, arguments: object) -> tools.Refused | None:
        """Take a tool call: queue its actions and return None, or return why it is refused."""
        checked = tools.check_call(self.tools, name, arguments)
        if isinstance(checked, tools.ToolCall):
            checked = self._with_handle(checked)
            queued = self._actions_of(checked)
            self.text.begin_call(checked)
            if not isinstance(queued, tools.Refused):
                self._queue.extend(queued)
                if checked.name == "view":
                    self.text.tell_whole()
                elif not queued:  # the Follower stands where it should go
                    self.text.take_result(ObservedResult(True), None)
                return None
            checked = queued
        else:
            self.text.begin_call(None)
        self.text.refuse(checked)
        return checked

    def next_action(self) -> actions.Action | None:
        """Return the next action of the last call; None once it is carried out."""
        if not self._queue:
            return None
        self._current = self._queue.popleft()
        self.text.count_step()
        return self._current

    def _with_handle(self, call: tools.ToolCall) -> tools.ToolCall:
        """Return a call with the name of its object as it is, not `mug_3` for Mug_3."""
        named = call.arguments.get("object", "")
        own = self._handle(number_of_handle(named) or 0)
        if own.casefold() != named.casefold():
            return call
        return replace(call, arguments={"object": own})

    def _actions_of(self, call: tools.ToolCall) -> tuple[actions.Action, ...] | tools.Refused:
        self._target, self._falls_short = None, False
        if call.name == "view" and self.text.changes == str(self.text):
            return tools.Refused(refusal("just_read"))
        plan = _PLANS.get(call.name)
        if plan is not None:
            return plan(call)
        number = number_of_handle(call.arguments["object"])
        if number is None or self._handle(number) != call.arguments["object"]:
            return tools.Refused(refusal("unknown_handle", handle=call.arguments["object"]))
        if number == self._held:
            return tools.Refused(refusal("is_held", handle=self._handle(number)))
        self._target = number
        return self._walk(number) if call.name == "go_to" else self._click(call.name, number)

    def _click(self, name: str, number: int) -> tuple[actions.Action, ...] | tools.Refused:
        seen = next((each for each in self.seen if each.number == number), None)
        if seen is None:
            return tools.Refused(refusal("left_view", handle=self._handle(number)))
        return (actions.Action(tools.INTERACTION_VERBS_BY_ACTION[name], seen.click),)

    def _walk(self, number: int) -> tuple[actions.Action, ...] | tools.Refused:
        known = self._last_seen.get(number)
        if known is None or self._view is None:
            return tools.Refused(refusal("not_remembered", handle=self._handle(number)))
        standing = {n: s for n, s in self._states.items() if n != self._held}
        for floor, box in self._floors.items():
            standing[floor] = replace(standing[floor], box=box)
        way = self._floor.path_to(known.point, self._view.body, standing)
        if way is None:
            return tools.Refused(refusal("no_way", handle=self._handle(number)))
        self._falls_short = not way.reaches
        return tuple(actions.Action(verb) for verb in way.verbs)

    def _take_interaction(self, verb: actions.Verb, number: int) -> None:
        """Note what an interaction did to the hand, and that what was moved is elsewhere."""
        if verb in (actions.Verb.PICKUP, actions.Verb.SLICE):
            self._last_seen.pop(number, None)
            self._states.pop(number, None)
        if verb in (actions.Verb.PICKUP, actions.Verb.PLACE):
            self._held = number if verb is actions.Verb.PICKUP else None
        self.text.hold(self.held)

    def _handle(self, number: int) -> str:
        return self._handles.get(number) or phrase(_SECTION, "unknown_object")


def _move(call: tools.ToolCall) -> tuple[actions.Action, ...]:
    verb = tools.VERBS_BY_MOVE[call.arguments["direction"]]
    return (actions.Action(verb),) * call.arguments.get("times", 1)


def _ask(call: tools.ToolCall) -> tuple[actions.Action, ...]:
    question = call.arguments.get("question") or say_meaning(InstructionRequest())
    return (actions.Action(actions.Verb.TEXT, text=question),)


_PLANS: dict[str, Callable[[tools.ToolCall], tuple[actions.Action, ...]]] = {
    "move": _move,
    "turn": lambda call: (actions.Action(_TURNS[call.arguments["direction"]]),),
    "look": lambda call: (actions.Action(_LOOKS[call.arguments["direction"]]),),
    "view": lambda _: (),
    "say": lambda call: (actions.Action(actions.Verb.TEXT, text=call.arguments["words"]),),
    "ask": _ask,
    "stop": lambda call: (actions.Action(actions.Verb.STOP),),
}


# The Follower's observation as text, bounded in length.

MAX_OBJECTS = 40  # the most objects that one observation lists, the nearest ones
MAX_HEARD_CHARACTERS = 1000  # of what was said, the most characters that one observation repeats
MAX_OBSERVATION_TOKENS = 1500
"""An observation is shorter than this, by `estimate_tokens`: it is cut to lists of these sizes."""
_DEGREE_STEP, _SIDE_DEGREES = 5, 18
_SECTION = "observation"


class ViewLines:
    """The lines of the objects in a view: by handle, whether one is in reach and its line.

    They are made once for all texts.  `in_view` has the handles also of those that are not listed.
    """

    def __init__(self, seen: Mapping[str, SeenObject]) -> None:
        """Take the objects in view by their handles, the nearest first."""
        self.in_view, listed = frozenset(seen), islice(seen.items(), MAX_OBJECTS)
        self.lines = {handle: (is_in_reach(each), object_line(each)) for handle, each in listed}

    @cached_property
    def text(self) -> str:
        """All lines."""
        if not self.lines:
            return phrase(_SECTION, "nothing_in_view")
        unlisted = len(self.in_view) - len(self.lines)
        more = "\n" + phrase(_SECTION, "more").format(count=unlisted) if unlisted else ""
        return _listed("in_view", self.lines) + more


def _listed(title: str, lines: Mapping[str, tuple[bool, str]]) -> str:
    near = [line for is_near, line in lines.values() if is_near]
    far = "; ".join(line for is_near, line in lines.values() if not is_near)
    listed = [phrase(_SECTION, title), *near] if near else []
    if far:
        listed.append(phrase(_SECTION, f"{title}_far").format(objects=far))
    return "\n".join(listed)


@lru_cache(maxsize=percepts.MAX_KEPT_VIEWS)
def _read(
    view: percepts.View,
) -> tuple[dict[int, SeenObject], dict[int, str], dict[int, ObjectState], ViewLines]:
    """Return what is seen, handles and states by the objects' numbers, and the view's lines."""
    seen = seen_objects(view)
    by_number, handles = {each.number: each for each in seen}, [each.handle for each in seen]
    states = {each.number: each.state for each in view.percepts if each.state is not None}
    lines = ViewLines(dict(zip(handles, seen, strict=True)))
    return by_number, dict(zip(by_number, handles, strict=True)), states, lines


class FollowerText:
    """Puts together an observation from its parts, and keeps those that did not change."""

    def __init__(self) -> None:
        """Start with nothing perceived."""
        self._shown: ViewLines | None = None
        self._told: ViewLines | None = None
        self._held_line = phrase(_SECTION, "hand_empty")
        self._last_line = ""
        self._heard: list[str] = []
        self.instruction = ""  # the line of what was said last, "" for nothing
        self._call: tools.ToolCall | None = None
        self._steps = 0

    def __str__(self) -> str:
        return self._text(self._view())

    @property
    def changes(self) -> str:
        """The observation without what was in view before the last call, and still is as it was."""
        return self._text(self._changed_view())

    def _text(self, view: str) -> str:
        heard = _heard_line(self._heard)
        if not (heard or self.instruction):
            heard = phrase(_SECTION, "nothing_heard")
        return "\n".join(filter(None, (view, self._held_line, self._last_line, heard)))

    def _view(self) -> str:
        return phrase(_SECTION, "no_sight") if self._shown is None else self._shown.text

    def _changed_view(self) -> str:
        """Return what is new, changed and gone; the whole view where that is not longer."""
        whole, shown, told = self._view(), self._shown, self._told
        if shown is None or told is None or not shown.lines:
            return whole
        new = {name: line for name, line in shown.lines.items() if told.lines.get(name) != line}
        gone = [name for name in told.lines if name not in shown.in_view]
        parts = [_listed("changed", new)] if new else []
        if gone:
            parts.append(phrase(_SECTION, "gone").format(handles=", ".join(gone)))
        changed = "\n".join(parts) or phrase(_SECTION, "as_before")
        return min(changed, whole, key=len)

    def show(self, lines: ViewLines | None) -> None:
        """Take what is in view now, None where nothing can be seen."""
        self._shown = lines

    def tell_whole(self) -> None:
        """Have the whole view told the next time."""
        self._told = None

    def hold(self, handle: str | None) -> None:
        """Take the handle of what the hand holds now."""
        words = phrase(_SECTION, "hand_empty" if handle is None else "holding")
        self._held_line = words.format(handle=handle)

    def hear(self, words: Iterable[str]) -> None:
        """Add what was said since the last call."""
        new = [*words]
        self._heard += new
        self.instruction = _heard_line(new) or self.instruction

    def begin_call(self, call: tools.ToolCall | None) -> None:
        """Begin a call: what was heard, done and seen before is not repeated."""
        self._call, self._steps, self._last_line = call, 0, ""
        self._told = self._shown
        self._heard.clear()

    def count_step(self) -> None:
        """Count one action of the call."""
        self._steps += 1

    def refuse(self, refused: tools.Refused) -> None:
        """Take why the call was not carried out."""
        words = phrase(_SECTION, "last_no_call" if self._call is None else "last_refused")
        self._last_line = words.format(call=self._call, reason=refused.reason)

    def take_result(
        self, result: ObservedResult, acted_on: str | None, *, falls_short: bool = False
    ) -> None:
        """Take how the call's action went.

        `acted_on` is what it met in place of what was named, None where that is the same;
        `falls_short` says that a walk ended where the floor that was seen does.
        """
        call = str(self._call)
        if not result.success:
            reason = result.refusal_code or refusals.RefusalCode.UNKNOWN
            line = phrase(_SECTION, "last_failed").format(call=call, reason=reason.value)
        elif acted_on is not None:
            line = phrase(_SECTION, "last_done_on").format(call=call, handle=acted_on)
        else:
            line = phrase(_SECTION, "last_done").format(call=call)
        if falls_short:
            line = phrase(_SECTION, "last_nearer").format(call=call)
        if self._steps > 1:
            line += phrase(_SECTION, "last_steps").format(count=self._steps)
        self._last_line = line


def _heard_line(heard: Sequence[str]) -> str:
    return phrase(_SECTION, "heard").format(words=cut_words(" ".join(heard))) if heard else ""


def is_in_reach(seen: SeenObject) -> bool:
    """Return whether an object can be acted on from here."""
    return seen.metres <= actions.INTERACTION_REACH_METRES


def object_line(seen: SeenObject) -> str:
    """Return an object's line: in reach with its direction to 5 degrees, else metres and side."""
    if is_in_reach(seen):
        degrees = round(seen.degrees / _DEGREE_STEP) * _DEGREE_STEP
        return _line(seen.handle, degrees, min(int(seen.click.y * 3), 2), seen.states)
    side = "ahead" if abs(seen.degrees) <= _SIDE_DEGREES else "right"
    side = "left" if seen.degrees < -_SIDE_DEGREES else side
    return _far_line(seen.handle, round(seen.metres), side, seen.states)


@lru_cache(maxsize=1 << 16)
def _far_line(handle: str, metres: int, side: str, states: tuple[str, ...]) -> str:
    words, state = phrase(_SECTION, f"far_{side}"), _state_words(states)
    return phrase(_SECTION, "far").format(handle=handle, metres=metres, side=words, state=state)


@lru_cache(maxsize=1 << 16)
def _line(handle: str, degrees: int, third: int, states: tuple[str, ...]) -> str:
    return phrase(_SECTION, "object").format(
        handle=handle, direction=_direction_words(degrees, third), state=_state_words(states)
    )


def _state_words(states: tuple[str, ...]) -> str:
    return phrase(_SECTION, "state").format(words=", ".join(states)) if states else ""


def _direction_words(degrees: int, third: int) -> str:
    """Return in which direction an object is seen; third 0 of the view is upper, 2 is lower."""
    side = "ahead" if degrees == 0 else "right" if degrees > 0 else "left"
    words = phrase(_SECTION, side).format(degrees=abs(degrees))
    return words + ("" if third == 1 else phrase(_SECTION, "lower" if third else "upper"))


def cut_words(words: str) -> str:
    """Return words on one line, cut at the longest length that is repeated."""
    line = " ".join(words.split())
    if len(line) <= MAX_HEARD_CHARACTERS:
        return line
    return line[:MAX_HEARD_CHARACTERS] + phrase(_SECTION, "cut")
