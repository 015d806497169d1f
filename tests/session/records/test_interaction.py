"""Interactions as game files hold them."""

import json
from math import nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tatc.base.json_fields import FieldError
from tatc.home.actions import SPEC_BY_VERB, ActionType, Click, Role, Verb
from tatc.home.state import AgentState
from tatc.session.records import (
    COMMANDER_POSE,
    Interaction,
    interaction_json,
    logged_pose,
    read_game,
)
from tatc.session.records.record import read_interaction

numbers = st.floats(-1000, 1000)
fractions = st.floats(0, 1)
SAID = (ActionType.KEYBOARD, ActionType.AUDIO, ActionType.PROGRESS_CHECK)


def _parts(verb: Verb) -> st.SearchStrategy[dict[str, Any]]:
    kind = SPEC_BY_VERB[verb].type
    if kind is ActionType.MOTION:
        return st.fixed_dictionaries({"pose": st.tuples(*[numbers] * 6)})
    if kind is ActionType.INTERACTION:
        clicks = st.builds(Click, fractions, fractions)
        oids = st.none() | st.text("Mug|+-.012", min_size=1)
        return st.fixed_dictionaries({"click": clicks, "object_id": oids})
    if kind is ActionType.MAP_GOAL:
        return st.fixed_dictionaries({"goal": st.tuples(*[fractions] * 4)})
    if kind in SAID:
        return st.fixed_dictionaries({"text": st.text()})
    return st.just({})


@st.composite
def logged(draw: st.DrawFn) -> Interaction:
    verb = draw(st.sampled_from(list(Verb)))
    return Interaction(
        draw(st.sampled_from(Role)),
        verb,
        draw(st.floats(0, 1e6)),
        draw(st.sampled_from([True, False, None])),
        **draw(_parts(verb)),
    )


@given(logged())
def test_what_is_written_is_read_back(done: Interaction) -> None:
    assert read_interaction(json.loads(json.dumps(interaction_json(done)))) == done


def test_recorded_interactions_are_written_as_they_were(sample_games: list[Path]) -> None:
    """All fields and their order; only dialogue acts and corrections are left out."""
    import gzip

    left_out = {"is_corrected", "corrected_utterance", "da_metadata"}
    for path in sample_games[::6]:
        raw = json.loads(gzip.decompress(path.read_bytes()))
        entries = raw["tasks"][0]["episodes"][0]["interactions"]
        for entry, done in zip(entries, read_game(path).interactions, strict=True):
            kept = [(k, v) for k, v in entry.items() if k not in left_out]
            assert list(interaction_json(done).items()) == kept


def test_a_pose_is_logged_in_teachs_axes() -> None:
    """Recorded: a Forward facing -x from x = 3 to 2.75 (spec section 2.14)."""
    agent = AgentState((2.75, 0.9, 1.75), 270.0, 30.0)
    assert logged_pose(agent) == (1.75, -2.75, 0.9, 0.0, 30.0, -270.0)


@pytest.mark.parametrize(
    ("verb", "parts"),
    [
        (Verb.FORWARD, {}),
        (Verb.FORWARD, {"pose": COMMANDER_POSE, "click": Click(0, 0)}),
        (Verb.PICKUP, {}),
        (Verb.PICKUP, {"click": Click(0, 0), "text": "mug"}),
        (Verb.TEXT, {"text": "hello", "pose": COMMANDER_POSE}),
        (Verb.TEXT, {"text": "hello", "object_id": "Mug|1"}),
        (Verb.NAVIGATION, {}),
        (Verb.STOP, {"pose": COMMANDER_POSE, "goal": (0.0, 0.0, 0.0, 0.0)}),
    ],
)
def test_a_verb_has_its_own_parts_and_no_others(verb: Verb, parts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=verb.value):
        Interaction(Role.FOLLOWER, verb, 0.1, True, **parts)


