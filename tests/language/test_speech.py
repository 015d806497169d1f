"""The closed language: `say` and `hear` are inverses, and nothing else passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.actions import INTERACTIONS, MOTIONS, Click, Verb
from tatc.language import (
    Done,
    GiveUp,
    Question,
    Refusal,
    Report,
    Step,
    Stretch,
    hear,
    say,
    spoken_click,
)

hundredths = st.integers(0, 99).map(lambda n: n / 100)
clicks = st.builds(Click, hundredths, hundredths)
nouns = st.from_regex(r"[A-Z][A-Za-z]{0,12}", fullmatch=True)
steps = st.one_of(
    st.sampled_from(MOTIONS).map(Step),
    st.builds(Step, st.sampled_from(INTERACTIONS), nouns, clicks),
)
reasons = st.text(st.characters(codec="ascii", exclude_characters="\n\r")).map(
    lambda text: " ".join(text.split())
)
messages = st.one_of(
    st.builds(Stretch, st.lists(steps, min_size=1, max_size=12).map(tuple)),
    st.just(Question()),
    st.just(Done()),
    st.builds(Report, steps, reasons),
    st.builds(GiveUp, reasons),
)


@given(messages)
def test_what_is_said_is_heard(message: Stretch | Question | Report | Done | GiveUp):
    assert hear(say(message)) == message


@given(reasons)
def test_a_refusal_is_heard_as_a_refusal(word: str):
    assert hear(say(Refusal(word))) == Refusal(word)


@given(st.text())
def test_any_text_is_heard_and_only_known_words_are_understood(text: str):
    heard = hear(text)
    if not isinstance(heard, Refusal):
        assert hear(say(heard)) == heard


def test_the_papers_own_example_is_understood():
    heard = hear("Forward Forward TurnRight LookUp Pickup Mug at 0.57 0.25")
    assert heard == Stretch(
        (
            Step(Verb.FORWARD),
            Step(Verb.FORWARD),
            Step(Verb.TURN_RIGHT),
            Step(Verb.LOOK_UP),
            Step(Verb.PICKUP, "Mug", Click(0.57, 0.25)),
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
    assert hear(text) == Refusal(word)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_click_is_said_as_two_decimals_inside_the_frame(x: float, y: float):
    said = spoken_click(Click(x, y))
    assert abs(said.x - x) <= 0.0101 and abs(said.y - y) <= 0.0101
    assert said.x < 0.995 and said.y < 0.995
    assert Step(Verb.OPEN, "Fridge", said).click == said


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Step(Verb.STOP),
        lambda: Step(Verb.TEXT),
        lambda: Step(Verb.PICKUP),
        lambda: Step(Verb.PICKUP, "Mug"),
        lambda: Step(Verb.PICKUP, None, Click(0.5, 0.5)),
        lambda: Step(Verb.FORWARD, "Mug", Click(0.5, 0.5)),
        lambda: Step(Verb.PICKUP, "a mug", Click(0.5, 0.5)),
        lambda: Step(Verb.PICKUP, "Mug", Click(0.505, 0.5)),
        lambda: Step(Verb.PICKUP, "Mug", Click(1.0, 0.5)),
        lambda: Stretch(()),
        lambda: Report(Step(Verb.FORWARD), "two\nlines"),
    ],
)
def test_what_could_not_be_said_cannot_be_built(wrong):
    with pytest.raises(ValueError):
        wrong()
