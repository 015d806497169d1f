"""TEACh's rules after actions, ALFRED's marks, TEACh's hints, and whose burner a knob's is."""

from dataclasses import replace
from typing import Any

import pytest

from tatc.home.actions import Verb
from tatc.home.refusals import MESSAGE_PATTERNS, RefusalCode
from tatc.home.state import ABSENT, ObjectState, Snapshot
from tatc.sim.stove_knobs import burners_of
from tatc.sim.teach_effects import (
    HINT_BY_CODE,
    SetProperty,
    boiling_effects,
    bookkeeping_effects,
    coffee_effects,
    cooking_effects,
    history_effects,
    refusal_result,
    running_water_effects,
    slice_inheritance_effects,
)
from tests.sim.box_kitchen import make_object, snapshot_of, with_parents

SMALL = (0.1, 0.1, 0.1)


def faucet(x: float, on: bool) -> ObjectState:
    return make_object("Faucet", (x, 1.0, 0.0), SMALL, isToggled=on)


BASIN = make_object("SinkBasin", (0, 0.8, 0), (0.4, 0.2, 0.4))
MUG = with_parents(make_object("Mug", (0, 0.8, 0), SMALL, isDirty=True), BASIN)


def test_running_water_cleans_and_fills():
    found = running_water_effects(snapshot_of(faucet(0.1, True), BASIN, MUG))
    became = {"isDirty": False, "isFilledWithLiquid": True, "simbotIsFilledWithWater": 1}
    assert found == [SetProperty(MUG.objectId, name, value) for name, value in became.items()]


def test_only_the_nearest_faucet_counts():
    near_off = snapshot_of(faucet(0.1, False), faucet(0.9, True), BASIN, MUG)
    assert running_water_effects(near_off) == []
    assert running_water_effects(snapshot_of(BASIN, MUG)) == []


def test_teachs_own_record_serves_where_the_backend_says_nothing():
    lost = replace(MUG, parentReceptacles=None, simbotLastParentReceptacle=BASIN.objectId)
    assert running_water_effects(snapshot_of(faucet(0, True), BASIN, lost))
    out = replace(lost, parentReceptacles=())
    assert running_water_effects(snapshot_of(faucet(0, True), BASIN, out)) == []


MACHINE = make_object("CoffeeMachine", (0, 0.9, 0), SMALL, isToggled=True)


def test_coffee_needs_the_change_from_empty_to_full():
    empty = with_parents(make_object("Mug", (0, 0.9, 0), SMALL), MACHINE)
    full = replace(empty, isFilledWithLiquid=True)
    got = [SetProperty(full.objectId, "simbotIsFilledWithCoffee", True)]
    assert coffee_effects(snapshot_of(MACHINE, full), snapshot_of(MACHINE, empty)) == got
    assert coffee_effects(snapshot_of(MACHINE, full), snapshot_of(MACHINE, full)) == []
    assert coffee_effects(snapshot_of(MACHINE, full), None) == got
    assert coffee_effects(snapshot_of(MACHINE, empty), None) == []
    off = replace(MACHINE, isToggled=False)
    assert coffee_effects(snapshot_of(off, full), snapshot_of(off, empty)) == []


def test_teach_holds_cooked_what_lies_in_heat():
    burner = make_object("StoveBurner", (0, 0.9, 0), SMALL, ObjectTemperature="Hot")
    potato = with_parents(make_object("Potato", (0, 0.9, 0), SMALL), burner)
    mark = [SetProperty(potato.objectId, "simbotIsCooked", True)]
    assert cooking_effects(snapshot_of(burner, potato)) == mark
    assert cooking_effects(snapshot_of(replace(burner, ObjectTemperature="RoomTemp"), potato)) == []
    assert cooking_effects(snapshot_of(burner, replace(potato, simbotIsCooked=True))) == []
    tomato = with_parents(make_object("Tomato", (0, 0.9, 0), SMALL), burner)
    assert cooking_effects(snapshot_of(burner, tomato)) == []
    toasted = make_object("Potato", (0, 0.9, 0), SMALL, isCooked=True)
    assert cooking_effects(snapshot_of(toasted)) == mark


