"""The agents that a language model plays: the Follower `llm` and the Commander `llm`.

A model reads the texts of the text world and answers with tool calls.  What it was asked and what
it answered are kept in the session's record, from which the session can be played again.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tatc.base import errors, plain_text
from tatc.home.actions import Role
from tatc.language.llm import ChatClient, answer_text, completion, request_dialect
from tatc.language.llm.chat_request import (
    ANY_OBJECT,
    AnswerSchema,
    ChatMessage,
    ChatRequest,
    FunctionCall,
)
from tatc.language.llm.recorded_calls import ModelCallEnd, RecordedModelCall
from tatc.session.model_play_settings import Constraint, ModelPlay, SpeechKind, ToolCalling
from tatc.session.records import SessionEnd
from tatc.session.session_types import AgentNotes
from tatc.session.text_world import TextCommander, TextFollower, probes, text_agents, wording
from tatc.session.text_world.reading import Reading, list_calls, schema_of_calls
from tatc.session.text_world.tools import ToolSpec

# Where the answers of a model come from: the model itself (**live**), the record of a session
# (**stubbed**), or first the record and then the model (**pinned**).

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
        self, role: Role, client: ChatClient | None, recorded: RecordedAnswers | None, name: str
    ) -> None:
        """Start with the first recorded call; `name` is the model's, as recorded, in hashes too."""
        self._role, self._client, self._name = role, client, name
        self._recorded = () if recorded is None else recorded.of(role)
        self._goes_on = recorded is not None and recorded.goes_on
        self._next = 0

    @property
    def edited_message(self) -> str:
        """What the next recorded call was told by hand, "" for nothing."""
        return next((call.message for call in self._recorded[self._next :]), "")

    def ask(self, request: ChatRequest) -> RecordedModelCall:
        """Return a request's call; whatever goes wrong with the model is noted in it."""
        number = f"call {self._next + 1} of the {self._role.name.title()}"
        if self._next < len(self._recorded):
            found = self._recorded[self._next]
            if found.request == self._hash(request):
                self._next += 1
                return found
            if not self._goes_on or self._client is None:
                why = f"{number} asks for something else than in the record"
                raise errors.BadInput(why, fix=_FIX)
            self._recorded = self._recorded[: self._next]
        if self._client is None:
            raise errors.BadInput(f"the record has no {number}", fix=_FIX)
        return self._ask_model(self._client, request)

    def call_of(self, request: ChatRequest, end: ModelCallEnd, why: str = "") -> RecordedModelCall:
        """Return the call of a request, so far without an answer."""
        return RecordedModelCall(
            role=self._role, model=self._name, request=self._hash(request), end=end, why=why
        )

    def _hash(self, request: ChatRequest) -> str:
        return replace(request, model=self._name).hash

    def _ask_model(self, client: ChatClient, request: ChatRequest) -> RecordedModelCall:
        try:
            answer = client.ask(request)
        except (errors.ModelFailure, errors.ModelRefusal) as fault:
            why = f"{fault.what} ({fault.fix})" if fault.fix else fault.what
            return self.call_of(request, _END_BY_FAULT.get(type(fault), ModelCallEnd.FAILED), why)
        first, *more = answer.calls or (FunctionCall("", "", ""),)
        return replace(
            self.call_of(request, ModelCallEnd.ANSWERED, _CUT if answer.is_cut else ""),
            text=answer.text,
            tool=first.name,
            arguments=first.arguments,
            more=tuple((each.name, each.arguments) for each in more),
            request_tokens=answer.request_tokens,
            answer_tokens=answer.answer_tokens,
        )


_END_BY_FAULT: dict[type[errors.TatcError], ModelCallEnd] = {
    errors.BudgetSpent: ModelCallEnd.NOT_SENT,
    errors.RejectedRequest: ModelCallEnd.REJECTED,
}
_CUT = "the answer was cut off at the limit of its tokens"
_END_BY_CALL_END = {
    ModelCallEnd.REJECTED: SessionEnd.MODEL_FAILED,
    ModelCallEnd.FAILED: SessionEnd.MODEL_FAILED,
    ModelCallEnd.BUDGET: SessionEnd.BUDGET_SPENT,
    ModelCallEnd.NOT_SENT: SessionEnd.BUDGET_SPENT,
}


