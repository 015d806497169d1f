"""The environment: one session of tatc, whose seats models play turn by turn."""

from asyncio import to_thread
from collections import deque
from contextlib import AsyncExitStack
from typing import Any, Literal

import verifiers.v1 as vf

from tatc.apps.serving.session_table import parse_roles, setup_for
from tatc.home.actions import Role
from tatc.language.llm.answer_text import call_in_text
from tatc.language.llm.completion import MAX_CALLS
from tatc.session.play import prepare
from tatc.session.records import SessionEnd
from tatc.session.text_world import Grain, server_words
from tatc.session.text_world.model_agents import as_data, system_prompt
from tatc.session.text_world.text_agents import MAX_ANSWERS_WITHOUT_CALL
from tatc.session.tool_session import ToolSession
from tatc_teach.taskset import OUTCOME, TeachTask, outcome_of

Roles = Literal["both", "commander", "follower"]
_SEAT = vf.AgentConfig(runtime=vf.SubprocessConfig(), max_turns=300)


class TeachEnvConfig(vf.EnvConfig):
    """The two seats, and who plays them.

    A seat's runtime runs nothing, since the harness stays in this process; `max_turns` is how many
    answers a model may give, as in tatc's own sessions.
    """

    commander: vf.AgentConfig = _SEAT
    follower: vf.AgentConfig = _SEAT
    role: Roles = "both"
    """The seats that models play; one of tatc's own agents plays the other."""
    train: Roles = "both"
    """The seats that are trained, of those that models play."""
    agent: str = "rule"
    """The agent of tatc that plays the other seat: `rule`, `speaker`, `listener`, ..."""
    wording: str | None = None
    """How tatc's Commander speaks: `bearings` by default, `steps`, `actions` or `goals`."""
    grain: Grain = Grain.GO_TO
    """How much one call of a Follower does; `primitives` has no tool `go_to`."""


class TeachEnv(vf.Env[TeachEnvConfig]):
    """Plays each task as one session.

    An episode has a trace of each seat that a model plays, once the seat has had a turn.
    """

    def __init__(self, config: TeachEnvConfig) -> None:
        """Refuse agents that cannot play."""
        super().__init__(config)
        self._played, self._trained = parse_roles(config.role), parse_roles(config.train)
        commander = None if Role.COMMANDER in self._played else config.agent
        follower = None if Role.FOLLOWER in self._played else config.agent
        self._setup = setup_for(self._played, commander, follower, config.wording)
        prepare(self._setup)

    async def setup(self, agents: vf.Agents) -> None:
        """Mark the seats that are not trained."""
        for role in Role:
            _agent(agents, role).trainable = role in self._trained

    async def run(self, task: TeachTask, agents: vf.Agents) -> None:
        """Play the session until it ends, or until a model may not or cannot answer."""
        session = await to_thread(self._begin, task)
        seats = {role: Seat(session, role) for role in self._played}
        try:
            async with AsyncExitStack() as stack:
                end = session.end
                while end is None:
                    seat = seats[session.turn]
                    if seat.interaction is None:
                        interaction = _agent(agents, seat.role).interaction(seat.task_of(task))
                        seat.interaction = await stack.enter_async_context(interaction)
                    end = await seat.play() or session.end
                outcome = await to_thread(outcome_of, session, end)
                for seat in seats.values():
                    if seat.interaction is not None:  # it is about to close, which scores its trace
                        seat.interaction.trace.info[OUTCOME] = outcome | seat.counts
        finally:
            session.close()

    def _begin(self, task: TeachTask) -> ToolSession:
        return ToolSession(
            task.start(), self._setup, plays=self._played, grain=Grain(self.config.grain)
        )


class Seat:
    """One agent of a session that a model plays: what it has still to read, and its calls.

    It reads what the agent `llm` of tatc reads, and what demonstrations of `tatc export` hold: the
    whole first, then what came of each call.  What came of the last call of an answer is told when
    the agent is to act again, with what it has heard by then.
    """

    def __init__(self, session: ToolSession, role: Role) -> None:
        """Begin at the session's start."""
        self._session, self.role = session, role
        self.interaction: vf.Interaction | None = None
        self._unread: list[vf.Message] = []
        self._waiting: deque[tuple[str, str, object]] = deque()
        self._open: str | None = None  # the id of the call whose result is not told yet
        self._has_read = False
        self._silent = 0
        self.counts = {"calls": 0, "refused_calls": 0, "silent_answers": 0}

    def task_of(self, task: TeachTask) -> TeachTask:
        """Return the seat's task: with its rules and tools."""
        schemas = self._session.tools(self.role)
        return task.with_data(
            role=self.role.name.lower(),
            system_prompt=system_prompt(self.role, (), as_json=False),
            tools=[{"type": "function", "function": each} for each in schemas],
        )

    async def play(self) -> SessionEnd | None:
        """Make the next call of the model; return what ends the session here, None for nothing."""
        self._take_reading()
        if not self._waiting and not await self._ask():
            failed = self.interaction.trace.errors
            return SessionEnd.MODEL_FAILED if failed else SessionEnd.BUDGET_SPENT
        if not self._waiting:
            is_mute = self._silent >= MAX_ANSWERS_WITHOUT_CALL
            return SessionEnd.MODEL_FAILED if is_mute else None
        self._open, name, arguments = self._waiting.popleft()
        refused = self._session.refused_calls
        await to_thread(self._session.call, self.role, name, arguments)
        self.counts["calls"] += 1
        self.counts["refused_calls"] += self._session.refused_calls - refused
        return None

    def _take_reading(self) -> None:
        """Add what is new to what the model has still to read."""
        if self._has_read and self._open is None:
            return
        of_follower = self.role is Role.FOLLOWER
        session = self._session
        side = session.follower_interface if of_follower else session.commander_interface
        text = as_data(side.reading.changes if self._has_read else side.reading.whole)
        self._unread.append(
            vf.ToolMessage(tool_call_id=self._open, content=text)
            if self._open
            else vf.UserMessage(content=text)
        )
        self._has_read, self._open = True, None

    async def _ask(self) -> bool:
        """Let the model answer, and take its calls; return False if it was not asked."""
        segment = await self.interaction.turn(self._unread)
        if segment.terminated:
            return False
        self._unread = []
        answer = segment.messages[-1]
        calls = [(each.id, each.name, each.arguments) for each in answer.tool_calls or ()]
        if not calls and (written := call_in_text(answer.content or "", self._parameters())):
            calls = [("", *written)]
        self._waiting.extend(calls[:MAX_CALLS])
        self._silent = 0 if calls else self._silent + 1
        if not calls:
            self.counts["silent_answers"] += 1
            self._unread.append(vf.UserMessage(content=server_words("call_a_tool")))
        return True

    def _parameters(self) -> dict[str, list[str]]:
        """Return the names of each tool's parameters, by which calls in a text are known."""
        schemas = self._session.tools(self.role)
        return {each["name"]: [*each["parameters"]["properties"]] for each in schemas}


def _agent(agents: vf.Agents, role: Role) -> vf.Agent:
    return getattr(agents, role.name.lower())


def load_environment(split: str = "train", **settings: Any) -> TeachEnv:
    """Return the environment on the sessions of a split; settings are those of `TeachEnvConfig`."""
    taskset = {"id": "tatc-teach", "split": split}
    return vf.load_environment(vf.resolve_env_config({"taskset": taskset, **settings}))
