"""What the pointing network is given of words, and of runs of actions."""

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from tatc.follower.learned.pointing import decision
from tatc.follower.learned.pointing.network_inputs import (
    MAX_WORDS,
    NETWORK_VERBS,
    NUMBER_ID,
    START_INDEX,
    UNKNOWN_ID,
    collect_words,
    encode_text,
    word_ids,
)
from tatc.home.actions import Verb

STEPS = "turn left twice, walk four steps, pick up the mug"
ACTIONS = "TurnLeft TurnLeft Forward Pickup Mug at 0.57 0.25 Open Fridge at 0.10 0.20"


def after(*verbs: Verb) -> tuple[int, ...]:
    """Return the run that was last, how often its action was done, and the last verb's id."""
    found = decision.encode_numbers([decision.Done(v) for v in verbs], (), 0, None, 1, {})
    return tuple(int(found[decision.NUMBERS[name]][0]) for name in ("run", "repeat", "last"))


def test_a_phrase_is_numbered_as_the_run_of_actions_that_it_asks_for():
    told = encode_text(STEPS, {})
    assert told.phrases == (0, 0, 0, 1, 1, 1, 2, 2, 2, 2)
    assert told.positions == (0, 1, 2, 0, 1, 2, 0, 1, 2, 3)
    assert told.repeat_counts == (2, 2, 2, 4, 4, 4, 1, 1, 1, 1)
    done = [Verb.TURN_LEFT, Verb.TURN_LEFT, *[Verb.FORWARD] * 4, Verb.PICKUP]
    found = [after(*done[:count])[:2] for count in range(8)]
    assert found == [(0, 0), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1)]


def test_primitives_begin_phrases_as_runs_do():
    told = encode_text(ACTIONS, {})
    assert told.phrases == (0, 0, 1, *[2] * 5, *[3] * 5)
    assert told.repeat_counts == (2, 2, *[1] * 11)
    verbs = [Verb.TURN_LEFT, Verb.TURN_LEFT, Verb.FORWARD, Verb.PICKUP, Verb.OPEN]
    assert after(*verbs)[0] == 4


def test_two_interactions_in_a_row_are_two_runs():
    assert [after(*[Verb.OPEN] * count)[0] for count in range(3)] == [0, 1, 2]
    assert after()[2] == START_INDEX
    assert NETWORK_VERBS[0] is Verb.TEXT and Verb.STOP not in NETWORK_VERBS


def test_words_have_numbers_and_what_is_new_is_unknown():
    words = collect_words([STEPS, ACTIONS])
    assert "mug" in words and not any("." in word for word in words)
    known = word_ids(words)
    told = encode_text("pick up the 0.5 teapot", known)
    assert told.words == (known["pick"], known["up"], known["the"], NUMBER_ID, UNKNOWN_ID)


def test_an_utterance_without_words_or_with_too_many_is_read():
    assert len(encode_text("", {}).words) == 1
    assert len(encode_text("walk " * 500, {}).words) == MAX_WORDS
