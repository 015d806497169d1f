"""The closed language: `say` and `hear` are inverses, and nothing else passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    Click,
    FailureReport,
    PrimitiveStep,
    Verb,
    round_click,
)
from tatc.language import GiveUp, InstructionRequest, NotUnderstood, Stretch, TaskDone, hear, say

hundredths = st.integers(0, 99).map(lambda n: n / 100)
clicks = st.builds(Click, hundredths, hundredths)
nouns = st.from_regex(r"[A-Z][A-Za-z]{0,12}", fullmatch=True)
steps = st.one_of(
    st.sampled_from(MOTION_VERBS).map(PrimitiveStep),
    st.builds(PrimitiveStep, st.sampled_from(INTERACTION_VERBS), nouns, clicks),
)
reasons = st.text(st.characters(codec="ascii", exclude_characters="\n\r")).map(
    lambda text: " ".join(text.split())
)
messages = st.one_of(
    st.builds(Stretch, st.lists(steps, min_size=1, max_size=12).map(tuple)),
    st.just(InstructionRequest()),
    st.just(TaskDone()),
    st.builds(FailureReport, steps, reasons),
    st.builds(GiveUp, reasons),
)


@given(messages)
def test_what_is_said_is_heard(
    message: Stretch | InstructionRequest | FailureReport | TaskDone | GiveUp,
):
    assert hear(say(message)) == message


@given(reasons)
def test_a_refusal_is_heard_as_a_refusal(word: str):
    assert hear(say(NotUnderstood(word))) == NotUnderstood(word)


@given(st.text())
def test_any_text_is_heard_and_only_known_words_are_understood(text: str):
    heard = hear(text)
    if not isinstance(heard, NotUnderstood):
        assert hear(say(heard)) == heard


def test_the_papers_own_example_is_understood():
    heard = hear("Forward Forward TurnRight LookUp Pickup Mug at 0.57 0.25")
    assert heard == Stretch(
        (
            PrimitiveStep(Verb.FORWARD),
            PrimitiveStep(Verb.FORWARD),
            PrimitiveStep(Verb.TURN_RIGHT),
            PrimitiveStep(Verb.LOOK_UP),
            PrimitiveStep(Verb.PICKUP, "Mug", Click(0.57, 0.25)),
        )
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", ""),
        ("Forwards", "Forwards"),
        ("forward", "forward"),
        ("Forward Jump", "Jump"),
        ("Turn Right", "Turn"),
        ("Pickup Mug", "Pickup Mug"),
        ("Pickup Mug at 0.5 0.25", "Pickup Mug at 0.5 0.25"),
        ("Pickup Mug at 1.00 0.25", "Pickup Mug at 1.00 0.25"),
        ("Pickup Mug near 0.57 0.25", "Pickup Mug near 0.57 0.25"),
        ("Pickup mug at 0.57 0.25", "Pickup mug at 0.57 0.25"),
        ("Stop", "Stop"),
        ("What should I do next", "What"),
    ],
)
def test_what_is_not_in_the_language_is_refused(text: str, word: str):
    assert hear(text) == NotUnderstood(word)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_click_is_said_as_two_decimals_inside_the_frame(x: float, y: float):
    said = round_click(Click(x, y))
    assert abs(said.x - x) <= 0.0101 and abs(said.y - y) <= 0.0101
    assert said.x < 0.995 and said.y < 0.995
    assert PrimitiveStep(Verb.OPEN, "Fridge", said).click == said


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: PrimitiveStep(Verb.STOP),
        lambda: PrimitiveStep(Verb.TEXT),
        lambda: PrimitiveStep(Verb.PICKUP),
        lambda: PrimitiveStep(Verb.PICKUP, "Mug"),
        lambda: PrimitiveStep(Verb.PICKUP, None, Click(0.5, 0.5)),
        lambda: PrimitiveStep(Verb.FORWARD, "Mug", Click(0.5, 0.5)),
        lambda: PrimitiveStep(Verb.PICKUP, "a mug", Click(0.5, 0.5)),
        lambda: PrimitiveStep(Verb.PICKUP, "Mug", Click(0.505, 0.5)),
        lambda: PrimitiveStep(Verb.PICKUP, "Mug", Click(1.0, 0.5)),
        lambda: Stretch(()),
        lambda: FailureReport(PrimitiveStep(Verb.FORWARD), "two\nlines"),
    ],
)
def test_what_could_not_be_said_cannot_be_built(wrong):
    with pytest.raises(ValueError):
        wrong()
