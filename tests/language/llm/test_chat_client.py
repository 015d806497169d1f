"""The client of language models: retries, limits, cache, log, and the key."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.responses import JSONResponse, Response

from tatc.base.errors import BadInput, MissingExtra, ModelFailure, ModelRefusal
from tatc.language.llm import CallLimits, ChatClient, ModelSettings
from tatc.language.llm.chat_client import AnswerCache
from tatc.language.llm.chat_request import ChatMessage, ChatRequest
from tatc.language.llm.openai_endpoint import MAX_RETRIES
from tests.language.llm.conftest import KEY
from tests.language.llm.stub_endpoint import (
    MODEL,
    Behaviour,
    StubEndpoint,
    closed,
    cut_off,
    failing,
    saying,
)

REQUEST = ChatRequest(MODEL, (ChatMessage("user", "the words of the request"),))


@pytest.fixture
def client(settings: ModelSettings) -> ChatClient:
    return ChatClient(settings)


def _log(settings: ModelSettings) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(settings.log).read_text().splitlines()]


def test_nothing_is_asked_twice(stub: StubEndpoint, settings: ModelSettings) -> None:
    stub.usual = saying("first")
    first = ChatClient(settings).ask(REQUEST)
    stub.usual = saying("second")
    again = ChatClient(replace(settings, offline=True)).ask(REQUEST)
    assert first == again and first.text == "first" and first.request_tokens == 700
    assert len(stub.bodies) == 1
    assert [line["end"] for line in _log(settings)] == ["answered", "from the cache"]
    other = replace(REQUEST, seed=2)
    assert other.hash != REQUEST.hash
    assert ChatClient(settings).ask(other).text == "second"
    assert AnswerCache("a" * 300).find(REQUEST) is None  # no folder has so long a name


@pytest.mark.parametrize("fault", [failing(429), failing(500), closed, cut_off])
def test_a_passing_fault_is_tried_again(
    fault: Behaviour, stub: StubEndpoint, client: ChatClient
) -> None:
    stub.script, stub.usual = [fault], saying("here")
    assert client.ask(REQUEST).text == "here"
    assert len(stub.bodies) == 2 and stub.bodies[0] == stub.bodies[1]


@pytest.mark.parametrize(
    ("usual", "sent", "counted", "why"),
    [
        (failing(500), 3, 3, "answers 500: not now"),
        (failing(429), 3, 0, "answers 429: not now"),
        (failing(400, "too long"), 1, 0, "answers 400: too long"),
        (lambda body: JSONResponse({"choices": []}), 2, 2, "answers with no text: message"),
        (cut_off, 2, 2, "breaks off"),
        (failing(200, "x"), 2, 2, "answers with an error: x"),
    ],
)
def test_a_lasting_fault_has_a_named_end(
    usual: Behaviour,
    sent: int,
    counted: int,
    why: str,
    stub: StubEndpoint,
    client: ChatClient,
    settings: ModelSettings,
) -> None:
    stub.usual = usual
    with pytest.raises(ModelFailure, match=why):
        client.ask(REQUEST)
    assert len(stub.bodies) == sent
    assert client.budget.tokens == counted * REQUEST.most_tokens, "as the endpoint may have counted"
    (line,) = _log(settings)
    assert line["end"] == "failed" and why in str(line["why"])
    assert not Path(settings.cache).exists()


def test_a_late_answer_and_nobody_at_the_address_are_failures(
    stub: StubEndpoint, settings: ModelSettings
) -> None:
    stub.delay = 0.5
    with pytest.raises(ModelFailure, match=r"does not answer within 0\.05 s"):
        ChatClient(replace(settings, timeout_seconds=0.05)).ask(REQUEST)
    with pytest.raises(ModelFailure, match="does not answer: Connection error"):
        ChatClient(replace(settings, base_url="http://127.0.0.1:9/v1")).ask(REQUEST)


def test_an_unknown_model_is_refused_and_not_asked_again(
    stub: StubEndpoint, settings: ModelSettings
) -> None:
    client = ChatClient(replace(settings, model="stub-9"))
    request = replace(REQUEST, model="stub-9")
    for _ in range(2):
        with pytest.raises(ModelRefusal, match="answers 404: The model stub-9 does not exist"):
            client.ask(request)
    assert len(stub.bodies) == 1
    assert [line["end"] for line in _log(settings)] == ["failed", "not sent"]


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (CallLimits(tokens=1_000), "the limit of 1,000 tokens is reached"),
        (CallLimits(calls=0), "the limit of 0 calls is reached"),
        (CallLimits(seconds=0), "the limit of 0 s is reached"),
    ],
)
def test_beyond_a_limit_nothing_is_sent(
    limits: CallLimits, why: str, stub: StubEndpoint, settings: ModelSettings
) -> None:
    with pytest.raises(ModelFailure, match=why):
        ChatClient(replace(settings, limits=limits)).ask(REQUEST)
    assert not stub.bodies


def test_tokens_are_spent_until_the_limit(settings: ModelSettings) -> None:
    client = ChatClient(replace(settings, limits=CallLimits(tokens=2_000)))
    client.ask(REQUEST)
    client.ask(REQUEST)  # from the cache, which costs nothing
    assert client.budget.tokens == 750
    client.ask(replace(REQUEST, seed=2))
    with pytest.raises(ModelFailure, match="1,500 are spent"):
        client.ask(replace(REQUEST, seed=3))


def test_tokens_that_are_not_counted_are_estimated(stub: StubEndpoint, client: ChatClient) -> None:
    stub.usual = saying("sixteen letters!", usage=False)
    answer = client.ask(REQUEST)
    assert answer.request_tokens == REQUEST.estimated_tokens() >= len("the words of it") / 4
    assert answer.answer_tokens == 6


def test_the_key_is_sent_and_written_nowhere(
    stub: StubEndpoint, settings: ModelSettings, tmp_path: Path
) -> None:
    client = ChatClient(settings)
    stub.script = [failing(400, f"what is {KEY}?"), failing(401, f"no such key: {KEY[:6]}***")]
    said = ""
    for kind in (ModelFailure, ModelRefusal):
        with pytest.raises(kind) as caught:
            client.ask(REQUEST)
        said += str(caught.value)
    stub.usual = saying("the words of the answer")
    ChatClient(settings).ask(REQUEST)
    assert {each["authorization"] for each in stub.headers} == {f"Bearer {KEY}"}
    assert "what is [key]?" in said and KEY[:6] not in said and "OPENAI_API_KEY" in said
    written = {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(written) == 2, "an answer and the log"
    assert not [path for path, text in written.items() if KEY in text]
    assert "the words of" not in written[tmp_path / "calls.jsonl"]


def test_nothing_else_of_the_environment_is_sent(
    stub: StubEndpoint, settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: 1\nAuthorization: Bearer another")
    for name in ("OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of another account")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    ChatClient(settings).ask(REQUEST)
    (headers,) = stub.headers
    assert headers["authorization"] == f"Bearer {KEY}"
    usual = "host connection user-agent accept accept-encoding content-type content-length"
    assert {*headers} == {"authorization", "x-stainless-raw-response", *usual.split()}


@pytest.mark.parametrize(
    ("url", "is_loopback", "takes_key"),
    [
        ("http://localhost:8080/v1", True, True),
        ("http://127.0.0.2/v1", True, True),
        ("http://[::1]:8000/v1", True, True),
        ("https://api.example.org/v1", False, True),
        ("http://192.168.0.7:8000/v1", False, False),
        ("http://localhost.example.org/v1", False, False),
    ],
)
def test_what_is_on_this_machine_and_what_gets_the_key(
    url: str, is_loopback: bool, takes_key: bool
) -> None:
    named = ModelSettings("m", url)
    named.validate()
    assert (named.is_loopback, named.takes_key) == (is_loopback, takes_key)


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("m", "localhost:8080"),
        ("m", "ftp://localhost/v1"),
        ("m", "http://"),
        ("m", "http://localhost:0/v1"),
        ("m", "http://localhost:99999/v1"),
        ("m", "http://me:secret@localhost/v1"),
        ("m", "http://localhost/v1?key=secret"),
        (" ", "http://localhost/v1"),
        ("\ud800", "http://localhost/v1"),
    ],
)
def test_a_wrong_model_or_address_is_one_line(model: str, url: str) -> None:
    with pytest.raises(BadInput) as caught:
        ChatClient(ModelSettings(model, url))
    line = caught.value.one_line
    assert line.startswith(("--model: ", "--base-url: ")) and "secret" not in line


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda text: text[:40], "is not JSON"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "version 1"),
        (lambda text: text.replace("of the request", "of another"), "request: is not the one"),
        (lambda text: text.replace('"answer_tokens": 50', '"answer_tokens": -1'), "impossible"),
    ],
)
def test_a_damaged_answer_is_named(
    change: Callable[[str], str], fault: str, stub: StubEndpoint, settings: ModelSettings
) -> None:
    ChatClient(settings).ask(REQUEST)
    (path,) = Path(settings.cache).rglob("*.json")
    path.write_text(change(path.read_text()))
    with pytest.raises(BadInput, match=fault) as caught:
        ChatClient(settings).ask(REQUEST)
    assert path.name in str(caught.value) and "delete the file" in str(caught.value)
    assert len(stub.bodies) == 1


def test_the_guide_has_the_limits_of_the_code() -> None:
    guide = Path(__file__).parents[3] / "docs" / "how-to" / "endpoint.md"
    _, _, section = guide.read_text("utf-8").partition("\n## Limits\n")
    limits = CallLimits()
    for line in (
        f"`--max-tokens`, {limits.tokens:,} unless",
        f"| calls | {limits.calls:,} |",
        f"{limits.seconds / 3600:.0f} hours in all",
        f"seconds for each ({ModelSettings('m', 'u').timeout_seconds:.0f})",
        f"| {MAX_RETRIES} more, each after",
    ):
        assert line in section


def test_a_redirect_is_not_followed(stub: StubEndpoint, client: ChatClient) -> None:
    elsewhere = {"location": "http://192.0.2.1/v1/chat/completions"}
    stub.usual = lambda body: Response(status_code=307, headers=elsewhere)
    with pytest.raises(ModelRefusal, match="answers 307"):
        client.ask(REQUEST)


def test_without_the_package_there_is_one_line(
    client: ChatClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r"this needs openai \(extra llm\)"):
        client.ask(REQUEST)
