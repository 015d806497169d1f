"""What a model's text holds: thought, JSON values, and tool calls in the forms that models write.

All of it takes time that grows with the length of the text alone, whatever the text is.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from tatc.base import errors, files

Call = tuple[str, Any]
"""A tool's name and its arguments, right or wrong; `arguments_in` reads those that are a text."""

_THOUGHT = re.compile(
    r"<\s?(/?)\s?(?:seed:)?(?:think|thinking|thought|reasoning|reflection)\b[^<>]{0,40}>"
    r"|\[(/?)THINK\]|<\|?channel\|?>(?:analysis|thought)|(<channel\|>|<\|end\|>\s?<\|start\|>)",
    re.IGNORECASE,
)
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
        except errors.BadInput:
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
    except errors.BadInput:
        return otherwise


def _read(text: str) -> Any:
    data = text.encode("utf-8", "surrogatepass")
    return files.parse_json(data, "answer", files.MODEL_ANSWER, files.FINITE_NUMBERS)


# Tool calls.  Models write what they learned: OpenAI's, Hermes' and Mistral's JSON, the braces of
# their own template, LangChain's actions, ReAct, or Python.

Tools = Mapping[str, Sequence[str]]  # the names of tools, and of their parameters in order

_NAMES = ("name", "tool", "tool_name", "function", "action", "command", "call", "next_action")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", *_NAMES)
_ARGUMENTS = ("arguments", "args", "parameters", "input", "action_input", "tool_input", "kwargs")
_NAME_BEFORE = re.compile(
    r"(?:(?:action|tool|function|name)\W{0,3}:\s{0,9}([\w.-]{1,99}+)\W{0,9}"
    r"(?:(?:action |tool )?input|arguments|args|parameters)\W{0,3}:"
    r"|<function=([\w.-]{1,99}+)>|([\w.-]{1,99}+)\[ARGS\])[\s`]{0,99}+(?:json)?\s{0,99}+\Z",
    re.IGNORECASE,
)
_TOOL_BEFORE = re.compile(r"([\w.-]{1,99}+)(?::\d{1,9})?+\W{0,99}+(?:json)?\s{0,99}+\Z")
_MAX_NAME_BEFORE = 100  # characters
_SPECIAL_TOKEN = re.compile(r"<[|\uff5c][^|\uff5c<>]{0,40}[|\uff5c]>")
_TAGGED_NAME = re.compile(r'<(?:function=|invoke name="|tool_call>\s{0,9})([\w.-]+)')
_TAGGED_END = re.compile(r"</(?:function|invoke|tool_call)>")
_TAGGED_VALUE = re.compile(
    r'<(?:parameter=|parameter name="|arg_key>)(\w+)(?:"?>|</arg_key>\s{0,9}<arg_value>)([^<]*)'
)
_PLAIN = str.maketrans({"\n": " ", "\u201c": '"', "\u201d": '"'})
_END_OF_OBJECT = re.compile(r"\}(?=\s{0,9}(?:</tool_call>|```|\Z))")
_TRAILING_COMMA = re.compile(r",(?=\s{0,20}[}\]])")
_ACTION_LINE = re.compile(r"action:\s*+([\w.-]++)(.*)", re.IGNORECASE)
_INPUT_LINE = re.compile(r"action input:\s*(.*)", re.IGNORECASE)
_PYTHON_LINE = re.compile(r"(?:[\w ]{1,20}:\s*+|[>\d.) ]{1,6}|await )?(\[?\s*+(?:\w++\.)?\w++\(.*)")
_CAPITAL_INSIDE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_PYTHON = 2_000  # characters


def plain_name(name: str) -> str:
    """Return a tool's name as all ways to write it have in common: `functions.Go-To` is go_to."""
    own = name.partition("<|")[0].strip().rpartition(".")[2]
    return _CAPITAL_INSIDE.sub("_", own).casefold().replace("-", "_").replace(" ", "_")


