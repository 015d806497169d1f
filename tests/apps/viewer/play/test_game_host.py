"""Games: a person against either agent, two people, what each role sees, saving, the limit."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from tatc.apps.viewer.play import game_host as game_host_module, human_game as game_module
from tatc.apps.viewer.play.game_host import PLAYED_SOURCE, GameHost
from tatc.apps.viewer.play.game_routes import parse_game_request
from tatc.apps.viewer.play.human_game import HumanGame
from tatc.apps.viewer.play.role_views import RoleViews
from tatc.apps.viewer.session_index import SessionEntry, SessionIndex
from tatc.base import files
from tatc.base.errors import BadInput
from tatc.follower import RuleFollower
from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.observation import Observation
from tatc.language import InstructionRequest, PhraseStretch, Stretch, Wording, hear, say
from tatc.session.records import SessionEnd, read_record
from tatc.session.session_record import replay_record
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

COFFEE = {"task": "coffee", "room": "kitchen-01", "wording": "actions"}
CRASHING = f"{__name__}:CrashingFollower"
ASK = Action(Verb.TEXT, text=say(InstructionRequest()))


class CrashingFollower(RuleFollower):
    """A Follower that breaks."""

    def act(self, seen: Observation) -> Action:
        raise RuntimeError("as it should")


@pytest.fixture
def host(tmp_path: Path) -> GameHost:
    return GameHost(
        shipped_library(), SessionIndex(()), folder=tmp_path, pace_seconds=0.0, max_games=3
    )


def start_game(host: GameHost, **changed: str) -> RoleViews:
    return host.start_game(parse_game_request(COFFEE | changed))


def pair(host: GameHost) -> HumanGame:
    """Start a game of two people."""
    return start_game(host, part="follower", partner="person").game


def until(holds: Callable[[], bool]) -> None:
    """Wait for an agent, which acts in a thread of its own."""
    end = monotonic() + 20
    while not holds():
        assert monotonic() < end, "nothing has come of it in 20 s"
        sleep(0.005)


def said_by(game: HumanGame, role: Role) -> list[str]:
    done = [moment.interaction for moment in game.moments]
    return [each.text for each in done if each and each.role is role and each.text]


def follow(game: HumanGame) -> None:
    """Play the Follower: do as one is told, and ask when it is done."""
    for turn in range(40):
        game.act(Role.FOLLOWER, ASK, f"ask {turn}")
        until(lambda: game.is_over or game.turn is Role.FOLLOWER)
        if game.is_over:
            return
        stretch = hear(said_by(game, Role.COMMANDER)[-1])
        assert isinstance(stretch, Stretch)
        for i, step in enumerate(stretch.steps):
            game.act(Role.FOLLOWER, step.action, f"{turn} {i}")


def test_a_person_follows_the_rule_commander_to_success(host: GameHost) -> None:
    game = start_game(host, part="follower", partner="rule").game
    follow(game)
    entry = host.save_if_over(game)
    assert isinstance(entry, SessionEntry) and entry.path is not None
    assert (entry.end, entry.source) == ("success", PLAYED_SOURCE)
    assert host.session_index.get(entry.id) is entry
    record = read_record(entry.path)
    assert record.end is SessionEnd.SUCCESS
    assert dict(record.options)["follower"] == "person"
    assert dict(record.options)["commander"] == "rule"
    assert replay_record(record, EmbeddedSimulator()).is_same


@pytest.mark.parametrize("wording", [Wording.ACTIONS, Wording.STEPS])
def test_a_person_commands_the_rule_follower_by_suggestions(
    host: GameHost, wording: Wording
) -> None:
    game = start_game(host, part="commander", partner="rule").game
    for turn in range(40):
        until(lambda: game.turn is Role.COMMANDER)
        words = game.suggest_utterance(wording)
        game.act(Role.COMMANDER, Action(Verb.TEXT, text=words), str(turn))
        if not isinstance(hear(words), Stretch | PhraseStretch):
            break
    until(lambda: game.is_over)
    entry = host.save_if_over(game)
    assert isinstance(entry, SessionEntry) and entry.end == "success"
    assert entry.agents == ("person", "rule")


def test_two_people_act_when_they_like(host: GameHost) -> None:
    game = pair(host)
    assert game.human_roles == (Role.COMMANDER, Role.FOLLOWER)
    game.act(Role.COMMANDER, Action(Verb.TEXT, text="hello"), "1")
    game.act(Role.COMMANDER, Action(Verb.OPEN_PROGRESS_CHECK), "2")
    game.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "1")
    game.act(Role.COMMANDER, Action(Verb.SEARCH_OBJECT, text="Mug"), "3")
    game.act(Role.FOLLOWER, Action(Verb.TEXT, text="hi"), "2")
    verbs = [m.interaction.verb.value for m in game.moments if m.interaction]
    assert verbs == ["Text", "OpenProgressCheck", "Turn Left", "SearchObject", "Text"]
    game.finish(Role.COMMANDER)
    entry = host.save_if_over(game)
    assert isinstance(entry, SessionEntry) and entry.agents == ("person", "person")
    assert said_by(game, Role.COMMANDER)[-1] == "We are done. Thank you!"


@pytest.mark.parametrize(
    ("ids", "done"), [(("7", "7", "7", "another"), 2), (("", "", "7", "7", "", "7"), 5)]
)
def test_an_action_that_is_sent_again_by_its_id_is_done_once(
    host: GameHost, ids: tuple[str, ...], done: int
) -> None:
    game = pair(host)
    for each in ids:
        game.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), each)
    assert len(game.moments) == 1 + done


def test_a_role_is_held_by_its_key_alone_while_its_player_is_there(
    host: GameHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pair(host)
    key = game.take_role(Role.FOLLOWER)
    assert game.role_of_key(key) is Role.FOLLOWER
    assert game.role_of_key("") is None and game.role_of_key(key + "x") is None
    assert game.free_roles() == (Role.COMMANDER,)
    with pytest.raises(BadInput, match="somebody else"):
        game.take_role(Role.FOLLOWER)
    monkeypatch.setattr(game_module, "ABSENT_AFTER_SECONDS", 0.0)
    assert game.free_roles() == (Role.COMMANDER, Role.FOLLOWER)
    other = game.take_role(Role.FOLLOWER)
    assert game.role_of_key(other) is Role.FOLLOWER and game.role_of_key(key) is None


def test_an_agents_role_cannot_be_taken(host: GameHost) -> None:
    game = start_game(host, part="follower", partner="rule").game
    with pytest.raises(BadInput, match="agent"):
        game.take_role(Role.COMMANDER)
    game.stop()


def test_a_game_that_is_over_or_grows_too_long_takes_no_actions(
    host: GameHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, long = pair(host), pair(host)
    game.finish(Role.FOLLOWER)
    with pytest.raises(BadInput, match="over"):
        game.act(Role.FOLLOWER, Action(Verb.FORWARD), "1")
    entry = host.save_if_over(game)
    assert isinstance(entry, SessionEntry) and entry.end == "gave_up"
    monkeypatch.setattr(game_module, "MAX_PLAYED_INTERACTIONS", 3)
    for i in range(3):
        long.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), str(i))
    assert long.is_over


@pytest.mark.parametrize("text", ["\U0001f600" * 2000, "\x01" * 2000])
def test_whatever_is_said_a_game_can_be_read_again(
    host: GameHost, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(game_module, "MAX_SAID_CHARACTERS", 200_000)
    small = replace(files.GAME, max_bytes=1_700_000)
    monkeypatch.setattr(files, "GAME", small)
    game = pair(host)
    while not game.is_over:
        game.act(Role.FOLLOWER, Action(Verb.TEXT, text=text), "")
    entry = host.save_if_over(game)
    assert isinstance(entry, SessionEntry) and entry.path is not None and not entry.error
    assert entry.path.stat().st_size < small.max_bytes


def test_games_are_bounded_and_those_that_are_over_make_room(host: GameHost) -> None:
    games = [pair(host) for _ in range(3)]
    for game in games:
        game.take_role(Role.FOLLOWER)
    with pytest.raises(BadInput, match=r"going on as may be \(3\)"):
        pair(host)
    games[1].finish(Role.FOLLOWER)
    assert isinstance(host.save_if_over(games[1]), SessionEntry)
    pair(host)
    assert host.get(games[1].id) is None and host.get(games[0].id) is not None


def test_a_game_that_all_have_left_is_saved_and_makes_room(
    host: GameHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = pair(host)
    left.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "1")
    for _ in range(2):
        pair(host)
    monkeypatch.setattr(game_host_module, "ABANDONED_AFTER_SECONDS", 0.0)
    pair(host)
    assert host.get(left.id) is None and left.is_over
    [path] = tmp_path.glob("*.game.json")
    assert len(read_record(path).interactions) == 1


def test_games_that_go_on_are_saved_at_the_end(host: GameHost, tmp_path: Path) -> None:
    begun = pair(host)
    pair(host)
    begun.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "1")
    host.close()
    [path] = tmp_path.glob("*.game.json")
    assert len(read_record(path).interactions) == 1


def test_a_record_that_cannot_be_saved_is_told(host: GameHost, tmp_path: Path) -> None:
    game = pair(host)
    game.finish(Role.FOLLOWER)
    tmp_path.joinpath("in the way").write_text("")
    bad = GameHost(shipped_library(), SessionIndex(()), folder=tmp_path / "in the way" / "deeper")
    told = bad.save_if_over(game)
    assert isinstance(told, str) and "in the way" in told


@pytest.mark.parametrize(
    "changed",
    [
        {"task": "no such task"},
        *[{"room": name} for name in ("no-such-room", "../kitchen", "bathroom-01")],
        {"start": "nothing"},
        *[{"partner": name} for name in ("nobody", "no.such.module:Agent", CRASHING)],
        {"wording": "shouting"},
        {"params": "too, many"},
    ],
)
def test_what_cannot_be_played_is_said(host: GameHost, changed: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        host.start_game(parse_game_request(COFFEE | {"part": "follower"} | changed))
    assert host.games() == ()


def test_an_agent_that_breaks_ends_the_game_in_words(tmp_path: Path) -> None:
    host = GameHost(shipped_library(), SessionIndex(()), folder=tmp_path, followers=(CRASHING,))
    game = start_game(host, part="commander", partner=CRASHING, wording="").game
    until(lambda: game.is_over)
    assert "as it should" in game.agent_error
    entry = host.save_if_over(game)
    assert isinstance(entry, SessionEntry) and entry.end == "crashed"


@pytest.fixture
def hosted(host: GameHost) -> RoleViews:
    hosted = start_game(host, part="follower", partner="person")
    looks = (Action(Verb.OPEN_PROGRESS_CHECK), Action(Verb.SEARCH_OBJECT, text="Mug"))
    goes = (Action(Verb.FORWARD), Action(Verb.TEXT, text="make coffee"))
    for number, action in enumerate((*looks, *goes)):
        hosted.game.act(Role.COMMANDER, action, str(number))
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
    assert hosted.search_image(2), "what was found is shown glowing"
    assert hosted.search_image(1) is None
    assert hosted.agent_image(0, Role.COMMANDER) != hosted.agent_image(3, Role.COMMANDER)


def test_the_object_under_a_click_is_named(hosted: RoleViews) -> None:
    named = {hosted.clicked_type(Click(x / 10, y / 10)) for x in range(10) for y in range(10)}
    assert named & {"Floor", "CounterTop", "Fridge", "DiningTable"}