def _potato(**fields: Any) -> tuple[Snapshot, Snapshot, str]:
    pot = make_object("Pot", (0, 0.9, 0), SMALL, **fields)
    raw = with_parents(make_object("Potato", (0, 0.9, 0), SMALL), pot)
    done = replace(raw, isCooked=True)
    return snapshot_of(pot, raw), snapshot_of(pot, done), raw.objectId


def test_boiling_needs_the_change_to_cooked_and_water():
    raw, done, potato = _potato(isFilledWithLiquid=True)
    assert boiling_effects(done, raw) == [SetProperty(potato, "simbotIsBoiled", True)]
    assert boiling_effects(done, done) == []
    assert boiling_effects(raw, raw) == []
    raw, done, potato = _potato()
    assert boiling_effects(done, raw) == []
    # A pot once filled from the tap boils, though it was emptied.
    raw, done, potato = _potato(simbotIsFilledWithWater=1)
    assert boiling_effects(done, raw) == [SetProperty(potato, "simbotIsBoiled", True)]


def test_pickup_takes_a_thing_off_every_list():
    shelf = make_object("Shelf", (0, 1, 0), SMALL, simbotIsReceptacleOf=("a", "b"))
    bare = make_object("Shelf", (1, 1, 0), SMALL, simbotIsReceptacleOf=("b",))
    thing = replace(MUG, objectId="a")
    assert bookkeeping_effects(Verb.PICKUP, thing, None, snapshot_of(shelf, bare)) == [
        SetProperty("a", "simbotPickedUp", 1),
        SetProperty("a", "simbotLastParentReceptacle", None),
        SetProperty(shelf.objectId, "simbotIsReceptacleOf", ("b",)),
    ]


def test_place_lists_a_thing_once():
    shelf, thing = make_object("Shelf", (0, 1, 0), SMALL), replace(MUG, objectId="a")
    last = SetProperty("a", "simbotLastParentReceptacle", shelf.objectId)
    listed = SetProperty(shelf.objectId, "simbotIsReceptacleOf", ("a",))
    found = bookkeeping_effects(Verb.PLACE, shelf, thing, snapshot_of(shelf))
    assert found == [last, listed]
    full = replace(shelf, simbotIsReceptacleOf=("a",))
    assert bookkeeping_effects(Verb.PLACE, full, thing, snapshot_of(full)) == [last]


def test_slices_inherit_and_the_whole_loses_all():
    counter = make_object("CounterTop", (0, 0.9, 0), SMALL)
    whole = make_object(
        "Potato",
        (0, 0.9, 0),
        SMALL,
        simbotObjectClass=("Potato",),
        simbotIsCooked=True,
        simbotLastParentReceptacle=counter.objectId,
    )
    counter = replace(counter, simbotIsReceptacleOf=(whole.objectId,))
    piece = make_object("PotatoSliced", (0, 0.9, 0), SMALL)
    piece = replace(piece, objectId=f"{whole.objectId}|PotatoSliced_0")
    heel_id = f"{whole.objectId}|Potato_0"
    heel = replace(piece, objectId=heel_id, objectType="Potato")
    now = snapshot_of(counter, whole, piece, heel)
    values = {
        o.objectId: {
            e.name: e.value
            for e in slice_inheritance_effects(now)
            if isinstance(e, SetProperty) and e.object_id == o.objectId
        }
        for o in now.objects
    }
    assert values[piece.objectId]["simbotIsCooked"] is True
    assert values[piece.objectId]["simbotObjectClass"] == ("Potato",)
    assert values[piece.objectId]["simbotIsBoiled"] is ABSENT
    assert set(values[whole.objectId].values()) == {ABSENT}
    assert values[counter.objectId]["simbotIsReceptacleOf"] == (piece.objectId,)
    assert values[heel.objectId] == {}
    bare = replace(whole, simbotObjectClass=ABSENT, simbotIsCooked=ABSENT)
    bare = replace(bare, simbotLastParentReceptacle=ABSENT)
    assert slice_inheritance_effects(snapshot_of(bare, piece)) == []


