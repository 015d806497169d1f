"""What a model's text holds: thought, JSON values, and tool calls in the forms that models write.

All of it takes time that grows with the length of the text alone, whatever the text is.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from tatc.base import files
from tatc.base.errors import BadInput

Call = tuple[str, Any]
"""A tool's name and its arguments, right or wrong."""

_THOUGHT = re.compile(r"<(/?)think(?:ing)?>|<(/?)thought>|\[(/?)THINK\]", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")
_WORK_PER_CHARACTER, _WORK_BESIDES = 8, 1 << 16
_WORK_OF_OPENING, _WORK_OF_VALUE, _COUNTED_AT_ONCE = 32, 512, 16
"""What bounds a search for values, in about the time that a character takes to be read."""


def without_thought(text: str) -> str:
    """Return a text without what stands between marks of thought.

    Thought that is not closed goes on to the end; what is not opened began with the text, because
    some servers put the first mark into the prompt.
    """
    kept, start, is_thought, found = list[str](), 0, False, False
    for mark in _THOUGHT.finditer(text):
        found = True
        if any(mark.groups()):
            kept = kept if is_thought else []
            start, is_thought = mark.end(), False
        elif not is_thought:
            kept.append(text[start : mark.start()])
            is_thought = True
    if not found:
        return text
    return "".join((*kept, "" if is_thought else text[start:])).strip()


def json_values(text: str) -> Iterator[tuple[Any, int]]:
    """Yield the whole JSON objects and lists in a text, in order, and where each starts."""
    position, work = 0, _WORK_PER_CHARACTER * len(text) + _WORK_BESIDES
    while work > 0 and (found := _OPENING.search(text, position)) is not None:
        start = found.start()
        position = start + 1
        work -= _WORK_OF_OPENING
        try:
            _, end = files.FINITE_NUMBERS.raw_decode(text, start)
            value = _read(text[start:end])
        except BadInput:
            work -= len(text) - start
        except json.JSONDecodeError as fault:
            is_short = fault.msg.startswith("Expecting")  # else a text goes on to the end
            work -= (fault.pos if is_short else len(text)) - start
            work -= start // _COUNTED_AT_ONCE  # the error has counted the lines before it
        except (ValueError, RecursionError):
            work -= len(text) - start
        else:
            position = end
            work -= _WORK_OF_VALUE
            yield value, start


def parsed(text: str, otherwise: Any) -> Any:
    """Return the JSON value that a text is, and `otherwise` where it is none."""
    try:
        return _read(text.strip())
    except BadInput:
        return otherwise


def _read(text: str) -> Any:
    data = text.encode("utf-8", "surrogatepass")
    return files.parse_json(data, "answer", files.MODEL_ANSWER, files.FINITE_NUMBERS)


# Tool calls.  Models write what they learned: OpenAI's, Hermes' and Mistral's JSON, the braces of
# their own template, LangChain's actions, ReAct, or Python.

Tools = Mapping[str, Sequence[str]]
"""The names of tools, and of their parameters in order."""

_WRAPPERS = ("tool_calls", "tool_call", "function_call", "function")
_NAMES = ("name", "tool", "tool_name", "function", "action")
_ARGUMENTS = ("arguments", "args", "parameters", "input", "action_input", "tool_input", "kwargs")
_NAME_BEFORE = re.compile(
    r"(?:action\W{0,3}:\s*([\w.-]+)\W{0,9}action input\W{0,3}:|<function=([\w.-]+)>|([\w.-]+)"
    r"\[ARGS\])[\s`]*(?:json)?\s*\Z",
    re.IGNORECASE,
)
_MAX_NAME_BEFORE = 100  # characters
_TRAILING_COMMA = re.compile(r",(?=\s{0,20}[}\]])")
_ACTION_LINE = re.compile(r"action:\s*([\w.-]+)(.*)", re.IGNORECASE)
_INPUT_LINE = re.compile(r"action input:\s*(.*)", re.IGNORECASE)
_PYTHON_LINE = re.compile(r"(?:action:\s*)?(\[?\s*(?:\w+\.)?(\w+)\(.*)", re.IGNORECASE)
_MAX_LINE = 2_000  # characters


def plain_name(name: str) -> str:
    """Return a tool's name as all ways to write it have in common: `functions.Go-To` is go_to."""
    return name.rpartition(".")[2].casefold().replace("-", "_").replace(" ", "_")


def call_in_text(text: str, tools: Tools) -> Call | None:
    """Return the first tool call in a text, right or wrong and without thought; None for none."""
    known = {plain_name(name): tuple(parameters) for name, parameters in tools.items()}
    said = without_thought(text)
    for written in _spellings(said):
        for value, start in json_values(written):
            call = _call_of(value, known) or _call_before(written, start, value)
            if call is not None:
                return call
    return _call_in_lines(said, known)


def _spellings(text: str) -> Iterator[str]:
    """Yield a text, and then as the JSON that small models may have meant."""
    yield text
    mended = _TRAILING_COMMA.sub("", text)
    if '"' not in mended:
        mended = mended.replace("'", '"')
    if mended != text:
        yield mended
    if "{{" in mended:
        yield mended.replace("{{", "{").replace("}}", "}")


def _call_of(value: Any, known: Tools) -> Call | None:
    """Return the call that a JSON value is, or the first that it holds."""
    if isinstance(value, list):
        calls = (_call_of(each, known) for each in cast(list[Any], value))
        return next((call for call in calls if call is not None), None)
    if not isinstance(value, Mapping):
        return None
    found = cast(Mapping[str, Any], value)
    for key in _WRAPPERS:
        if isinstance(found.get(key), Mapping | list):
            return _call_of(found[key], known)
    name = next((found[key] for key in _NAMES if isinstance(found.get(key), str)), None)
    key = next((key for key in _ARGUMENTS if key in found), None)
    if name is None:
        [only] = found if len(found) == 1 else [""]
        return (only, found[only]) if plain_name(only) in known else None
    if key is None:  # the arguments may stand beside the name
        parameters = known.get(plain_name(name))
        if parameters is None:
            return (name, {}) if len(found) == 1 else None
        return name, {each: found[each] for each in parameters if each in found}
    arguments: Any = {} if found[key] is None else found[key]
    return name, parsed(arguments, arguments) if isinstance(arguments, str) else arguments


def _call_before(text: str, start: int, value: Any) -> Call | None:
    """Return the call whose arguments are the value at `start`, and whose name stands before."""
    found = _NAME_BEFORE.search(text[max(0, start - _MAX_NAME_BEFORE) : start])
    if found is None or not isinstance(value, Mapping):
        return None
    return next(filter(None, found.groups())), cast(Mapping[str, Any], value)


def _call_in_lines(text: str, known: Tools) -> Call | None:
    """Return the call that a line of its own is: ReAct's `Action:`, or Python's `turn("left")`."""
    lines = [line.strip(" \t\r`*-").replace("**", "") for line in text.split("\n")]
    for number, line in enumerate(lines):
        python = _PYTHON_LINE.fullmatch(line[:_MAX_LINE])
        if python is not None and plain_name(python[2]) in known:
            call = _python_call(python[1], known)
            if call is not None:
                return call
        action = _ACTION_LINE.fullmatch(line)
        if action is not None and plain_name(action[1]) in known:
            given = _INPUT_LINE.fullmatch(next(filter(None, lines[number + 1 :]), ""))
            words = (action[2] if given is None else given[1]).strip(" \t()[]\"'`.")
            parameters = known[plain_name(action[1])][:1]
            return action[1], dict.fromkeys(parameters, words) if words else {}
    return None


def _python_call(line: str, known: Tools) -> Call | None:
    """Return the call that a line of Python is, or the first of a list; all values are literal."""
    try:
        with warnings.catch_warnings(action="ignore"):
            found: Any = ast.parse(line.rstrip(".;"), mode="eval").body
        found = found.elts[0] if isinstance(found, ast.List) else found
        name = ast.unparse(found.func)
        values = map(ast.literal_eval, found.args)
        arguments = dict(zip(known.get(plain_name(name), ()), values, strict=False))
        return name, arguments | {each.arg: ast.literal_eval(each.value) for each in found.keywords}
    except Exception:  # whatever Python's parser raises, and what is no call
        return None
