"""Saving, restoring and forking: exact, counted, and behind opaque handles."""

import os
import sys
from dataclasses import replace
from random import Random

import pytest

from benchmarks.equal_states import count_different_forks, hashes_in, state_hashes
from tatc.base.errors import UsageError
from tatc.home.actions import Role
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import Record, record_bytes
from tatc.session.tool_session import ToolSession, state_hash
from tests.session.text_world.sessions import Call, opening, play_at_random, random_call


def without_count(record: Record) -> bytes:
    options = tuple(row for row in record.options if row[0] != "restores")
    return record_bytes(replace(record, options=options))


@pytest.fixture(scope="module")
def session() -> ToolSession:
    """Return a session in the middle, with a Commander that has planned."""
    made = ToolSession(opening("coffee", "kitchen-04"))
    play_at_random(made, 4, 6)
    made.call(Role.FOLLOWER, "ask")
    return made


def finish(session: ToolSession, calls: list[Call]) -> list[str]:
    return [session.call(Role.FOLLOWER, *call) for call in calls]


def test_a_fork_that_is_played_alike_is_the_original_byte_for_byte(session: ToolSession) -> None:
    saved = session.save()
    other = session.fork(saved)
    assert other.state_hash() == session.state_hash()
    assert other.text(Role.FOLLOWER) == session.text(Role.FOLLOWER)
    calls, rng = list[Call](), Random(8)
    for _ in range(10):
        calls.append(random_call(session, rng))
        text = session.call(Role.FOLLOWER, *calls[-1])
        assert other.call(Role.FOLLOWER, *calls[-1]) == text
        assert other.state_hash() == session.state_hash()
    assert without_count(other.record()) == without_count(session.record())
    session.restore(saved)
    assert finish(session, calls)[-1] == text
    assert without_count(other.record()) == without_count(session.record())


def test_what_is_done_after_saving_does_not_change_the_saved_state(session: ToolSession) -> None:
    saved, before = session.save(), session.state_hash()
    restores = session.restores
    play_at_random(session, 5, 8)
    assert session.state_hash() != before
    session.restore(saved)
    session.restore(saved)
    assert session.state_hash() == before
    assert dict(session.record().options)["restores"] == restores + 2


def test_a_record_of_a_session_without_restores_counts_none() -> None:
    assert "restores" not in dict(ToolSession(opening()).record().options)


def test_the_hash_tells_states_apart_and_ignores_how_they_were_reached() -> None:
    one, other = (ToolSession(opening(), plays=tuple(Role)) for _ in range(2))
    assert one.state_hash() == other.state_hash()
    one.call(Role.FOLLOWER, "turn", {"direction": "left"})
    assert one.state_hash() != other.state_hash()
    world, hashes = one.start.scene.initial, list[str]()
    for rest in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2, "b": 1}):
        hashes.append(state_hash(world, rest))
    assert hashes[0] == hashes[1] != hashes[2]


def test_states_are_equal_in_a_process_with_another_hash_seed_and_in_forks() -> None:
    here = [*state_hashes(12)]
    assert len(set(here)) > 6
    seed = 1 + (os.environ.get("PYTHONHASHSEED") == "1")
    assert hashes_in(sys.executable, seed, 12)[1] == here
    assert count_different_forks(4) == 0


def test_a_session_with_noise_cannot_be_saved() -> None:
    noisy = ToolSession(opening(), SessionSetup(noise=0.5), plays=tuple(Role))
    with pytest.raises(UsageError, match="noise"):
        noisy.save()
