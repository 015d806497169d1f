"""What each part sees: the Follower nothing of the task, the Commander all it needs."""

import json
from pathlib import Path

import pytest

from tatc.apps.viewer.play.game_host import GameHost
from tatc.apps.viewer.play.request_parsing import parse_game_request
from tatc.apps.viewer.play.role_views import RoleViews
from tatc.apps.viewer.session_index import SessionIndex
from tatc.home.actions import Action, Click, Role, Verb
from tatc.tdl import shipped_library


@pytest.fixture
def hosted(tmp_path: Path) -> RoleViews:
    host = GameHost(shipped_library(), SessionIndex(()), folder=tmp_path)
    given = {"part": "follower", "partner": "person", "task": "coffee"}
    hosted = host.start_game(parse_game_request(given | {"room": "kitchen-01"}))
    hosted.game.act(Role.COMMANDER, Action(Verb.OPEN_PROGRESS_CHECK), "1")
    hosted.game.act(Role.COMMANDER, Action(Verb.SEARCH_OBJECT, text="Mug"), "2")
    hosted.game.act(Role.COMMANDER, Action(Verb.FORWARD), "3")
    hosted.game.act(Role.COMMANDER, Action(Verb.TEXT, text="make coffee"), "4")
    hosted.game.act(Role.FOLLOWER, Action(Verb.PICKUP, Click(0.5, 0.99)), "1")
    return hosted


def test_the_follower_sees_words_and_its_own_actions_alone(hosted: RoleViews) -> None:
    seen = [hosted.moment_json(m, Role.FOLLOWER) for m in hosted.game.moments]
    assert [each.get("verb") for each in seen] == [None, None, None, None, "Text", "Pickup"]
    assert all("commander" not in each for each in seen)
    assert seen[5]["ok"] is False and seen[5]["why"]
    told = json.dumps([*seen, hosted.room_json(Role.FOLLOWER)])
    assert "Coffee" not in told.replace("CoffeeMachine", "") and "subgoals" not in told
    assert "Mug" not in told


def test_the_commander_sees_checks_searches_and_both_cameras(hosted: RoleViews) -> None:
    seen = [hosted.moment_json(m, Role.COMMANDER) for m in hosted.game.moments]
    assert seen[1]["check"]["total"] == 3 and seen[1]["check"]["subgoals"]
    assert seen[2]["found"]["type"] == "Mug"
    assert seen[3]["commander"] != seen[2]["commander"]
    assert seen[5]["verb"] == "Pickup"
    assert hosted.room_json(Role.COMMANDER)["description"]


def test_what_was_found_is_shown_glowing(hosted: RoleViews) -> None:
    assert hosted.search_image(2)
    assert hosted.search_image(1) is None
    assert hosted.agent_image(0, Role.COMMANDER) != hosted.agent_image(3, Role.COMMANDER)


def test_the_object_under_a_click_is_named(hosted: RoleViews) -> None:
    named = {hosted.clicked_type(Click(x / 10, y / 10)) for x in range(10) for y in range(10)}
    assert named & {"Floor", "CounterTop", "Fridge", "DiningTable"} or named == {None}
