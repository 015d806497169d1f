"""How often a language model's next call is the expert's, with and without constraint.

The rule-based pair plays sessions of coffee and water plant as demonstrations are made, told in
bearings.  Before each of the Follower's calls a model reads what it would have read there, and
answers once.  A call is right if tool and arguments are the expert's.  The model is named by the
environment: OPENAI_BASE_URL, OPENAI_MODEL, and OPENAI_API_KEY if the endpoint wants one.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from tatc.apps.export.chat_demonstration import Player, SessionPlan, play_follower
from tatc.home.actions import Role
from tatc.language.llm import ChatClient, ModelSettings, answer_text, chat_client
from tatc.language.llm.chat_request import AnswerSchema, ChatRequest
from tatc.session.text_world.model_agents import (
    Turn,
    as_data,
    shown_messages,
    system_prompt,
)
from tatc.session.text_world.reading import Reading, list_calls, schema_of_calls

TASKS, ROOMS = ("Coffee", "Water Plant"), ("kitchen-26", "kitchen-27", "kitchen-28", "kitchen-29")
ANSWER_TOKENS, TIMEOUT_SECONDS = 200, 600


@dataclass(frozen=True, slots=True)
class Way:
    """How a model is asked: by the endpoint's own tools, or for JSON, which may be bound."""

    name: str
    as_json: bool = False
    is_bound: bool = False
    lists_calls: bool = False


WAYS = (
    Way("the endpoint's own tools"),
    Way("JSON", as_json=True),
    Way("--constrain schema", as_json=True, is_bound=True),
    Way("JSON, calls listed", as_json=True, lists_calls=True),
    Way("--constrain schema, calls listed", as_json=True, is_bound=True, lists_calls=True),
)


def run(games: Path | None = None, count: int = 50) -> Iterator[tuple[str, float | None, str]]:
    """Yield the share of next calls that are right, for each way, of `count` decisions."""
    base_url, model = os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_MODEL")
    if not base_url or not model:
        yield "next calls right", None, "name a model with OPENAI_BASE_URL and OPENAI_MODEL"
        return
    client = chat_client(ModelSettings(model, base_url, timeout_seconds=TIMEOUT_SECONDS))
    for way in WAYS:
        found = Counter[str]()
        for task, room in product(TASKS, ROOMS):
            if found["asked"] < count:
                plan = SessionPlan(room, task, (), 1, *_PAIR)
                play_follower(_AskingPlayer(plan, client, way, found, count))
        for what in ("right", "right tool", "calls that can be made", "calls"):
            yield f"{way.name}: {what}", 100 * found[what] / max(1, found["asked"]), "%"
        yield f"{way.name}: tokens of a request", found["tokens"] / max(1, found["asked"]), ""
        yield f"{way.name}: decisions", found["asked"], ""


_PAIR = ("follower", "rule", "rule", "bearings")


class _AskingPlayer(Player):
    """Plays the expert's calls, and asks the model before each of them."""

    def __init__(
        self, plan: SessionPlan, client: ChatClient, way: Way, found: Counter[str], count: int
    ) -> None:
        super().__init__(plan, with_refusals=True)
        self._client, self._way, self._found, self._count = client, way, found, count

    @property
    def goes_on(self) -> bool:
        return super().goes_on and self._found["asked"] < self._count

    def call(self, name: str, arguments: Mapping[str, Any]) -> bool:
        if self._found["asked"] < self._count:
            self._ask(name, arguments)
        return super().call(name, arguments)

    def _ask(self, name: str, arguments: Mapping[str, Any]) -> None:
        way, found, tools = self._way, self._found, self.session.follower_interface.tools
        reading = self.session.follower_interface.reading
        read = reading.changes if self.turns else reading.whole
        if way.lists_calls:
            read = f"{read}\n{list_calls(reading, tools)}"
        turns = [turn.without_tools() if way.as_json else turn for turn in self.turns]
        system = system_prompt(Role.FOLLOWER, tools, as_json=way.as_json)
        schema = AnswerSchema("tool_call", schema_of_calls(reading, tools))
        request = ChatRequest(
            self._client.settings.model,
            shown_messages(system, (*turns, Turn(as_data(read)))),
            schema if way.is_bound else None,
            max_answer_tokens=ANSWER_TOKENS,
            tools=() if way.as_json else tuple(each.schema() for each in tools),
        )
        found["asked"] += 1
        answer = self._client.ask(request)
        found["tokens"] += answer.request_tokens
        parameters = {each.name: [one.name for one in each.parameters] for each in tools}
        written = answer_text.call_in_text(answer.text, parameters)
        calls = [(each.name, each.arguments) for each in answer.calls] or [written]
        if calls[0] is not None:
            tool, given = calls[0]
            given = answer_text.arguments_in(given) if isinstance(given, str) else given
            found["calls"] += 1
            found["right tool"] += tool == name
            found["right"] += (tool, _plain(given)) == (name, _plain(arguments))
            found["calls that can be made"] += _can_be_made(reading, tool, given)


def _plain(arguments: object) -> dict[str, str]:
    """Return arguments as texts; a walk of one step may leave out how many."""
    given = arguments if isinstance(arguments, Mapping) else {}
    texts = {str(name): str(value) for name, value in given.items() if value not in (None, "")}
    return {name: value for name, value in texts.items() if (name, value) != ("times", "1")}


def _can_be_made(reading: Reading, tool: object, arguments: object) -> bool:
    given = arguments if isinstance(arguments, Mapping) else {}
    names = reading.known
    if tool == "do":
        names = reading.doable(str(given.get("action"))) if reading.doable else ()
    return tool not in ("do", "go_to") or given.get("object") in names
