"""What a model reads before a call: all that its agent perceives, or what changed since the last.

The names in a reading are those that calls may have now; with them a model's answer can be bound to
what is possible.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tatc.session.text_world.tools import ArgumentKind, ToolParameter, ToolSpec
from tatc.session.text_world.wording import phrase


@dataclass(frozen=True, slots=True)
class Reading:
    """What an agent perceives before a call.

    `changes` leaves out of `whole` what was read before the last call and is still so.  `pinned` is
    what must not be lost when older turns are left out: the task, or the last words of the other
    agent.  `known` are the names of objects; `doable` returns those with which an action may be
    expected to go well, for as long as the agent has not acted.
    """

    whole: str
    changes: str
    pinned: str = ""
    known: tuple[str, ...] = ()
    doable: Callable[[str], tuple[str, ...]] | None = None

    def allows(self, spec: ToolSpec) -> bool:
        """Return whether a tool is of use now: `view` is not after a whole text."""
        return spec.name != "view" or self.changes != self.whole

    def objects_of(self, parameter: ToolParameter, action: object) -> tuple[str, ...]:
        """Return the names that a handle may have in a call with this action."""
        assert parameter.kind is ArgumentKind.HANDLE
        if self.doable is None or not isinstance(action, str):
            return self.known
        return self.doable(action)


def list_calls(reading: Reading, tools: Sequence[ToolSpec]) -> str:
    """Return a line that lists the calls that can be made now, words left open as "..."."""
    listed = [call for spec in tools if reading.allows(spec) for call in _calls_of(spec, reading)]
    return phrase("observation", "calls").format(calls=", ".join(listed))


def _calls_of(spec: ToolSpec, reading: Reading) -> Iterator[str]:
    choices = [
        each.choices or (("...",) if each.kind is ArgumentKind.TEXT else ("",))
        for each in spec.parameters
        if each.required and each.kind is not ArgumentKind.HANDLE
    ]
    handle = next((each for each in spec.parameters if each.kind is ArgumentKind.HANDLE), None)
    for words in product([spec.name], *choices):
        start = " ".join(filter(None, words))
        if handle is None:
            yield start
        elif names := reading.objects_of(handle, words[1] if len(words) > 1 else None):
            yield f"{start} {'|'.join(names)}"


def schema_of_calls(
    reading: Reading, tools: Sequence[ToolSpec], *, with_thought: bool = False
) -> dict[str, Any]:
    """Return the JSON schema of the calls that can be made now, each as a name and arguments.

    A thought comes first if one is asked for, because a model writes fields in their order.
    """
    before: dict[str, Any] = {"thought": {"type": "string"}} if with_thought else {}
    shapes = (_shapes_of(spec, reading, before) for spec in tools if reading.allows(spec))
    return {"anyOf": [shape for each in shapes for shape in each]}


def _shapes_of(
    spec: ToolSpec, reading: Reading, before: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the shape of a tool's calls: one for each action that some object allows."""
    action = next((each for each in spec.parameters if each.name == "action"), None)
    handle = next((each for each in spec.parameters if each.kind is ArgumentKind.HANDLE), None)
    for chosen in (None,) if action is None or handle is None else action.choices:
        properties = {each.name: each.schema() for each in spec.parameters}
        if handle is not None:
            names = reading.objects_of(handle, chosen)
            if not names:
                continue
            properties[handle.name] = {"type": "string", "enum": list(names)}
        if chosen is not None:
            properties["action"] = {"type": "string", "enum": [chosen]}
        arguments = {
            "type": "object",
            "properties": properties,
            "required": [each.name for each in spec.parameters if each.required],
            "additionalProperties": False,
        }
        name = {"type": "string", "enum": [spec.name]}
        yield {
            "type": "object",
            "properties": {**before, "name": name, "arguments": arguments},
            "required": [*before, "name", "arguments"],
            "additionalProperties": False,
        }
