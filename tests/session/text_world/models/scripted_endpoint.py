"""A "model" behind the stub endpoint that plays an agent by a script, and never loses its place.

It reads what a real model would: the newest message, between the marks of data.
"""

import itertools
import json
import re
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.session.text_world.scripted_models import Call, Script, play_commander, play_follower

_PERCEIVED = re.compile(r"<perceived>\n(.*?)\n</perceived>", re.DOTALL)


class ScriptedModel:
    """Behaves as a model that calls tools: natively, or as JSON in its text.

    One plays one session; in it it may play either agent or both.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        self.as_json = as_json
        self._scripts: dict[str, Script] = {}
        self._numbers = itertools.count(1)

    def __call__(self, body: dict[str, Any]) -> Response:
        return calling(*self.next_call(body), number=next(self._numbers), as_json=self.as_json)

    def next_call(self, body: dict[str, Any]) -> Call:
        """Return the script's next call, given what it reads now."""
        system, newest = body["messages"][0]["content"], body["messages"][-1]["content"]
        *_, perceived = _PERCEIVED.findall(newest)
        role = "follower" if system.startswith("You are the Follower") else "commander"
        if role not in self._scripts:
            self._scripts[role] = play_follower() if role == "follower" else play_commander()
            return next(self._scripts[role])
        return self._scripts[role].send(perceived)


def calling(
    name: str, arguments: object, *, number: int = 1, as_json: bool = False, raw: str | None = None
) -> Response:
    """Return an answer with a tool call; `raw` are its arguments as text."""
    if as_json:
        text = json.dumps({"name": name, "arguments": arguments})
        message: dict[str, Any] = {"role": "assistant", "content": f"```json\n{text}\n```"}
    else:
        text = json.dumps(arguments) if raw is None else raw
        function = {"name": name, "arguments": text}
        call = {"id": f"x{number}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return JSONResponse({"id": "x", "choices": [choice], "usage": usage})
