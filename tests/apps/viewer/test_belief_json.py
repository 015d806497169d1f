"""What the pages get of a Follower's belief, of a finished session and while one plays."""

from pathlib import Path
from typing import Any

import pytest

from tatc.apps.viewer.page_data import ObjectTracks, box_json
from tatc.apps.viewer.play.game_host import GameHost
from tatc.apps.viewer.play.game_routes import parse_game_request
from tatc.apps.viewer.session_index import SessionIndex, open_session_index
from tatc.apps.viewer.web_app import SessionCache
from tatc.home.actions import Action, Role, Verb
from tatc.home.state import AgentState, Snapshot
from tatc.session.records import write_record
from tatc.tdl import shipped_library
from tests.apps.viewer.play.test_game_host import said_by, until
from tests.session.timeline.listening_session import listening_session
from tests.sim.box_kitchen import make_object

LINES = ("coffee in 1 clean mug",)


def page_data(path: Path) -> dict[str, Any]:
    [entry] = open_session_index([path]).entries
    return SessionCache().open(entry).page_data


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("records") / "coffee.game.json"
    write_record(listening_session().record(), path)
    return page_data(path)


def test_a_record_is_shown_with_what_the_follower_believed(session: dict[str, Any]) -> None:
    beliefs = session["beliefs"]
    held = [m.index for m in listening_session().moments if m.belief is not None]
    assert [each["at"] for each in beliefs] == held
    assert beliefs[0]["goal"] is None and beliefs[-1]["goal"]["lines"] == LINES
    assert beliefs[-1]["wrong"] == [] and beliefs[-1]["end"]
    unseen = [session["things"][i]["type"] for i in beliefs[-1]["unseen"]]
    assert "Knife" in unseen and "CoffeeMachine" not in unseen
    assert len(unseen) < len(beliefs[0]["unseen"])


def test_believed_things_stand_where_the_worlds_do(session: dict[str, Any]) -> None:
    true = {each["id"]: each for each in session["things"]}
    for each in session["believed"]:
        if each["type"] != "Floor":
            shape, last = each["track"][-1][1], true[each["id"]]["track"][-1][1]
            assert shape[:2] == pytest.approx(last[:2], abs=0.06), each["id"]
    steps = [at for _, _, at in session["seen"]]
    assert steps == sorted(steps) and steps[0] == 0 < steps[-1]


def test_other_sessions_have_no_belief(record: Path) -> None:
    assert not {"beliefs", "believed", "seen"} & page_data(record).keys()


def test_the_commander_sees_what_the_listener_believes(tmp_path: Path) -> None:
    folder = tmp_path / "not made yet"
    host = GameHost(shipped_library(), SessionIndex(()), folder=folder, pace_seconds=0.0)
    request = {"part": "commander", "partner": "listener", "task": "coffee", "room": "kitchen-01"}
    hosted = host.start_game(parse_game_request(request))
    game, views = hosted.game, hosted
    assert views.room_json(Role.COMMANDER)["believes"]
    assert dict(game.record().options)["talk"] == "person"
    until(lambda: game.turn is Role.COMMANDER)
    game.act(Role.COMMANDER, Action(Verb.TEXT, text="make me some coffee"), "1")
    until(lambda: (views.belief_json(Role.COMMANDER) or {}).get("goal"))
    belief = views.belief_json(Role.COMMANDER)
    assert belief is not None and belief["goal"]["lines"] == LINES
    until(lambda: "coffee in 1 clean mug. " in said_by(game, Role.FOLLOWER)[-1])
    belief = views.belief_json(Role.COMMANDER)
    assert belief is not None and belief["left"] is None
    assert belief["seen"] and {"Mug", "Cup"} & {each["type"] for each in belief["things"]}
    assert views.belief_json(Role.FOLLOWER) is None
    host.close()
    assert len(list(folder.iterdir())) == 1


def test_beside_other_followers_there_is_no_belief(tmp_path: Path) -> None:
    host = GameHost(shipped_library(), SessionIndex(()), folder=tmp_path)
    request = {"part": "commander", "partner": "rule", "task": "coffee", "room": "kitchen-01"}
    hosted = host.start_game(parse_game_request(request))
    assert hosted.belief_json(Role.COMMANDER) is None
    assert not hosted.room_json(Role.COMMANDER)["believes"]
    hosted.game.stop()


def test_what_is_forgotten_leaves_the_others_their_tracks() -> None:
    mug = make_object("Mug", (0.0, 0.9, 1.0), (0.1, 0.1, 0.1))
    pan = make_object("Pan", (1.0, 0.9, 1.0), (0.3, 0.1, 0.2))
    agent = AgentState((0.0, 0.9, 0.0), 0.0, 0.0)
    tracks = ObjectTracks()
    tracks.add_step(0, Snapshot.from_objects([mug, pan], agent, agent), ["Mug|1", "Pan|2"])
    tracks.add_step(1, Snapshot.from_objects([pan], agent, agent), ["Pan|2"])
    tracks.add_step(2, Snapshot.from_objects([pan, mug], agent, agent), ["Pan|2", "Mug|1"])
    assert [each["type"] for each in tracks.objects] == ["Mug", "Pan"]
    mugs, pans = ([row[:2] for row in each["track"]] for each in tracks.objects)
    assert mugs == [[0, box_json(mug.box)], [1, None], [2, box_json(mug.box)]]
    assert pans == [[0, box_json(pan.box)]]
