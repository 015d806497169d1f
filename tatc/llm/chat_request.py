"""A request to a chat model and its answer, as values; requests have a hash."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tatc.llm.token_estimate import estimate_tokens

_TOKENS_PER_MESSAGE = 8


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What one side says; `role` is "system", "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """The JSON Schema that an answer must follow, and the name that the endpoint gets for it."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request: the same values have the same hash, in every process.

    `max_answer_tokens` bounds the answer.  The temperature is 0.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    schema: AnswerSchema | None = None
    seed: int = 1
    max_answer_tokens: int = 1_000

    def to_json(self) -> dict[str, Any]:
        """Return the body of the request, as the chat completions interface has it."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": each.role, "content": each.text} for each in self.messages],
            "temperature": 0,
            "seed": self.seed,
            "max_tokens": self.max_answer_tokens,
        }
        if self.schema is not None:
            named = {"name": self.schema.name, "strict": True, "schema": self.schema.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    @property
    def hash(self) -> str:
        """The SHA-256 of the request's JSON, in hexadecimal."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def estimated_tokens(self) -> int:
        """Return about how many tokens the request has (`estimate_tokens`), with its schema."""
        texts = [each.text for each in self.messages]
        if self.schema is not None:
            texts.append(json.dumps(self.schema.schema))
        count = sum(estimate_tokens(each) for each in texts)
        return count + _TOKENS_PER_MESSAGE * len(self.messages)


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a model said, and the tokens that the endpoint counted.

    Where the endpoint counted none, these are estimates.
    """

    text: str
    request_tokens: int
    answer_tokens: int