def call_in_text(text: str, tools: Tools) -> Call | None:
    """Return the first tool call in a text, right or wrong and without thought; None for none."""
    known = {plain_name(name): tuple(parameters) for name, parameters in tools.items()}
    said = _SPECIAL_TOKEN.sub("\n", without_thought(text))
    for written in _spellings(said):
        for value, start in json_values(written):
            call = _call_of(value, known) or _call_before(written, start, value, known)
            if call is not None:
                return call
    tagged = _TAGGED_NAME.search(said)
    if tagged is not None:
        values = _TAGGED_VALUE.findall(_TAGGED_END.split(said[tagged.end() :], maxsplit=1)[0])
        return tagged[1], {name: value.strip() for name, value in values}
    return _call_in_lines(said, known)


def _spellings(text: str) -> Iterator[str]:
    """Yield a text, and then as the JSON that small models may have meant."""
    yield text
    mended = _TRAILING_COMMA.sub("", text.translate(_PLAIN).replace("\\_", "_"))
    yield mended
    with suppress(Exception):
        text = json.dumps(ast.literal_eval(_python(text[text.find("{") : text.rfind("}") + 1])))
    yield text
    if '"' not in mended:
        yield mended.replace("'", '"')
    if "{{" in mended:
        yield mended.replace("{{", "{").replace("}}", "}")
    yield _END_OF_OBJECT.sub("}}", mended)


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
            call = _python_call(name, known)
            return call or ((name, {}) if len(found) == 1 else None)
        return name, {each: found[each] for each in parameters if each in found}
    is_description = isinstance(found[key], Mapping) and "properties" in found[key]
    return None if is_description else (name, found[key] or {})


def arguments_in(text: str) -> Any:
    """Return the arguments that a text holds: the JSON that it is, or begins with; else itself."""
    value = parsed(text, text)
    value = parsed(value, text) if isinstance(value, str) else value
    for written in _spellings(text) if isinstance(value, str) else ():
        value, start = next(json_values(written), (text, 0))
        if isinstance(value, Mapping) and not written[:start].strip("` \njson"):
            return cast(Mapping[str, Any], value)
        value = text
    return value


def _call_before(text: str, start: int, value: Any, known: Tools) -> Call | None:
    """Return the call whose arguments are the value at `start`, and whose name stands before."""
    before = text[max(0, start - _MAX_NAME_BEFORE) : start]
    if not isinstance(value, Mapping):
        return None
    arguments = cast(Mapping[str, Any], value)
    if (found := _NAME_BEFORE.search(before)) is not None:
        return next(filter(None, found.groups())), arguments
    found = _TOOL_BEFORE.search(before)
    parameters = None if found is None else known.get(plain_name(found[1]))
    if found is None or parameters is None or not arguments.keys() <= {*parameters}:
        return None
    return found[1], arguments


def _call_in_lines(text: str, known: Tools) -> Call | None:
    """Return the call that a line of its own is: ReAct's `Action:`, or Python's `turn("left")`."""
    lines = [line.strip(" \t\r`*-").replace("**", "") for line in text.split("\n")]
    for number, line in enumerate(lines):
        python = _PYTHON_LINE.fullmatch(line)
        if python is not None and (call := _python_call(python[1], known)) is not None:
            return call
        action = _ACTION_LINE.fullmatch(line)
        if action is not None and plain_name(action[1]) in known:
            given = _INPUT_LINE.fullmatch(next(filter(None, lines[number + 1 :]), ""))
            words = (action[2] if given is None else given[1]).strip(" \t()[]\"'`.")
            parameters = known[plain_name(action[1])][:1]
            return action[1], dict.fromkeys(parameters, words) if words else {}
    word = text.strip(" \n`*.\"'")
    return (word, {}) if plain_name(word) in known else None


def _python_call(line: str, known: Tools) -> Call | None:
    """Return the call of a known tool that a line of Python is, or the first of a list."""
    try:
        found: Any = _python(line.rstrip(".;"))
        found = found.elts[0] if isinstance(found, ast.List) else found
        if ast.unparse(found.func) == "print":
            found = found.args[0]
        name = ast.unparse(found.func)
        arguments = dict(zip(known[plain_name(name)], map(_value_of, found.args), strict=False))
        return name, arguments | {each.arg: _value_of(each.value) for each in found.keywords}
    except Exception:  # whatever Python's parser raises, and what is no call
        return None


def _python(text: str) -> ast.expr:
    with warnings.catch_warnings(action="ignore"):
        return ast.parse(text[:_MAX_PYTHON], mode="eval").body


def _value_of(node: ast.expr) -> Any:
    """Return a literal value, or the name that stands where a text was meant."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
