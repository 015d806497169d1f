"""Requests that every server takes: what refusals teach, and what no answer may cost."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from tatc.base.errors import BudgetSpent, ModelFailure, RejectedRequest
from tatc.language.llm import CallLimits, ChatClient, ModelSettings
from tatc.language.llm.chat_request import AnswerSchema, ChatMessage, ChatRequest
from tatc.language.llm.completion import MAX_TEXT
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint, completion, error, failing, saying

TOOL = {"name": "stop", "description": "End.", "parameters": {"type": "object", "properties": {}}}
SAID = (ChatMessage("system", "rules"), ChatMessage("user", "words"))
REQUEST = ChatRequest(MODEL, SAID, AnswerSchema("goal", {"type": "object"}))
Body = dict[str, Any]


def _format(body: Body) -> str:
    return body.get("response_format", {}).get("type", "")


REFUSALS: dict[str, tuple[Callable[[Body], bool], int, Any]] = {
    "o-series": (lambda b: "max_tokens" in b, 400, "Unsupported parameter: 'max_tokens'. Use ..."),
    "older": (
        lambda b: bool(b.keys() & {"max_tokens", "max_completion_tokens"}),
        *(422, "max_completion_tokens: extra inputs are not permitted"),
    ),
    "no 0": (lambda b: "temperature" in b, 400, "'temperature' does not support 0"),
    "mistral": (lambda b: "seed" in b, 422, '{"loc": ["body", "seed"], "msg": "extra"}'),
    "plain JSON": (lambda b: _format(b) == "json_schema", 400, "json_schema is not supported"),
    "no format": (
        lambda b: "response_format" in b,
        404,
        "This response_format type is unavailable",
    ),
    "field": (lambda b: "max_tokens" in b, 400, {"message": "No.", "param": "max_tokens"}),
    "gemini": (
        lambda b: _format(b) == "json_schema",
        400,
        [{"error": {"message": "no $ref"}}],
    ),
    "llama": (lambda b: _format(b) == "json_schema", 500, "JSON schema conversion failed"),
    "gemma": (lambda b: b["messages"][0]["role"] == "system", 500, "System role not supported"),
    "o1": (
        lambda b: b["messages"][0]["role"] == "system",
        *(400, "'messages[0].role' does not support 'system' with this model."),
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_a_refusal_names_is_sent_otherwise_from_then_on(
    name: str, stub: StubEndpoint, settings: ModelSettings
) -> None:
    refuses, status, words = REFUSALS[name]
    stub.usual = lambda body: error(status, words) if refuses(body) else completion("here")
    client = ChatClient(settings)
    assert client.ask(REQUEST).text == "here"
    sent = len(stub.bodies)
    assert sent <= 5 and client.ask(replace(REQUEST, seed=2)).text == "here"
    assert len(stub.bodies) == sent + 1, "it is learned once"
    last = stub.bodies[-1]
    assert "rules" in last["messages"][0]["content"] and "words" in json.dumps(last["messages"])
    again = ChatClient(replace(settings, offline=True)).ask(REQUEST)
    assert again.text == "here", "the request has the same hash however it is sent"


def test_several_are_learned_one_after_the_other(
    stub: StubEndpoint, settings: ModelSettings
) -> None:
    def picky(body: Body) -> Response:
        for refuses, status, words in REFUSALS.values():
            if refuses(body):
                return error(status, words)
        return completion("at last")

    stub.usual = picky
    assert ChatClient(settings).ask(REQUEST).text == "at last"
    assert stub.bodies[-1].keys() == {"model", "messages"}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "No endpoints found that support tool use."),
        (400, "registry.ollama.ai/library/x does not support tools"),
        (500, "tools param requires --jinja flag"),
    ],
)
def test_no_tool_calling_is_found_before_the_start_and_asked_once(
    status: int, words: str, stub: StubEndpoint, settings: ModelSettings
) -> None:
    stub.usual = lambda body: error(status, words) if "tools" in body else completion("yes")
    stub.is_checked_too = True
    client = ChatClient(settings)
    with pytest.raises(Exception, match=r"leave out --tool-calls native"):
        client.check_endpoint([TOOL], needs_tools=True)
    client.check_endpoint([TOOL])
    sent = len(stub.bodies)
    for seed in (1, 2):
        with pytest.raises(RejectedRequest, match=words[:20]):
            client.ask(replace(REQUEST, tools=(TOOL,), seed=seed))
    assert len(stub.bodies) == sent and client.budget.tokens == 0


def test_an_error_under_200_is_waited_for_and_told(
    stub: StubEndpoint, settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("tatc.language.llm.openai_endpoint.sleep", waited.append)
    fault = JSONResponse({"error": {"message": "rate limited upstream", "code": 429}})
    stub.script, stub.usual = [lambda body: fault], saying("here")
    assert ChatClient(settings).ask(REQUEST).text == "here" and waited == [0.5]
    stub.usual = lambda body: fault
    with pytest.raises(ModelFailure, match="answers 429: rate limited upstream"):
        ChatClient(settings).ask(replace(REQUEST, seed=3))
    stub.usual = lambda body: _answer({"content": ""}, finish_reason="error")
    with pytest.raises(ModelFailure, match="answers with an error: it ended with an error"):
        ChatClient(settings).ask(replace(REQUEST, seed=4))
    assert waited == [0.5, 0.5, 1.0]


@pytest.mark.parametrize(
    "wait", ["-5", "1e999", "99999999", "nan", "Wed, 21 Oct 2015 07:28:00 GMT"]
)
def test_a_strange_time_to_wait_is_none(
    wait: str, stub: StubEndpoint, settings: ModelSettings
) -> None:
    busy = JSONResponse({"error": {"message": "busy"}}, 429, {"retry-after": wait})
    stub.script, stub.usual, start = [lambda body: busy], saying("here"), time.monotonic()
    try:
        assert ChatClient(settings).ask(REQUEST).text == "here"
    except ModelFailure as fault:
        assert "answers 429: busy" in str(fault)
    assert time.monotonic() - start < 5


def _answer(message: object, **more: object) -> Response:
    return Response(json.dumps({"choices": [{"message": message, **more}], "usage": {}}))


@pytest.mark.parametrize(
    ("message", "text", "call"),
    [
        ({"content": None}, "", None),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, "b"]}, "ab", None),
        ({"content": None, "refusal": "I cannot"}, "I cannot", None),
        ({"content": "\ud800a"}, "?a", None),
        ({"content": 5, "tool_calls": "none"}, "", None),
        ({"tool_calls": {"name": "turn", "arguments": {"a": 1}}}, "", "turn"),
        ({"content": [{"type": "tool_use", "name": "turn", "input": {"a": 1}}]}, "", "turn"),
        ({"tool_calls": [{}, {"function": {"name": "turn", "arguments": {"a": 1}}}]}, "", "turn"),
        ({"function_call": {"name": "turn", "arguments": '{"a": 1}'}}, "", "turn"),
    ],
)
def test_every_form_of_a_message_is_read(
    message: object, text: str, call: str | None, stub: StubEndpoint, settings: ModelSettings
) -> None:
    stub.usual = lambda body: _answer(message, finish_reason="length")
    answer = ChatClient(settings).ask(REQUEST)
    assert (answer.text, *(each.name for each in answer.calls)) == (text, *filter(None, [call]))
    assert answer.is_cut
    assert answer.request_tokens == REQUEST.estimated_tokens(), "what is not counted is estimated"
    assert ChatClient(replace(settings, offline=True)).ask(REQUEST) == answer


def test_a_long_answer_is_cut(stub: StubEndpoint, settings: ModelSettings) -> None:
    stub.usual = saying("\n" * 400_000)
    answer = ChatClient(settings).ask(REQUEST)
    assert len(answer.text) == MAX_TEXT and answer.is_cut


@contextmanager
def _raw_server(send: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve bytes without end on loopback, until the client has had enough."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(1 << 16)
                    try:
                        send(connection)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        server.shutdown(socket.SHUT_RDWR)


def _drip(start: bytes, part: bytes, pause: float) -> Callable[[socket.socket], None]:
    def send(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(part)
            time.sleep(pause)

    return send


CHUNKED = b"HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("start", "part", "pause", "why"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"x-a: b\r\n", 0.05, r"within 0\.4 s .*--timeout"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x", 0.05, r"within 0\.4 s .*--timeout"),
        (CHUNKED, b"1\r\nx\r\n", 0.05, r"within 0\.4 s .*--timeout"),
        (CHUNKED, b"8000\r\n%s\r\n" % (b"x" * 0x8000), 0.0, "answers 404: xxx"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" " * 0x8000, 0.0, "more than a model has to say"),
    ],
)
def test_answers_without_end_are_left(
    start: bytes,
    part: bytes,
    pause: float,
    why: str,
    settings: ModelSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tatc.language.llm.openai_endpoint.MAX_RETRIES", 0)
    with _raw_server(_drip(start, part, pause)) as address:
        client = ChatClient(replace(settings, base_url=address, timeout_seconds=0.4))
        with pytest.raises(Exception, match=why) as caught:
            client.ask(REQUEST)
    assert len(str(caught.value)) < 500


def test_the_cap_counts_what_was_never_answered(
    stub: StubEndpoint, settings: ModelSettings
) -> None:
    most = REQUEST.most_tokens
    client = ChatClient(replace(settings, limits=CallLimits(tokens=2 * most + 10)))
    stub.usual = failing(500)
    with pytest.raises(ModelFailure, match="answers 500"):
        client.ask(REQUEST)
    assert len(stub.bodies) == 2, "a third one might have gone beyond the limit"
    with pytest.raises(BudgetSpent):
        client.ask(REQUEST)
    assert client.budget.tokens == 2 * most
