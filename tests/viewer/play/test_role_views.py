"""What each part sees: the Follower nothing of the task, the Commander all it needs."""

import json
from pathlib import Path

import pytest

from tatc.actions import Action, Click, Role, Verb
from tatc.tdl import shipped_library
from tatc.viewer.play.game_host import GameHost, HostedGame
from tatc.viewer.play.request_parsing import parse_game_request
from tatc.viewer.session_index import SessionIndex


@pytest.fixture
def table(tmp_path: Path) -> HostedGame:
    tables = GameHost(shipped_library(), SessionIndex(()), folder=tmp_path)
    wish = {"part": "follower", "partner": "person", "task": "coffee"}
    made = tables.start_game(parse_game_request(wish | {"room": "kitchen-01"}))
    made.game.act(Role.COMMANDER, Action(Verb.OPEN_PROGRESS_CHECK), "1")
    made.game.act(Role.COMMANDER, Action(Verb.SEARCH_OBJECT, text="Mug"), "2")
    made.game.act(Role.COMMANDER, Action(Verb.FORWARD), "3")
    made.game.act(Role.COMMANDER, Action(Verb.TEXT, text="make coffee"), "4")
    made.game.act(Role.FOLLOWER, Action(Verb.PICKUP, Click(0.5, 0.99)), "1")
    return made


def test_the_follower_sees_words_and_its_own_deeds_alone(table: HostedGame) -> None:
    seen = [table.views.moment_json(m, Role.FOLLOWER) for m in table.game.moments]
    assert [each.get("verb") for each in seen] == [None, None, None, None, "Text", "Pickup"]
    assert all("commander" not in each for each in seen)
    assert seen[5]["ok"] is False and seen[5]["why"]
    told = json.dumps([*seen, table.views.room_json(Role.FOLLOWER)])
    assert "Coffee" not in told.replace("CoffeeMachine", "") and "subgoals" not in told
    assert "Mug" not in told


def test_the_commander_sees_checks_searches_and_both_cameras(table: HostedGame) -> None:
    seen = [table.views.moment_json(m, Role.COMMANDER) for m in table.game.moments]
    assert seen[1]["check"]["total"] == 3 and seen[1]["check"]["subgoals"]
    assert seen[2]["found"]["type"] == "Mug"
    assert seen[3]["commander"] != seen[2]["commander"]
    assert seen[5]["verb"] == "Pickup"
    assert table.views.room_json(Role.COMMANDER)["description"]


def test_what_was_found_is_shown_glowing(table: HostedGame) -> None:
    assert table.views.search_image(2)
    assert table.views.search_image(1) is None
    assert table.views.agent_image(0, Role.COMMANDER) != table.views.agent_image(3, Role.COMMANDER)


def test_the_object_under_a_click_is_named(table: HostedGame) -> None:
    named = {table.views.clicked_type(Click(x / 10, y / 10)) for x in range(10) for y in range(10)}
    assert named & {"Floor", "CounterTop", "Fridge", "DiningTable"} or named == {None}
