"""Calls of models in records: written without what is empty, read back, and checked."""

from typing import Any

import pytest

from tatc.base.json_fields import FieldError
from tatc.home.actions import Role
from tatc.language.llm.recorded_calls import (
    ModelCallEnd,
    RecordedModelCall,
    model_call_json,
    read_model_calls,
)

BARE = RecordedModelCall(role=Role.FOLLOWER, model="m", request="0123", end=ModelCallEnd.ANSWERED)
BARE_JSON: dict[str, Any] = {
    "role": "follower",
    "model": "m",
    "request": "0123",
    "end": "answered",
    "request_tokens": 0,
    "answer_tokens": 0,
    "step": 0,
}
FULL = RecordedModelCall(
    role=Role.COMMANDER,
    model="m",
    request="4567",
    end=ModelCallEnd.BUDGET,
    text="so",
    tool="say",
    arguments="{}",
    request_tokens=1_000_000_000,
    answer_tokens=7,
    why="spent",
    message="told",
    step=3,
    probe="where Mug",
)


def test_a_call_is_written_without_what_is_empty_and_read_back() -> None:
    assert model_call_json(BARE) == BARE_JSON
    assert read_model_calls([model_call_json(BARE), model_call_json(FULL)], "x") == (BARE, FULL)
    least = {key: BARE_JSON[key] for key in ("role", "model", "request", "end")}
    assert read_model_calls([least], "x") == (BARE,)


def test_a_call_has_its_tokens_and_says_whether_it_was_sent() -> None:
    assert (BARE.tokens, FULL.tokens) == (0, 1_000_000_007)
    assert (BARE.was_sent, FULL.was_sent) == (True, False)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"role": "driver"}, r"role: should be one of commander, follower, is 'driver'"),
        ({"end": "lost"}, r"end: should be one of answered, rejected, failed, budget"),
        ({"request_tokens": -1}, "request_tokens: is impossible: -1"),
        ({"answer_tokens": 1_000_000_001}, "answer_tokens: is impossible: 1000000001"),
        ({"step": 10**7}, "step: is impossible"),
        ({"text": 3}, "text"),
        ({"probe": 3}, "probe"),
    ],
)
def test_an_impossible_call_is_named(change: dict[str, Any], why: str) -> None:
    with pytest.raises(FieldError, match=why):
        read_model_calls([BARE_JSON | change], "x")