@pytest.mark.parametrize(
    ("kind", "before", "after", "mark"),
    [
        ("Microwave", {"isToggled": False}, {"isToggled": True}, "wasHeated"),
        ("Fridge", {"isOpen": True}, {"isOpen": False}, "wasCooled"),
    ],
)
def test_contents_get_alfreds_mark_at_the_change_alone(
    kind: str, before: dict[str, bool], after: dict[str, bool], mark: str
):
    host = make_object(kind, (0.0, 1.0, 1.0), SMALL)
    inside = with_parents(make_object("Mug", (0.0, 1.0, 1.0), SMALL), host)
    beside = make_object("Mug", (2.0, 1.0, 1.0), SMALL, parentReceptacles=())
    was, now = (snapshot_of(replace(host, **state), inside, beside) for state in (before, after))
    assert history_effects(now, was) == [SetProperty(inside.objectId, mark, True)]
    assert history_effects(now, now) == history_effects(was, now) == []


def test_a_faucet_marks_what_is_in_the_nearest_basin_of_a_sink():
    basins = [make_object("SinkBasin", (x, 0.9, 1.0), SMALL) for x in (0.0, 3.0)]
    plates = [with_parents(make_object("Plate", each.position, SMALL), each) for each in basins]
    was, now = (snapshot_of(*basins, faucet(0.2, on), *plates) for on in (False, True))
    assert history_effects(now, was) == [SetProperty(plates[0].objectId, "wasCleaned", True)]


@pytest.mark.parametrize(("fragments", "code"), MESSAGE_PATTERNS)
def test_a_hint_follows_from_its_code(fragments: tuple[str, ...], code: RefusalCode):
    assert refusal_result(" ... ".join(fragments)).hint == HINT_BY_CODE.get(code)


def test_hints_are_as_teach_gives_them():
    empty = "Pour: ObjectInteraction needs a held object filled with liquid"
    assert refusal_result(empty).hint is None
    # A row that TEACh never reaches gives the hint of the row before.
    blocked = "another object's collision is blocking Mug from being placed"
    assert refusal_result(blocked).hint == HINT_BY_CODE[RefusalCode.PATH_BLOCKED]


KNOB = make_object("StoveKnob", (0, 0.8, 0), (0.04, 0.04, 0.04))
NEAR_BURNER, FAR_BURNER = (
    make_object("StoveBurner", (x, 0.9, 0), (0.2, 0.02, 0.2)) for x in (0.1, 0.9)
)


def test_a_knobs_burner_is_what_the_backend_or_the_table_says_or_the_nearest():
    said = replace(KNOB, controlledObjects=(FAR_BURNER.objectId,))
    assert burners_of("FloorPlan1", said, [NEAR_BURNER, FAR_BURNER]) == (FAR_BURNER.objectId,)
    recorded = replace(KNOB, objectId="StoveKnob|-00.48|+00.88|-02.19")
    other = replace(FAR_BURNER, objectId="StoveBurner|-00.47|+00.92|-02.37")
    for place in ("FloorPlan1", "FloorPlan1_physics"):
        assert burners_of(place, recorded, [NEAR_BURNER, other]) == (other.objectId,)
    for place in ("kitchen-01", "FloorPlan1"):
        assert burners_of(place, KNOB, [FAR_BURNER, NEAR_BURNER]) == (NEAR_BURNER.objectId,)
    assert burners_of("kitchen-01", KNOB, [KNOB]) == ()
