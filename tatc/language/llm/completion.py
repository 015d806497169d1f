"""Reads what an endpoint answers: a completion in its many forms, or an error in place of one."""

import json
import re
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any, cast

from tatc.base.files import FINITE_NUMBERS, MODEL_ANSWER, parse_json
from tatc.base.json_fields import FieldError, as_count, as_mapping
from tatc.language.llm import chat_request, recorded_calls

MAX_TEXT = 32_768
"""Characters of an answer, and of a call's arguments, that are kept; what comes after is cut."""
MAX_CALLS = 16  # the calls of an answer that are read
_CUT_ENDS = ("length", "max_tokens")


class StatusError(Exception):
    """An error in place of an answer: its status, 0 for none, and its text."""

    def __init__(self, status: int, text: str, *, came_as_answer: bool = False) -> None:
        """Hold what the error says, and whether it came under the status of an answer."""
        super().__init__(text)
        self.status, self.text, self.came_as_answer = status, text, came_as_answer


def read_completion(data: bytes, request: chat_request.ChatRequest) -> chat_request.ChatAnswer:
    """Return the answer in a completion's JSON; tokens that it does not count are estimated.

    Raise a BadInput for what is no JSON, a FieldError for other JSON, and a StatusError.
    """
    raw = as_mapping(parse_json(data, "answer", MODEL_ANSWER, FINITE_NUMBERS), "")
    choices = cast(list[Any], raw.get("choices")) if isinstance(raw.get("choices"), list) else []
    choice = _object(choices[0] if choices else None)
    fault = raw.get("error") or choice.get("error")
    if fault or choice.get("finish_reason") == "error":
        raise _error_in(fault or "it ended with an error")
    message = as_mapping(choice.get("message"), "message")
    calls, written = _calls_in(message), _text_of(message.get("content"))
    written = written or _text_of(message.get("refusal"))
    counts = _object(raw.get("usage"))
    parts = [written, *(text for call in calls for text in (call.name, call.arguments))]
    return chat_request.ChatAnswer(
        written[:MAX_TEXT],
        _count(counts.get("prompt_tokens"), request.estimated_tokens()),
        _count(counts.get("completion_tokens"), chat_request.estimate_tokens(" ".join(parts))),
        tuple(chat_request.FunctionCall(*(t[:MAX_TEXT] for t in astuple(each))) for each in calls),
        is_cut=choice.get("finish_reason") in _CUT_ENDS or max(map(len, parts)) > MAX_TEXT,
    )


def _error_in(value: object) -> StatusError:
    """Return the error in a completion: an object with a code and a message, or its text."""
    found = _object(value)
    codes = [str(found.get(name)) for name in ("code", "status", "type")]
    status = next((int(code) for code in codes if re.fullmatch("[3-5][0-9]{2}", code)), 0)
    if not status and any("rate_limit" in code for code in codes):
        status = 429
    return StatusError(status, error_text(value), came_as_answer=True)


def error_text(value: object) -> str:
    """Return what an error says, in the many forms of its JSON, and the parameter that it names."""
    listed = cast(list[object], value) if isinstance(value, list) else [value]
    first = listed[0] if listed else ""
    found = _object(first)
    said = next((found[name] for name in ("error", "message", "detail") if found.get(name)), None)
    if said is None:
        return _clean(str(first))
    text, name = error_text(said), found.get("param")
    return f"{text} ({name})" if isinstance(name, str) and name not in text else text


def _calls_in(message: Mapping[str, Any]) -> list[chat_request.FunctionCall]:
    """Return the calls with a name, as many as are read, in whichever form servers give them."""
    found = list[chat_request.FunctionCall]()
    entries = [message.get("function_call")]
    for calls in (message.get("content"), message.get("tool_calls")):
        entries[:0] = cast(list[Any], calls) if isinstance(calls, list) else [calls]
    for entry in map(_object, entries):
        function = _object(entry.get("function")) or entry
        name, arguments = function.get("name"), function.get("arguments", function.get("input"))
        if isinstance(name, str) and name.strip():
            if not isinstance(arguments, str):
                arguments = json.dumps({} if arguments is None else arguments)
            texts = map(_clean, (str(entry.get("id") or ""), name, arguments or "{}"))
            found.append(chat_request.FunctionCall(*texts))
    return found[:MAX_CALLS]


def _text_of(content: object) -> str:
    """Return the text of a message, "" for none: it may be a list of parts."""
    if isinstance(content, list):
        return "".join(map(_text_of, cast(list[Any], content)))
    part = _object(content)
    if part.get("type", "text") == "text" and "text" in part:
        return _text_of(part["text"])
    return _clean(content) if isinstance(content, str) else ""


def _object(value: object) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _clean(text: str) -> str:
    """Return a text that UTF-8 can hold: a half of a letter becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _count(value: object, otherwise: int) -> int:
    try:
        return as_count(value, "tokens", recorded_calls.MAX_TOKENS)
    except FieldError:
        return otherwise
