"""Sessions of a server are their clients' own and bounded; an operator's requests are checked."""

import json
import re
from threading import Thread
from typing import Any

import anyio
import pytest

from tatc.apps.serving import MAX_SESSIONS, session_table
from tatc.apps.serving.operator import with_operator
from tatc.apps.serving.session_table import LiveSessions, SessionOffer, SessionTable, setup_for
from tatc.base.errors import AgentCrash, BadInput
from tatc.base.web_server import OPERATOR_KEY
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


def test_an_operator_can_save_while_idle_sessions_are_looked_for() -> None:
    sessions, finished = list[str](), list[bool]()

    def clock() -> float:  # is asked while nobody else may change the table
        for name in sessions:
            saving = Thread(target=table.save, args=(name,), daemon=True)
            saving.start()
            saving.join(5)
            finished.append(not saving.is_alive())
        return 0.0

    table = SessionTable(OFFER, lambda record: None, clock=clock)
    sessions.append(table.start("ann").split()[1])
    table.start("ben")
    assert finished and all(finished)


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


TOO_MANY_DIGITS = b"1" * 5000  # for Python to read them as a number


def answer_to(name: str, *messages: dict[str, Any]) -> tuple[int, bytes]:
    """Return status and body of the answer to an operator's request that comes in messages."""
    left, sent = list(messages), list[Any]()

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def clients(*_: object) -> None:
        raise AssertionError("a client's application got an operator's request")

    scope = {"type": "http", "method": "POST", "path": f"/operator/{name}", "headers": []}
    app = with_operator(clients, LiveSessions())
    anyio.run(app, scope | {OPERATOR_KEY: True}, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent)


@pytest.mark.parametrize(
    ("name", "body", "why"),
    [
        ("drop", b'{"state": "0"}', "there is no state"),
        ("save", b"", "session is missing or no text"),
        ("save", b"[]", "the request is no JSON object"),
        ("save", b"\xff", "it is not text in UTF-8"),
        ("save", b'{"session": "a', "is not JSON"),
        ("save", b'{"session": %s}' % TOO_MANY_DIGITS, "a number in it has too many digits"),
        ("save", b'{"session": %s%s}' % (b"[" * 8, b"]" * 8), "nested deeper than 8 levels"),
        ("save", b'{"session": "\\ud800"}', r"there is no session '\ud800'"),
    ],
)
def test_what_an_operator_asks_wrongly_is_refused_in_one_line(
    name: str, body: bytes, why: str
) -> None:
    status, answer = answer_to(name, {"type": "http.request", "body": body})
    told = json.loads(answer)["error"]
    assert status == 400 and why in told and "\n" not in told


def test_an_operator_that_goes_away_is_no_fault() -> None:
    assert answer_to("save", {"type": "http.disconnect"}) == (400, b"")
