"""What was asked of a language model that played an agent, and what it answered.

A call holds all that decides how the session goes on, so that a session can be played again without
the model.  It has no time, address or key, and the request by its hash alone.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tatc.base import files, json_fields
from tatc.home.actions import Role

MAX_TOKENS = 10**9
_TEXTS = ("text", "tool", "arguments", "why", "message", "probe")
_TOKENS = ("request_tokens", "answer_tokens")


class ModelCallEnd(StrEnum):
    """How a call ended.

    `REJECTED`: the endpoint does not take such a request; `FAILED`: there was no answer; `BUDGET`:
    a limit of the session was reached, and `NOT_SENT`: one of the run, and nothing was sent.
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
    SHA-256.  `text` is what the model wrote; `tool` and `arguments` are its tool call, "" for none,
    and `more` has the tools and arguments of those that it made in the same answer.
    `why` says what went wrong, and that an answer was cut off.  `message` is what the model was
    told by hand in place of what it would have read, "" if nothing was edited.  `probe` names what
    it was asked beside the session, "" for a turn.
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
    more: tuple[tuple[str, str], ...] = ()
    probe: str = ""

    @property
    def tool_calls(self) -> tuple[tuple[str, str], ...]:
        """The tools that were called, with their arguments."""
        return ((self.tool, self.arguments), *self.more) if self.tool else ()

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
    return {key: value for key, value in entry.items() if value not in ("", ())}


def read_model_calls(value: object, field: str) -> tuple[RecordedModelCall, ...]:
    """Return the calls of a record."""
    listed = json_fields.as_list(value, field, files.MAX_INTERACTIONS)
    return tuple(json_fields.read_each(listed, _read_model_call, field))


def _read_model_call(entry: object) -> RecordedModelCall:
    raw = json_fields.as_mapping(entry, "")
    roles = [role.name.lower() for role in Role]
    more = json_fields.as_list(raw.get("more", []), "more", files.MAX_INTERACTIONS)
    counts: dict[str, Any] = {
        name: json_fields.as_count(raw.get(name, 0), name, MAX_TOKENS) for name in _TOKENS
    }
    return RecordedModelCall(
        role=Role[json_fields.get_choice(raw, "role", roles).upper()],
        model=json_fields.get_text(raw, "model"),
        request=json_fields.get_text(raw, "request"),
        end=ModelCallEnd(json_fields.get_choice(raw, "end", list(ModelCallEnd))),
        **{name: json_fields.as_text(raw.get(name, ""), name) for name in _TEXTS},
        **counts,
        step=json_fields.as_count(raw.get("step", 0), "step", files.MAX_INTERACTIONS),
        more=tuple(json_fields.read_each(more, _read_pair, "more")),
    )


def _read_pair(value: object) -> tuple[str, str]:
    pair = [json_fields.as_text(each, "") for each in json_fields.as_list(value, "", 2)]
    if len(pair) < 2:
        raise json_fields.FieldError("", "should be a tool and its arguments")
    return pair[0], pair[1]
