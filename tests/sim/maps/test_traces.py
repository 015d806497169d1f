"""What recorded starts and ends show, and what they do not."""

from dataclasses import replace

import pytest

from tatc.sim.embedded.house import House
from tatc.sim.embedded.slicing import cut
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.shown import traces_of
from tatc.sim.maps.traces import (
    NOTHING,
    Piece,
    Rest,
    Traces,
    rest_in,
    together,
)
from tatc.sim.rigid import minus, shifted
from tatc.state import AgentState, Box, ObjectState, Snapshot
from tests.sim.scenes import thing, within

AGENT = AgentState((0, 0.9, 0), 0, 30)
TABLE = thing("DiningTable", (0, 0, 2), (1.0, 0.8, 0.6))
DRAWER = thing("Drawer", (2, 0.4, 2), (0.4, 0.2, 0.5))
MUG = within(thing("Mug", (0.2, 0.8, 2.1), (0.1, 0.1, 0.1)), TABLE)
SPOON = within(thing("Spoon", (2, 0.42, 2), (0.02, 0.01, 0.1)), DRAWER)
PLATE = within(thing("Plate", (-0.2, 0.8, 2), (0.3, 0.02, 0.3)), TABLE)
TOMATO = within(thing("Tomato", (-0.3, 0.8, 1.9), (0.1, 0.1, 0.1)), TABLE)


def state(*objects: ObjectState) -> Snapshot:
    return Snapshot.of(objects, AGENT, AGENT)


START = state(TABLE, DRAWER, MUG, SPOON)


def test_what_stands_in_furniture_at_the_start_is_shown():
    shown = traces_of(START, START, ())
    assert shown.rests == {
        TABLE.name: (Rest((0.2, 0.4, 0.1), (0, 0, 0)),),
        DRAWER.name: (Rest((0, -0.08, 0), (0, 0, 0)),),
    }
    assert shown.pieces == {}


def test_what_was_put_elsewhere_is_shown_there_too():
    moved = shifted(MUG, (-0.5, 0.0, 0.05))
    shown = traces_of(START, state(TABLE, DRAWER, moved, SPOON), {MUG.objectId})
    first, second = shown.rests[TABLE.name]
    assert first.at == (0.2, 0.4, 0.1) and second.at == (-0.3, 0.4, 0.15)


def test_furniture_that_stands_otherwise_shows_the_same():
    yaw, (x, _, z) = 90.0, TABLE.position
    table = replace(TABLE, rotation=(0, yaw, 0), box=replace(TABLE.box, yaw=yaw))
    turned_with_it = replace(
        MUG,
        position=(x + 0.1, MUG.position[1], z - 0.2),
        rotation=(0, yaw, 0),
    )
    begun = state(table, turned_with_it)
    (rest,) = traces_of(begun, begun, ()).rests[TABLE.name]
    assert rest.at == pytest.approx((0.2, 0.4, 0.1))
    assert rest.rotation == (0, 0, 0)


def test_what_came_out_with_an_open_drawer_did_not_move_in_it():
    out = (0.0, 0.0, -0.3)
    box = Box((2, 0.5, 1.85), (0.4, 0.2, 0.8), 0.0)
    drawer = replace(shifted(DRAWER, out), isOpen=True, box=box)
    (one, two) = traces_of(
        START, state(TABLE, drawer, MUG, shifted(SPOON, out)), ()
    ).rests[DRAWER.name]
    assert one.at == pytest.approx(two.at)


def test_what_is_held_or_lies_on_a_plate_is_not_shown():
    on_plate = replace(
        MUG, parentReceptacles=tuple(sorted((PLATE.objectId, TABLE.objectId)))
    )
    held = replace(TOMATO, isPickedUp=True, parentReceptacles=None)
    begun = state(TABLE, PLATE, on_plate, held)
    assert set(traces_of(begun, begun, ()).rests) == {TABLE.name}
    (plate,) = traces_of(begun, begun, ()).rests[TABLE.name]
    assert plate == rest_in(TABLE, TABLE.box, PLATE)


