"""Which model is asked, where, and how; sends one request through the `openai` client.

The client tries again, waiting longer each time, after 408, 409, 429, 5xx, a timeout or a break
before an answer.  It follows no redirect to another machine, and uses no proxy for this one.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from ipaddress import ip_address
from socket import SHUT_RDWR, socket
from threading import Timer
from time import sleep
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tatc.base.errors import BadInput, MissingExtra, ModelFailure, ModelRefusal, RejectedRequest
from tatc.base.files import MODEL_ANSWER
from tatc.base.json_fields import FieldError
from tatc.base.plain_text import is_encodable
from tatc.home.actions import Role
from tatc.language.llm import answer_text, completion, request_dialect
from tatc.language.llm.chat_request import ChatAnswer, ChatRequest

KEY_VARIABLE = "OPENAI_API_KEY"
"""The environment variable with the user's key; it is never written anywhere."""
_MAX_NAME = 200  # characters
_SECURE = "https"
_BASE_URL_FIX = "name an address such as http://localhost:8080/v1"


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The most that a run asks of its models: tokens sent and received, seconds of waiting."""

    calls: int = 100_000
    tokens: int = 10_000_000
    seconds: float = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model at an endpoint; `base_url` is the address below which `chat/completions` lies.

    `agent_urls` are the addresses of agents that have an endpoint of their own.  `cache` is the
    folder of answers, None for the one in the user's cache folder; with `offline`, only that
    answers.  `log` is a file with a line for each call, None for none.
    """

    model: str
    base_url: str
    seed: int = 1
    timeout_seconds: float = 60.0
    cache: str | None = None
    offline: bool = False
    log: str | None = None
    limits: CallLimits = field(default_factory=CallLimits)
    temperature: float = 0
    agent_urls: tuple[tuple[Role, str], ...] = ()
    key_variable: str = KEY_VARIABLE

    def of_agent(self, role: Role, model: str = "") -> "ModelSettings":
        """Return how an agent's model is asked: by its own name, with its endpoint's own key."""
        url, key = dict(self.agent_urls).get(role), f"TATC_{role.name}_API_KEY"
        own = self if url is None else replace(self, base_url=url, key_variable=key)
        return replace(own, model=model or self.model, agent_urls=())

    def validate(self) -> None:
        """Check the model's name and the endpoints' addresses."""
        for role, _ in self.agent_urls:
            self.of_agent(role).validate()
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
            fix = f"give a key in the environment variable {self.key_variable} alone"
            raise BadInput(why, where="--base-url", fix=fix)
        return found


MAX_RETRIES = 2  # how often a request is sent again, at most
_FIRST_WAIT_SECONDS = 0.5  # after an error that came as an answer; then twice as long
_NO_KEY = "none"
_HIDDEN_KEY = "[key]"
_MAX_SHOWN = 200  # characters of an endpoint's message
_MAX_ERROR_BYTES = 1 << 16  # of an error's body that are read
_STATUSES_OF_ONE_REQUEST = frozenset((408, 409, 429))
_REJECTING_STATUSES = frozenset((400, 413, 422))
_KEY_STATUSES = frozenset((401, 403))  # whose messages quote parts of the key
_SENT_HEADERS = frozenset(
    "host connection user-agent accept accept-encoding content-type content-length "
    "x-stainless-raw-response".split()
)
"""What is sent; by the last, the client knows how to give the answer back."""


class UnreadableAnswer(ModelFailure):
    """An answer began, and is none that can be read."""


