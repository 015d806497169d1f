"""Reads what an endpoint answers: a completion in its many forms, or an error in place of one."""

import json
from collections.abc import Mapping
from typing import Any, cast

from tatc.base.files import FINITE_NUMBERS, MODEL_ANSWER, parse_json
from tatc.base.json_fields import FieldError, as_list, as_mapping
from tatc.language.llm import chat_request

MAX_TEXT = 32_768
"""Characters of an answer, and of a call's arguments, that are kept; what comes after is cut."""
_CUT_ENDS = ("length", "max_tokens")


class ErrorInAnswer(Exception):
    """An error object where an answer should be: its status, 0 for none, and its message."""

    def __init__(self, status: int, message: str) -> None:
        """Hold what the error says."""
        super().__init__(message)
        self.status, self.message = status, message


def read_completion(data: bytes, request: chat_request.ChatRequest) -> chat_request.ChatAnswer:
    """Return the answer in a completion's JSON; tokens that it does not count are estimated.

    Raise a BadInput for what is no JSON, a FieldError for other JSON, and an ErrorInAnswer.
    """
    raw = as_mapping(parse_json(data, "answer", MODEL_ANSWER, FINITE_NUMBERS), "")
    if raw.get("error"):
        raise _error_in(raw["error"])
    choices = as_list(raw.get("choices"), "choices")
    if not choices:
        raise FieldError("choices", "is empty")
    choice = as_mapping(choices[0], "choices[0]")
    if choice.get("error"):
        raise _error_in(choice["error"])
    message = as_mapping(choice.get("message"), "message")
    call, is_long = _read_call(message)
    text = _text_of(message.get("content")) or _text_of(message.get("refusal"))
    usage = raw.get("usage")
    counts = cast(Mapping[str, Any], usage) if isinstance(usage, Mapping) else {}
    written = text if call is None else f"{text} {call.name} {call.arguments}"
    return chat_request.ChatAnswer(
        text[:MAX_TEXT],
        _count(counts.get("prompt_tokens"), request.estimated_tokens()),
        _count(counts.get("completion_tokens"), chat_request.estimate_tokens(written)),
        call,
        is_cut=choice.get("finish_reason") in _CUT_ENDS or len(text) > MAX_TEXT or is_long,
    )


def _error_in(value: object) -> ErrorInAnswer:
    """Return the error in a completion: an object with a code and a message, or its text."""
    if not isinstance(value, Mapping):
        return ErrorInAnswer(0, _clean(str(value)))
    found = cast(Mapping[str, Any], value)
    codes = [str(found.get(name)) for name in ("code", "status", "type")]
    status = next((int(code) for code in codes if code.isdecimal() and len(code) == 3), 0)
    if not status and any("rate_limit" in code for code in codes):
        status = 429
    return ErrorInAnswer(status, _clean(str(found.get("message", ""))))


def _read_call(message: Mapping[str, Any]) -> tuple[chat_request.FunctionCall | None, bool]:
    """Return the first call that has a name, and whether its arguments are too long.

    Some servers give arguments as an object, calls no id, or the one call of older interfaces.
    """
    calls = message.get("tool_calls")
    entries = cast(list[Any], calls) if isinstance(calls, list) else []
    older: Any = {"function": message.get("function_call")}
    for entry in (*entries, older):
        raw: Any = entry if isinstance(entry, Mapping) else {}
        function: Any = raw.get("function")
        if not isinstance(function, Mapping):
            continue
        named = cast(Mapping[str, Any], function)
        name, arguments, number = named.get("name"), named.get("arguments"), raw.get("id")
        if isinstance(name, str) and name.strip():
            if not isinstance(arguments, str):
                arguments = json.dumps({} if arguments is None else arguments)
            call_id = _clean(number) if isinstance(number, str) else ""
            cut = _clean(arguments or "{}")
            name, call_id = _clean(name)[:MAX_TEXT], call_id[:MAX_TEXT]
            call = chat_request.FunctionCall(call_id, name, cut[:MAX_TEXT])
            return call, len(cut) > MAX_TEXT
    return None, False


def _text_of(content: object) -> str:
    """Return the text of a message, "" for none: it may be a list of parts."""
    if isinstance(content, list):
        return "".join(map(_text_of, cast(list[Any], content)))
    if isinstance(content, Mapping):
        part = cast(Mapping[str, Any], content)
        return _text_of(part.get("text")) if part.get("type", "text") == "text" else ""
    return _clean(content) if isinstance(content, str) else ""


def _clean(text: str) -> str:
    """Return a text that UTF-8 can hold: a half of a letter becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _count(value: object, otherwise: int) -> int:
    """Return a number of tokens that was counted, and another where it is none."""
    try:
        return chat_request.read_token_count(value, "tokens")
    except FieldError:
        return otherwise