class ModelChooser:
    """Has a model choose the tool calls of one agent in one session.

    `calls` are those made so far, probes included, and `option` names the model in a record.  The
    tool calls of one answer are chosen one after the other.  A probe leaves no trace in what is
    asked after it.  When the model fails or the session's budget is spent, the chooser chooses to
    stop, and `end` says why.
    """

    def __init__(
        self,
        role: Role,
        model: str,
        client: ChatClient | None,
        play: ModelPlay,
        recorded: RecordedAnswers | None,
    ) -> None:
        """Prepare to ask a model, through its client; recorded answers come first."""
        # The name as a record has it: some servers name models by their files.
        name = plain_text.PathShortener.of(()).shorten(model)
        self._role, self._model, self._play = role, model, play
        self._source = AnswerSource(role, client, recorded, name)
        self.option = (f"{role.name.lower()}_model", name)
        self.calls: list[RecordedModelCall] = []
        self.end: SessionEnd | None = None
        self._played: list[RecordedModelCall] = []  # the calls without probes
        self._prober = probes.Prober(role)
        self._turns: list[Turn] = []
        self._waiting: deque[tuple[object, object]] = deque()
        self._context_tokens = play.context_tokens
        self._writes_json = play.writes_json
        self._silent = 0
        self._edited = ""

    def begin(self) -> None:
        """Begin a session; a chooser plays one."""

    def edit_next_message(self, text: str) -> None:
        """Have the model read this in place of what it would read next."""
        self._edited = text

    def choose(self, reading: Reading, tools: tuple[ToolSpec, ...]) -> tuple[object, object]:
        """Return the model's next tool call."""
        if self._waiting:
            turn = self._turns[-1]
            self._turns[-1] = replace(turn, results=(*turn.results, as_data(reading.changes)))
            return self._waiting.popleft()
        self._edited = self._edited or self._source.edited_message
        self._reading = reading
        told = reading.changes if self._turns else reading.whole
        self._turns.append(Turn(self._edited or self._told(told, tools)))
        self._leave_out_turns(tools)
        for probe in self._prober.due(reading) if self._play.probes else ():
            # No limit of the session counts it.  A replay looks in it for what was edited.
            answer = self._source.ask(probes.with_probe(self.request(reading, tools), probe))
            self.calls.append(replace(answer, message=self._edited, probe=probe))
        parameters = {each.name: [one.name for one in each.parameters] for each in tools}
        while self.end is None:
            answer = self._ask(reading, tools)
            if answer.end is ModelCallEnd.REJECTED and self._can_ask_otherwise(answer, tools):
                continue
            self.end = _END_BY_CALL_END.get(answer.end)
            if self.end is None:
                written = answer_text.call_in_text(answer.text, parameters)
                calls = answer.tool_calls or (() if written is None else (written,))
                if calls:
                    self._note_calls(answer)
                    self._waiting.extend(calls[1:])
                    return calls[0]
                self._nudge(answer)
        return "stop", {}

    def _told(self, text: str, tools: tuple[ToolSpec, ...]) -> str:
        """Return a text as data, with the calls that can be made if they are listed."""
        listed = f"\n{list_calls(self._reading, tools)}" if self._play.list_calls else ""
        return as_data(text + listed)

    def _leave_out_turns(self, tools: tuple[ToolSpec, ...]) -> None:
        """Drop the older turns for good once a request is too long, down to half of the limit.

        Requests then begin alike again, as caches need it.  What the agent must not lose stands
        before what is left, and the newest observation tells the whole.
        """
        limit, (*older, newest) = self._context_tokens, self._turns
        if self._estimated_tokens(tools) <= limit or not older:
            return
        if not self._edited:
            newest = Turn(self._told(self._reading.whole, tools))
        self._turns = [newest]
        for turn in reversed(older):
            self._turns.insert(0, turn)
            if self._estimated_tokens(tools) > limit // 2:
                del self._turns[0]
                break
        first, pinned = self._turns[0], as_data(self._reading.pinned)
        told = _words("left_out").format(pinned=pinned)
        self._turns[0] = replace(first, read=f"{told}\n{first.read}")

    def _estimated_tokens(self, tools: tuple[ToolSpec, ...]) -> int:
        return sum(each.estimated_tokens() for each in self._messages(tools))

    def _messages(self, tools: tuple[ToolSpec, ...]) -> tuple[ChatMessage, ...]:
        system = system_prompt(self._role, tools, as_json=self._writes_json)
        if self._play.thoughts:
            system += "\n" + wording.phrase("thoughts", "json" if self._writes_json else "tools")
        return shown_messages(system, self._turns)

    def _ask(self, reading: Reading, tools: tuple[ToolSpec, ...]) -> RecordedModelCall:
        request = self.request(reading, tools)
        answer = self._over_budget(request) or self._source.ask(request)
        self.calls.append(replace(answer, message=self._edited))
        self._played.append(answer)
        self._edited = ""
        return answer

    def request(self, reading: Reading, tools: tuple[ToolSpec, ...]) -> ChatRequest:
        """Return the request that asks for the next call."""
        schema = None
        if self._play.constraint is Constraint.SCHEMA:
            calls = schema_of_calls(reading, tools, with_thought=self._play.thoughts)
            schema = AnswerSchema("tool_call", calls)
        elif self._play.constraint is Constraint.JSON:
            schema = ANY_OBJECT
        return ChatRequest(
            self._model,
            self._messages(tools),
            schema,
            seed=self._play.seed,
            max_answer_tokens=self._play.answer_tokens,
            temperature=self._play.temperature,
            tools=() if self._writes_json else tuple(each.schema() for each in tools),
        )

    def _over_budget(self, request: ChatRequest) -> RecordedModelCall | None:
        """Return the call that is not made, if the session's budget does not allow it.

        Answers from a cache or a record count too: the session ends alike whoever answers.
        """
        play, spent = self._play, sum(call.tokens for call in self._played)
        if len(self._played) >= play.calls:
            why = f"the limit of {plain_text.counted(play.calls, 'call')} is reached (--max-calls)"
        elif spent + request.most_tokens > play.tokens:
            why = f"the limit of {play.tokens:,} tokens is reached (--session-tokens)"
        else:
            return None
        return self._source.call_of(request, ModelCallEnd.BUDGET, why)

    def _note_calls(self, answer: RecordedModelCall) -> None:
        """Add an answer's calls as any server takes them back: no thought, their names mended."""
        said, calls = (answer_text.without_thought(answer.text)[:_MAX_SAID], list[FunctionCall]())
        for tool, arguments in answer.tool_calls:
            # Nine letters and digits, as all servers take them.
            number = f"call{len(self._played) * completion.MAX_CALLS + len(calls):05}"
            given = answer_text.arguments_in(arguments)
            if not isinstance(answer_text.parsed(arguments, None), Mapping):
                arguments = json.dumps(given) if isinstance(given, Mapping) else "{}"
            calls.append(FunctionCall(number, _NO_NAME.sub("_", tool)[:_MAX_NAME], arguments))
        self._turns[-1] = replace(self._turns[-1], text=said, calls=tuple(calls))
        self._silent = 0

    def _nudge(self, answer: RecordedModelCall) -> None:
        """Say beside the newest observation what was wrong with an answer without a call.

        After too many in a row the model writes JSON, if it may: some servers take tools, and do
        not show them to the model.  After as many more it has failed.
        """
        self._silent += 1
        if self._silent >= text_agents.MAX_ANSWERS_WITHOUT_CALL:
            if not self._falls_back_on_json():
                self.end = SessionEnd.MODEL_FAILED
                return
            self._silent = 0
        wrong = "cut" if answer.why else "prose"
        if not answer.why and not answer_text.without_thought(answer.text).strip():
            wrong = "thought" if answer.text.strip() else "empty"
        what = _words(f"no_call_{wrong}").format(tokens=self._play.answer_tokens)
        told = _words("no_call").format(number=self._silent or 1, what=what)
        self._turns[-1] = replace(self._turns[-1], nudge=told)

    def _can_ask_otherwise(self, answer: RecordedModelCall, tools: tuple[ToolSpec, ...]) -> bool:
        """Shorten what is shown, or let the model write JSON, after a request was rejected."""
        if not request_dialect.says_too_long(answer.why):
            return self._falls_back_on_json()
        shown = len(self._turns)
        self._context_tokens = self._estimated_tokens(tools) // 2
        self._leave_out_turns(tools)
        return len(self._turns) < shown

    def _falls_back_on_json(self) -> bool:
        """Let the model write JSON from now on, if it may; what it called is told as JSON."""
        if self._writes_json or self._play.tool_calling is not ToolCalling.AUTO:
            return False
        self._writes_json = True
        self._turns = [turn.without_tools() for turn in self._turns]
        return True


