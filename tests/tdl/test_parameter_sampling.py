"""Parameters drawn by a seed."""

from dataclasses import replace

import pytest

from tatc.base.errors import BadInput, ParameterError
from tatc.home.state import Affordances
from tatc.tdl import sample_params
from tests.tdl.checker_rooms import LIBRARY, make_object, make_snapshot

KITCHEN = make_snapshot(
    make_object("Mug", isDirty=True),
    make_object("Cup"),
    make_object("Plate", isDirty=True),
    make_object("Bowl", affordances=Affordances(receptacle=True, canFillWithLiquid=True)),
    make_object("Sink"),
    make_object("Knife"),
    make_object("Tomato"),
    make_object("Potato"),
    make_object("Bread"),
    make_object("CounterTop"),
    make_object("Drawer", affordances=Affordances(receptacle=True, openable=True)),
    make_object("Fork"),
    make_object("Fork", 2),
    make_object("DeskLamp"),
    make_object("Laptop"),
    make_object("Desk"),
    make_object("LightSwitch"),
)
SEEDS = range(12)


@pytest.mark.parametrize("name", [each.name for each in LIBRARY.definitions() if each.parameters])
def test_what_is_drawn_can_be_set_and_is_still_to_do(name: str) -> None:
    definition = LIBRARY.find(name)
    for seed in SEEDS:
        params = sample_params(definition, KITCHEN, seed)
        task = LIBRARY.compile(name, params)
        assert task.preconditions_hold(KITCHEN)
        assert not task.check(KITCHEN).success


def test_a_seed_decides_and_seeds_differ() -> None:
    slices = LIBRARY.find("N Slices Of X In Y")
    drawn = [sample_params(slices, KITCHEN, seed) for seed in SEEDS]
    assert drawn == [sample_params(slices, KITCHEN, seed) for seed in SEEDS]
    assert len(set(drawn)) > 5


def test_what_is_done_or_absent_is_never_drawn() -> None:
    clean = LIBRARY.find("Clean All X")
    drawn = {sample_params(clean, KITCHEN, seed)[0] for seed in SEEDS}
    assert {"Mug", "Plate"} <= drawn
    assert drawn.isdisjoint({"Cup", "Bowl", "Pan"})


def test_a_place_must_be_able_to_hold_things() -> None:
    snapshot = make_snapshot(make_object("Fork"), make_object("Desk", affordances=Affordances()))
    with pytest.raises(BadInput, match="cannot be set up here"):
        sample_params(LIBRARY.find("Put All X On Y"), snapshot, 1)


@pytest.mark.parametrize(
    ("place", "preposition"),
    [("Drawer", "in"), ("Sink", "in"), ("CounterTop", "on"), ("Bowl", "in")],
)
def test_the_place_decides_the_preposition(place: str, preposition: str) -> None:
    given = {"things": "Fork", "place": place}
    params = sample_params(LIBRARY.find("Put All X On Y"), KITCHEN, 1, given)
    assert params == ("Fork", preposition, place)


def test_a_follower_goes_with_its_leader() -> None:
    toggle = LIBRARY.find("Toggle X All Y")
    assert sample_params(toggle, KITCHEN, 1, {"things": "DeskLamp"}) == ("on", "1", "DeskLamp")


def test_a_word_and_a_flag_need_no_choices() -> None:
    toggle = LIBRARY.find("Toggle X All Y")
    bare = tuple(replace(each, choices=(), follows=None) for each in toggle.parameters)
    toggle = replace(toggle, parameters=bare)
    lamps = [make_object("DeskLamp", number, isToggled=number == 1) for number in (1, 2)]
    drawn = {sample_params(toggle, make_snapshot(*lamps), seed) for seed in SEEDS}
    assert {params[:2] for params in drawn} == {("so", "0"), ("so", "1")}


def test_what_is_given_stays() -> None:
    salad = LIBRARY.find("Salad")
    given = {"lettuce": "0", "tomato": "2", "potato": "1"}
    assert sample_params(salad, make_snapshot(), 1, given) == ("0", "2", "1")
    slices = LIBRARY.find("N Slices Of X In Y")
    params = sample_params(slices, KITCHEN, 1, {"count": "7", "where": "under"})
    assert (params[0], params[2]) == ("7", "under")


def test_what_is_given_must_fit() -> None:
    with pytest.raises(ParameterError, match="did you mean 'Potato'"):
        sample_params(LIBRARY.find("Boil X"), KITCHEN, 1, {"food": "Potatoe"})


def test_a_caller_may_refuse() -> None:
    slices = LIBRARY.find("N Slices Of X In Y")
    for seed in SEEDS:
        params = sample_params(
            slices, KITCHEN, seed, accept=lambda task: task.params[1] == "Potato"
        )
        assert params[1] == "Potato"
    with pytest.raises(BadInput):
        sample_params(slices, KITCHEN, 1, accept=lambda task: False)


def test_nothing_to_draw_is_nothing() -> None:
    assert sample_params(LIBRARY.find("Coffee"), make_snapshot(), 1) == ()
