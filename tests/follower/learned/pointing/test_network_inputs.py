"""What the light network is given: words, past, views; and where it clicks."""

import numpy as np
import pytest

from tatc.follower.learned.light.network_inference import click_on_type, hottest_cell_click
from tatc.follower.learned.pointing.network_inputs import (
    MAX_WORDS,
    NETWORK_VERBS,
    NUMBER_ID,
    SEGMENTATION_SIDE_PIXELS,
    START_INDEX,
    UNKNOWN_CLASS,
    UNKNOWN_ID,
    action_history,
    class_map,
    collect_words,
    encode_text,
    word_ids,
)
from tatc.home.actions import Verb
from tatc.home.observation import SegmentationFrame

STEPS = "turn left twice, walk four steps, pick up the mug"
ACTIONS = "TurnLeft TurnLeft Forward Pickup Mug at 0.57 0.25 Open Fridge at 0.10 0.20"


def test_a_phrase_is_numbered_as_the_run_of_actions_that_it_asks_for():
    told = encode_text(STEPS, {})
    assert told.phrases == (0, 0, 0, 1, 1, 1, 2, 2, 2, 2)
    assert told.positions == (0, 1, 2, 0, 1, 2, 0, 1, 2, 3)
    assert told.repeat_counts == (2, 2, 2, 4, 4, 4, 1, 1, 1, 1)
    done = action_history([Verb.TURN_LEFT, Verb.TURN_LEFT, *[Verb.FORWARD] * 4, Verb.PICKUP])
    assert done.runs == (0, 1, 1, 2, 2, 2, 2, 3)
    assert done.repeats == (0, 1, 2, 1, 2, 3, 4, 1)


def test_primitives_begin_phrases_as_runs_do():
    told = encode_text(ACTIONS, {})
    assert told.phrases == (0, 0, 1, *[2] * 5, *[3] * 5)
    assert told.repeat_counts == (2, 2, *[1] * 11)
    verbs = [Verb.TURN_LEFT, Verb.TURN_LEFT, Verb.FORWARD, Verb.PICKUP, Verb.OPEN]
    assert action_history(verbs).runs[-1] == 4


def test_two_interactions_in_a_row_are_two_runs():
    assert action_history([Verb.OPEN, Verb.OPEN]).runs == (0, 1, 2)
    assert action_history([]).actions == (START_INDEX,)
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


def seen(**places: tuple[slice, slice]) -> SegmentationFrame:
    pixels = np.full((SEGMENTATION_SIDE_PIXELS, SEGMENTATION_SIDE_PIXELS), -1)
    for number, place in enumerate(places.values()):
        pixels[place] = number
    return SegmentationFrame(pixels, tuple(name.rstrip("0123456789") for name in places))


EVERYWHERE = (slice(None), slice(None))
HEAT = np.full((8, 8), 1 / 64)


def test_a_cell_shows_the_smallest_thing_in_it():
    view = seen(Table=EVERYWHERE, Fork=(slice(10, 11), slice(20, 22)))
    found = class_map(view, {"Table": 2, "Fork": 3})
    assert found[5, 10] == 3 and (found == 3).sum() == 1
    assert (found == 2).sum() == found.size - 1
    assert (class_map(view, {"Fork": 3}) == UNKNOWN_CLASS).sum() == found.size - 1
    assert not class_map(None, {}).any()


def test_a_click_falls_inside_the_instance_with_the_most_heat():
    left, right = (slice(20, 40), slice(0, 8)), (slice(20, 40), slice(50, 62))
    view = seen(Mug1=left, Mug2=right)
    even = click_on_type(view, "Mug", HEAT)
    assert even is not None and 50 / 64 < even.x < 62 / 64  # the larger one
    heat = HEAT.copy()
    heat[3, 0] = 1.0
    warm = click_on_type(view, "Mug", heat)
    assert warm is not None and warm.x < 8 / 64 and 20 / 64 < warm.y < 40 / 64
    assert click_on_type(view, "Fork", HEAT) is None


def test_a_refused_click_is_not_repeated():
    view = seen(Mug1=(slice(20, 40), slice(0, 30)), Mug2=(slice(20, 40), slice(60, 64)))
    first = click_on_type(view, "Mug", HEAT)
    second = click_on_type(view, "Mug", HEAT, [first])
    assert abs(second.x - first.x) + abs(second.y - first.y) > 0.06


def test_without_masks_the_hottest_cell_is_clicked():
    heat = HEAT.copy()
    heat[1, 6] = 1.0
    click = hottest_cell_click(heat)
    assert (click.x, click.y) == pytest.approx((6.5 / 8, 1.5 / 8))
