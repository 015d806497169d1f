"""The wordings `steps` and `goals`: what is said is heard, and nothing else passes."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    Click,
    FailureReport,
    PrimitiveStep,
    Verb,
)
from tatc.language import (
    CannotSee,
    GoalStretch,
    GoalVerb,
    InteractionPhrase,
    MotionPhrase,
    NotUnderstood,
    PhraseStretch,
    SpokenGoal,
    ViewRegion,
    hear,
    merge_motions,
    say,
    view_region_of,
)
from tatc.language.object_names import type_from_words, words_for_type
from tatc.language.speech import say_failure_in_words
from tatc.language.step_wording import tells_way

nouns = st.one_of(
    st.from_regex(r"[A-Z][A-Za-z0-9]{0,12}", fullmatch=True),
    st.sampled_from(["CounterTop", "TVStand", "CD", "OnThe", "LeftIn", "A"]),
)
motions = st.builds(MotionPhrase, st.sampled_from(MOTION_VERBS), st.integers(1, 60))
deeds = st.builds(
    InteractionPhrase,
    st.sampled_from(INTERACTION_VERBS),
    nouns,
    st.none() | nouns,
    st.none() | st.sampled_from(ViewRegion),
    st.none() | st.integers(-180, 180),
)
told = st.lists(motions | deeds, min_size=1).map(lambda p: PhraseStretch(merge_motions(p)))
one_noun = [v for v in GoalVerb if v.noun_count == 1]
two_nouns = [v for v in GoalVerb if v.noun_count == 2]
aim = st.one_of(
    st.builds(SpokenGoal, st.sampled_from(one_noun), nouns),
    st.builds(SpokenGoal, st.sampled_from(two_nouns), nouns, nouns),
)
aims = st.lists(aim, min_size=1).map(lambda a: GoalStretch(tuple(a)))


@given(told | aims, st.booleans())
def test_what_is_said_is_heard(meaning: PhraseStretch | GoalStretch, needs_help: bool):
    assert hear(say(meaning)) == meaning
    asked = CannotSee(say(meaning), needs_help)
    assert hear(say(asked)) == asked, "what cannot be seen is asked in the same words"


@given(nouns)
def test_a_noun_is_told_by_its_words(noun: str):
    assert type_from_words(words_for_type(noun)) == noun


def test_the_wordings_read_as_people_speak():
    stretch = PhraseStretch(
        (
            MotionPhrase(Verb.TURN_LEFT),
            MotionPhrase(Verb.FORWARD, 4),
            MotionPhrase(Verb.LOOK_DOWN, 2),
            InteractionPhrase(Verb.PICKUP, "Mug", "CounterTop"),
            InteractionPhrase(Verb.PLACE, "SinkBasin", "Mug"),
            InteractionPhrase(Verb.OPEN, "Drawer", None, ViewRegion.LOWER_LEFT),
        )
    )
    assert say(stretch) == (
        "turn left, walk four steps, look down twice, "
        "pick up the mug on the counter top, put the mug in the sink basin, "
        "open the lower left drawer"
    )
    left = InteractionPhrase(Verb.OPEN, "Drawer", None, ViewRegion.LOWER, -40)
    assert say(PhraseStretch((left,))) == "open the lower drawer (40 degrees left)"
    wash = GoalStretch(
        (SpokenGoal(GoalVerb.WASH, "Mug"), SpokenGoal(GoalVerb.BRING, "Mug", "TVStand"))
    )
    assert say(wash) == "wash the mug, bring the mug to the TV stand"


@given(st.sampled_from(INTERACTION_VERBS), nouns, st.text("a b", max_size=5))
def test_a_failure_is_heard_in_words_too(verb: Verb, noun: str, reason: str):
    reason = " ".join(reason.split())
    failed = FailureReport(PrimitiveStep(verb, noun, Click(0.1, 0.9)), reason)
    words = say_failure_in_words(failed)
    assert hear(words) == replace(failed, step=replace(failed.step, click=Click(0.5, 0.5)))
    assert "0.1" not in words


def test_a_step_that_failed_is_heard_in_words():
    failed = FailureReport(PrimitiveStep(Verb.FORWARD), "blocked")
    assert say_failure_in_words(failed) == "I could not walk one step: blocked"
    assert hear("I could not walk one step: blocked") == failed
    assert hear("I could not walk two steps: blocked") == NotUnderstood("walk two steps")


def test_walks_in_a_row_are_heard_as_one():
    assert hear("walk one step, walk 3 steps") == PhraseStretch((MotionPhrase(Verb.FORWARD, 4),))


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
        ("open the drawer (0 degrees left)", "open"),
        ("open the drawer (40 degrees)", "open"),
    ],
)
def test_what_is_in_no_grain_is_refused(text: str, word: str):
    assert hear(text) == NotUnderstood(word)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: PhraseStretch(()),
        lambda: PhraseStretch((MotionPhrase(Verb.FORWARD), MotionPhrase(Verb.FORWARD))),
        lambda: MotionPhrase(Verb.FORWARD, 0),
        lambda: MotionPhrase(Verb.PICKUP),
        lambda: InteractionPhrase(Verb.FORWARD, "Mug"),
        lambda: InteractionPhrase(Verb.PICKUP, "a mug"),
        lambda: GoalStretch(()),
        lambda: SpokenGoal(GoalVerb.WASH, "Mug", "Sink"),
        lambda: SpokenGoal(GoalVerb.BRING, "Mug"),
    ],
)
def test_what_could_not_be_said_cannot_be_built(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_a_side_is_a_ninth_of_the_view():
    assert view_region_of(Click(0.1, 0.1)) is ViewRegion.UPPER_LEFT
    assert view_region_of(Click(0.5, 0.5)) is ViewRegion.MIDDLE
    assert view_region_of(Click(0.99, 0.5)) is ViewRegion.RIGHT
    assert view_region_of(Click(0.5, 0.99)) is ViewRegion.LOWER


@pytest.mark.parametrize(
    "text", ["walk one step", "turn left, walk 12 steps back, open the fridge"]
)
def test_a_text_with_steps_tells_the_way(text: str):
    assert tells_way(text)


@pytest.mark.parametrize("text", ["", "turn left, open the fridge", "walk to the fridge"])
def test_a_text_without_steps_does_not(text: str):
    assert not tells_way(text)
