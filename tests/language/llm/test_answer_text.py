"""Tool calls and JSON in the texts of models: every form that they write, in linear time."""

from time import process_time

import pytest
from hypothesis import given, strategies as st

from tatc.language.llm.answer_text import call_in_text, json_values, without_thought

TOOLS = {
    "turn": ["direction"],
    "go_to": ["object"],
    "move": ["direction", "times"],
    "say": ["words"],
    "ask": ["question"],
    "stop": [],
}
GO = '{"name": "go_to", "arguments": {"object": "Mug_3"}}'
GOES = ("go_to", {"object": "Mug_3"})
DRAFT = '{"name": "turn", "arguments": {"direction": "left"}}'


@pytest.mark.parametrize(
    "text",
    [
        f"<think>Perhaps {DRAFT}? No.</think>\n{GO}",
        f"<think>\n```json\n{DRAFT}\n```\n</think>\n```json\n{GO}\n```",
        f"Perhaps {DRAFT}? No. </think> {GO}",  # the prompt held the first mark
        f"[THINK]{DRAFT}[/THINK]{GO}",
        f"<thinking>{{ braces </thinking>{GO}",
        f"{GO}\n{DRAFT}",
        f"{{x}} [1, 2] {{}} {GO}",
        '{{"name": "go_to", "arguments": {"object": "Mug_3"}}}',
        '{{"name": "go_to", "arguments": {{"object": "Mug_3"}}}}',
        f"<tool_call>\n{GO}\n</tool_call>",
        f"[TOOL_CALLS] [{GO}, {DRAFT}]",
        f"[TOOL_CALLS]go_to[ARGS]{GO[31:-1]}",
        f'{{"tool_calls": [{{"type": "function", "function": {GO}}}]}}',
        f'{{"function_call": {GO}}}',
        '{"type": "function", "function": "go_to", "parameters": {"object": "Mug_3"}}',
        '{"tool": "go_to", "args": {"object": "Mug_3"}}',
        '{"action": "go_to", "action_input": {"object": "Mug_3"}}',
        '{"name": "go_to", "object": "Mug_3"}',
        '{"go_to": {"object": "Mug_3"}}',
        "{'name': 'go_to', 'arguments': {'object': 'Mug_3'}}",
        '{"name": "go_to", "arguments": {"object": "Mug_3",},}',
        'Thought: near.\nAction: go_to\nAction Input: {"object": "Mug_3"}\nObservation: there',
        "Thought: near.\n**Action:** go_to\n**Action Input:** Mug_3",
        "Action: go_to[Mug_3]",
        'go_to(object="Mug_3")',
        "I walk there:\n```python\n[go_to('Mug_3'), stop()]\n```",
        '<|python_tag|>{"name": "go_to", "parameters": {"object": "Mug_3"}}',
        '<function=go_to>{"object": "Mug_3"}</function>',
    ],
)
def test_a_call_is_found_in_every_form(text: str) -> None:
    assert call_in_text(text, TOOLS) == GOES


@pytest.mark.parametrize(
    "text",
    [
        f"<think>I could say {GO}",
        "I would call stop() if I were done.",
        "the tool go_to, or {object}",
        '{"goal": "turn"}',
        '{"name": "Mug_3", "state": "open"}',
        "Action: fly",
        '{"name": "go_to", "arguments": {"object": ',
    ],
)
def test_no_call_is_made_up(text: str) -> None:
    assert call_in_text(text, TOOLS) is None


def test_wrong_calls_are_left_to_the_tools() -> None:
    assert call_in_text('{"name": "fly", "arguments": {"to": 1}}', TOOLS) == ("fly", {"to": 1})
    assert call_in_text("stop()", TOOLS) == call_in_text("Action: stop", TOOLS) == ("stop", {})
    assert call_in_text('{"name": "STOP"}', {}) == ("STOP", {})


def test_a_text_without_thought_stays_as_it_is() -> None:
    assert without_thought(" said \n") == " said \n"
    assert without_thought("<THINK>a</think> said ") == "said"


LONG = 1 << 17
HOSTILE = (
    *("{", "[", '{"a":', "{{", "[]", "{}", '{"', "\n", "``", "```json\n", "<think>", "</think>"),
    *("<function=a>", '<invoke name="a">', "<parameter=b>", "Action: turn\n", "turn(", "a.b"),
    *("Action:", ",", ", ", "action input:", '{"name": "turn"', "}", "turn[ARGS]", "\ud800"),
)


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_texts_take_time_by_their_length(part: str) -> None:
    text, start = part * (LONG // len(part)), process_time()
    call_in_text(text, TOOLS)
    list(json_values(text))
    assert process_time() - start < 2.0, "seconds; were it quadratic, it would be minutes"


@given(st.text(alphabet='{}[]<>/think"\\:,aturn()= \n', max_size=60))
def test_any_text_has_a_call_or_none(text: str) -> None:
    call = call_in_text(text, TOOLS)
    assert call is None or isinstance(call[0], str)
