"""What an endpoint of language models may answer: 40 forms, right, strange and broken ones.

Each is a line of a file: a status, headers, and a body, which is a text or JSON.  The readers play
a session with a server that answers with these lines in turn.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

from benchmarks.fuzz.answering_server import Answer, answering_server

_FILE = "answers.jsonl"
_MAX_BODY = 1 << 22  # bytes
_MODEL = ("--model", "m", "--timeout", "5", "--answers", "kept", "--json")
_TURN = '{"name": "turn", "arguments": {"direction": "left"}}'
_CALL = {"id": "c1", "type": "function", "function": json.loads(_TURN)}
_TEXTS = (
    *("", " ", "I would rather talk.", "<think>hm", "<think>a</think>b", "```json\n```", "null"),
    *(_TURN, f"```json\n{_TURN}\n```", f"<think>{_TURN}</think>{_TURN}", f"{_TURN}\n{_TURN}"),
    *(f"{{{_TURN}}}", f"<tool_call>\n{_TURN}\n</tool_call>", f"[{_TURN}]", '{"tool": "stop"}'),
    "Action: turn\nAction Input: left",
    'turn(direction="left")',
    "<function=turn><parameter=direction>left</parameter></function>",
    '{"goal": {"dishes": [], "chores": []}, "evidence": [{"part": "coffee"}]}',
)
_ARGUMENTS = ('{"direction": "left"}', '{"direction": "left"', "", "null", '{"words": "\ud800"}')
_REFUSALS = (
    (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    (400, "'temperature' does not support 0; maximum context length is 100 tokens"),
    (404, "No endpoints found that support tool use."),
    (422, "seed: extra inputs are not permitted"),
    (429, "You exceeded your quota"),
    (500, "System role not supported"),
    (503, "<html>gone</html>"),
)


def make_endpoint_answers(folder: Path) -> None:
    """Write the 40 forms."""
    (folder / _FILE).write_bytes(_sound_file())


def _sound_file() -> bytes:
    lines = (json.dumps(form, separators=(",", ":")) for form in _forms())
    return ("\n".join(lines) + "\n").encode()


def _forms() -> Iterator[dict[str, Any]]:
    for text in _TEXTS:
        yield _completion({"content": text})
    for arguments in _ARGUMENTS:
        function = {"name": "turn", "arguments": arguments}
        yield _completion({"content": None, "tool_calls": [_CALL | {"function": function}]})
    for status, words in _REFUSALS:
        yield {"status": status, "headers": {}, "body": {"error": {"message": words}}}
    yield _completion({"content": None, "tool_calls": [_CALL, {"function": {}}]}, usage=None)
    yield _completion({"content": [{"type": "text", "text": _TURN}]}, usage={"prompt_tokens": -1})
    yield _completion({"content": None, "reasoning_content": "hm"}, "length", usage={})
    yield _completion({"content": None, "refusal": "no", "function_call": json.loads(_TURN)})
    yield {"status": 200, "headers": {}, "body": {"error": {"message": "busy", "code": 429}}}
    yield {"status": 200, "headers": {}, "body": {"choices": []}}
    yield {"status": 200, "headers": {}, "body": "data: [DONE]"}
    yield {"status": 200, "headers": {}, "body": "\n", "repeats": 300_000}
    yield {"status": 307, "headers": {"location": "http://192.0.2.1/"}, "body": "elsewhere"}


def _completion(message: Any, finish: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 700, "completion_tokens": 20}
    body = {"id": "x", "choices": [choice], "usage": usage} | more
    return {"status": 200, "headers": {"retry-after-ms": "1"}, "body": body}


def play_with_an_endpoint() -> None:
    """Play a session with what the file's server answers."""
    import openai._base_client
    import typer.main

    from tatc.cli import app
    from tatc.language.llm import openai_endpoint

    words = ("run", "coffee", "--room", "kitchen-01", "--follower", "llm", "--max-calls", "12")
    data = Path(_FILE).read_bytes()
    lines = [line for line in data.split(b"\n") if line] or [b""]
    # Damaged files begin anywhere; a refusal at the beginning would end a sound one.
    first = 0 if data == _sound_file() else crc32(data) % len(lines)
    with (
        patch.object(openai._base_client, "INITIAL_RETRY_DELAY", 0.001),
        patch.object(openai_endpoint, "_FIRST_WAIT_SECONDS", 0.001),
        answering_server(map(_response, cycle(lines[first:] + lines[:first]))) as address,
    ):
        where = ("--no-save", "--base-url", f"{address}/v1")
        typer.main.get_command(app).main(args=[*words, *_MODEL, *where], prog_name="tatc")


@cache
def _response(line: bytes) -> Answer:
    """Return what a line says; one that is damaged is a body itself."""
    try:
        form: Any = json.loads(line)
        body = form["body"]
        text = body if isinstance(body, str) else json.dumps(body)
        times = form.get("repeats", 1)
        whole = text.encode("utf-8", "replace") * min(times, _MAX_BODY // max(1, len(text)))
        status = form["status"]
        named = {
            name: value
            for name, value in form["headers"].items()
            if name in ("retry-after-ms", "location") and value.isprintable() and value.isascii()
        }
        if named.get("retry-after-ms", "1") != "1" or not 200 <= status <= 599:
            return 200, {}, whole
        return status, named, whole
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return 200, {}, line
