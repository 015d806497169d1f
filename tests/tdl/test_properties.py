"""When a property is as wanted (spec section 3.4), and parents (2.9)."""

from typing import Any

import pytest

from tatc.base.errors import UnknownName
from tatc.home.state import ABSENT
from tatc.tdl.definition import DesiredValue
from tatc.tdl.properties import compile_property_test, parent_receptacles_of
from tests.tdl.checker_rooms import make_object, make_snapshot, object_id

COUNTER = make_object("CounterTop")
PLATE = make_object("Plate", inside=object_id("CounterTop"))
SINK = make_object("SinkBasin")


@pytest.mark.parametrize(
    ("name", "value", "want", "met"),
    [
        ("simbotIsCooked", ABSENT, 1, False),
        ("simbotIsCooked", ABSENT, 0, False),
        ("simbotIsCooked", ABSENT, False, False),
        ("simbotIsCooked", True, 1, True),
        ("simbotIsFilledWithWater", 1, 1, True),
        ("simbotIsFilledWithWater", 1, True, True),
        ("simbotIsFilledWithCoffee", False, 0, True),
        ("isDirty", True, 0, False),
        ("isDirty", False, 0, True),
        ("isDirty", False, False, True),
        ("isDirty", True, "1", False),
        ("ObjectTemperature", "Hot", "Hot", True),
        ("ObjectTemperature", "Hot", "Cold", False),
        ("salientMaterials", ("Metal", "Glass"), "Glass", True),
        ("salientMaterials", ("Metal",), 1, True),
        ("salientMaterials", (), 1, False),
        ("simbotObjectClass", ("Mug", "Drinkware"), "Drinkware", True),
        ("simbotObjectClass", ABSENT, "Drinkware", False),
        ("isFilledWithLiquid", None, 0, True),
        ("simbotLastParentReceptacle", None, None, True),
        ("simbotLastParentReceptacle", ABSENT, None, False),
        ("simbotLastParentReceptacle", PLATE.objectId, None, False),
        ("simbotLastParentReceptacle", PLATE.objectId, "Plate", True),
        ("simbotLastParentReceptacle", PLATE.objectId, "Dishware", True),
        ("simbotLastParentReceptacle", SINK.objectId, "Sink", True),
        ("simbotLastParentReceptacle", "Mug|gone", "Mug", False),
        ("parentReceptacles", (COUNTER.objectId,), "CounterTop", True),
        ("parentReceptacles", (COUNTER.objectId,), "Plate", False),
        ("parentReceptacles", (SINK.objectId, COUNTER.objectId), "CounterTop", True),
        ("parentReceptacles", None, "CounterTop", False),
        ("mass", 0.5, 0.5, True),
    ],
)
def test_rules(name: str, value: Any, want: DesiredValue, met: bool) -> None:
    mug = make_object("Mug", **{name: value})
    snapshot = make_snapshot(mug, COUNTER, PLATE, SINK)
    assert bool(compile_property_test(name, want)(mug, snapshot)) is met


@pytest.mark.parametrize(
    ("kind", "want", "met"),
    [
        ("Sink", "SinkBasin", True),
        ("SinkBasin", "Sink", True),
        ("Bathtub", "BathtubBasin", True),
        ("Sink", "Bathtub", False),
        ("BreadSliced", "Bread", False),
        ("Bread", 1, False),
    ],
)
def test_types(kind: str, want: DesiredValue, met: bool) -> None:
    it = make_object(kind)
    assert bool(compile_property_test("objectType", want)(it, make_snapshot(it))) is met


def test_affordances_are_properties() -> None:
    assert compile_property_test("receptacle", 1)(PLATE, make_snapshot(PLATE))
    assert not compile_property_test("receptacle", 1)(make_object("Mug"), make_snapshot())


def test_an_unknown_property_gets_an_offer() -> None:
    with pytest.raises(UnknownName, match="did you mean 'isDirty'"):
        compile_property_test("isDirtyy", 1)


class TestParents:
    def test_what_the_backend_says_wins_even_when_it_is_empty(self) -> None:
        mug = make_object("Mug", parentReceptacles=(), simbotLastParentReceptacle=PLATE.objectId)
        assert parent_receptacles_of(mug, make_snapshot(mug, PLATE)) == ()

    def test_the_record_is_followed_upwards(self) -> None:
        mug = make_object("Mug", simbotLastParentReceptacle=PLATE.objectId)
        snapshot = make_snapshot(mug, PLATE, COUNTER)
        assert parent_receptacles_of(mug, snapshot) == (PLATE.objectId, COUNTER.objectId)

    def test_a_ring_of_records_ends(self) -> None:
        mug = make_object("Mug", simbotLastParentReceptacle=object_id("Bowl"))
        bowl = make_object("Bowl", simbotLastParentReceptacle=object_id("Mug"))
        assert parent_receptacles_of(mug, make_snapshot(mug, bowl)) == (object_id("Bowl"),)

    def test_nothing_known_is_nothing(self) -> None:
        assert parent_receptacles_of(make_object("Mug"), make_snapshot()) == ()
