"""The tools of both agents: their JSON schemas, and calls checked against them.

A call with wrong arguments is a `Refused` with a reason in words, never an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from numbers import Real
from typing import Any, cast

from tatc.base.errors import UnknownName
from tatc.base.plain_text import is_encodable
from tatc.home.actions import TRANSLATION_VERBS, Verb
from tatc.home.body import TEACH, Body
from tatc.language.llm.answer_text import arguments_in, plain_name
from tatc.session.text_world import seen_objects, wording

MAX_SPOKEN_CHARACTERS = 1000  # the longest text that an agent may say; what is longer is refused
MAX_STEPS_PER_MOVE = 12
_MAX_DIGITS = 10


class Grain(StrEnum):
    """How much one tool call does: `PRIMITIVES` leaves out walking to an object."""

    PRIMITIVES = "primitives"
    GO_TO = "go-to"


def parse_grain(name: str) -> Grain:
    """Return the grain that a user names."""
    return UnknownName.member("grain", name, Grain)


class ArgumentKind(StrEnum):
    """The kinds of argument."""

    HANDLE = "handle"
    INTEGER = "integer"
    CHOICE = "choice"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One argument of a tool: its kind, its key in the wording, and its bounds or choices."""

    name: str
    kind: ArgumentKind
    wording_key: str
    choices: tuple[str, ...] = ()
    required: bool = True

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema, as short as it can be: a model reads it with every request."""
        if self.kind is ArgumentKind.INTEGER:
            return {"type": "integer", "maximum": MAX_STEPS_PER_MOVE}
        return {"type": "string"} | ({"enum": list(self.choices)} if self.choices else {})

    def plain(self, value: object) -> object:
        """Return a value as the tool takes it, where it is written otherwise: "1", 2.0, "Left"."""
        if self.kind is ArgumentKind.INTEGER:
            if isinstance(value, str) and value.strip().isdecimal() and len(value) < _MAX_DIGITS:
                return int(value)
            number = cast(Any, value)
            is_number = isinstance(value, Real) and value is not True and value is not False
            return int(number) if is_number and number % 1 == 0 else value
        if not isinstance(value, str) or self.kind is ArgumentKind.TEXT:
            return value
        return value.strip().casefold() if self.kind is ArgumentKind.CHOICE else value.strip()

    def refuses(self, value: object) -> str | None:
        """Return why a value is refused; None where it is right."""
        if self._is_right(value):
            return None
        if self.kind is ArgumentKind.TEXT and isinstance(value, str) and is_encodable(value):
            reason = "too_long" if value.strip() else "empty"
            return wording.refusal(reason, name=self.name, most=MAX_SPOKEN_CHARACTERS)
        what = wording.phrase("kinds", self.kind).format(
            low=1, high=MAX_STEPS_PER_MOVE, names=", ".join(self.choices)
        )
        return wording.refusal("wrong_type", name=self.name, what=what)

    def _is_right(self, value: object) -> bool:
        match self.kind:
            case ArgumentKind.INTEGER:
                return type(value) is int and 1 <= value <= MAX_STEPS_PER_MOVE
            case ArgumentKind.CHOICE:
                return isinstance(value, str) and value in self.choices
            case ArgumentKind.HANDLE:
                return isinstance(value, str) and seen_objects.number_of_handle(value) is not None
            case ArgumentKind.TEXT:
                # Not empty, not long, no half letters.
                if not isinstance(value, str) or not value.strip():
                    return False
                return len(value) <= MAX_SPOKEN_CHARACTERS and is_encodable(value)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool: its name, what it does, and its parameters."""

    name: str
    description: str
    parameters: tuple[ToolParameter, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Return the tool as JSON: name, description, and the JSON schema of its arguments."""
        properties = {each.name: each.schema() for each in self.parameters}
        parameters: dict[str, Any] = {"type": "object", "properties": properties}
        if required := [each.name for each in self.parameters if each.required]:
            parameters["required"] = required
        return {"name": self.name, "description": self.description, "parameters": parameters}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call whose name and arguments fit their tool."""

    name: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        """Return the call as a result names it: the tool, and its arguments' values."""
        return " ".join((self.name, *(str(value) for value in self.arguments.values())))


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that was not carried out, and why, in words for a model."""

    reason: str


VERBS_BY_MOVE = dict(zip(("forward", "backward", "left", "right"), TRANSLATION_VERBS, strict=True))
"""The directions of a move, and their primitive actions."""


@cache
def follower_tools(grain: Grain = Grain.GO_TO, body: Body = TEACH) -> tuple[ToolSpec, ...]:
    """Return the tools of a Follower in a body: the moves that it has, and its tilt."""
    moves = (name for name, verb in VERBS_BY_MOVE.items() if verb in body.walk_verbs)
    target = ToolParameter("object", ArgumentKind.HANDLE, "object")
    steps = ToolParameter("times", ArgumentKind.INTEGER, "times", required=False)
    specs: dict[str, tuple[ToolParameter, ...]] = {
        "move": (_choice("direction", *moves), steps),
        "turn": (_choice("direction", "left", "right"),),
        "look": (_choice("direction", "up", "down"),),
        "go_to": (ToolParameter("object", ArgumentKind.HANDLE, "known_object"),),
        "do": (_choice("action", *INTERACTION_VERBS_BY_ACTION), target),
        "view": (),
        "say": (ToolParameter("words", ArgumentKind.TEXT, "words"),),
        "ask": (ToolParameter("question", ArgumentKind.TEXT, "question", required=False),),
        "stop": (),
    }
    if grain is Grain.PRIMITIVES:
        del specs["go_to"]
    return _specs("follower_tools", specs, degrees=f"{body.tilt_degrees:g}")


INTERACTION_VERBS_BY_ACTION = {
    "pick_up": Verb.PICKUP,
    "place": Verb.PLACE,
    "open": Verb.OPEN,
    "close": Verb.CLOSE,
    "switch_on": Verb.TOGGLE_ON,
    "switch_off": Verb.TOGGLE_OFF,
    "slice": Verb.SLICE,
    "pour": Verb.POUR,
}
"""What can be done with an object: by the Follower's `do`, and when the Commander tells it to."""


@cache
def commander_tools() -> tuple[ToolSpec, ...]:
    """Return the Commander's tools."""
    return _specs(
        "commander_tools",
        {
            "check": (),
            "search": (ToolParameter("type", ArgumentKind.TEXT, "type"),),
            "map": (),
            "tell": (
                _choice("action", *INTERACTION_VERBS_BY_ACTION),
                ToolParameter("object", ArgumentKind.HANDLE, "known_object"),
            ),
            "say": (ToolParameter("words", ArgumentKind.TEXT, "words"),),
            "stop": (),
        },
    )


def check_call(specs: tuple[ToolSpec, ...], name: object, arguments: object) -> ToolCall | Refused:
    """Return a call that fits a tool, or why none; arguments are an object, its JSON, or None.

    A `do` becomes a call of its action, by whose name alone it may be called as well.
    """
    called = plain_name(name) if isinstance(name, str) else ""
    by_name = {each.name: each for each in specs}
    is_action = called in INTERACTION_VERBS_BY_ACTION and "do" in by_name
    spec = by_name["do"] if is_action else by_name.get(called)
    if spec is None:
        names = ", ".join(each.name for each in specs)
        return Refused(wording.refusal("unknown_tool", name=_shown(name), names=names))
    if isinstance(arguments, str):
        arguments = arguments_in(arguments)
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        return Refused(wording.refusal("no_json" if isinstance(arguments, str) else "no_object"))
    given = cast(Mapping[object, object], arguments)
    given = {"action": called, **given} if is_action else given
    known = {each.name: each for each in spec.parameters}
    for key in given:
        if key not in known:
            names = ", ".join(known) or "no arguments"
            return Refused(wording.refusal("unknown_argument", name=_shown(key), names=names))
    return _check_values(spec, given)


def _check_values(spec: ToolSpec, given: Mapping[object, object]) -> ToolCall | Refused:
    values: dict[str, Any] = {}
    for each in spec.parameters:
        value = each.plain(given.get(each.name))
        if each.name not in given or (value is None and not each.required):
            if each.required:
                what = wording.phrase("arguments", each.wording_key)
                return Refused(wording.refusal("missing_argument", name=each.name, what=what))
            continue
        if (reason := each.refuses(value)) is not None:
            return Refused(reason)
        values[each.name] = value
    return ToolCall(values.pop("action") if spec.name == "do" else spec.name, values)


def _choice(name: str, *choices: str) -> ToolParameter:
    return ToolParameter(name, ArgumentKind.CHOICE, name, choices)


def _specs(
    section: str, specs: Mapping[str, tuple[ToolParameter, ...]], **fields: str
) -> tuple[ToolSpec, ...]:
    return tuple(
        ToolSpec(name, wording.phrase(section, name).format(**fields), each)
        for name, each in specs.items()
    )


def _shown(value: object) -> str:
    """Return a name as a refusal repeats it: short, and on one line."""
    return f"{value!a:.60}"
