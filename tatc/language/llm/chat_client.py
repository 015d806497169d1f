"""The one client of tatc's for language models: cache, limits, endpoint and log together."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from tatc.base.atomic_files import append_text
from tatc.base.errors import ModelFailure, ModelRefusal
from tatc.language.llm.answer_cache import AnswerCache
from tatc.language.llm.call_budget import CallBudget
from tatc.language.llm.chat_request import ChatAnswer, ChatMessage, ChatRequest
from tatc.language.llm.openai_endpoint import OpenAIEndpoint, UnreadableAnswer
from tatc.language.llm.settings import ModelSettings

# The log of calls: a line of JSON for each, in a file that several processes may share.
#
# A line has neither the words of the request nor those of the answer, which are in the cache under
# the same hash, and no key.


class CallEnd(StrEnum):
    """How a call ended."""

    ANSWERED = "answered"
    CACHED = "from the cache"
    FAILED = "failed"
    NOT_SENT = "not sent"


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One call: what was asked for by its hash, how it ended, and what it cost.

    `tries` counts the times that an answered request was sent, `seconds` the time that passed.
    `why` says what went wrong, "" if nothing did.
    """

    request: str
    model: str
    end: CallEnd
    request_tokens: int
    answer_tokens: int
    tries: int
    seconds: float
    why: str = ""


class CallLog:
    """Appends entries to a file, or keeps none."""

    def __init__(self, path: str | None) -> None:
        """Log to a file; None logs nothing."""
        self._path = None if path is None else Path(path)

    def add(self, entry: CallEntry) -> None:
        """Add a line.

        Raises:
            OutputError: it cannot be written.

        """
        if self._path is None:
            return
        line = json.dumps(asdict(entry), ensure_ascii=False)
        append_text(f"{line}\n", self._path, fix="name another file with --call-log")


class ChatClient:
    """Asks one model, and asks nothing twice.

    `warn` is called by those who do without the model, with the reason in one line.
    """

    def __init__(self, settings: ModelSettings) -> None:
        """Prepare to ask; the endpoint is needed for the first request that is not cached."""
        settings.validate()
        self.settings = settings
        self.warn: Callable[[str], None] = lambda why: None
        self.budget = CallBudget(settings.limits, settings.ledger)
        self._cache = AnswerCache(settings.cache)
        self._log = CallLog(settings.log)
        self._endpoint: OpenAIEndpoint | None = None
        self._refusal: ModelRefusal | None = None

    def ask(self, request: ChatRequest) -> ChatAnswer:
        """Return the answer to a request, from the cache if it has been asked before.

        Raises:
            ModelRefusal: the endpoint refuses such requests; none is sent any more.
            ModelFailure: there is no answer this time, none in the cache of an offline client, or
                a limit is reached.
            OutputError: the cache or the log cannot be written.

        """
        found = self._cache.find(request)
        if found is not None:
            self._note(request, CallEnd.CACHED, found)
            return found
        answer = self._ask_endpoint(request)
        self._cache.keep(request, answer)
        return answer

    def check_endpoint(self) -> None:
        """Ask a short question, whose answer does not matter, before many sessions rely on it.

        An offline client asks nothing.

        Raises:
            ModelRefusal: the endpoint has no such model, or refuses the key.
            ModelFailure: the endpoint does not answer.

        """
        if not self.settings.offline:
            words = (ChatMessage("user", "Say yes."),)
            request = ChatRequest(self.settings.model, words, None, self.settings.seed, 16)
            with suppress(UnreadableAnswer):
                self._ask_endpoint(request)

    def _ask_endpoint(self, request: ChatRequest) -> ChatAnswer:
        """Return the endpoint's answer; whatever comes of it is logged."""
        try:
            endpoint = self._ready_endpoint(request)
        except (ModelFailure, ModelRefusal) as fault:
            self._note(request, CallEnd.NOT_SENT, why=fault.one_line)
            raise
        start = perf_counter()
        try:
            sent = endpoint.send(request)
        except (ModelFailure, ModelRefusal) as fault:
            seconds = perf_counter() - start
            spent = ChatAnswer("", request.estimated_tokens(), 0)
            self.budget.spend(spent.request_tokens, seconds)
            if isinstance(fault, ModelRefusal):
                self._refusal = fault
            self._note(request, CallEnd.FAILED, spent, seconds, why=fault.one_line)
            raise
        seconds, answer = perf_counter() - start, sent.answer
        self.budget.spend(answer.request_tokens + answer.answer_tokens, seconds)
        self._note(request, CallEnd.ANSWERED, answer, seconds, sent.tries)
        return answer

    def _ready_endpoint(self, request: ChatRequest) -> OpenAIEndpoint:
        """Return the endpoint, if the request may be sent."""
        if self.settings.offline:
            raise ModelFailure("the answer is not in the cache", fix="leave out --offline")
        if self._refusal is not None:
            raise self._refusal
        self.budget.check(request.estimated_tokens() + request.max_answer_tokens)
        if self._endpoint is None:
            self._endpoint = OpenAIEndpoint(self.settings)
        return self._endpoint

    def _note(
        self,
        request: ChatRequest,
        end: CallEnd,
        answer: ChatAnswer | None = None,
        seconds: float = 0.0,
        tries: int = 0,
        why: str = "",
    ) -> None:
        """Add a call to the log."""
        self._log.add(
            CallEntry(
                request=request.hash,
                model=request.model,
                end=end,
                request_tokens=0 if answer is None else answer.request_tokens,
                answer_tokens=0 if answer is None else answer.answer_tokens,
                tries=tries,
                seconds=round(seconds, 3),
                why=why,
            )
        )


@lru_cache(maxsize=8)
def chat_client(settings: ModelSettings) -> ChatClient:
    """Return this process's client for these settings, so that its limits hold for all calls."""
    return ChatClient(settings)
