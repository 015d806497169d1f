"""The check tasks that EDH makes of a state difference (spec section 3.11)."""

from typing import Any

import pytest

from tatc.base.errors import GameFormatError
from tatc.tdl import edh_task
from tatc.tdl.edh import type_of_object_id
from tests.tdl.checker_rooms import goal_condition_counts, make_object, make_snapshot, object_id

MUG, CUP, SINK = (object_id("Mug"), object_id("Cup"), "Sink|+00.00|+00.00|+00.00|SinkBasin")


def _changes(**objects: dict[str, Any]) -> dict[str, Any]:
    return {"objects": {object_id(name): changed for name, changed in objects.items()}}


@pytest.mark.parametrize(
    ("object_id", "kind"),
    [
        (MUG, "Mug"),
        (SINK, "SinkBasin"),
        ("Bread|+00.1|+00.2|+00.3|BreadSliced_3", "BreadSliced"),
        ("Egg|+00.1|+00.2|+00.3|EggCracked_0", "EggCracked"),
    ],
)
def test_types_come_from_ids(object_id: str, kind: str) -> None:
    assert type_of_object_id(object_id) == kind


def test_each_change_is_two_conditions_of_its_own() -> None:
    task = edh_task(_changes(Mug={"isDirty": False, "isOpen": False}))
    assert goal_condition_counts(
        task.check(make_snapshot(make_object("Mug", isDirty=True, isOpen=True)))
    ) == (False, 2, 4)
    apart = make_snapshot(make_object("Mug", 1, isDirty=True), make_object("Mug", 2, isOpen=True))
    assert goal_condition_counts(task.check(apart)) == (True, 4, 4)


def test_equal_changes_ask_for_as_many_objects() -> None:
    changes = {"objects": {object_id("Mug", n): {"isDirty": False} for n in (1, 2)}}
    task = edh_task(changes)
    one = make_snapshot(make_object("Mug", 1), make_object("Mug", 2, isDirty=True))
    assert goal_condition_counts(task.check(one)) == (False, 3, 4)
    assert task.check(make_snapshot(make_object("Mug", 7), make_object("Mug", 8))).success


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({"isPickedUp": True, "simbotPickedUp": 1}, {"simbotPickedUp"}),
        ({"isCooked": True, "simbotIsCooked": True}, {"simbotIsCooked"}),
        ({"isFilledWithLiquid": True, "simbotIsFilledWithWater": 1}, {"simbotIsFilledWithWater"}),
        (
            {"isFilledWithLiquid": True, "simbotIsFilledWithCoffee": True},
            {"simbotIsFilledWithCoffee"},
        ),
        ({"isCooked": True, "simbotIsCooked": True, "simbotIsBoiled": True}, {"simbotIsBoiled"}),
        ({"visible": True, "distance": 3.0, "isOpen": True}, {"isOpen"}),
    ],
)
def test_what_says_less_is_dropped(changed: dict[str, Any], kept: set[str]) -> None:
    components = edh_task(_changes(Mug=changed)).definition_json()["components"]
    asked = {name for part in components.values() for name in part["conditions"]}
    assert asked - {"objectType"} == kept


def test_a_receptacle_is_asked_for_by_type_but_told_apart_by_id() -> None:
    placed = {
        "objects": {
            object_id("Mug", n): {"simbotLastParentReceptacle": object_id("CounterTop", n)}
            for n in (1, 2)
        }
    }
    task = edh_task(placed)
    mug = make_object("Mug", 1, simbotLastParentReceptacle=object_id("CounterTop", 3))
    counter = make_object("CounterTop", 3)
    assert goal_condition_counts(task.check(make_snapshot(mug, counter))) == (True, 4, 4)
    assert not task.check(make_snapshot(make_object("Mug"), counter)).success


def test_none_and_false_are_wanted_as_they_are_and_not_absent() -> None:
    task = edh_task(_changes(Mug={"simbotLastParentReceptacle": None}))
    assert task.check(make_snapshot(make_object("Mug", simbotLastParentReceptacle=None))).success
    assert not task.check(make_snapshot(make_object("Mug"))).success
    task = edh_task(_changes(Mug={"simbotIsFilledWithCoffee": False}))
    assert not task.check(make_snapshot(make_object("Mug"))).success
    assert task.check(make_snapshot(make_object("Mug", simbotIsFilledWithCoffee=False))).success


def test_a_type_change_is_one_condition() -> None:
    changes = {"objects": {"Egg|1|2|3|EggCracked_0": {"objectType": "EggCracked"}}}
    assert goal_condition_counts(
        edh_task(changes).check(make_snapshot(make_object("EggCracked")))
    ) == (True, 1, 1)


def test_its_name_and_id() -> None:
    written = edh_task(_changes(Mug={"isOpen": True})).definition_json()
    assert (written["task_id"], written["task_name"]) == (0, "edh_custom")
    assert [part["determiner"] for part in written["components"].values()] == [1]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({}, "state_changes.objects"),
        ({"objects": []}, "state_changes.objects"),
        ({"objects": {MUG: None}}, f"state_changes.objects.{MUG}"),
        ({"objects": {MUG: {"isOpen": [1]}}}, f"state_changes.objects.{MUG}.isOpen"),
    ],
)
def test_faults(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(GameFormatError) as caught:
        edh_task(changes)
    assert caught.value.where == where
