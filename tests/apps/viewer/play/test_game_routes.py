"""Games over HTTP: what may be asked, who may take a role, see and act; lost connections."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tatc.apps.viewer.play.game_routes import MAX_TEXT_CHARACTERS, parse_action, parse_game_request
from tatc.apps.viewer.session_index import SessionIndex
from tatc.base.errors import BadInput
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role, Verb
from tatc.session.records import read_record
from tests.apps.viewer.conftest import serve_client, value_of

GAME_REQUEST = {"part": "follower", "partner": "person", "task": "coffee", "room": "kitchen-01"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serve_client(SessionIndex(()), tmp_path) as made:
        yield made


def post(client: TestClient, path: str, **value: Any) -> Any:
    return client.post(f"play/{path}", json=value).json()


def start_game(client: TestClient, **changed: str) -> tuple[str, str]:
    answer = post(client, "new", **(GAME_REQUEST | changed))
    return answer["game"], answer["key"]


def act(client: TestClient, game: str, key: str, verb: str, **given: Any) -> Any:
    interaction = f"{verb} {given}"
    return post(client, f"{game}/request", key=key, do="act", verb=verb, id=interaction, **given)


def events(client: TestClient, game: str, key: str, after: int = -1) -> list[Any]:
    """Return all events of a game that is over, after the last that was heard."""
    address = f"play/{game}/events?key={key}&after={after}"
    text = client.get(address).text
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines]


def test_a_game_is_started_played_and_finished(client: TestClient) -> None:
    game, key = start_game(client)
    room = client.get(f"play/{game}/room?key={key}").json()
    assert room["part"] == "follower" and room["things"] and "task" not in room
    assert act(client, game, key, "Turn Left") == {}
    assert act(client, game, key, "Text", text="done") == {}
    assert post(client, f"{game}/request", key=key, do="finish") == {}
    *moments, status = events(client, game, key)
    assert [each["i"] for each in moments] == [0, 1, 2]
    assert status["over"] and status["end"] == "gave_up" and status["session"]
    assert client.get(f"data/session/{status['session']}.js").status_code == 200


def test_events_are_taken_up_where_they_were_lost(client: TestClient) -> None:
    game, key = start_game(client)
    for verb in ("Turn Left", "Turn Right", "Look Up"):
        act(client, game, key, verb)
    post(client, f"{game}/request", key=key, do="finish")
    assert [each.get("i") for each in events(client, game, key, 1)] == [2, 3, None]
    address = f"play/{game}/events?key={key}&after=-1"
    text = client.get(address, headers={"last-event-id": "2"}).text
    assert "id: 3" in text and "id: 2" not in text


HALF_A_PAIR = "\\ud800"  # as JSON writes it; no file can hold it


@pytest.mark.parametrize("field", ["text", "key"])
def test_text_that_no_record_could_hold_is_refused(client: TestClient, field: str) -> None:
    game, key = start_game(client, part="commander")
    given = {"key": key, "do": "act", "verb": "Text", "text": "mug", "id": "1"}
    body = json.dumps(given | {field: "HERE"}).replace("HERE", HALF_A_PAIR)
    answer = client.post(f"play/{game}/request", content=body)
    assert answer.status_code == 400 and answer.json()["error"]
    post(client, f"{game}/request", key=key, do="finish")
    *_, status = events(client, game, key)
    read_record(Path(status["path"]))


@pytest.mark.parametrize("field", ["partner", "wording", "task", "params", "room", "start"])
def test_a_game_is_not_started_with_such_text(client: TestClient, field: str) -> None:
    body = json.dumps(GAME_REQUEST | {field: "HERE"}).replace("HERE", HALF_A_PAIR)
    answer = client.post("play/new", content=body)
    assert answer.status_code == 400 and field in answer.json()["error"]


def test_games_that_are_gone_and_numbers_of_many_digits_find_nothing(client: TestClient) -> None:
    assert "removed" in client.get("play/nothing/room").json()["error"]
    assert client.get("play/nothing/events").status_code == 403
    assert client.get("play/nothing/0-follower.webp").status_code == 404
    game, key = start_game(client)
    long = "9" * 5000
    assert client.get(f"play/{game}/{long}-follower.webp?key={key}").status_code == 404
    assert client.get(f"pictures/x/{long}-follower.webp").status_code == 404
    post(client, f"{game}/request", key=key, do="finish")
    for after in (long, "\N{SUPERSCRIPT TWO}"):
        found = client.get(f"play/{game}/events?key={key}&after={after}")
        assert found.status_code == 200 and "id: 0" in found.text
    body = json.dumps(GAME_REQUEST)[:-1] + f', "seed": {long}}}'
    assert client.post("play/new", content=body).status_code == 400


@pytest.mark.parametrize("key", ["", "wrong"])
def test_without_a_role_one_sees_and_does_nothing(client: TestClient, key: str) -> None:
    game, _ = start_game(client)
    assert client.get(f"play/{game}/events?key={key}").status_code == 403
    assert client.get(f"play/{game}/0-follower.webp?key={key}").status_code == 404
    room = client.get(f"play/{game}/room?key={key}").json()
    assert room["part"] is None and room["free"] == ["commander"]
    assert "no role" in act(client, game, key, "Forward")["error"]


def test_the_follower_does_not_see_through_the_commanders_camera(client: TestClient) -> None:
    game, key = start_game(client)
    commander = post(client, f"{game}/role", part="commander")["key"]
    act(client, game, commander, "SearchObject", text="Mug")

    def status(what: str, key: str) -> int:
        return client.get(f"play/{game}/1-{what}.webp?key={key}").status_code

    assert status("follower", key) == status("follower", commander) == 200
    assert status("commander", commander) == status("target", commander) == 200
    assert status("commander", key) == status("target", key) == 404
    for do in ("suggest", "name"):
        answer = post(client, f"{game}/request", key=key, do=do, x=0.5, y=0.5)
        assert "not for this role" in answer["error"]


def test_the_commander_is_helped(client: TestClient) -> None:
    game, _ = start_game(client)
    key = post(client, f"{game}/role", part="commander")["key"]
    said = {
        wording: post(client, f"{game}/request", key=key, do="suggest", wording=wording)["text"]
        for wording in ("actions", "steps", "goals")
    }
    assert "PanRight" in said["actions"] and "walk" in said["steps"]
    assert len(set(said.values())) == 3
    refused = post(client, f"{game}/request", key=key, do="suggest", wording="shouts")["error"]
    assert "actions, steps, bearings, goals" in refused
    answer = post(client, f"{game}/request", key=key, do="name", x=0.5, y=0.9)
    assert set(answer) == {"type"}


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", "5", '{"do": "act"}', '{"key": 5}', "\xff"]
)
def test_nonsense_is_refused_in_words(client: TestClient, body: str) -> None:
    game, _ = start_game(client)
    for path in ("new", f"{game}/role", f"{game}/request", "nothing/request", "nothing/role"):
        got = client.post(f"play/{path}", content=body.encode("latin-1"))
        assert got.status_code == 400 and got.json()["error"]


def test_offers_name_what_can_be_played(client: TestClient) -> None:
    start_game(client)
    answer = value_of(client.get("data/play.js").text)
    assert "Coffee" in answer["tasks"] and "kitchen-01" in answer["rooms"]
    assert answer["commanders"][:2] == ["rule", "pddl"] and "rule" in answer["followers"]
    assert answer["games"][0]["free"] == ["commander"]


AT = {"x": 0.5, "y": 0.25}


ORACLE_VERBS = (Verb.OPEN_PROGRESS_CHECK, Verb.SEARCH_OBJECT)


@pytest.mark.parametrize("verb", [*MOTION_VERBS, *INTERACTION_VERBS, *ORACLE_VERBS])
def test_both_move_the_follower_handles_things_and_the_commander_asks_the_oracle(verb: Verb):
    raw = {"verb": verb.value, "text": "Mug", **AT}
    refused = {Role.COMMANDER: INTERACTION_VERBS, Role.FOLLOWER: ORACLE_VERBS}
    for role in Role:
        if verb in refused[role]:
            with pytest.raises(BadInput, match=role.name.lower()):
                parse_action(raw, role)
        else:
            click = Click(0.5, 0.25) if verb in INTERACTION_VERBS else None
            text = "Mug" if verb is Verb.SEARCH_OBJECT else None
            assert parse_action(raw, role) == Action(verb, click, text)


@pytest.mark.parametrize(
    "raw",
    [
        *[None, [], "Forward", {}],
        *[{"verb": verb} for verb in (3, "Fly", "Stop", "Pickup", "Text")],
        {"verb": "Clean", **AT},
        *[{"verb": "Pickup", "x": x, "y": 0.5} for x in (None, 1, -0.1, float("nan"), "0.5")],
        *[{"verb": "Text", "text": text} for text in (None, "  ", ["hello"])],
        {"verb": "Text", "text": "x" * (MAX_TEXT_CHARACTERS + 1)},
    ],
)
def test_what_cannot_be_done_is_refused(raw: Any) -> None:
    with pytest.raises(BadInput):
        parse_action(raw, Role.FOLLOWER)


def test_a_request_has_its_defaults_and_words_lose_their_line_breaks() -> None:
    given = parse_game_request({"part": "follower", "task": "coffee", "params": " a, ,b "})
    assert (given.role, given.params, given.seed) == (Role.FOLLOWER, ("a", "b"), 1)
    said = parse_action({"verb": "Text", "text": " a \n b "}, Role.COMMANDER)
    assert said.text == "a b"


@pytest.mark.parametrize(
    "raw",
    [
        *[None, {}, {"part": "driver"}],
        *[{"part": "follower", "seed": seed} for seed in (-1, True, "1")],
        {"part": "follower", "room": 5},
    ],
)
def test_a_request_that_makes_no_sense_is_refused(raw: Any) -> None:
    with pytest.raises(BadInput):
        parse_game_request(raw)
