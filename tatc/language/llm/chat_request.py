"""A request to a chat model and its answer, as values; and how many tokens a text has."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

_TOKENS_PER_MESSAGE, _TOKENS_PER_CALL = 8, 16
_PIECES = re.compile(r"[A-Z]+|[A-Z]?[a-z]+| ?[0-9]+|\s+|[^\sA-Za-z0-9]")
_LETTERS_PER_TOKEN, _CAPITALS_PER_TOKEN = 4, 2
_UNLIKE_WORDS = re.compile(r"(?i)[jqxz]|(?<=[^aeiouy]{2})[^aeiouy]")
"""Letters that tokenizers of words take by themselves: rare ones, and the third of consonants."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A tool call as a model wrote it: `arguments` should be JSON, and may be anything."""

    id: str
    name: str
    arguments: str

    def to_json(self) -> dict[str, Any]:
        """Return the call as the chat completions interface has it."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.id, "type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What one side ("system", "user", "assistant" or "tool") says.

    `calls` is what an assistant calls; `answers` is the id of the call that a tool answers.
    """

    role: str
    text: str
    calls: tuple[FunctionCall, ...] = ()
    answers: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the message as the chat completions interface has it."""
        message: dict[str, Any] = {"role": self.role, "content": self.text}
        if self.calls:
            message["tool_calls"] = [each.to_json() for each in self.calls]
        if self.answers:
            message["tool_call_id"] = self.answers
        return message

    def estimated_tokens(self) -> int:
        """Return about how many tokens the message has."""
        called = (text for call in self.calls for text in (call.name, call.arguments))
        calls = _TOKENS_PER_CALL * len(self.calls)
        return _TOKENS_PER_MESSAGE + calls + sum(map(estimate_tokens, (self.text, *called)))


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """The JSON Schema that an answer must follow, and the name that the endpoint gets for it."""

    name: str
    schema: Mapping[str, Any]


ANY_OBJECT = AnswerSchema("", {})
"""Any JSON object, which an endpoint is asked for without a schema."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request: the same values have the same hash, in every process.

    `tools` have a name, a description and the JSON schema of their parameters each.  An endpoint
    may be sent the same in other words (`RequestDialect`).
    """

    model: str
    messages: tuple[ChatMessage, ...]
    schema: AnswerSchema | None = None
    seed: int = 1
    max_answer_tokens: int = 1_000
    tools: tuple[Mapping[str, Any], ...] = ()
    temperature: float = 0

    def to_json(self) -> dict[str, Any]:
        """Return the body of the request, as the chat completions interface has it."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [each.to_json() for each in self.messages],
            "temperature": self.temperature or 0,  # 0.0 would be another request
            "seed": self.seed,
            "max_tokens": self.max_answer_tokens,
        }
        if self.schema is not None and not self.schema.schema:
            body["response_format"] = {"type": "json_object"}
        elif self.schema is not None:
            named = {"name": self.schema.name, "strict": True, "schema": self.schema.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if self.tools:
            body["tools"] = [{"type": "function", "function": each} for each in self.tools]
        return body

    @property
    def hash(self) -> str:
        """The SHA-256 of the request's JSON, in hexadecimal."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def estimated_tokens(self) -> int:
        """Return about how many tokens the request has, with its schema and tools."""
        attached = [] if self.schema is None else [self.schema.schema]
        count = sum(estimate_tokens(json.dumps(each)) for each in (*attached, *self.tools))
        return count + sum(each.estimated_tokens() for each in self.messages)

    @property
    def most_tokens(self) -> int:
        """About the most tokens that an endpoint may count for the request and its answer."""
        return self.estimated_tokens() + self.max_answer_tokens


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a model said, thought included, and called; `is_cut` says that it reached its limit."""

    text: str
    request_tokens: int
    answer_tokens: int
    calls: tuple[FunctionCall, ...] = ()
    is_cut: bool = False


@lru_cache(maxsize=1024)  # a conversation is counted anew with each of its messages
def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few."""
    return sum(map(_tokens_of_piece, _PIECES.findall(text)))


def _tokens_of_piece(piece: str) -> int:
    if piece.isspace():
        return 0 if piece == " " else 1 + len(piece) // _LETTERS_PER_TOKEN
    if not piece.isascii():
        return len(piece.encode("utf-8", "replace"))  # small tokenizers know bytes alone
    if piece.strip().isdigit():
        return len(piece)  # most tokenizers take each by itself, and the space before
    if not piece.isalpha():
        return 1
    at_once = _CAPITALS_PER_TOKEN if piece.isupper() else _LETTERS_PER_TOKEN
    return min(len(piece), -(-len(piece) // at_once) + len(_UNLIKE_WORDS.findall(piece)))
