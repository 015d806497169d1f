"""Which model is asked, where, and how; sends one request through the `openai` client.

The client tries again, waiting longer each time, after 408, 409, 429, 5xx, a timeout or a break
before an answer.  It follows no redirect to another machine, and uses no proxy for this one.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from ipaddress import ip_address
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tatc.base.errors import BadInput, MissingExtra, ModelFailure, ModelRefusal, RejectedRequest
from tatc.base.files import FINITE_NUMBERS, MODEL_ANSWER, parse_json
from tatc.base.json_fields import FieldError, as_list, as_mapping, as_text
from tatc.base.plain_text import is_encodable
from tatc.language.llm import chat_request

_MAX_NAME = 200  # characters
_SECURE = "https"
_BASE_URL_FIX = "name an address such as http://localhost:8080/v1"


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The most that a run asks of a model: tokens of requests and answers, seconds of waiting."""

    calls: int = 5_000
    tokens: int = 500_000
    seconds: float = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model at an endpoint; `base_url` is the address below which `chat/completions` lies.

    `cache` is the folder of answers, None for the one in the user's cache folder; with `offline`,
    only that answers.  `log` is a file with a line for each call, and `ledger` the file in which
    the processes of a run count what they spend together; None for none.
    """

    model: str
    base_url: str
    seed: int = 1
    timeout_seconds: float = 60.0
    cache: str | None = None
    offline: bool = False
    log: str | None = None
    limits: CallLimits = field(default_factory=CallLimits)
    ledger: str | None = None

    def validate(self) -> None:
        """Check the model's name and the endpoint's address."""
        name = self.model
        if not name.strip() or len(name) > _MAX_NAME or not is_encodable(name):
            raise BadInput("is no name of a model", where="--model", fix="name one of the endpoint")
        self._parsed_url()

    @property
    def is_loopback(self) -> bool:
        """Whether the endpoint is on this machine, so that nothing leaves it."""
        host = self._parsed_url().hostname or ""
        if host == "localhost":
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def takes_key(self) -> bool:
        """Whether the user's key may be sent there: never unencrypted to another machine."""
        return self.is_loopback or self._parsed_url().scheme == _SECURE

    @property
    def host(self) -> str:
        """The endpoint's host, and its port if it has one, as people read them."""
        return self._parsed_url().netloc

    def _parsed_url(self) -> SplitResult:
        try:
            found = urlsplit(self.base_url)
            port = found.port
        except ValueError as fault:
            raise BadInput("is no address", where="--base-url", fix=_BASE_URL_FIX) from fault
        if found.scheme not in ("http", _SECURE) or not found.hostname or port == 0:
            raise BadInput("is no address", where="--base-url", fix=_BASE_URL_FIX)
        if found.username is not None or found.query or found.fragment:
            why = "holds more than scheme, host, port and path"
            fix = "give a key in the environment variable OPENAI_API_KEY alone"
            raise BadInput(why, where="--base-url", fix=fix)
        return found


KEY_VARIABLE = "OPENAI_API_KEY"
"""The environment variable with the user's key; it is never written anywhere."""
MAX_RETRIES = 2
"""How often a request is sent again, at most."""
_NO_KEY = "none"
_HIDDEN_KEY = "[key]"
_MAX_SHOWN = 200  # characters of an endpoint's message
_STATUSES_OF_ONE_REQUEST = frozenset((408, 409, 429))
_REJECTING_STATUSES = frozenset((400, 413, 422))
_KEY_STATUSES = frozenset((401, 403))  # whose messages quote parts of the key
_SENT_HEADERS = frozenset(
    (
        *("host", "connection", "user-agent", "accept", "accept-encoding"),
        *("content-type", "content-length"),
        "x-stainless-raw-response",  # by which the client knows how to give the answer back
    )
)
_FIX_BY_STATUS = {
    401: f"set {KEY_VARIABLE} to a key that is valid there",
    403: f"set {KEY_VARIABLE} to a key that may use the model",
    404: "name a model and an address that exist with --model and --base-url",
}


class UnreadableAnswer(ModelFailure):
    """An answer began, and is none that can be read."""


