"""A language model as a chooser of tool calls: asks, reads the answer, keeps the conversation."""

from dataclasses import replace

from tatc.home.actions import Role
from tatc.language.llm.chat_request import ChatRequest, FunctionCall
from tatc.language.llm.model_call import ModelCallEnd, RecordedModelCall
from tatc.session.records import SessionEnd
from tatc.session.text_world.models.answer_parsing import tool_call_in
from tatc.session.text_world.models.answer_sources import AnswerSource
from tatc.session.text_world.models.context import Turn, shown_messages
from tatc.session.text_world.models.model_play import ModelPlay, ToolCalling
from tatc.session.text_world.models.prompt import as_data, no_call, system_prompt
from tatc.session.text_world.text_agents import MAX_ANSWERS_WITHOUT_CALL
from tatc.session.text_world.tools import ToolSpec

_STOP = ("stop", dict[str, object]())
_END_BY_CALL_END = {
    ModelCallEnd.REJECTED: SessionEnd.MODEL_FAILED,
    ModelCallEnd.FAILED: SessionEnd.MODEL_FAILED,
    ModelCallEnd.BUDGET: SessionEnd.BUDGET_SPENT,
}


class ModelChooser:
    """Has a model choose the tool calls of one agent in one session.

    `calls` are those made so far.  When the model fails or the session's budget is spent, the
    chooser chooses to stop, and `end` says why.
    """

    def __init__(self, role: Role, model: str, play: ModelPlay, source: AnswerSource) -> None:
        """Prepare to ask `source` for the answers of a model."""
        self._role, self._model, self._play, self._source = role, model, play, source
        self.calls: list[RecordedModelCall] = []
        self.end: SessionEnd | None = None
        self._turns: list[Turn] = []
        self._writes_json = play.tool_calling is ToolCalling.JSON
        self._silent = 0
        self._edited = ""

    def begin(self) -> None:
        """Begin a session; a chooser plays one."""

    def edit_next_message(self, text: str) -> None:
        """Have the model read this in place of what it would read next."""
        self._edited = text

    def choose(self, text: str, tools: tuple[ToolSpec, ...]) -> tuple[object, object]:
        """Return the model's next tool call."""
        self._hear(as_data(text))
        while self.end is None:
            answer = self._ask(tools)
            if answer.end is ModelCallEnd.REJECTED and self._can_fall_back:
                self._fall_back_on_json()
                continue
            self.end = _END_BY_CALL_END.get(answer.end)
            if self.end is None:
                call = tool_call_in(answer)
                self._note_answer(answer, call is not None)
                if call is not None:
                    return call
        return _STOP

    @property
    def _can_fall_back(self) -> bool:
        return self._play.tool_calling is ToolCalling.AUTO and not self._writes_json

    def _hear(self, text: str) -> None:
        """Add what the model reads next: the result of its last call, if it made one."""
        edited = self._edited or self._source.edited_message
        self._edited = edited
        last = self._turns[-1] if self._turns else None
        answers = "" if last is None or last.call is None else last.call.id
        self._turns.append(Turn(edited or text, answers))

    def _ask(self, tools: tuple[ToolSpec, ...]) -> RecordedModelCall:
        """Return the answer of the model, or why there is none; it is among `calls` then."""
        request = self.request(tools)
        answer = self._over_budget(request) or self._source.ask(request)
        self.calls.append(replace(answer, message=self._edited))
        self._edited = ""
        return answer

    def request(self, tools: tuple[ToolSpec, ...]) -> ChatRequest:
        """Return the request that asks for the next call."""
        system = system_prompt(self._role, tools, as_json=self._writes_json)
        return ChatRequest(
            self._model,
            shown_messages(system, self._turns, self._play.context_tokens),
            seed=self._play.seed,
            max_answer_tokens=self._play.answer_tokens,
            tools=() if self._writes_json else tuple(each.schema() for each in tools),
        )

    def _over_budget(self, request: ChatRequest) -> RecordedModelCall | None:
        """Return the call that is not made, if the session's budget does not allow it.

        Answers from a cache or a record count as those of the model do, so that the session ends
        at the same call whoever answers.
        """
        play, spent = self._play, sum(call.tokens for call in self.calls)
        if len(self.calls) >= play.calls:
            return self._source.refuse(request, f"the limit of {play.calls:,} calls is reached")
        if spent + request.estimated_tokens() + request.max_answer_tokens > play.tokens:
            return self._source.refuse(request, f"the limit of {play.tokens:,} tokens is reached")
        return None

    def _note_answer(self, answer: RecordedModelCall, has_call: bool) -> None:
        """Add an answer to the conversation; too many without a call are the model's failure."""
        function = None
        if answer.tool:
            number = f"call{len(self.calls):05}"  # nine letters and digits, as all servers take
            function = FunctionCall(number, answer.tool, answer.arguments)
        self._turns[-1] = replace(self._turns[-1], text=answer.text, call=function)
        self._silent = 0 if has_call else self._silent + 1
        if self._silent >= MAX_ANSWERS_WITHOUT_CALL:
            self.end = SessionEnd.MODEL_FAILED
        elif not has_call:
            self._turns.append(Turn(no_call()))

    def _fall_back_on_json(self) -> None:
        """Let the model write JSON from now on; what was said so far is told as texts."""
        self._writes_json = True
        self._turns = [replace(turn, answers="", call=None) for turn in self._turns]
