"""A scripted model plays Coffee to the end as either agent, with tool calls alone."""

from functools import cache

import pytest

from tatc.home.actions import INTERACTION_VERBS, Role
from tatc.session.records import SessionEnd
from tatc.session.session_record import replay_record
from tatc.session.tool_session import ToolSession
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.session.text_world.scripted_models import SCRIPTS
from tests.session.text_world.sessions import opening


@cache
def played(role: Role, room: str) -> ToolSession:
    """Return a session that a scripted model has played with the other rule agent."""
    session, script = ToolSession(opening("coffee", room), plays=(role,)), SCRIPTS[role]()
    call = next(script)
    while True:
        text = session.call(role, *call)
        if session.end is not None:
            return session
        call = script.send(text)


@pytest.mark.parametrize("room", ["kitchen-01", "kitchen-04"])
def test_a_scripted_commander_makes_coffee_with_the_rule_follower(room: str) -> None:
    assert played(Role.COMMANDER, room).result().end is SessionEnd.SUCCESS


def test_a_scripted_follower_makes_coffee_with_the_rule_commander() -> None:
    assert played(Role.FOLLOWER, "kitchen-01").result().end is SessionEnd.SUCCESS


def test_its_record_is_teachs_and_replays() -> None:
    record = played(Role.FOLLOWER, "kitchen-01").record()
    interactions = [done for done in record.interactions if done.verb in INTERACTION_VERBS]
    assert interactions
    assert all(done.click is not None for done in interactions)
    assert replay_record(record, EmbeddedSimulator()).is_same
