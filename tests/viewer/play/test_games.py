"""Games: a person against either agent, two people, seats, saving, the bound."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from tatc.actions import Action, Role, Verb
from tatc.errors import BadInput
from tatc.language import Question, Stretch, hear, say
from tatc.records import End, read_record
from tatc.rerun import rerun
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import shipped_library
from tatc.viewer.play import game as game_module
from tatc.viewer.play import tables as tables_module
from tatc.viewer.play.asked import parse_wish
from tatc.viewer.play.game import Game
from tatc.viewer.play.tables import PLAYED, Table, Tables
from tatc.viewer.shelf import Entry, Shelf

COFFEE = {"task": "coffee", "room": "kitchen-01", "wording": "actions"}
ASK = Action(Verb.TEXT, text=say(Question()))


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(shipped_library(), Shelf(()), folder=tmp_path, pace=0.0, games=3)


def opened(tables: Tables, **wish: str) -> Table:
    return tables.open(parse_wish(COFFEE | wish))


def until(holds: Callable[[], bool]) -> None:
    """Wait for an agent, which acts in a thread of its own."""
    end = monotonic() + 20
    while not holds():
        assert monotonic() < end, "nothing has come of it in 20 s"
        sleep(0.005)


def said_by(game: Game, role: Role) -> list[str]:
    done = [moment.interaction for moment in game.moments]
    return [each.text for each in done if each and each.role is role and each.text]


def follow(game: Game) -> None:
    """Play the Follower: do as one is told, and ask when it is done."""
    for turn in range(40):
        game.act(Role.FOLLOWER, ASK, f"ask {turn}")
        until(lambda: game.over or game.turn is Role.FOLLOWER)
        if game.over:
            return
        stretch = hear(said_by(game, Role.COMMANDER)[-1])
        assert isinstance(stretch, Stretch)
        for i, step in enumerate(stretch.steps):
            game.act(Role.FOLLOWER, step.action, f"{turn} {i}")


def test_a_person_follows_the_rule_commander_to_success(tables: Tables) -> None:
    game = opened(tables, part="follower", partner="rule").game
    follow(game)
    entry = tables.saved(game)
    assert isinstance(entry, Entry) and entry.path is not None
    assert (entry.end, entry.source) == ("success", PLAYED)
    assert tables.shelf.get(entry.id) is entry
    record = read_record(entry.path)
    assert record.end is End.SUCCESS
    assert dict(record.options)["follower"] == "person"
    assert dict(record.options)["commander"] == "rule"
    assert rerun(record, EmbeddedSimulator()).same


def test_a_person_commands_the_rule_follower_by_suggestions(tables: Tables) -> None:
    game = opened(tables, part="commander", partner="rule").game
    for turn in range(40):
        until(lambda: game.turn is Role.COMMANDER)
        words = game.suggest()
        game.act(Role.COMMANDER, Action(Verb.TEXT, text=words), str(turn))
        if not isinstance(hear(words), Stretch):
            break
    until(lambda: game.over)
    entry = tables.saved(game)
    assert isinstance(entry, Entry) and entry.end == "success"
    assert entry.agents == ("person", "rule")


def test_two_people_act_when_they_like(tables: Tables) -> None:
    game = opened(tables, part="follower", partner="person").game
    assert game.people == (Role.COMMANDER, Role.FOLLOWER)
    game.act(Role.COMMANDER, Action(Verb.TEXT, text="hello"), "1")
    game.act(Role.COMMANDER, Action(Verb.OPEN_PROGRESS_CHECK), "2")
    game.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "1")
    game.act(Role.COMMANDER, Action(Verb.SEARCH_OBJECT, text="Mug"), "3")
    game.act(Role.FOLLOWER, Action(Verb.TEXT, text="hi"), "2")
    verbs = [m.interaction.verb for m in game.moments if m.interaction]
    assert [verb.value for verb in verbs] == [
        "Text",
        "OpenProgressCheck",
        "Turn Left",
        "SearchObject",
        "Text",
    ]
    game.finish(Role.COMMANDER)
    entry = tables.saved(game)
    assert isinstance(entry, Entry) and entry.agents == ("person", "person")
    assert said_by(game, Role.COMMANDER)[-1] == "We are done. Thank you!"


def test_a_deed_that_is_sent_again_is_done_once(tables: Tables) -> None:
    game = opened(tables, part="follower", partner="person").game
    for _ in range(3):
        game.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "the same")
    assert len(game.moments) == 2
    game.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "another")
    assert len(game.moments) == 3


def test_a_seat_is_held_by_its_key_alone(tables: Tables) -> None:
    game = opened(tables, part="follower", partner="person").game
    key = game.sit(Role.FOLLOWER)
    assert game.seat(key) is Role.FOLLOWER
    assert game.seat("") is None and game.seat(key + "x") is None
    assert game.free() == (Role.COMMANDER,)
    with pytest.raises(BadInput, match="taken"):
        game.sit(Role.FOLLOWER)


def test_an_agents_seat_cannot_be_taken(tables: Tables) -> None:
    game = opened(tables, part="follower", partner="rule").game
    with pytest.raises(BadInput, match="agent"):
        game.sit(Role.COMMANDER)
    game.stop()


def test_who_stays_away_loses_the_seat(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(tables, part="follower", partner="person").game
    key = game.sit(Role.FOLLOWER)
    monkeypatch.setattr(game_module, "AWAY", 0.0)
    assert game.free() == (Role.COMMANDER, Role.FOLLOWER)
    other = game.sit(Role.FOLLOWER)
    assert game.seat(other) is Role.FOLLOWER and game.seat(key) is None


def test_a_game_that_is_over_takes_no_deeds(tables: Tables) -> None:
    game = opened(tables, part="follower", partner="person").game
    game.finish(Role.FOLLOWER)
    with pytest.raises(BadInput, match="over"):
        game.act(Role.FOLLOWER, Action(Verb.FORWARD), "1")
    entry = tables.saved(game)
    assert isinstance(entry, Entry) and entry.end == "gave_up"


def test_a_game_ends_when_it_grows_too_long(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_module, "MOST", 3)
    game = opened(tables, part="follower", partner="person").game
    for i in range(3):
        game.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), str(i))
    assert game.over


def test_games_are_bounded_and_those_that_are_over_make_room(tables: Tables) -> None:
    games = [opened(tables, part="follower", partner="person").game for _ in range(3)]
    for game in games:
        game.sit(Role.FOLLOWER)
    with pytest.raises(BadInput, match="3 games"):
        opened(tables, part="follower", partner="person")
    games[1].finish(Role.FOLLOWER)
    assert isinstance(tables.saved(games[1]), Entry)
    opened(tables, part="follower", partner="person")
    assert tables.get(games[1].id) is None and tables.get(games[0].id) is not None


def test_a_game_that_all_have_left_is_saved_and_makes_room(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = opened(tables, part="follower", partner="person").game
    left.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "1")
    for _ in range(2):
        opened(tables, part="follower", partner="person")
    monkeypatch.setattr(tables_module, "FORGOTTEN", 0.0)
    opened(tables, part="follower", partner="person")
    assert tables.get(left.id) is None and left.over
    assert len(list(tmp_path.glob("*.game.json"))) == 1


def test_games_that_go_on_are_saved_at_the_end(tables: Tables, tmp_path: Path) -> None:
    begun = opened(tables, part="follower", partner="person").game
    opened(tables, part="follower", partner="person")
    begun.act(Role.FOLLOWER, Action(Verb.TURN_LEFT), "1")
    tables.close()
    [path] = tmp_path.glob("*.game.json")
    assert len(read_record(path).interactions) == 1


def test_a_record_that_cannot_be_saved_is_told(tables: Tables, tmp_path: Path) -> None:
    game = opened(tables, part="follower", partner="person").game
    game.finish(Role.FOLLOWER)
    tmp_path.joinpath("in the way").write_text("")
    bad = Tables(
        shipped_library(), Shelf(()), folder=tmp_path / "in the way" / "deeper"
    )
    told = bad.saved(game)
    assert isinstance(told, str) and "in the way" in told


@pytest.mark.parametrize(
    "wish",
    [
        {"task": "no such task"},
        {"room": "no-such-room"},
        {"room": "../kitchen"},
        {"room": "bathroom-01"},
        {"start": "nothing"},
        {"partner": "nobody"},
        {"partner": "no.such.module:Agent"},
        {"partner": "tests.viewer.play.breaking:Breaking"},
        {"wording": "shouting"},
        {"params": "too, many"},
    ],
)
def test_what_cannot_be_played_is_said(tables: Tables, wish: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        tables.open(parse_wish(COFFEE | {"part": "follower"} | wish))
    assert tables.all() == ()


def test_an_agent_that_breaks_ends_the_game_in_words(tmp_path: Path) -> None:
    partner = "tests.viewer.play.breaking:Breaking"
    tables = Tables(shipped_library(), Shelf(()), folder=tmp_path, followers=(partner,))
    game = opened(tables, part="commander", partner=partner, wording="").game
    until(lambda: game.over)
    assert "as it should" in game.fault
    entry = tables.saved(game)
    assert isinstance(entry, Entry) and entry.end == "crashed"
