"""Tool calls and JSON in the texts of models: every form that they write, in linear time."""

import json
from time import process_time

import pytest
from hypothesis import given, strategies as st

from tatc.language.llm.answer_text import (
    arguments_in,
    call_in_text,
    json_values,
    plain_name,
    without_thought,
)

TOOLS = {
    "turn": ["direction"],
    "go_to": ["object"],
    "move": ["direction", "times"],
    "say": ["words"],
    "ask": ["question"],
    "stop": [],
}
GO = '{"name": "go_to", "arguments": {"object": "Mug_3"}}'
LEFT = {"direction": "left"}
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
        f"```\n{GO}```",
        f"I walk there. {GO} That should do.",
        f"First this:\n```json\n{GO}\n```\nthen\n```json\n{{}}\n```",
        '{"name": "go_to", "parameters": {"object": "Mug_3"}}',
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
        "<tool_call>\n<function=go_to>\n<P=object>\nMug_3\n</P>\n</function>\n</tool_call>",
        '<function_calls><invoke name="go_to"><P name="object">Mug_3</P></invoke>',
        "<tool_call>go_to\n<arg_key>object</arg_key>\n<arg_value>Mug_3</arg_value>\n</tool_call>",
        '<|tool_calls_begin|>function<|tool_sep|>go_to\n```json\n{"object": "Mug_3"}\n```',
        '<|channel|>analysis<|message|>turn("left")?<|end|><|start|>assistant<|channel|>commentary'
        ' to=go_to <|constrain|>json<|message|>{"object": "Mug_3"}<|call|>',
        '[go_to(object="Mug_3")]<|eot_id|>',
        'Tool: go_to\nArguments: {"object": "Mug_3"}',
        "1. go_to(object=Mug_3)",
        '{"next_action": {"name": "go_to", "arguments": {"object": "Mug_3"}}}',
        '{"reasoning": "near", "action": "go_to(Mug_3)"}',
        f"<tool_call>{GO[:-1]}</tool_call>",
        '{\u201cname\u201d: \u201cgo\\_to\u201d, "arguments":\n{"object": "Mug_3"}}',
        f'{{"name": "turn", "parameters": {{"type": "object", "properties": {{}}}}}}\n{GO}',
        f"<reasoning>{DRAFT}</reasoning> {GO}",
    ],
)
def test_a_call_is_found_in_every_form(text: str) -> None:
    text = text.replace("<P", "<parameter").replace("</P>", "</parameter>")
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
        *("", "go_to Mug_3", "{}", "[1]", '{"name": 3}', '{"name": "go_to"', "{" * 5000, "}{"),
        "null",
    ],
)
def test_no_call_is_made_up(text: str) -> None:
    assert call_in_text(text, TOOLS) is None


def test_wrong_calls_are_left_to_the_tools() -> None:
    assert call_in_text('{"name": "fly", "arguments": {"to": 1}}', TOOLS) == ("fly", {"to": 1})
    assert call_in_text("stop()", TOOLS) == call_in_text("Action: stop", TOOLS) == ("stop", {})
    assert call_in_text('{"name": "STOP"}', {}) == ("STOP", {})
    assert call_in_text('{"name": "turn", "arguments": "left"}', TOOLS) == ("turn", "left")
    said = call_in_text("{'name': 'say', 'arguments': {'words': \"I'm in\", 'a': None}}", TOOLS)
    assert said == ("say", {"words": "I'm in", "a": None})


def test_arguments_are_what_their_text_begins_with() -> None:
    direction = '{"direction": "left"}'
    written = (json.dumps(direction), direction * 2, f"```json\n{direction}\n```", str(LEFT))
    assert all(arguments_in(text) == LEFT for text in (direction, *written))
    assert arguments_in(direction[:-1]) == direction[:-1], "what was cut off is refused"


@pytest.mark.parametrize("name", ["functions.Go-To", "goTo", " go to\n", "GO_TO<|channel|>json"])
def test_names_of_tools_are_alike_however_they_are_written(name: str) -> None:
    assert plain_name(name) == "go_to"


def test_a_text_without_thought_stays_as_it_is() -> None:
    assert without_thought(" said \n") == " said \n"
    assert without_thought("<THINK>a</think> said ") == "said"


LONG = 1 << 17
HOSTILE = (
    *("{", "[", '{"a":', "{{", "[]", "{}", '{"', "\n", "``", "```json\n", "<think>", "</think>"),
    *("<function=a>", '<invoke name="a">', "<parameter=b>", "Action: turn\n", "turn(", "a.b"),
    *("'", "{'", "<think ", "<|", "<tool_call> ", "} ", "1) turn(\n", "turn {}"),
    *("Action:", ",", ", ", "action input:", '{"name": "turn"', "}", "turn[ARGS]", "\ud800"),
)


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_texts_take_time_by_their_length(part: str) -> None:
    text, start = part * (LONG // len(part)), process_time()
    call_in_text(text, TOOLS)
    list(json_values(text))
    assert process_time() - start < 2.0, "seconds; were it quadratic, it would be minutes"


@given(st.text(alphabet='{}[]<>/think"\\:,aturn()= \n', max_size=60) | st.text(max_size=80))
def test_any_text_has_a_call_or_none(text: str) -> None:
    arguments_in(text)
    call = call_in_text(text, TOOLS)
    assert call is None or isinstance(call[0], str)