class OpenAIEndpoint:
    """A model at an OpenAI-compatible endpoint, and what was learned of the requests it takes."""

    def __init__(self, settings: ModelSettings) -> None:
        """Prepare to ask the endpoint of these settings; nothing is sent."""
        MissingExtra.check("llm", "openai", "httpx2")
        self._openai: Any = import_module("openai")
        self._httpx: Any = import_module("httpx2")
        self._settings = settings
        key = os.environ.get(settings.key_variable, "") if settings.takes_key else ""
        self._key = key.strip()
        self._dialect = request_dialect.RequestDialect()
        self._watch = _TimeLimit(settings.timeout_seconds)
        self._sent = 0
        self.lost = 0
        """How many requests of the last `send` the endpoint may have counted without an answer."""
        self._client = self._make_client()

    def send(self, request: ChatRequest, tries: int = 1 + MAX_RETRIES) -> tuple[ChatAnswer, int]:
        """Return the answer to a request, and how often that was sent until the answer came.

        A refusal that names a parameter is learned from, and the request is sent in other words;
        that it takes tools is asked once.  One that is not answered is sent `tries` times at most.
        """
        self.lost = self._sent = 0
        if request.tools and self._dialect.takes_no_tools:
            raise RejectedRequest(self._dialect.takes_no_tools, where=self._settings.base_url)
        while True:
            body, before = self._dialect.body(request), self._sent
            try:
                return self._send_in_tries(body, request, before + tries), self._sent
            except completion.StatusError as fault:
                learns = fault.status in request_dialect.LEARNING_STATUSES
                if learns and self._dialect.learn(fault.text, body):
                    continue
                found = self._error_of(fault, body)
                if self._dialect.takes_no_tools and request.tools:
                    self._dialect.takes_no_tools = found.what
                raise found from fault

    def _send_in_tries(self, body: dict[str, Any], request: ChatRequest, most: int) -> ChatAnswer:
        """Send a body `most` times at most; what cannot be read is asked for once more."""
        wait, is_again = _FIRST_WAIT_SECONDS, False
        while True:
            try:
                return self._send_once(body, request, most - self._sent)
            except UnreadableAnswer:
                if is_again or self._sent >= most:
                    raise
                is_again = True
            except completion.StatusError as fault:
                passes = fault.status in _STATUSES_OF_ONE_REQUEST or fault.status >= 500
                if not (fault.came_as_answer and passes) or self._sent >= most:
                    raise
                sleep(wait)
                wait *= 2

    def _send_once(self, body: dict[str, Any], request: ChatRequest, tries: int) -> ChatAnswer:
        openai, where = self._openai, self._settings.base_url
        client = self._client.with_options(max_retries=max(0, tries - 1))
        try:
            with client.chat.completions.with_streaming_response.create(**body) as response:
                data = b"".join(self._parts(response.iter_bytes()))
            if self._watch.is_over:  # a body without a length ends as its connection does
                raise self._too_late()
            answer = completion.read_completion(data, request)
            self.lost -= 1
            return answer
        except completion.StatusError as fault:
            if not fault.status:
                why = f"answers with an error: {self._shown(fault.text)}"
                raise UnreadableAnswer(why, where=where) from fault
            self.lost -= fault.status < 500
            raise
        except openai.APIStatusError as fault:
            text = fault.response.text
            said = completion.error_text(answer_text.parsed(text, text))
            raise completion.StatusError(int(fault.status_code), said) from fault
        except (openai.OpenAIError, self._httpx.HTTPError, self._httpx.StreamError) as fault:
            if self._watch.is_over or isinstance(fault, openai.APITimeoutError):
                raise self._too_late() from fault
            if isinstance(fault, openai.OpenAIError):
                why = f"does not answer: {self._hide_key(str(fault))}"
                fix = "start the server, or name its address with --base-url"
                raise ModelFailure(why, where=where, fix=fix) from fault
            raise UnreadableAnswer(f"breaks off: {fault}", where=where) from fault
        except BadInput as fault:
            raise UnreadableAnswer(f"answers in no JSON: {fault.what}", where=where) from fault
        except FieldError as fault:
            raise UnreadableAnswer(f"answers with no text: {fault}", where=where) from fault
        finally:
            self._watch.timer.cancel()

    def _too_late(self) -> ModelFailure:
        why = f"does not answer within {self._settings.timeout_seconds:g} s"
        return ModelFailure(why, where=self._settings.base_url, fix="give it longer with --timeout")

    def _make_client(self) -> Any:
        openai, settings = self._openai, self._settings
        http_client = openai.DefaultHttpxClient(
            timeout=settings.timeout_seconds,
            trust_env=not settings.is_loopback,
            follow_redirects=False,
            limits=self._httpx.Limits(max_keepalive_connections=0),  # nothing stays to be closed
            event_hooks={"request": [self._begin_try], "response": [self._note_status]},
        )
        return openai.OpenAI(
            api_key=self._key or _NO_KEY,
            base_url=settings.base_url,
            timeout=settings.timeout_seconds,
            max_retries=MAX_RETRIES,
            http_client=http_client,
        )

    def _begin_try(self, sent: Any) -> None:
        """Let a request's time begin, without headers that tell of the user's account, machine."""
        for name in [*sent.headers]:
            if name.lower() not in _SENT_HEADERS:
                del sent.headers[name]
        sent.headers["authorization"] = f"Bearer {self._key or _NO_KEY}"
        self._sent += 1
        self._watch.timer.cancel()
        self._watch = _TimeLimit(self._settings.timeout_seconds)
        sent.extensions = {**sent.extensions, "trace": self._trace}
        self._watch.timer.start()

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Note which connection a request has, and whether it went out there."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._watch.watch(info["return_value"].get_extra_info("socket"))
        elif event.endswith(".send_request_headers.complete"):
            self.lost += 1

    def _note_status(self, response: Any) -> None:
        """Read no more of an error than its message; what is refused, nobody pays for."""
        self.lost -= 300 <= response.status_code < 500
        if response.status_code >= 300:
            data, parts = b"", iter(response.stream)
            while len(data) < _MAX_ERROR_BYTES and (part := next(parts, b"")):
                data += part
            response.stream.close()
            response.stream = self._httpx.ByteStream(data)

    def _parts(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        size = 0
        for part in parts:
            size += len(part)
            if size > MODEL_ANSWER.max_bytes:
                why = "answers with more than a model has to say"
                raise ModelFailure(why, where=self._settings.base_url)
            yield part

    def _error_of(
        self, fault: completion.StatusError, body: dict[str, Any]
    ) -> ModelRefusal | ModelFailure:
        """Return what a status means: for this request, for one of its kind, or for all."""
        status, where = fault.status, self._settings.base_url
        why = f"answers {status}"
        if fault.text and status not in _KEY_STATUSES:
            why = f"{why}: {self._shown(fault.text)}"
        if status in _REJECTING_STATUSES or request_dialect.says_too_long(why):
            return RejectedRequest(why, where=where)
        if "tools" in body and self._dialect.takes_no_tools:
            return RejectedRequest(why, where=where)
        if status in _STATUSES_OF_ONE_REQUEST or status >= 500:
            return ModelFailure(why, where=where)
        variable = self._settings.key_variable
        fix = {
            401: f"set {variable} to a key that is valid there",
            403: f"set {variable} to a key that may use the model",
            404: "name a model and an address that exist with --model and --base-url",
        }.get(status, "see what the endpoint supports")
        return ModelRefusal(why, where=where, fix=fix)

    def _shown(self, text: str) -> str:
        return " ".join(self._hide_key(text).split())[:_MAX_SHOWN]

    def _hide_key(self, text: str) -> str:
        return text.replace(self._key, _HIDDEN_KEY) if self._key else text


class _TimeLimit:
    """Closes the connection of one request when its time is over, whatever it waits for then.

    The client's own timeouts begin anew with each byte that comes.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._socket: socket | None = None
        self.timer = Timer(seconds, self._end)
        self.timer.daemon = True

    def watch(self, connection: socket) -> None:
        self._socket = connection
        if self.is_over:
            self._end()

    def _end(self) -> None:
        self.is_over = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(SHUT_RDWR)
