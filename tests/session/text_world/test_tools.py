"""Whatever is called with whatever arguments, the answer is a text."""

import json

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.actions import Role
from tatc.language.llm.chat_request import estimate_tokens
from tatc.session.text_world import Grain, commander_tools, follower_tools
from tatc.session.text_world.follower_interface import MAX_OBSERVATION_TOKENS
from tatc.session.tool_session import ToolSession
from tests.session.text_world.sessions import in_alfreds_body, opening, play_at_random

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)
NAMES = sorted({each.name for each in (*follower_tools(), *commander_tools())})
KEYS = ("direction", "times", "object", "words", "question", "type", "action")
ARGUMENTS = JSON | st.dictionaries(st.sampled_from(KEYS), JSON, max_size=3)
SESSIONS = {role: ToolSession(opening(), plays=(role,)) for role in Role}


@settings(max_examples=120)
@given(
    role=st.sampled_from(list(Role)),
    name=(st.sampled_from(NAMES) | JSON).filter(lambda name: name != "stop"),
    arguments=ARGUMENTS,
)
def test_any_call_is_answered_in_words(role: Role, name: object, arguments: object) -> None:
    session = SESSIONS[role]
    text = session.call(role, name, arguments)
    assert text
    assert text.isprintable() or "\n" in text
    assert session.tokens(role) <= MAX_OBSERVATION_TOKENS


def test_wrong_arguments_change_nothing_in_the_home() -> None:
    session = ToolSession(opening())
    before = session.snapshot()
    wrong = [
        ("move", {"direction": "up"}, "direction should be one of forward"),
        ("move", {"direction": "left", "times": 13}, "times should be a whole number from 1 to 12"),
        ("move", {"direction": "left", "times": True}, "times should be"),
        ("open", {}, "the argument object is missing"),
        ("open", {"object": 3}, "object should be the name of an object"),
        ("open", {"object": "Mug_77"}, "no object has been called Mug_77"),
        ("open", {"objects": "Mug_1"}, "there is no argument 'objects'"),
        ("fly", {}, "there is no tool 'fly'"),
        ("open", ["Mug_1"], "should be a JSON object"),
        ("open", '["Mug_1"]', "should be a JSON object"),
        ("open", '{"object": "Mug_1"', "are no JSON"),
        ("say", {"words": " "}, "words is empty"),
        ("say", {"words": "x" * 1001}, "words is too long: it may have at most 1000 characters"),
        ("say", {"words": None}, "words should be a text"),
        ("ask", {"question": "x" * 1001}, "question is too long"),
        ("move", {"direction": "left", "times": 2.5}, "times should be"),
        ("move", {"direction": "left", "times": float("inf")}, "times should be"),
        ("move", {"direction": "left", "times": np.bool_(True)}, "times should be"),
        ("say", {"words": "\ud800"}, "words should be a text"),
    ]
    for name, arguments, reason in wrong:
        assert reason in session.call(Role.FOLLOWER, name, arguments)
    assert session.snapshot() is before
    assert not session.result().interactions


@pytest.mark.parametrize(
    ("name", "arguments", "done"),
    [
        ("move", {"direction": "left", "times": 2.0}, ["PAN_LEFT"] * 2),
        ("move", {"direction": "left", "times": np.int64(2)}, ["PAN_LEFT"] * 2),
        ("move", {"direction": "left", "times": np.float32(2)}, ["PAN_LEFT"] * 2),
        ("move", {"direction": "left", "times": None}, ["PAN_LEFT"]),
        ("move", '{"direction": "left", "times": 2}', ["PAN_LEFT"] * 2),
        ("ask", {"question": None}, ["TEXT"]),
        ("ask", None, ["TEXT"]),
    ],
)
def test_what_callers_send_for_numbers_and_for_nothing_is_taken(
    name: str, arguments: object, done: list[str]
) -> None:
    session = ToolSession(opening())
    session.call(Role.FOLLOWER, name, arguments)
    mine = [each for each in session.result().interactions if each.role is Role.FOLLOWER]
    assert [each.verb.name for each in mine] == done


