"""The Follower that ships: it is small, says where it comes from, and makes coffee."""

import pytest

from tatc.api import run
from tatc.follower.learned.learned_followers import SHIPPED_CHECKPOINT, summarize_checkpoint
from tatc.session.records import record_bytes

MOST_BYTES = 3_000_000


def test_it_is_small_and_says_what_it_was_trained_on():
    assert SHIPPED_CHECKPOINT.stat().st_size < MOST_BYTES
    card = summarize_checkpoint(SHIPPED_CHECKPOINT)["card"]
    assert isinstance(card, dict)
    assert card["command"].startswith("tatc train --") and int(card["rounds done"]) > 0
    assert " of " in card["held out, steps"] and " of " in card["held out, goals"]


@pytest.fixture(scope="module")
def records():
    rooms = ("kitchen-01", "kitchen-02", "kitchen-03")
    return [run("coffee", room=r, follower="et", wording="steps") for r in rooms]


def test_it_makes_coffee(records):
    assert any(each.gc_satisfied == each.gc_total for each in records)


def test_the_same_session_gives_the_same_bytes(records):
    again = run("coffee", room="kitchen-01", follower="et", wording="steps")
    assert record_bytes(again) == record_bytes(records[0])


def test_without_words_it_makes_none():
    deaf = run("coffee", room="kitchen-01", follower="et-no-words", wording="steps")
    assert deaf.gc_satisfied < deaf.gc_total
