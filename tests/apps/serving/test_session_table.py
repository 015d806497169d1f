"""Sessions of a server are their clients' own and bounded."""

import re

import pytest

from tatc.apps.serving import MAX_SESSIONS, session_table
from tatc.apps.serving.session_table import SessionOffer, SessionTable, setup_for
from tatc.base.errors import AgentCrash, BadInput
from tatc.commander import CommanderView, RuleCommander
from tatc.home.actions import Action, Role
from tatc.session.records import Record, SessionEnd
from tests.session.text_world.sessions import opening

OFFER = SessionOffer(opening(), setup_for((Role.FOLLOWER,), None, None, None), Role.FOLLOWER)


class Played:
    """A table, the records that it saved, and its clock."""

    def __init__(self, offer: SessionOffer = OFFER, max_sessions: int = MAX_SESSIONS) -> None:
        self.saved: list[Record] = []
        self.now = 0.0
        self.table = SessionTable(offer, self.saved.append, max_sessions, clock=lambda: self.now)

    def start(self, client: str = "ann") -> str:
        found = re.match(r"Session (\w+)\nYou are the Follower", self.table.start(client))
        assert found is not None
        return found[1]

    def turn(self, session_id: str | None = None, client: str = "ann") -> str:
        return self.table.call(client, session_id, "turn", {"direction": "left"})


def test_a_call_without_an_id_is_of_the_session_started_last() -> None:
    played = Played()
    played.start()  # in which nobody acts, so that it is not saved
    first, _ = played.start(), played.start()
    played.turn()
    assert "Last:" not in played.table.call("ann", first, "go", {}).partition("Last: refused")[0]
    played.table.close()
    assert [len(record.interactions) for record in played.saved] == [0, 1]


def test_an_idle_session_is_ended_and_saved_once_somebody_calls() -> None:
    played = Played()
    old = played.start()
    played.turn(old)
    played.now = session_table.IDLE_SECONDS + 1
    played.start("ben")
    assert [record.end for record in played.saved] == [SessionEnd.GAVE_UP]
    with pytest.raises(BadInput, match="you have no session"):
        played.turn(old)
    with pytest.raises(BadInput, match="no session is going on"):
        played.turn()


def test_sessions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_table, "MAX_SESSIONS_OF_A_CLIENT", 1)
    played = Played(max_sessions=2)
    own = played.start()
    with pytest.raises(BadInput, match="you have as many sessions as you may"):
        played.start()
    played.start("ben")
    with pytest.raises(BadInput, match="this server has as many sessions as it may"):
        played.start("cleo")
    assert "The session has ended: gave_up" in played.table.call("ann", own, "stop", {})
    played.start()


def test_calls_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_table, "MAX_CALLS", 3)
    played = Played()
    played.start()
    for _ in range(2):
        assert "ended" not in played.table.call("ann", None, "no_such_tool", {})
    assert "The session has ended: gave_up; 1 of 3 goal" not in played.turn()
    assert [record.end for record in played.saved] == [SessionEnd.GAVE_UP]


class CrashingCommander(RuleCommander):
    """A Commander that fails when it is to speak."""

    def act(self, view: CommanderView) -> Action:
        raise RuntimeError("out of words")


def test_a_partner_that_crashes_ends_the_session() -> None:
    setup = setup_for((Role.FOLLOWER,), f"{__name__}:CrashingCommander", None, None)
    played = Played(SessionOffer(opening(), setup, Role.FOLLOWER))
    played.start()
    with pytest.raises(AgentCrash, match="out of words"):
        played.table.call("ann", None, "ask", {})
    assert [record.end for record in played.saved] == [SessionEnd.CRASHED]
