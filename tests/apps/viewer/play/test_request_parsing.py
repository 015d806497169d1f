"""What the page asks for is checked before anything happens."""

from typing import Any

import pytest

from tatc.apps.viewer.play.game_routes import MAX_TEXT_CHARACTERS, parse_action, parse_game_request
from tatc.base.errors import BadInput
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role, Verb

AT = {"x": 0.5, "y": 0.25}


@pytest.mark.parametrize("verb", MOTION_VERBS)
@pytest.mark.parametrize("role", Role)
def test_both_move(verb: Verb, role: Role) -> None:
    assert parse_action({"verb": verb.value}, role) == Action(verb)


@pytest.mark.parametrize("verb", INTERACTION_VERBS)
def test_the_follower_alone_handles_things(verb: Verb) -> None:
    raw = {"verb": verb.value, **AT}
    assert parse_action(raw, Role.FOLLOWER) == Action(verb, Click(0.5, 0.25))
    with pytest.raises(BadInput, match="commander"):
        parse_action(raw, Role.COMMANDER)


@pytest.mark.parametrize("verb", [Verb.OPEN_PROGRESS_CHECK, Verb.SEARCH_OBJECT])
def test_the_commander_alone_asks_the_oracle(verb: Verb) -> None:
    raw = {"verb": verb.value, "text": "Mug"}
    assert parse_action(raw, Role.COMMANDER).verb is verb
    with pytest.raises(BadInput, match="follower"):
        parse_action(raw, Role.FOLLOWER)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "Forward",
        {},
        {"verb": 3},
        {"verb": "Fly"},
        {"verb": "Stop"},
        {"verb": "Clean", **AT},
        {"verb": "Pickup"},
        {"verb": "Pickup", "x": 1, "y": 0},
        {"verb": "Pickup", "x": -0.1, "y": 0},
        {"verb": "Pickup", "x": float("nan"), "y": 0},
        {"verb": "Pickup", "x": "0.5", "y": 0.5},
        {"verb": "Text"},
        {"verb": "Text", "text": "  "},
        {"verb": "Text", "text": "x" * (MAX_TEXT_CHARACTERS + 1)},
        {"verb": "Text", "text": ["hello"]},
    ],
)
def test_what_cannot_be_done_is_refused(raw: Any) -> None:
    with pytest.raises(BadInput):
        parse_action(raw, Role.FOLLOWER)


def test_words_lose_their_line_breaks() -> None:
    said = parse_action({"verb": "Text", "text": " a \n b "}, Role.COMMANDER)
    assert said.text == "a b"


def test_a_request_has_its_defaults() -> None:
    given = parse_game_request({"part": "follower", "task": "coffee", "params": " a, ,b "})
    assert (given.role, given.params, given.seed) == (Role.FOLLOWER, ("a", "b"), 1)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"part": "driver"},
        {"part": "follower", "seed": -1},
        {"part": "follower", "seed": True},
        {"part": "follower", "seed": "1"},
        {"part": "follower", "room": 5},
    ],
)
def test_a_request_that_makes_no_sense_is_refused(raw: Any) -> None:
    with pytest.raises(BadInput):
        parse_game_request(raw)
