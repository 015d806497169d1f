"""What was asked of a language model that played an agent, and what it answered.

A call holds all that decides how the session goes on, so that a session can be played again without
the model.  It has no time, address or key, and the request by its hash alone.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tatc.base import files, json_fields
from tatc.home.actions import Role

_MAX_TOKENS = 10**9


class ModelCallEnd(StrEnum):
    """How a call ended.

    `REJECTED`: the endpoint does not take such a request; `FAILED`: there was no answer;
    `BUDGET`: a limit of the session was reached, and `NOT_SENT`: one of the run, and nothing was
    sent.
    """

    ANSWERED = "answered"
    REJECTED = "rejected"
    FAILED = "failed"
    BUDGET = "budget"
    NOT_SENT = "not sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedModelCall:
    """One request to a model, and what came of it.

    `step` is the number of interactions that were logged before it.  `request` is the request's
    SHA-256.  `text` is what the model wrote; `tool` and `arguments` are its tool call, "" for none.
    `why` says what went wrong, and that an answer was cut off.  `message` is what the model was
    told by hand in place of what it would have read, "" if nothing was edited.
    """

    role: Role
    model: str
    request: str
    end: ModelCallEnd
    text: str = ""
    tool: str = ""
    arguments: str = ""
    request_tokens: int = 0
    answer_tokens: int = 0
    why: str = ""
    message: str = ""
    step: int = 0

    @property
    def tokens(self) -> int:
        """The tokens of request and answer."""
        return self.request_tokens + self.answer_tokens

    @property
    def was_sent(self) -> bool:
        """Whether the request was sent, or its answer taken from those kept."""
        return self.end not in (ModelCallEnd.BUDGET, ModelCallEnd.NOT_SENT)

    @property
    def is_unanswered(self) -> bool:
        """Whether endpoint, network or the run's limits left the model without a say."""
        return self.end not in (ModelCallEnd.ANSWERED, ModelCallEnd.BUDGET)


def model_call_json(call: RecordedModelCall) -> dict[str, Any]:
    """Return a call as JSON of a record, without what is empty."""
    entry = asdict(call) | {"role": call.role.name.lower(), "end": call.end.value}
    return {key: value for key, value in entry.items() if value != ""}


def read_model_calls(value: object, field: str) -> tuple[RecordedModelCall, ...]:
    """Return the calls of a record."""
    listed = json_fields.as_list(value, field, files.MAX_INTERACTIONS)
    return tuple(json_fields.read_each(listed, _read_model_call, field))


def _read_model_call(entry: object) -> RecordedModelCall:
    raw = json_fields.as_mapping(entry, "")
    return RecordedModelCall(
        role=Role[_read_name(raw, "role", [role.name.lower() for role in Role]).upper()],
        model=json_fields.get_text(raw, "model"),
        request=json_fields.get_text(raw, "request"),
        end=ModelCallEnd(_read_name(raw, "end", list(ModelCallEnd))),
        text=json_fields.as_text(raw.get("text", ""), "text"),
        tool=json_fields.as_text(raw.get("tool", ""), "tool"),
        arguments=json_fields.as_text(raw.get("arguments", ""), "arguments"),
        request_tokens=_read_count(raw, "request_tokens", _MAX_TOKENS),
        answer_tokens=_read_count(raw, "answer_tokens", _MAX_TOKENS),
        why=json_fields.as_text(raw.get("why", ""), "why"),
        message=json_fields.as_text(raw.get("message", ""), "message"),
        step=_read_count(raw, "step", files.MAX_INTERACTIONS),
    )


def _read_name(raw: Mapping[str, Any], field: str, known: list[str]) -> str:
    name = json_fields.get_text(raw, field)
    if name not in known:
        why = f"should be one of {', '.join(known)}, is {json_fields.short_repr(name)}"
        raise json_fields.FieldError(field, why)
    return name


def _read_count(raw: Mapping[str, Any], field: str, most: int) -> int:
    count = json_fields.as_integer(raw.get(field, 0), field)
    if not 0 <= count <= most:
        raise json_fields.FieldError(field, f"is impossible: {json_fields.short_repr(count)}")
    return count
