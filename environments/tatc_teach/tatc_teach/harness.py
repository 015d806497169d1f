"""The harness of a seat: it asks the model for one answer a turn, in this process.

The tool calls of an answer are carried out by the environment, in the session that both seats
share.  So no program is started, and no tool server.
"""

import re
from collections.abc import Mapping
from typing import Any

import verifiers.v1 as vf
from openai import APIError, AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire, parse_message

from tatc.language.llm.answer_text import parsed
from tatc.language.llm.completion import MAX_CALLS

_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_MAX_NAME = 64


class OneAnswerHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model for one answer a turn; a conversation is as long as its session."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def session(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
        tool_interception_url: str | None = None,
    ) -> vf.HarnessSession:
        """Return what holds one seat's conversation."""
        given = (self, ctx, trace, runtime, endpoint, secret, mcp_urls, data)
        return Conversation(*given, tool_interception_url)

    async def launch(self, *_: Any, **__: Any) -> vf.ProgramResult:
        """Refuse a run without turns: there is no program."""
        raise vf.HarnessError("the harness is for the seats of TeachEnv, which plays turn by turn")


class Conversation(vf.HarnessSession):
    """The conversation of one seat: each turn sends it with what is new, and adds the answer."""

    def __init__(self, *args: Any) -> None:
        """Begin with the system prompt."""
        super().__init__(*args)
        self._client = AsyncOpenAI(base_url=self.endpoint, api_key=self.secret)
        system = vf.SystemMessage(content=self.data.system_prompt or "")
        self._messages = [message_to_wire(system)]

    async def _run(self, messages: vf.Messages | None) -> vf.ProgramResult:
        self._messages += map(message_to_wire, messages or ())
        try:
            completion = await self._client.chat.completions.create(
                model=self.ctx.model, messages=self._messages, tools=self.data.tools
            )
        except APIError as fault:  # verifiers knows what caused it, or that a limit did
            return vf.ProgramResult(1, "", str(fault))
        answer = parse_message(completion.choices[0].message.model_dump())
        self._messages.append(message_to_wire(_as_servers_take_it(answer)))
        return vf.ProgramResult(0, "", "")

    async def close(self) -> None:
        """Close the connection."""
        await super().close()
        await self._client.close()


def _as_servers_take_it(answer: vf.AssistantMessage) -> vf.AssistantMessage:
    """Return an answer as any server takes it back: the calls that are read, their names mended.

    Arguments that are no JSON object become an empty one; servers refuse or crash on others.
    """
    calls = [
        call.model_copy(
            update={
                "name": _NO_NAME.sub("_", call.name)[:_MAX_NAME],
                "arguments": call.arguments
                if isinstance(parsed(call.arguments, None), Mapping)
                else "{}",
            }
        )
        for call in (answer.tool_calls or ())[:MAX_CALLS]
    ]
    return answer.model_copy(update={"tool_calls": calls or None})
