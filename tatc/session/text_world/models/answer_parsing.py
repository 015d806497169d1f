"""The tool call in a model's answer: by the endpoint's own tool calling, or as JSON in its text."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from tatc.base.errors import BadInput
from tatc.base.file_limits import MODEL_ANSWER
from tatc.base.file_reading import FINITE_NUMBERS, parse_json
from tatc.language.llm.model_call import RecordedModelCall

_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_ARGUMENT_KEYS = ("arguments", "parameters")  # the latter is what some models write

Call = tuple[str, Any]
"""A tool's name and its arguments, right or wrong."""


def tool_call_in(answer: RecordedModelCall) -> Call | None:
    """Return the call in an answer; None if there is none.

    Arguments that are not JSON are returned as the text that they are, so that the tool refuses
    them and says why.
    """
    if answer.tool:
        return answer.tool, _parsed(answer.arguments, answer.arguments)
    for text in _candidates(answer.text):
        found = _parsed(text, None)
        if isinstance(found, Mapping):
            call = _call_of(cast(Mapping[str, Any], found))
            if call is not None:
                return call
    return None


def _candidates(text: str) -> Iterator[str]:
    """Yield the parts of a text that may be the object: fenced ones, all, the outermost braces."""
    yield from _FENCED.findall(text)
    yield text
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        yield text[start : end + 1]


def _call_of(found: Mapping[str, Any]) -> Call | None:
    name = found.get("name")
    if not isinstance(name, str):
        return None
    key = next((key for key in _ARGUMENT_KEYS if key in found), None)
    arguments: Any = dict[str, Any]() if key is None else found[key]
    return name, _parsed(arguments, arguments) if isinstance(arguments, str) else arguments


def _parsed(text: str, otherwise: Any) -> Any:
    try:
        return parse_json(text.strip().encode(), "answer", MODEL_ANSWER, FINITE_NUMBERS)
    except BadInput:
        return otherwise
