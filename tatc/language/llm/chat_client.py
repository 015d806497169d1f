"""The one client of tatc's for language models: cache, limits, endpoint and log together."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from time import perf_counter
from typing import Any

from platformdirs import user_cache_path

from tatc.base import errors, files, json_fields, plain_text
from tatc.language.llm import completion, openai_endpoint, recorded_calls
from tatc.language.llm.chat_request import ChatAnswer, ChatMessage, ChatRequest, FunctionCall

ANSWER_FORMAT = "tatc model answer"
ANSWER_VERSION = 1


class CallEnd(StrEnum):
    """How a call ended."""

    ANSWERED = "answered"
    CACHED = "from the cache"
    FAILED = "failed"
    NOT_SENT = "not sent"


class ChatClient:
    """Asks one model, and nothing twice."""

    def __init__(
        self, settings: openai_endpoint.ModelSettings, budget: "CallBudget | None" = None
    ) -> None:
        """Prepare to ask; without a `budget`, the limits are for this client alone."""
        settings.validate()
        self.settings = settings
        self.budget = budget or CallBudget(settings.limits)
        self._cache = AnswerCache(settings.cache)
        self._refusal: errors.ModelRefusal | None = None

    def ask(self, request: ChatRequest) -> ChatAnswer:
        """Return the answer to a request, from the cache if it has been asked before.

        A ModelRefusal says that the endpoint refuses such requests (none is sent any more), a
        ModelFailure that there is no answer this time, nor in the cache, or that a limit is
        reached, and an OutputError that the cache or the log cannot be written.
        """
        found = self._cache.find(request)
        if found is not None:
            self._note(request, CallEnd.CACHED, found)
            return found
        answer = self._ask_endpoint(request)
        self._cache.keep(request, answer)
        return answer

    def check_endpoint(
        self, tools: Sequence[Mapping[str, Any]] = (), *, needs_tools: bool = False
    ) -> None:
        """Ask a short question, unless offline, before many sessions rely on the endpoint.

        It has the tools that sessions have; what is learned of the endpoint stays with the client.
        It counts to no limit.  An endpoint that takes no tools is refused if they are needed.
        """
        if self.settings.offline:
            return
        words, settings = (ChatMessage("user", "Say yes."),), self.settings
        request = ChatRequest(
            settings.model, words, None, settings.seed, 16, tuple(tools), settings.temperature
        )
        endpoint = self._endpoint
        with suppress(openai_endpoint.UnreadableAnswer):
            try:
                endpoint.send(request)
            except errors.RejectedRequest as fault:
                if needs_tools:
                    fix = "leave out --tool-calls native, so that the model writes JSON"
                    raise errors.ModelRefusal(fault.what, where=fault.where, fix=fix) from fault
                if not tools:
                    raise
                endpoint.send(replace(request, tools=()))
        self._refusal = None  # it answers now

    def _ask_endpoint(self, request: ChatRequest) -> ChatAnswer:
        """Return the endpoint's answer; whatever comes of it is logged, and counted as spent."""
        try:
            endpoint, tries = self._ready_endpoint(request)
        except (errors.ModelFailure, errors.ModelRefusal) as fault:
            self._note(request, CallEnd.NOT_SENT, why=fault.one_line)
            raise
        start, spent = perf_counter(), request.most_tokens
        try:
            answer, tries = endpoint.send(request, tries)
        except (errors.ModelFailure, errors.ModelRefusal) as fault:
            seconds = perf_counter() - start
            self.budget.spend(endpoint.lost * spent, seconds)
            if isinstance(fault, errors.ModelRefusal):
                self._refusal = fault
            lost = ChatAnswer("", endpoint.lost * spent, 0)
            self._note(request, CallEnd.FAILED, lost, seconds, why=fault.one_line)
            raise
        seconds = perf_counter() - start
        counted = answer.request_tokens + answer.answer_tokens
        self.budget.spend(counted + endpoint.lost * spent, seconds)
        self._note(request, CallEnd.ANSWERED, answer, seconds, tries)
        return answer

    def _ready_endpoint(self, request: ChatRequest) -> tuple[openai_endpoint.OpenAIEndpoint, int]:
        """Return the endpoint, and how often the request may be sent."""
        if self.settings.offline:
            raise errors.ModelFailure("the answer is not in the cache", fix="leave out --offline")
        if self._refusal is not None:
            raise self._refusal
        tries = self.budget.check(request.most_tokens)
        return self._endpoint, min(tries, 1 + openai_endpoint.MAX_RETRIES)

    @cached_property
    def _endpoint(self) -> openai_endpoint.OpenAIEndpoint:
        return openai_endpoint.OpenAIEndpoint(self.settings)

    def _note(
        self,
        request: ChatRequest,
        end: CallEnd,
        answer: ChatAnswer | None = None,
        seconds: float = 0.0,
        tries: int = 0,
        why: str = "",
    ) -> None:
        """Add a call to the log, without key and words: the cache has these under the same hash."""
        if self.settings.log is None:
            return
        entry = {
            "request": request.hash,
            "model": request.model,
            "end": end,
            "request_tokens": 0 if answer is None else answer.request_tokens,
            "answer_tokens": 0 if answer is None else answer.answer_tokens,
            "tries": tries,
            "seconds": round(seconds, 3),
            "why": why,
        }
        line = json.dumps(entry, ensure_ascii=False)
        fix = "name another file with --call-log"
        files.append_text(f"{line}\n", Path(self.settings.log), fix=fix)


