from dataclasses import replace
from typing import Any

from tatc.sim.effects import (
    Clean,
    FillWater,
    Mark,
    boiled,
    coffee,
    cooked,
    inherited,
    picked_up,
    placed,
    running_water,
)
from tatc.state import ABSENT, AgentState, ObjectState, Snapshot
from tests.sim.scenes import thing, within

AGENT = AgentState((0, 0.9, 0), 0, 30)
SMALL = (0.1, 0.1, 0.1)


def world(*objects: ObjectState) -> Snapshot:
    return Snapshot.of(objects, AGENT, AGENT)


def faucet(x: float, on: bool) -> ObjectState:
    return thing("Faucet", (x, 1.0, 0.0), SMALL, isToggled=on)


BASIN = thing("SinkBasin", (0, 0.8, 0), (0.4, 0.2, 0.4))
MUG = within(thing("Mug", (0, 0.8, 0), SMALL, isDirty=True), BASIN)


def test_running_water_cleans_and_fills():
    found = running_water(world(faucet(0.1, True), BASIN, MUG))
    mug = MUG.objectId
    assert found == [
        Clean(mug),
        FillWater(mug),
        Mark(mug, "simbotIsFilledWithWater", 1),
    ]


def test_only_the_nearest_faucet_counts():
    near_off = world(faucet(0.1, False), faucet(0.9, True), BASIN, MUG)
    assert running_water(near_off) == []


def test_a_room_without_faucets_stays_dry():
    assert running_water(world(BASIN, MUG)) == []


def test_teachs_own_record_serves_where_the_backend_says_nothing():
    lost = replace(
        MUG, parentReceptacles=None, simbotLastParentReceptacle=BASIN.objectId
    )
    assert running_water(world(faucet(0, True), BASIN, lost))
    out = replace(lost, parentReceptacles=())
    assert running_water(world(faucet(0, True), BASIN, out)) == []


MACHINE = thing("CoffeeMachine", (0, 0.9, 0), SMALL, isToggled=True)


def test_coffee_needs_the_change_from_empty_to_full():
    empty = within(thing("Mug", (0, 0.9, 0), SMALL), MACHINE)
    full = replace(empty, isFilledWithLiquid=True)
    got = [Mark(full.objectId, "simbotIsFilledWithCoffee", True)]
    assert coffee(world(MACHINE, full), world(MACHINE, empty)) == got
    assert coffee(world(MACHINE, full), world(MACHINE, full)) == []
    assert coffee(world(MACHINE, full), None) == got
    assert coffee(world(MACHINE, empty), None) == []
    off = replace(MACHINE, isToggled=False)
    assert coffee(world(off, full), world(off, empty)) == []


def test_teach_holds_cooked_what_lies_in_heat():
    burner = thing("StoveBurner", (0, 0.9, 0), SMALL, ObjectTemperature="Hot")
    potato = within(thing("Potato", (0, 0.9, 0), SMALL), burner)
    mark = [Mark(potato.objectId, "simbotIsCooked", True)]
    assert cooked(world(burner, potato)) == mark
    assert cooked(world(replace(burner, ObjectTemperature="RoomTemp"), potato)) == []
    assert cooked(world(burner, replace(potato, simbotIsCooked=True))) == []
    tomato = within(thing("Tomato", (0, 0.9, 0), SMALL), burner)
    assert cooked(world(burner, tomato)) == []
    toasted = thing("Potato", (0, 0.9, 0), SMALL, isCooked=True)
    assert cooked(world(toasted)) == mark


def _potato(**fields: Any) -> tuple[Snapshot, Snapshot, str]:
    pot = thing("Pot", (0, 0.9, 0), SMALL, **fields)
    raw = within(thing("Potato", (0, 0.9, 0), SMALL), pot)
    done = replace(raw, isCooked=True)
    return world(pot, raw), world(pot, done), raw.objectId


def test_boiling_needs_the_change_to_cooked_and_water():
    raw, done, potato = _potato(isFilledWithLiquid=True)
    assert boiled(done, raw) == [Mark(potato, "simbotIsBoiled", True)]
    assert boiled(done, done) == []
    assert boiled(raw, raw) == []
    raw, done, potato = _potato()
    assert boiled(done, raw) == []


def test_a_pot_once_filled_from_the_tap_boils_though_emptied():
    raw, done, potato = _potato(simbotIsFilledWithWater=1)
    assert boiled(done, raw) == [Mark(potato, "simbotIsBoiled", True)]


def test_pickup_takes_a_thing_off_every_list():
    shelf = thing("Shelf", (0, 1, 0), SMALL, simbotIsReceptacleOf=("a", "b"))
    bare = thing("Shelf", (1, 1, 0), SMALL, simbotIsReceptacleOf=("b",))
    assert picked_up("a", (shelf, bare)) == [
        Mark("a", "simbotPickedUp", 1),
        Mark("a", "simbotLastParentReceptacle", None),
        Mark(shelf.objectId, "simbotIsReceptacleOf", ("b",)),
    ]


def test_place_lists_a_thing_once():
    shelf = thing("Shelf", (0, 1, 0), SMALL)
    last = Mark("a", "simbotLastParentReceptacle", shelf.objectId)
    listed = Mark(shelf.objectId, "simbotIsReceptacleOf", ("a",))
    assert placed("a", shelf.objectId, world(shelf)) == [last, listed]
    full = replace(shelf, simbotIsReceptacleOf=("a",))
    assert placed("a", shelf.objectId, world(full)) == [last]


def test_slices_inherit_and_the_whole_loses_all():
    counter = thing("CounterTop", (0, 0.9, 0), SMALL)
    whole = thing(
        "Potato",
        (0, 0.9, 0),
        SMALL,
        simbotObjectClass=("Potato",),
        simbotIsCooked=True,
        simbotLastParentReceptacle=counter.objectId,
    )
    counter = replace(counter, simbotIsReceptacleOf=(whole.objectId,))
    piece = thing("PotatoSliced", (0, 0.9, 0), SMALL)
    piece = replace(piece, objectId=f"{whole.objectId}|PotatoSliced_0")
    heel = replace(piece, objectId=f"{whole.objectId}|Potato_0")
    now = world(counter, whole, piece, heel)
    values = {
        o.objectId: {
            e.name: e.value
            for e in inherited(now)
            if isinstance(e, Mark) and e.object_id == o.objectId
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
    assert inherited(world(bare, piece)) == []
