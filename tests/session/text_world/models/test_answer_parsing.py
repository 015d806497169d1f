"""Tool calls in answers: native ones, JSON in all kinds of text, and none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.home.actions import Role
from tatc.session.records import ModelCallEnd, RecordedModelCall
from tatc.session.text_world.model_agents import tool_call_in

GO = '{"name": "go_to", "arguments": {"object": "Mug_3"}}'
GOES = ("go_to", {"object": "Mug_3"})


def _answer(text: str = "", tool: str = "", arguments: str = "") -> RecordedModelCall:
    return RecordedModelCall(
        role=Role.FOLLOWER,
        model="m",
        request="0",
        end=ModelCallEnd.ANSWERED,
        text=text,
        tool=tool,
        arguments=arguments,
    )


@pytest.mark.parametrize(
    "text",
    [
        GO,
        f"```json\n{GO}\n```",
        f"```\n{GO}```",
        f"I walk there. {GO} That should do.",
        f"First this:\n```json\n{GO}\n```\nthen\n```json\n{{}}\n```",
        '{"name": "go_to", "parameters": {"object": "Mug_3"}}',
        '{"name": "go_to", "arguments": "{\\"object\\": \\"Mug_3\\"}"}',
    ],
)
def test_json_in_a_text_is_a_call(text: str) -> None:
    assert tool_call_in(_answer(text)) == GOES


@pytest.mark.parametrize(
    "text",
    ["", "go_to Mug_3", "{}", "[1]", '{"name": 3}', '{"name": "go_to"', "{" * 5000, "}{", "null"],
)
def test_other_texts_are_none(text: str) -> None:
    assert tool_call_in(_answer(text)) is None


def test_a_native_call_counts_before_the_text() -> None:
    assert tool_call_in(_answer(GO, "ask", "{}")) == ("ask", {})
    assert tool_call_in(_answer("", "go_to", '{"object": "Mug_3"}')) == GOES
    assert tool_call_in(_answer("", "go_to", '{"object": ')) == ("go_to", '{"object": ')
    assert tool_call_in(_answer('{"name": "stop"}')) == ("stop", {})


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_a_model_writes_is_read(text: str, arguments: str) -> None:
    for answer in (_answer(text), _answer(text, "ask", arguments)):
        call = tool_call_in(answer)
        assert call is None or isinstance(call[0], str)