@lru_cache(maxsize=8)
def chat_client(settings: openai_endpoint.ModelSettings) -> ChatClient:
    """Return this process's client for these settings; models of a run share its limits."""
    run = replace(settings, model="", base_url="", key_variable="", agent_urls=())
    return ChatClient(settings, _budget_of_run(run))


@lru_cache(maxsize=8)
def _budget_of_run(settings: openai_endpoint.ModelSettings) -> "CallBudget":
    return CallBudget(settings.limits)


class CallBudget:
    """Counts calls, tokens and seconds."""

    def __init__(self, limits: openai_endpoint.CallLimits) -> None:
        """Start with nothing spent."""
        self._limits = limits
        self.calls = self.tokens = 0
        self.seconds = 0.0

    def check(self, tokens: int) -> int:
        """Return how often a call of `tokens` at most can be made within the limits of tokens.

        Raise a BudgetSpent unless one more keeps to all limits.
        """
        limits = self._limits
        if self.calls >= limits.calls:
            most = plain_text.counted(limits.calls, "call")
            raise errors.BudgetSpent(f"the limit of {most} is reached")
        if self.seconds >= limits.seconds:
            why = f"the limit of {limits.seconds:,.0f} s is reached"
            raise errors.BudgetSpent(why, fix="name more with --max-seconds")
        if self.tokens + tokens > limits.tokens:
            why = f"the limit of {limits.tokens:,} tokens is reached ({self.tokens:,} are spent)"
            raise errors.BudgetSpent(why, fix="name more with --max-tokens")
        return (limits.tokens - self.tokens) // max(1, tokens)

    def spend(self, tokens: int, seconds: float) -> None:
        """Note a call, whether it was answered or not."""
        self.calls += 1
        self.tokens += tokens
        self.seconds += seconds


class AnswerCache:
    """Answers beside their requests, which hold no key, in files by the hash of the request."""

    def __init__(self, folder: str | None) -> None:
        """Use this folder, or by default one in the user's cache folder."""
        self._folder = user_cache_path("tatc") / "model-answers" if folder is None else Path(folder)

    def find(self, request: ChatRequest) -> ChatAnswer | None:
        """Return the answer to an equal request, None if there is none."""
        path = self._path(request)
        if not exists(path):
            return None
        raw: Any = files.read_json(path, files.CACHED_ANSWER, files.FINITE_NUMBERS)
        with json_fields.errors_in(path, errors.BadInput, files.CACHED_ANSWER.fix):
            return _read_answer(raw, request)

    def keep(self, request: ChatRequest, answer: ChatAnswer) -> None:
        """Write an answer's file."""
        path = self._path(request)
        files.make_folder(path.parent, fix="name another folder with --answers")
        counts = {name: getattr(answer, name) for name in ("request_tokens", "answer_tokens")}
        calls = {"calls": [asdict(each) for each in answer.calls]} if answer.calls else {}
        cut = {"is_cut": True} if answer.is_cut else {}
        document = {
            "format": ANSWER_FORMAT,
            "version": ANSWER_VERSION,
            "request": request.to_json(),
            "answer": {"text": answer.text, **counts, **calls, **cut},
        }
        text = json.dumps(document, ensure_ascii=False, indent=1)
        files.write_atomically(f"{text}\n".encode(), path, force=True)

    def _path(self, request: ChatRequest) -> Path:
        name = request.hash
        return self._folder / name[:2] / f"{name}.json"


def _read_answer(value: object, request: ChatRequest) -> ChatAnswer:
    raw = json_fields.as_mapping(value, "")
    if raw.get("format") != ANSWER_FORMAT or raw.get("version") != ANSWER_VERSION:
        why = f"should be {ANSWER_FORMAT!r} of version {ANSWER_VERSION}"
        raise json_fields.FieldError("version", why)
    if raw.get("request") != request.to_json():
        raise json_fields.FieldError("request", "is not the one that the file is named after")
    answer = json_fields.as_mapping(raw.get("answer"), "answer")
    text = json_fields.as_text(answer.get("text"), "answer.text")
    asked, said = (
        json_fields.as_count(answer.get(field), f"answer.{field}", recorded_calls.MAX_TOKENS)
        for field in ("request_tokens", "answer_tokens")
    )
    listed = json_fields.as_list(answer.get("calls", []), "answer.calls", completion.MAX_CALLS)
    calls = tuple(json_fields.read_each(listed, _read_call, "answer.calls"))
    return ChatAnswer(text, asked, said, calls, is_cut=json_fields.get_flag(answer, "is_cut"))


def _read_call(value: object) -> FunctionCall:
    named = json_fields.as_mapping(value, "")
    parts = ("id", "name", "arguments")
    return FunctionCall(*(json_fields.as_text(named.get(part), part) for part in parts))
