"""Models of Inspect in sessions: what they are told, their tools, and forks of what they play."""

# inspect_ai is not among what the tests install, so what it exports is not known here.
# pyright: basic, reportMissingImports=false

from typing import Any

from tatc.base.errors import MissingExtra

MissingExtra.check("inspect", "inspect_ai")

from anyio import to_thread
from inspect_ai.event import AnchorEvent, BranchEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    execute_tools,
    get_model,
)
from inspect_ai.tool import ToolDef, ToolParams
from inspect_ai.util import span

from tatc.home.actions import Role
from tatc.session.text_world import rules_for, server_words
from tatc.session.text_world.text_agents import MAX_ANSWERS_WITHOUT_CALL
from tatc.session.tool_session import SavedState, ToolSession

_ANCHOR = "tatc-fork"  # what Inspect's log calls the place of the fork


class PlayedSession:
    """A session that models play, and what each of them was told; `answers` counts theirs."""

    def __init__(self, session: ToolSession, context_turns: int) -> None:
        """Begin at the session's start."""
        self.session, self._context_turns = session, context_turns
        self._players = {role: _Player(session, role, context_turns) for role in session.plays}
        self.answers = 0
        self._last: Role | None = None
        self._forks = 0

    @property
    def messages(self) -> list[ChatMessage]:
        """What was said to and by the models, one after the other."""
        return [m for role in sorted(self._players) for m in self._players[role].messages]

    async def play(self, max_calls: int) -> None:
        """Let the models answer in turn until the session ends or one of them calls no tool."""
        for _ in range(max_calls):
            if self.session.end is not None or any(p.is_silent for p in self._players.values()):
                return
            role = self.session.turn
            player = self._players[role]
            if role is not self._last:
                player.observe()
            await player.answer()
            self._last, self.answers = role, self.answers + 1

    def mark_fork(self) -> SavedState:
        """Return where the session stands, for `fork`; Inspect's log has an anchor here."""
        transcript()._event(AnchorEvent(anchor_id=_ANCHOR, source="tatc"))
        return self.session.save()

    async def play_fork(self, fork: "PlayedSession", max_calls: int) -> None:
        """Play a fork in a span of its own, which begins with a branch event."""
        self._forks += 1
        async with span(name=f"fork {self._forks}", type="branch"):
            transcript()._event(BranchEvent(from_anchor=_ANCHOR))
            await fork.play(max_calls)

    def copy_at(self, session: ToolSession) -> "PlayedSession":
        """Return a trajectory of another session in which the models were told the same so far."""
        other = PlayedSession(session, self._context_turns)
        other._last, other.answers = self._last, self.answers
        for role, player in self._players.items():
            other._players[role].messages = [*player.messages]
        return other


class _Player:
    """One model in one session: what it was told, and its tools."""

    def __init__(self, session: ToolSession, role: Role, context_turns: int) -> None:
        self._session, self._role, self._context_turns = session, role, context_turns
        self._tools = [self._tool(spec) for spec in session.tools(role)]
        self._silent = 0
        self.messages: list[ChatMessage] = [ChatMessageSystem(content=rules_for(role))]

    @property
    def is_silent(self) -> bool:
        """Whether it has answered without a tool call too often."""
        return self._silent >= MAX_ANSWERS_WITHOUT_CALL

    def observe(self) -> None:
        """Tell the model what its agent perceives."""
        self.messages.append(ChatMessageUser(content=self._session.text(self._role)))

    async def answer(self) -> None:
        """Let the model answer, and carry out its calls."""
        model = get_model(role=self._role.name.lower())
        shown = last_turns(self.messages, self._context_turns)
        output = await model.generate(shown, tools=self._tools)
        self.messages.append(output.message)
        if not output.message.tool_calls:
            self._silent += 1
            self.messages.append(ChatMessageUser(content=server_words("call_a_tool")))
            return
        self._silent = 0
        done = await execute_tools(self.messages, self._tools)
        self.messages.extend(done.messages)

    def _tool(self, spec: dict[str, Any]) -> ToolDef:
        name = spec["name"]

        async def call(**kwargs: Any) -> str:
            return await to_thread.run_sync(self._session.call, self._role, name, kwargs)

        parameters = ToolParams.model_validate(spec["parameters"])
        return ToolDef(call, name, spec["description"], parameters)


def last_turns(messages: list[ChatMessage], count: int) -> list[ChatMessage]:
    """Return the first two messages, and those from the `count`-th last answer of the model on."""
    answers = [i for i, m in enumerate(messages) if isinstance(m, ChatMessageAssistant)]
    if len(answers) <= count:
        return messages
    return [*messages[:2], *messages[answers[-count] :]]