class OpenAIEndpoint:
    """A model at an OpenAI-compatible endpoint."""

    def __init__(self, settings: ModelSettings) -> None:
        """Prepare to ask the endpoint of these settings; nothing is sent."""
        MissingExtra.check("llm", "openai", "httpx2")
        self._openai: Any = import_module("openai")
        self._httpx: Any = import_module("httpx2")
        self._settings = settings
        key = os.environ.get(KEY_VARIABLE, "") if settings.takes_key else ""
        self._key = key.strip()
        self._client = self._make_client()

    def send(self, request: chat_request.ChatRequest) -> tuple[chat_request.ChatAnswer, int]:
        """Return the answer to a request, and how often that was sent until the answer came.

        A request whose answer breaks off or cannot be read is asked again.
        """
        try:
            return self._send_once(request)
        except UnreadableAnswer:
            return self._send_once(request)

    def _send_once(self, request: chat_request.ChatRequest) -> tuple[chat_request.ChatAnswer, int]:
        openai, where = self._openai, self._settings.base_url
        deadline = monotonic() + self._settings.timeout_seconds * (1 + MAX_RETRIES)
        create = self._client.chat.completions.with_streaming_response.create
        try:
            with create(**request.to_json()) as response:
                data = b"".join(self._parts(response.iter_bytes(), deadline))
                return _read_completion(data, request), response.retries_taken + 1
        except openai.APITimeoutError as fault:
            why = f"does not answer within {self._settings.timeout_seconds:g} s"
            raise ModelFailure(why, where=where) from fault
        except openai.APIStatusError as fault:
            raise self._status_error(fault) from fault
        except openai.OpenAIError as fault:
            why = f"does not answer: {self._hide_key(str(fault))}"
            fix = "start the server, or name its address with --base-url"
            raise ModelFailure(why, where=where, fix=fix) from fault
        except (self._httpx.HTTPError, self._httpx.StreamError) as fault:
            raise UnreadableAnswer(f"breaks off: {fault}", where=where) from fault
        except BadInput as fault:
            raise UnreadableAnswer(f"answers in no JSON: {fault.what}", where=where) from fault
        except FieldError as fault:
            raise UnreadableAnswer(f"answers with no text: {fault}", where=where) from fault

    def _make_client(self) -> Any:
        openai, settings = self._openai, self._settings
        http_client = openai.DefaultHttpxClient(
            timeout=settings.timeout_seconds,
            trust_env=not settings.is_loopback,
            follow_redirects=False,
            limits=self._httpx.Limits(max_keepalive_connections=0),  # nothing stays to be closed
            event_hooks={"request": [self._keep_known_headers]},
        )
        return openai.OpenAI(
            api_key=self._key or _NO_KEY,
            base_url=settings.base_url,
            timeout=settings.timeout_seconds,
            max_retries=MAX_RETRIES,
            http_client=http_client,
        )

    def _keep_known_headers(self, sent: Any) -> None:
        """Send no headers but the usual ones and the key: others tell of account or machine."""
        for name in [*sent.headers]:
            if name.lower() not in _SENT_HEADERS:
                del sent.headers[name]
        sent.headers["authorization"] = f"Bearer {self._key or _NO_KEY}"

    def _parts(self, parts: Iterator[bytes], deadline: float) -> Iterator[bytes]:
        """Yield the parts of an answer while it is neither too long nor too late."""
        size = 0
        for part in parts:
            size += len(part)
            if size > MODEL_ANSWER.max_bytes:
                why = "answers with more than a model has to say"
                raise ModelFailure(why, where=self._settings.base_url)
            if monotonic() > deadline:
                raise ModelFailure("answers too slowly", where=self._settings.base_url)
            yield part

    def _status_error(self, fault: Any) -> ModelRefusal | ModelFailure:
        status, where = int(fault.status_code), self._settings.base_url
        _, _, said = self._hide_key(fault.message).partition(" - ")  # "Error code: 404 - ..."
        why = f"answers {status}"
        if said and status not in _KEY_STATUSES:
            why = f"{why}: {said[:_MAX_SHOWN]}"
        if status in _REJECTING_STATUSES:
            return RejectedRequest(why, where=where)
        if status in _STATUSES_OF_ONE_REQUEST or status >= 500:
            return ModelFailure(why, where=where)
        fix = _FIX_BY_STATUS.get(status, "see what the endpoint supports")
        return ModelRefusal(why, where=where, fix=fix)

    def _hide_key(self, text: str) -> str:
        return text.replace(self._key, _HIDDEN_KEY) if self._key else text


def _read_completion(data: bytes, request: chat_request.ChatRequest) -> chat_request.ChatAnswer:
    """Return the answer in a completion's JSON; tokens that it does not count are estimated."""
    raw = as_mapping(parse_json(data, "answer", MODEL_ANSWER, FINITE_NUMBERS), "")
    choices = as_list(raw.get("choices"), "choices")
    if not choices:
        raise FieldError("choices", "is empty")
    message = as_mapping(as_mapping(choices[0], "choices[0]").get("message"), "message")
    calls = as_list(message.get("tool_calls") or [], "tool_calls")
    call = _read_call(as_mapping(calls[0], "tool_calls[0]")) if calls else None
    content = message.get("content")
    text = "" if content is None and call is not None else as_text(content, "content")
    usage = raw.get("usage")
    if usage is None:
        written = text if call is None else f"{text} {call.name} {call.arguments}"
        tokens = request.estimated_tokens(), chat_request.estimate_tokens(written)
        return chat_request.ChatAnswer(text, *tokens, call)
    counts = as_mapping(usage, "usage")
    return chat_request.ChatAnswer(
        text,
        chat_request.read_token_count(counts.get("prompt_tokens"), "usage.prompt_tokens"),
        chat_request.read_token_count(
            counts.get("completion_tokens", 0), "usage.completion_tokens"
        ),
        call,
    )


def _read_call(raw: Mapping[str, Any]) -> chat_request.FunctionCall:
    """Return a tool call; some servers give its arguments as an object, and no id."""
    function = as_mapping(raw.get("function"), "tool_calls[0].function")
    arguments = function.get("arguments") or "{}"
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments)
    name = as_text(function.get("name"), "tool_calls[0].function.name")
    call_id = as_text(raw.get("id") or "", "tool_calls[0].id")
    return chat_request.FunctionCall(call_id, name, arguments)
