"""Where the answers of a model come from: the model itself, or the record of a session.

`RecordedAnswers` plays a session again: **stubbed**, all answers from the record; **pinned**, the
first ones from the record and the rest from the model.  Without it, a session is **live**.
"""

from dataclasses import dataclass, replace

from tatc.base.errors import BadInput, BudgetSpent, ModelFailure, ModelRefusal, RejectedRequest
from tatc.home.actions import Role
from tatc.language.llm import ChatClient
from tatc.language.llm.chat_request import ChatAnswer, ChatRequest
from tatc.language.llm.model_call import ModelCallEnd, RecordedModelCall

_FIX = "name a model with --model and --base-url, and the call from which it answers with --pin"


@dataclass(frozen=True, slots=True)
class RecordedAnswers:
    """The calls of a recorded session, and how far they are used.

    The first `pin` calls are taken from the record, those of both agents counted; None takes all.
    Then the model is asked, if there is one.  A request that differs from the recorded one is an
    error, unless `goes_on` lets the model answer from there on.
    """

    calls: tuple[RecordedModelCall, ...]
    pin: int | None = None
    goes_on: bool = False

    def of(self, role: Role) -> tuple[RecordedModelCall, ...]:
        """Return the calls of an agent that are used."""
        return tuple(call for call in self.calls[: self.pin] if call.role is role)


class AnswerSource:
    """Answers the requests of one agent: from its recorded calls first, then by the model."""

    def __init__(
        self,
        role: Role,
        client: ChatClient | None,
        recorded: RecordedAnswers | None,
        recorded_name: str,
    ) -> None:
        """Start with the first recorded call; without a client, only these are answered.

        A record calls the model by its `recorded_name`, in the hash of requests too.
        """
        self._role, self._client, self._name = role, client, recorded_name
        self._recorded = () if recorded is None else recorded.of(role)
        self._goes_on = recorded is not None and recorded.goes_on
        self._next = 0

    @property
    def edited_message(self) -> str:
        """What the next recorded call was told by hand, "" for nothing."""
        is_left = self._next < len(self._recorded)
        return self._recorded[self._next].message if is_left else ""

    def ask(self, request: ChatRequest) -> RecordedModelCall:
        """Return a request's call; whatever goes wrong with the model is noted in it.

        Raises:
            OutputError: the cache or the log of calls cannot be written.

        """
        found = self._find(request)
        if found is not None:
            self._next += 1
            return found
        if self._client is None:
            why = f"the record has no call {self._next + 1} of the {self._role.name.title()}"
            raise BadInput(why, fix=_FIX)
        return self._ask_model(self._client, request)

    def _find(self, request: ChatRequest) -> RecordedModelCall | None:
        """Return the recorded call of a request, None where the model is to be asked."""
        if self._next >= len(self._recorded):
            return None
        found = self._recorded[self._next]
        if found.request == self._hash(request):
            return found
        if self._goes_on and self._client is not None:
            self._recorded = self._recorded[: self._next]
            return None
        number = f"call {self._next + 1} of the {self._role.name.title()}"
        raise BadInput(f"{number} asks for something else than in the record", fix=_FIX)

    def refuse(self, request: ChatRequest, why: str) -> RecordedModelCall:
        """Return the call of a request that is not sent because a limit is reached."""
        return replace(self._unanswered(request), end=ModelCallEnd.BUDGET, why=why)

    def _unanswered(self, request: ChatRequest) -> RecordedModelCall:
        return RecordedModelCall(
            role=self._role, model=self._name, request=self._hash(request), end=ModelCallEnd.FAILED
        )

    def _hash(self, request: ChatRequest) -> str:
        return replace(request, model=self._name).hash

    def _ask_model(self, client: ChatClient, request: ChatRequest) -> RecordedModelCall:
        call = self._unanswered(request)
        try:
            return _answered(call, client.ask(request))
        except BudgetSpent as fault:
            return replace(call, end=ModelCallEnd.BUDGET, why=fault.what)
        except RejectedRequest as fault:
            return replace(call, end=ModelCallEnd.REJECTED, why=fault.what)
        except (ModelFailure, ModelRefusal) as fault:
            return replace(call, why=fault.what)


def _answered(call: RecordedModelCall, answer: ChatAnswer) -> RecordedModelCall:
    function = answer.call
    return replace(
        call,
        end=ModelCallEnd.ANSWERED,
        text=answer.text,
        tool="" if function is None else function.name,
        arguments="" if function is None else function.arguments,
        request_tokens=answer.request_tokens,
        answer_tokens=answer.answer_tokens,
    )