def test_a_handle_that_left_the_view_is_refused_until_one_goes_back() -> None:
    session = ToolSession(opening())
    name = next(s.handle for s in session.follower_interface.seen if s.object_type == "Cabinet")
    for _ in range(2):
        session.call(Role.FOLLOWER, "turn", {"direction": "left"})
    refused = session.call(Role.FOLLOWER, "open", {"object": name})
    assert f"{name} is not in view now" in refused
    session.call(Role.FOLLOWER, "go_to", {"object": name})
    assert name in [each.handle for each in session.follower_interface.seen]


def test_refused_calls_of_both_agents_are_counted_and_no_others() -> None:
    session = ToolSession(opening(), plays=tuple(Role))
    session.call(Role.FOLLOWER, "fly", {})
    session.call(Role.FOLLOWER, "open", {"object": "Mug_77"})
    assert session.refused_calls == 2
    session.call(Role.FOLLOWER, "turn", {"direction": "left"})
    session.call(Role.FOLLOWER, "ask", {})
    session.call(Role.COMMANDER, "map", {})
    session.call(Role.COMMANDER, "check", {})
    assert session.refused_calls == 2
    session.call(Role.COMMANDER, "tell", {"action": "open", "object": "Mug_77"})
    assert session.refused_calls == 3


def test_stopping_names_no_object() -> None:
    session = ToolSession(opening())
    name = next(s.handle for s in session.follower_interface.seen if s.object_type == "Cabinet")
    session.call(Role.FOLLOWER, "open", {"object": name})
    assert "Last: stop: done" in session.call(Role.FOLLOWER, "stop").splitlines()


def test_a_finished_session_and_another_turn_are_refused_in_words() -> None:
    session = ToolSession(opening(), plays=tuple(Role))
    assert "the other agent's turn" in session.call(Role.COMMANDER, "check", {})
    session.call(Role.FOLLOWER, "stop", {})
    assert "the session has ended" in session.call(Role.FOLLOWER, "ask", {})


def test_the_grain_of_primitives_has_no_walk() -> None:
    session = ToolSession(opening(), grain=Grain.PRIMITIVES)
    name = session.follower_interface.seen[0].handle
    assert "there is no tool 'go_to'" in session.call(Role.FOLLOWER, "go_to", {"object": name})
    assert "go_to" not in {tool["name"] for tool in session.tools(Role.FOLLOWER)}


def test_the_tools_are_those_of_the_body() -> None:
    session = ToolSession(in_alfreds_body(opening()))
    tools = {each["name"]: each for each in session.tools(Role.FOLLOWER)}
    assert tools["move"]["parameters"]["properties"]["direction"]["enum"] == ["forward"]
    assert "15 degrees" in tools["look"]["description"]
    refused = session.call(Role.FOLLOWER, "move", {"direction": "left"})
    assert "direction should be one of forward\n" in f"{refused}\n"


def test_schemas_are_short_and_name_their_required_arguments() -> None:
    for specs in (follower_tools(), commander_tools()):
        for spec in specs:
            schema = spec.schema()
            assert schema["description"]
            required = schema["parameters"].get("required", [])
            assert set(required) <= set(schema["parameters"]["properties"])
        assert sum(estimate_tokens(json.dumps(spec.schema())) for spec in specs) < 1000


def test_observations_stay_short() -> None:
    session = ToolSession(opening(room="kitchen-07"))
    longest = 0
    for seed in range(5):
        play_at_random(session, seed, 4)
        longest = max(longest, session.tokens(Role.FOLLOWER))
    assert 50 < longest <= MAX_OBSERVATION_TOKENS


def test_tokens_are_estimated_high_for_what_is_no_word() -> None:
    assert estimate_tokens("cabinet") == 2
    assert estimate_tokens("xqzvkpw") == 7 and estimate_tokens("XKCD") == 4
    assert estimate_tokens("\u6f22") == 3, "as many as its bytes"
