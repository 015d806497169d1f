"""What a model is shown: whole turns, the older ones left out in blocks, within a bound."""

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

from hypothesis import given, strategies as st

from tatc.home.actions import Role
from tatc.language.llm.chat_request import ChatAnswer, ChatMessage, ChatRequest, FunctionCall
from tatc.session.model_play_settings import Constraint, ModelPlay
from tatc.session.text_world import follower_tools
from tatc.session.text_world.model_agents import ModelChooser, Turn, as_data, shown_messages
from tatc.session.text_world.reading import Reading

RULES = "the rules of the game"
LEFT = FunctionCall("x1", "turn", '{"direction": "left"}')
RIGHT = FunctionCall("x2", "turn", '{"direction": "right"}')


class Endpoint:
    """Answers each request with the same calls, and keeps what was asked."""

    def __init__(self, *calls: FunctionCall, text: str = "") -> None:
        self.calls, self.text, self.requests = calls, text, list[ChatRequest]()

    def ask(self, request: ChatRequest) -> ChatAnswer:
        self.requests.append(request)
        return ChatAnswer(self.text, 1, 1, self.calls)


def chooser_of(endpoint: Endpoint, play: ModelPlay) -> ModelChooser:
    return ModelChooser(Role.FOLLOWER, "m", cast(Any, endpoint), play, None)


def reading(number: int, **more: Any) -> Reading:
    return Reading(f"the whole of {number}", f"what changed in {number}", "Heard: go on", **more)


def _tokens(messages: tuple[ChatMessage, ...]) -> int:
    return sum(each.estimated_tokens() for each in messages)


def test_calls_and_what_came_of_them_are_shown() -> None:
    turns = [Turn("a", calls=(LEFT, RIGHT), results=("b",)), Turn("c", calls=(LEFT,)), Turn("d")]
    messages = shown_messages(RULES, turns)
    roles = ["system", "user", "assistant", "tool", "tool", "assistant", "tool"]
    assert [each.role for each in messages] == roles
    assert [each.answers for each in messages if each.role == "tool"] == ["x1", "x2", "x1"]
    body = ChatRequest("m", messages).to_json()["messages"]
    assert [each["function"]["name"] for each in body[2]["tool_calls"]] == ["turn", "turn"]
    assert [each["content"] for each in body if each["role"] == "tool"] == ["b", "c", "d"]


def test_all_calls_of_an_answer_are_chosen_in_their_order() -> None:
    endpoint = Endpoint(LEFT, RIGHT)
    chooser, tools = chooser_of(endpoint, ModelPlay()), follower_tools()
    chosen = [chooser.choose(reading(number), tools) for number in range(4)]
    assert chosen == [(each.name, each.arguments) for each in (LEFT, RIGHT, LEFT, RIGHT)]
    assert len(endpoint.requests) == len(chooser.calls) == 2
    told = [each.text for each in endpoint.requests[1].messages if each.role != "system"]
    assert [text.splitlines()[1:-1] for text in told if text] == [
        ["the whole of 0"], ["what changed in 1"], ["what changed in 2"]
    ]  # fmt: skip


@given(st.integers(2, 60), st.integers(400, 1200))
def test_older_turns_are_left_out_in_blocks(count: int, limit: int) -> None:
    endpoint = Endpoint(LEFT)
    chooser = chooser_of(endpoint, ModelPlay(context_tokens=limit))
    for number in range(count):
        chooser.choose(reading(number), follower_tools())
    for before, after in pairwise(each.messages for each in endpoint.requests):
        assert _tokens(after) <= limit
        if after[: len(before)] != before:
            assert _tokens(after) <= limit // 2 + 100, "down to half, and what is pinned"
            assert "Older messages are left out here" in after[1].text
            assert "Heard: go on" in after[1].text and after[1].role == "user"
            assert "the whole of" in after[-1].text


def test_answers_are_held_to_the_calls_that_can_be_made() -> None:
    endpoint = Endpoint(LEFT)
    play = ModelPlay(constraint=Constraint.SCHEMA, list_calls=True)
    now = reading(
        1, known=("Mug_1", "Cabinet_2"), doable=lambda action: ("Cabinet_2",) * (action == "open")
    )
    chooser_of(endpoint, play).choose(now, follower_tools())
    body = endpoint.requests[0].to_json()
    shapes = body["response_format"]["json_schema"]["schema"]["anyOf"]
    arguments = [each["properties"]["arguments"]["properties"] for each in shapes]
    assert [each for each in arguments if "action" in each] == [
        {"action": {"type": "string", "enum": ["open"]},
         "object": {"type": "string", "enum": ["Cabinet_2"]}}
    ]  # fmt: skip
    assert "tools" not in body
    listed = "go_to Mug_1|Cabinet_2, do open Cabinet_2, view, say ..., ask, stop"
    assert listed in body["messages"][1]["content"]
    all_told = replace(now, changes=now.whole)
    chooser_of(endpoint, play).choose(all_told, follower_tools())
    assert ", view" not in endpoint.requests[1].messages[1].text, "all has just been told"
    any_object = ModelPlay(constraint=Constraint.JSON)
    chooser_of(endpoint, any_object).choose(now, follower_tools())
    assert endpoint.requests[2].to_json()["response_format"] == {"type": "json_object"}


def test_a_thought_comes_before_the_call_if_it_is_asked_for() -> None:
    call = {"thought": "on", "name": "turn", "arguments": {"direction": "left"}}
    endpoint = Endpoint(text=json.dumps(call))
    play = ModelPlay(constraint=Constraint.SCHEMA, thoughts=True)
    chooser = chooser_of(endpoint, play)
    for number in range(2):
        assert chooser.choose(reading(number), follower_tools()) == ("turn", {"direction": "left"})
    body = endpoint.requests[1].to_json()
    for shape in body["response_format"]["json_schema"]["schema"]["anyOf"]:
        assert list(shape["properties"]) == shape["required"] == ["thought", "name", "arguments"]
    assert "one short thought" in body["messages"][0]["content"]
    assert body["messages"][2]["content"] == endpoint.text, "thoughts are read again"


@given(st.text(alphabet="<>/percivd \n", max_size=60))
def test_data_cannot_end_its_marks(text: str) -> None:
    whole = as_data(f"{text}</perceived><perceived>{text}<</perceived>/perceived>")
    assert whole.startswith("<perceived>\n") and whole.endswith("\n</perceived>")
    assert whole.count("<perceived>") == whole.count("</perceived>") == 1
