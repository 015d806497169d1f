"""Which requests an endpoint takes: learned from what it refuses, for as long as it is asked.

Servers differ in a few parameters that no answer depends on alone.  What a refusal names is sent
again under its other name, in a simpler form, or not at all.
"""

import re
from typing import Any

from tatc.language.llm.chat_request import ChatRequest

LEARNING_STATUSES = frozenset((400, 404, 422, 500, 501))
"""The statuses of refusals that name what is not taken; servers differ in them too."""

_TOOLS = "tools"
_MENTIONS = {
    "max_tokens": re.compile(r"max_(?:completion_)?tokens", re.IGNORECASE),
    "temperature": re.compile(r"temperature", re.IGNORECASE),
    "seed": re.compile(r"\bseed\b", re.IGNORECASE),
    "response_format": re.compile(
        r"response_?(?:format|schema)|json.?(?:schema|object)|structured.outputs?|guided|grammar"
        r"|\$ref",
        re.IGNORECASE,
    ),
    "system": re.compile(
        r"system['\"`]?\W{1,2}(?:role|message|prompt|instruction)|roles?\b.{0,60}\bsystem"
        r"|developer instruction|roles must alternate|only user and assistant",
        re.IGNORECASE,
    ),
    _TOOLS: re.compile(r"\b(?:tools?|functions?)\b|tool_|function_", re.IGNORECASE),
}
"""What a refusal may name, and in which words."""

_TOO_LONG = re.compile(
    r"context.{0,3}(?:length|window|size)|maximum context|n_ctx|too many (?:input |prompt )?tokens"
    r"|(?:prompt|input|request|entity) (?:is )?too (?:long|large)|reduce the length|answers 413"
    r"|maximum (?:prompt|input|sequence) length|context shift|maximum number of tokens"
    r"|must (?:be <=|have less than) \d+",
    re.IGNORECASE,
)


def says_too_long(text: str) -> bool:
    """Return whether a refusal says that a request is longer than the model's context."""
    return _TOO_LONG.search(text) is not None


class RequestDialect:
    """How requests are written for one endpoint."""

    def __init__(self) -> None:
        """Begin with the chat completions interface as it is documented."""
        self.takes_no_tools = ""  # the refusal of a request with tools, "" if none was refused
        self._learned: list[str] = []  # the names of what was refused, as often as it was

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """Return the body that is sent for a request."""
        body = request.to_json()
        messages: list[dict[str, Any]] = body["messages"]
        for message in messages:
            if message["role"] == "assistant" and not message["content"]:
                message["content"] = None  # some servers refuse "" beside a call
        refused = self._learned.count("max_tokens")
        limit = body.pop("max_tokens") if refused else None
        if refused == 1:
            body["max_completion_tokens"] = limit
        for name in ("temperature", "seed"):
            if name in self._learned:
                del body[name]
        if request.schema is not None and (refused := self._learned.count("response_format")):
            body["response_format"] = {"type": "json_object"}
            if refused > 1:
                del body["response_format"]
        if "system" in self._learned and messages[0]["role"] == "system":
            rules = messages.pop(0)["content"]
            first = messages[0]
            messages[0] = first | {"content": f"{rules}\n\n{first['content']}"}
        return body

    def learn(self, refusal: str, body: dict[str, Any]) -> bool:
        """Take in the first thing that a refusal names and that can change; return if one did."""
        if says_too_long(refusal):
            return False
        first_role, *rest = [message["role"] for message in body["messages"]]
        sent = {
            *body,
            *(["max_tokens"] if "max_completion_tokens" in body else []),
            *(["system"] if first_role == "system" and rest else []),
        }
        found = [
            (match.start(), name)
            for name, words in _MENTIONS.items()
            if name in sent and (match := words.search(refusal)) is not None
        ]
        if not found:
            return False
        _, name = min(found)
        if name == _TOOLS:
            self.takes_no_tools = refusal
            return False
        self._learned.append(name)
        return True
