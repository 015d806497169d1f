"""Skills and objects as people read them."""

from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules
from typing import Any

import pytest

from tatc.commander import skills
from tatc.home.state import ShortNames, type_in_id
from tatc.language.skill_wording import describe_skills, explain
from tests.sim.box_kitchen import kitchen

MUG, SINK = "Mug|+01.20|-00.50|+00.10", "Sink|+01.00|+00.90|+00.00|SinkBasin"


def _skill_classes() -> list[type[Any]]:
    modules = (
        import_module(f"tatc.commander.skills.{m.name}") for m in iter_modules(skills.__path__)
    )
    found = {
        each
        for module in modules
        for each in vars(module).values()
        if isclass(each) and is_dataclass(each) and hasattr(each, "plan")
    }
    return sorted((c for c in found if not c.__name__.startswith("_")), key=lambda c: c.__name__)


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


def test_there_are_skills() -> None:
    assert len(_skill_classes()) >= 12


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
    ],
)
def test_words_of_skill(code: str, words: str) -> None:
    assert describe_skills(code) == words


def test_objects_are_numbered_by_type() -> None:
    start = kitchen().start
    names = ShortNames(start)
    mug = start.of_type("Mug")[0].objectId
    assert explain(names, f"Hold(object_id='{mug}'): {mug}: no room") == "take Mug: Mug: no room"
    assert names.name_of("Apple|1|2|3|AppleSliced_4") == "AppleSliced"
    assert type_in_id(SINK) == "SinkBasin"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("PlaceIn(Mug, Sink)", "put Mug in Sink"),
        ("Hold(Mug)", "take Mug"),
        ("SetAside(Mug, )", "set Mug aside"),
        ("Switch(Faucet, on=True)", "switch on Faucet"),
        ("PutDown(, surface_types=())", "put down what is held"),
    ],
)
def test_words_of_skill_in_failure_group(code: str, words: str) -> None:
    assert describe_skills(code) == words
