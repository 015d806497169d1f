"""What is said is heard, in every wording; skills as people read them."""

from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tatc.commander import skills
from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    Click,
    FailureReport,
    PrimitiveStep,
    Verb,
    round_click,
)
from tatc.home.state import ShortNames, type_in_id
from tatc.language import (
    GiveUp,
    InstructionRequest,
    Meaning,
    NotUnderstood,
    Stretch,
    TaskDone,
    hear,
    say,
)
from tatc.language.skill_wording import describe_skills, explain
from tests.sim.box_kitchen import kitchen

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
    st.builds(NotUnderstood, reasons),
)


@given(messages)
def test_what_is_said_is_heard(message: Meaning):
    assert hear(say(message)) == message


@given(st.text())
def test_any_text_is_heard_and_only_known_words_are_understood(text: str):
    heard = hear(text)
    if not isinstance(heard, NotUnderstood):
        assert hear(say(heard)) == heard


def test_the_papers_own_example_is_understood():
    motions = map(PrimitiveStep, (Verb.FORWARD, Verb.FORWARD, Verb.TURN_RIGHT, Verb.LOOK_UP))
    pickup = PrimitiveStep(Verb.PICKUP, "Mug", Click(0.57, 0.25))
    heard = hear("Forward Forward TurnRight LookUp Pickup Mug at 0.57 0.25")
    assert heard == Stretch((*motions, pickup))


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


MUG, SINK = "Mug|+01.20|-00.50|+00.10", "Sink|+01.00|+00.90|+00.00|SinkBasin"


def _skill_classes() -> list[type[Any]]:
    names = (f"tatc.commander.skills.{module.name}" for module in iter_modules(skills.__path__))
    members = (each for name in names for each in vars(import_module(name)).values())
    classes = {each for each in members if isclass(each) and is_dataclass(each)}
    found = {c for c in classes if hasattr(c, "plan") and not c.__name__.startswith("_")}
    assert len(found) >= 12
    return sorted(found, key=lambda each: each.__name__)


@pytest.mark.parametrize("skill_class", _skill_classes())
@pytest.mark.parametrize("flag", [True, False])
def test_every_skill_has_words(skill_class: type[Any], flag: bool) -> None:
    values = {
        f.name: flag if f.type is bool else MUG
        for f in fields(skill_class)
        if f.name != "surface_types"
    }
    text = describe_skills(repr(skill_class(**values)))
    assert not any(mark in text for mark in "()='"), text
    assert skill_class.__name__ not in text and text[0].islower()


@pytest.mark.parametrize("text", ["Empty()", "Hold(thing)", "PlaceIn(object_id='Mug')", "Cut({0})"])
def test_a_skill_without_a_field_is_shown_as_it_stands(text: str) -> None:
    assert describe_skills(text) == text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (f"Hold(object_id='{MUG}')", f"take {MUG}"),
        (f"PlaceIn(object_id='{MUG}', receptacle_id='{SINK}')", f"put {MUG} in {SINK}"),
        (f"PlaceIn(object_id='{MUG}', receptacle_id='Desk|1|2|3')", f"put {MUG} on Desk|1|2|3"),
        ("PutDown(keep_clear_of='', surface_types=('Desk', 'Bed'))", "put down what is held"),
        (f"Switch(object_id='{MUG}', on=False)", f"switch off {MUG}"),
        (f"OpenClose(object_id='{MUG}', is_open=True)", f"open {MUG}"),
        (f"MySkill(object_id='{MUG}')", f"my skill {MUG}"),
        (
            f"Hold(object_id='{MUG}'), PutDown(keep_clear_of='')",
            f"take {MUG}, put down what is held",
        ),
        ("no room", "no room"),
        ("PlaceIn(Mug, Sink)", "put Mug in Sink"),  # as a group of failures has it
        ("Hold(Mug)", "take Mug"),
        ("SetAside(Mug, )", "set Mug aside"),
        ("Switch(Faucet, on=True)", "switch on Faucet"),
        ("PutDown(, surface_types=())", "put down what is held"),
    ],
)
def test_words_of_skill(code: str, words: str) -> None:
    assert describe_skills(code) == words


def test_objects_are_numbered_by_type() -> None:
    start = kitchen().initial
    names = ShortNames(start)
    mug = start.of_type("Mug")[0].objectId
    assert explain(names, f"Hold(object_id='{mug}'): {mug}: no room") == "take Mug: Mug: no room"
    assert names.name_of("Apple|1|2|3|AppleSliced_4") == "AppleSliced"
    assert type_in_id(SINK) == "SinkBasin"