@pytest.mark.parametrize("yaw", [0.0, 90.0, 217.0])
def test_pieces_are_shown_as_they_lie_about_their_whole(yaw: float):
    whole = replace(
        TOMATO,
        rotation=(0.0, yaw, 0.0),
        box=replace(TOMATO.box, yaw=yaw),
    )
    begun = state(TABLE, whole)
    house = House(begun)
    cut(house, whole)
    taken = f"{whole.objectId}|TomatoSliced_2"
    shown = traces_of(begun, house.snapshot(), {taken}).pieces[whole.name]
    straight = House(state(TABLE, TOMATO))
    cut(straight, TOMATO)
    assert "TomatoSliced_2" not in shown and len(shown) > 3
    for suffix, piece in shown.items():
        true = straight.find(f"{TOMATO.objectId}|{suffix}")
        assert true is not None
        offset = minus(true.box.center, TOMATO.position)
        assert piece.at == pytest.approx(offset, abs=1e-3)
        assert piece.size == pytest.approx(true.box.size, abs=1e-3)
        assert (piece.yaw + 1.0) % 360.0 == pytest.approx(1.0, abs=0.05)


def test_a_whole_that_lay_on_its_side_shows_no_pieces():
    fallen = replace(TOMATO, rotation=(90.0, 0.0, 0.0))
    house = House(state(TABLE, fallen))
    cut(house, fallen)
    assert traces_of(state(TABLE, fallen), house.snapshot(), ()).pieces == {}


def test_pieces_that_nobody_took_show_the_ground_they_fell_on():
    begun = state(TABLE, TOMATO)
    house = House(begun)
    cut(house, TOMATO)
    (first, *_) = pieces = house.of_type("TomatoSliced")
    for piece in pieces:
        house.put(within(shifted(piece, (0.0, -0.01, 0.0)), TABLE))
    end = house.snapshot()
    ids = {piece.objectId for piece in pieces}
    heights = traces_of(begun, end, ids - {first.objectId}).grounds[TABLE.name]
    under = first.box.bounds()[0][1] - 0.01 - TABLE.box.center[1]
    assert heights == (pytest.approx(under, abs=1e-4),)
    assert traces_of(begun, end, ids).grounds == {}


FRIDGE = thing("Fridge", (-2, 0.9, 2), (0.8, 1.8, 0.6))
OPEN_BOX = OpenBox((0.07, 0.0, -0.3), (0.94, 1.8, 1.2))


@pytest.mark.parametrize("yaw", [0.0, 90.0, 217.0])
def test_what_was_opened_or_shut_shows_how_it_stands_open(yaw: float):
    shut = replace(FRIDGE, box=replace(FRIDGE.box, yaw=yaw))
    wide = replace(shut, isOpen=True, box=OPEN_BOX.around(shut.box))
    for start, end in ((shut, wide), (wide, shut)):
        seen = traces_of(state(start), state(end), ()).opened[shut.name]
        assert seen.at == pytest.approx(OPEN_BOX.at, abs=1e-4)
        assert seen.size == OPEN_BOX.size
    assert traces_of(state(shut), state(shut), ()).opened == {}
    assert traces_of(state(wide), state(wide), ()).opened == {}


def test_drawers_and_lids_show_no_open_box():
    came_out = replace(shifted(DRAWER, (0.0, 0.0, -0.3)), isOpen=True)
    assert traces_of(state(DRAWER), state(came_out), ()).opened == {}


def test_sessions_add_up_and_the_middle_piece_stands_for_all():
    def one(x: float) -> Traces:
        piece = Piece((x, 0, 0), (0.1, 0.1, 0.02), 0.0, (0, 0, 0))
        rest = Rest((x, 0, 0), (0, 0, 0))
        box = OpenBox((x, 0, 0), (1, 1, 1))
        return Traces(
            {"Table|1": (rest,)},
            {"Tomato_a": {"TomatoSliced_1": piece}},
            {"F": box},
            {"Table|1": (x,)},
        )

    both = together([one(0.01), one(0.9), one(0.02)])
    assert [rest.at[0] for rest in both.rests["Table|1"]] == [0.01, 0.9, 0.02]
    assert both.pieces["Tomato_a"]["TomatoSliced_1"].at[0] == 0.02
    assert both.opened["F"].at[0] == 0.02
    assert both.grounds["Table|1"] == (0.01, 0.9, 0.02)
    assert (
        Traces(opened=both.opened)
        and Traces(grounds=both.grounds)
        and together([]) == NOTHING
        and not NOTHING
        and both
    )