DONE = {"agent_id": 1, "time_start": 1.5, "duration": 1, "success": 1}
MOTION = DONE | {"action_id": 2, "pose_delta": [0.25, 0, 0, 0, 0, 0], "pose": [0, 0, 0, 0, 0, 0]}
PICKUP = DONE | {"action_id": 200, "x": 0.5, "y": 0.5, "oid": "Mug|1"}


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (None, ""),
        ({}, "action_id"),
        (MOTION | {"action_id": 99}, "action_id"),
        (MOTION | {"action_id": "2"}, "action_id"),
        (MOTION | {"agent_id": 2}, "agent_id"),
        (MOTION | {"agent_id": -1}, "agent_id"),
        (MOTION | {"agent_id": None}, "agent_id"),
        (MOTION | {"time_start": -0.1}, "time_start"),
        (MOTION | {"time_start": 1.1e7}, "time_start"),
        (MOTION | {"time_start": nan}, "time_start"),
        (MOTION | {"success": "1"}, "success"),
        (MOTION | {"success": 2}, "success"),
        (MOTION | {"success": -1}, "success"),
        (MOTION | {"success": 1.0}, "success"),
        ({k: v for k, v in MOTION.items() if k != "success"}, "success"),
        (MOTION | {"pose": [0] * 5}, "pose"),
        (MOTION | {"pose": [0] * 7}, "pose"),
        (MOTION | {"pose": [0, 0, 0, "0", 0, 0]}, "pose[3]"),
        (PICKUP | {"x": None}, "x"),
        (PICKUP | {"y": 1e9}, "y"),
        (PICKUP | {"oid": 5}, "oid"),
        (PICKUP | {"action_id": 100}, "utterance"),
        (PICKUP | {"action_id": 502, "query": []}, "query"),
        (PICKUP | {"action_id": 300, "start_x": 0}, "start_y"),
    ],
)
def test_a_fault_names_its_field(entry: Any, field: str) -> None:
    with pytest.raises(FieldError) as caught:
        read_interaction(entry)
    assert caught.value.field == field


@pytest.mark.parametrize(("written", "read"), [(1, True), (0, False), (True, True), (None, None)])
def test_success_is_one_zero_or_null(written: Any, read: bool | None) -> None:
    assert read_interaction(MOTION | {"success": written}).success is read


@pytest.mark.parametrize("time", [0, 0.1, 1e7])
def test_a_motion_has_its_agent_its_time_and_a_pose_of_six_numbers(time: float) -> None:
    done = read_interaction(
        MOTION | {"agent_id": 0, "time_start": time, "pose": [1, 2, 3, 4, 5, 6]}
    )
    assert (done.role, done.time, done.pose) == (Role.COMMANDER, time, (1, 2, 3, 4, 5, 6))


def test_what_was_not_found_has_no_success() -> None:
    entry = PICKUP | {"action_id": 501, "query": "Mug|1", "success": None}
    assert read_interaction(entry).success is None


def test_a_click_beside_the_frame_is_kept() -> None:
    """One recorded click of a failed Place lies at x = -2.36."""
    entry = PICKUP | {"x": -2.36, "success": 0, "oid": None}
    assert read_interaction(entry).click == Click(-2.36, 0.5)


def test_what_is_written_has_teachs_keys_in_order() -> None:
    me, you = Role.FOLLOWER, Role.COMMANDER
    head = {"agent_id": 1, "time_start": 0.5, "duration": 1, "success": 1}
    turned = Interaction(me, Verb.TURN_LEFT, 0.5, True, pose=(1, 2, 3, 4, 5, 6))
    delta = list(SPEC_BY_VERB[Verb.TURN_LEFT].pose_delta or ())
    turn_id = SPEC_BY_VERB[Verb.TURN_LEFT].action_id
    poses = {"pose_delta": delta, "pose": [1, 2, 3, 4, 5, 6]}
    assert interaction_json(turned) == head | {"action_id": turn_id} | poses
    clicked = interaction_json(Interaction(me, Verb.PICKUP, 0.5, True, click=Click(0.25, 0.75)))
    pickup_id = SPEC_BY_VERB[Verb.PICKUP].action_id
    assert clicked == head | {"action_id": pickup_id, "x": 0.25, "y": 0.75, "oid": None}
    checked = interaction_json(Interaction(you, Verb.OPEN_PROGRESS_CHECK, 0.5, None))
    check_id = SPEC_BY_VERB[Verb.OPEN_PROGRESS_CHECK].action_id
    said = {"agent_id": 0, "action_id": check_id, "success": None, "query": ""}
    assert checked == head | said