_MAX_SAID = 4_000  # characters of what a model said that it reads again
_MAX_NAME = 64
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")


# What of a session so far a model is shown: the system prompt, and the turns that are kept.


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model read and answered; `nudge` says what was wrong with its last answer, else "".

    `results` are what came of all `calls` but the last, which the next turn tells.
    """

    read: str
    text: str = ""
    calls: tuple[FunctionCall, ...] = ()
    results: tuple[str, ...] = ()
    nudge: str = ""

    def messages(self, before: "Turn | None" = None) -> tuple[ChatMessage, ...]:
        """Return what was read after the turn `before`, the answer, and what came of its calls."""
        results = zip(self.calls, self.results, strict=False)
        return (
            _observation(self.read, before),
            ChatMessage("assistant", self.text, self.calls),
            *(ChatMessage("tool", result, answers=call.id) for call, result in results),
        )

    def without_tools(self) -> "Turn":
        """Return the turn as it is told to a model that writes JSON: with its last call."""
        if not self.calls:
            return self
        arguments = answer_text.parsed(self.calls[-1].arguments, {})
        said = json.dumps({"name": self.calls[-1].name, "arguments": arguments})
        return replace(self, text=said, calls=(), results=())


def shown_messages(system: str, turns: Sequence[Turn]) -> tuple[ChatMessage, ...]:
    """Return the messages of a request after these turns, the last one unanswered."""
    *older, newest = turns
    messages, before = [ChatMessage("system", system)], None
    for turn in older:
        messages += turn.messages(before)
        before = turn
    told = f"{newest.read}\n\n{newest.nudge}" if newest.nudge else newest.read
    return (*messages, _observation(told, before))


def _observation(text: str, before: Turn | None = None) -> ChatMessage:
    """Return the message of what a model reads: what came of the last call before, if any."""
    if before is None or not before.calls:
        return ChatMessage("user", text)
    return ChatMessage("tool", text, answers=before.calls[-1].id)


# What a model is told besides the texts of the text world.
#
# Whatever comes from the home, the other agent or a file stands between the marks of data, which
# the text itself cannot hold.  All words are in the text world's `wording.json`.


def system_prompt(role: Role, tools: Sequence[ToolSpec], *, as_json: bool) -> str:
    """Return what a model is told before a session; with the tools if it calls them in JSON."""
    start, end = _marks()
    told = [wording.rules_for(role), _words("data").format(start=start, end=end)]
    if not as_json:
        return "\n".join((*told, _words("one_call")))
    schemas = (json.dumps(each.schema(), separators=(",", ":")) for each in tools)
    return "\n".join((*told, _words("json").format(), *schemas))


def as_data(text: str) -> str:
    """Return a text between the marks of data, with those that it holds taken out."""
    start, end = _marks()
    while start in text or end in text:  # taking one out may make another
        text = text.replace(start, "").replace(end, "")
    return f"{start}\n{text}\n{end}"


def _marks() -> tuple[str, str]:
    return _words("start"), _words("end")


def _words(name: str) -> str:
    return wording.phrase("prompt", name)


_TOOL_LEFT_OUT = {SpeechKind.TELL: "say", SpeechKind.WORDS: "tell"}


class ModelAgent(text_agents.TextAgent):
    """What both agents that a language model plays have."""

    chooser: ModelChooser

    @property
    def notes(self) -> AgentNotes:
        """The text interface, the model and its calls, and why it stopped."""
        options = (*super().notes.options, self.chooser.option)
        return AgentNotes(options, tuple(self.chooser.calls), self.chooser.end)


class ModelFollower(ModelAgent, TextFollower):
    """A Follower that a language model plays."""

    def __init__(self, make_chooser: Callable[[], ModelChooser]) -> None:
        """Let a model play, as a new chooser has it."""
        self.chooser = make_chooser()
        TextFollower.__init__(self, self.chooser)


class ModelCommander(ModelAgent, TextCommander):
    """A Commander that a language model plays."""

    def __init__(self, make_chooser: Callable[[], ModelChooser], speech: SpeechKind) -> None:
        """Let a model play, as a new chooser has it."""
        self.chooser = make_chooser()
        TextCommander.__init__(self, self.chooser, without=(_TOOL_LEFT_OUT[speech],))


def edit_next_message(agent: object, text: str) -> None:
    """Have the model that plays an agent read this in place of what it would read next."""
    if not isinstance(agent, ModelAgent):
        why = "no language model plays the agent whose turn it is"
        raise errors.BadInput(why, fix="go to a step before a turn of the agent llm")
    agent.chooser.edit_next_message(text)
