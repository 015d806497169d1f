"""The wordings `steps` and `goals`: what is said is heard, and nothing else passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.actions import INTERACTIONS, MOTIONS, Click, Verb
from tatc.language import (
    Aim,
    Aims,
    AimVerb,
    Deed,
    Refusal,
    Side,
    Told,
    Unseen,
    Walk,
    hear,
    say,
    side_of,
    walks,
)
from tatc.language.nouns import noun_of, words_of

nouns = st.one_of(
    st.from_regex(r"[A-Z][A-Za-z0-9]{0,12}", fullmatch=True),
    st.sampled_from(["CounterTop", "TVStand", "CD", "OnThe", "LeftIn", "A"]),
)
motions = st.builds(Walk, st.sampled_from(MOTIONS), st.integers(1, 60))
deeds = st.builds(
    Deed,
    st.sampled_from(INTERACTIONS),
    nouns,
    st.none() | nouns,
    st.none() | st.sampled_from(Side),
)
told = st.lists(motions | deeds, min_size=1).map(lambda p: Told(walks(p)))
one_noun = [v for v in AimVerb if v.places == 1]
two_nouns = [v for v in AimVerb if v.places == 2]
aim = st.one_of(
    st.builds(Aim, st.sampled_from(one_noun), nouns),
    st.builds(Aim, st.sampled_from(two_nouns), nouns, nouns),
)
aims = st.lists(aim, min_size=1).map(lambda a: Aims(tuple(a)))


@given(told | aims)
def test_what_is_said_is_heard(meaning: Told | Aims):
    assert hear(say(meaning)) == meaning


@given(told | aims)
def test_what_cannot_be_seen_is_asked_in_the_same_words(meaning: Told | Aims):
    asked = Unseen(say(meaning))
    assert hear(say(asked)) == asked
    assert hear(asked.words) == meaning


@given(nouns)
def test_a_noun_is_told_by_its_words(noun: str):
    assert noun_of(words_of(noun)) == noun


def test_the_wordings_read_as_people_speak():
    stretch = Told(
        (
            Walk(Verb.TURN_LEFT),
            Walk(Verb.FORWARD, 4),
            Walk(Verb.LOOK_DOWN, 2),
            Deed(Verb.PICKUP, "Mug", "CounterTop"),
            Deed(Verb.PLACE, "SinkBasin", "Mug"),
            Deed(Verb.OPEN, "Drawer", None, Side.LOWER_LEFT),
        )
    )
    assert say(stretch) == (
        "turn left, walk four steps, look down twice, "
        "pick up the mug on the counter top, put the mug in the sink basin, "
        "open the lower left drawer"
    )
    wash = Aims((Aim(AimVerb.WASH, "Mug"), Aim(AimVerb.BRING, "Mug", "TVStand")))
    assert say(wash) == "wash the mug, bring the mug to the TV stand"


def test_walks_in_a_row_are_heard_as_one():
    assert hear("walk one step, walk 3 steps") == Told((Walk(Verb.FORWARD, 4),))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("walk four stepps", "walk"),
        ("turn left, walk four stepps", "walk four stepps"),
        ("turn left, wash the mug", "wash the mug"),
        ("wash the mug, turn left", "turn left"),
        ("walk zero steps", "walk"),
        ("walk 0 steps", "walk"),
        ("pick up mug", "pick"),
        ("turn left,walk one step", "turn"),
        ("wash the the", "wash"),
    ],
)
def test_what_is_in_no_grain_is_refused(text: str, word: str):
    assert hear(text) == Refusal(word)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Told(()),
        lambda: Told((Walk(Verb.FORWARD), Walk(Verb.FORWARD))),
        lambda: Walk(Verb.FORWARD, 0),
        lambda: Walk(Verb.PICKUP),
        lambda: Deed(Verb.FORWARD, "Mug"),
        lambda: Deed(Verb.PICKUP, "a mug"),
        lambda: Aims(()),
        lambda: Aim(AimVerb.WASH, "Mug", "Sink"),
        lambda: Aim(AimVerb.BRING, "Mug"),
    ],
)
def test_what_could_not_be_said_cannot_be_built(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_a_side_is_a_ninth_of_the_view():
    assert side_of(Click(0.1, 0.1)) is Side.UPPER_LEFT
    assert side_of(Click(0.5, 0.5)) is Side.MIDDLE
    assert side_of(Click(0.99, 0.5)) is Side.RIGHT
    assert side_of(Click(0.5, 0.99)) is Side.LOWER
