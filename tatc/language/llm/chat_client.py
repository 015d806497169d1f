"""The one client of tatc's for language models: cache, limits, endpoint and log together."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from platformdirs import user_cache_path

from tatc.base.atomic_files import append_text, make_folder, write_atomically
from tatc.base.errors import (
    BadInput,
    BudgetSpent,
    ModelFailure,
    ModelRefusal,
    OutputError,
    os_errors_as,
)
from tatc.base.file_reading import CACHED_ANSWER, FINITE_NUMBERS, read_json
from tatc.base.json_fields import FieldError, as_integer, as_mapping, as_text
from tatc.language.llm.chat_request import ChatAnswer, ChatMessage, ChatRequest, FunctionCall
from tatc.language.llm.openai_endpoint import OpenAIEndpoint, UnreadableAnswer
from tatc.language.llm.settings import CallLimits, ModelSettings

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


# What the calls of a run have cost so far, and whether one more is allowed.


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls, the tokens of their requests and answers, and the seconds waited for these."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


class SpendingLedger:
    """What several processes spend together: a file to which each adds lines."""

    def __init__(self, path: str) -> None:
        """Use this file, which exists already."""
        self._path = Path(path)

    def add(self, spent: Spending) -> None:
        """Add a line, at once and whole, so that processes do not mix theirs.

        Raises:
            OutputError: the file cannot be written.

        """
        line = f"{spent.calls} {spent.tokens} {spent.seconds!r}\n".encode()
        fix = "leave out --workers"
        with os_errors_as(OutputError, "cannot be written", self._path, fix=fix):
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
            try:
                os.write(file, line)
            finally:
                os.close(file)

    def total(self) -> Spending:
        """Return what all lines add up to."""
        rows = [line.split() for line in self._path.read_text(encoding="ascii").splitlines()]
        return Spending(
            sum(int(calls) for calls, _, _ in rows),
            sum(int(tokens) for _, tokens, _ in rows),
            sum(float(seconds) for _, _, seconds in rows),
        )


class CallBudget:
    """Counts calls, tokens and seconds; what an endpoint does not count is estimated."""

    def __init__(self, limits: CallLimits, ledger: str | None = None) -> None:
        """Start with nothing spent.

        With a `ledger`, the path of an empty file, the limits hold for all processes that use it.
        """
        self._limits = limits
        self._ledger = None if ledger is None else SpendingLedger(ledger)
        self._reserved = 0
        self.calls = self.tokens = 0
        self.seconds = 0.0

    def check(self, tokens: int) -> None:
        """Check that one more call, of so many tokens at most, keeps to the limits.

        In a ledger the call is reserved, so that other processes cannot spend its tokens.

        Raises:
            BudgetSpent: it does not.

        """
        if self._ledger is None:
            self._check(Spending(self.calls, self.tokens, self.seconds), tokens)
            return
        self._ledger.add(Spending(1, tokens))
        total = self._ledger.total()
        try:
            self._check(Spending(total.calls - 1, total.tokens - tokens, total.seconds), tokens)
        except BudgetSpent:
            self._ledger.add(Spending(-1, -tokens))
            raise
        self._reserved = tokens

    def _check(self, spent: Spending, tokens: int) -> None:
        limits = self._limits
        if spent.calls >= limits.calls:
            raise BudgetSpent(f"the limit of {limits.calls:,} calls is reached")
        if spent.seconds >= limits.seconds:
            raise BudgetSpent(f"the limit of {limits.seconds:,.0f} s is reached")
        if spent.tokens + tokens > limits.tokens:
            why = f"the limit of {limits.tokens:,} tokens is reached ({spent.tokens:,} are spent)"
            raise BudgetSpent(why, fix="name more with --max-tokens")

    def spend(self, tokens: int, seconds: float) -> None:
        """Note a call, whether it was answered or not."""
        self.calls += 1
        self.tokens += tokens
        self.seconds += seconds
        if self._ledger is not None:
            self._ledger.add(Spending(0, tokens - self._reserved, seconds))
            self._reserved = 0


# Answers of models in a folder, by the hash of request and model.
#
# Each file holds the request beside the answer, so that it can be read and checked.  No file holds
# a key: requests have none.

ANSWER_FORMAT = "tatc model answer"
ANSWER_VERSION = 1
_MAX_TOKENS = 10**9


class AnswerCache:
    """The answers in a folder, which is made when the first one is kept."""

    def __init__(self, folder: str | None) -> None:
        """Use this folder, or by default one in the user's cache folder."""
        self._folder = user_cache_path("tatc") / "model-answers" if folder is None else Path(folder)

    def find(self, request: ChatRequest) -> ChatAnswer | None:
        """Return the answer to an equal request, None if there is none."""
        path = self._path(request)
        if not path.exists():
            return None
        raw: Any = read_json(path, CACHED_ANSWER, FINITE_NUMBERS)
        try:
            return _read_answer(raw, request)
        except FieldError as fault:
            where = f"{path}: {fault.field}" if fault.field else str(path)
            raise BadInput(fault.why, where=where, fix=CACHED_ANSWER.fix) from fault

    def keep(self, request: ChatRequest, answer: ChatAnswer) -> None:
        """Write an answer's file.

        Raises:
            OutputError: it cannot be written.

        """
        path = self._path(request)
        make_folder(path.parent, fix="name another folder with --answers")
        document = {
            "format": ANSWER_FORMAT,
            "version": ANSWER_VERSION,
            "request": request.to_json(),
            "answer": {
                "text": answer.text,
                "request_tokens": answer.request_tokens,
                "answer_tokens": answer.answer_tokens,
            }
            | ({} if answer.call is None else {"call": asdict(answer.call)}),
        }
        text = json.dumps(document, ensure_ascii=False, indent=1)
        write_atomically(f"{text}\n".encode(), path, force=True)

    def _path(self, request: ChatRequest) -> Path:
        name = request.hash
        return self._folder / name[:2] / f"{name}.json"


def _read_answer(value: object, request: ChatRequest) -> ChatAnswer:
    raw = as_mapping(value, "")
    if raw.get("format") != ANSWER_FORMAT or raw.get("version") != ANSWER_VERSION:
        raise FieldError("version", f"should be {ANSWER_FORMAT!r} of version {ANSWER_VERSION}")
    if raw.get("request") != request.to_json():
        raise FieldError("request", "is not the one that the file is named after")
    answer = as_mapping(raw.get("answer"), "answer")
    return ChatAnswer(
        as_text(answer.get("text"), "answer.text"),
        _read_count(answer.get("request_tokens"), "answer.request_tokens"),
        _read_count(answer.get("answer_tokens"), "answer.answer_tokens"),
        None if "call" not in answer else _read_call(as_mapping(answer["call"], "answer.call")),
    )


def _read_call(raw: Mapping[str, Any]) -> FunctionCall:
    id_, name, arguments = (
        as_text(raw.get(field), f"answer.call.{field}") for field in ("id", "name", "arguments")
    )
    return FunctionCall(id_, name, arguments)


def _read_count(value: object, field: str) -> int:
    count = as_integer(value, field)
    if not 0 <= count <= _MAX_TOKENS:
        raise FieldError(field, f"is impossible: {count}")
    return count
