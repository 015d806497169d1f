"""Where things come to stand, and when they do not fit."""

from dataclasses import replace
from math import dist

import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.state import Box, ObjectState, Vec3, rotate_yaw, translate
from tatc.sim.embedded.placement.box_overlap import EllipseTest, boxes_overlap, heights_overlap
from tatc.sim.embedded.placement.observed_surfaces import observed_surfaces
from tatc.sim.embedded.placement.obstacles import Obstacles
from tatc.sim.embedded.placement.placement_search import (
    NO_VALID_POSITION_MESSAGE,
    Placement,
    find_placement,
    forced_placement,
    parent_receptacles_at,
)
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import RecordedEvidence, RestingPose
from tests.sim.box_kitchen import make_object, with_parents, world_with

PLATE = make_object("Plate", (0, 0.9, 1), (0.26, 0.03, 0.26))
CUP = make_object("Cup", (2, 0, 2), (0.08, 0.1, 0.08))


BURNER = make_object("StoveBurner", (0, 0.9, 1), (0.18, 0.02, 0.18))
POT = make_object("Pot", (0, 0, 0), (0.28, 0.15, 0.24))


def placed(
    world: WorldState, held: ObjectState, target: ObjectState, point: Vec3, body: Vec3 | None = None
) -> Placement:
    """Return where something comes to stand; it does."""
    found = find_placement(world, held, target, point, body)
    assert isinstance(found, Placement), found
    return found


def fill_receptacle(target: ObjectState, piece: ObjectState, limit: int = 30) -> int:
    """Put copies of a thing into a receptacle until no more fits; count them."""
    objects = [target]
    for n in range(limit):
        here = world_with(*objects)
        new = replace(piece, objectId=f"{piece.objectId}|{n}")
        placement = find_placement(here, new, target, target.box.center)
        if isinstance(placement, str):
            assert placement == NO_VALID_POSITION_MESSAGE
            return n
        assert not any(boxes_overlap(placement.box, other.box) for other in objects[1:])
        placed = replace(new, box=placement.box, position=placement.position)
        objects.append(with_parents(replace(placed, rotation=placement.rotation), target))
    return limit


SLICE, THIN_SLICE = (make_object("BreadSliced", (0, 0, 0), (0.13, 0.12, z)) for z in (0.025, 0.02))
CHIP = make_object("PotatoSliced", (0, 0, 0), (0.07, 0.07, 0.012))
SPOON = make_object("Spoon", (0, 0, 0), (0.02, 0.02, 0.02))
PAN = make_object("Pan", (0, 0, 0), (0.24, 0.06, 0.24))


@pytest.mark.parametrize(
    ("target", "piece", "least", "most"),
    [
        (PLATE, SLICE, 4, 12),
        (make_object("Bowl", (0, 0.9, 1), (0.2, 0.08, 0.2)), CHIP, 5, 30),
        (make_object("Mug", (0, 0.9, 1), (0.1, 0.1, 0.1)), SPOON, 1, 1),
        (make_object("Toaster", (0, 0.9, 1), (0.2, 0.2, 0.3)), THIN_SLICE, 1, 1),
        (make_object("CounterTop", (0, 0.86, 1), (1.0, 0.04, 0.5)), PAN, 3, 9),
        (BURNER, POT, 1, 1),  # though it is larger than the burner
    ],
    ids=lambda value: value.objectType if isinstance(value, ObjectState) else "",
)
def test_a_receptacle_fills_up(target: ObjectState, piece: ObjectState, least: int, most: int):
    assert least <= fill_receptacle(target, piece) <= most


def test_a_toaster_of_a_known_asset_takes_bread_at_its_attach_point():
    toaster = make_object("Toaster", (0, 0.9, 1), (0.1928, 0.2839, 0.3406), rotation=(0, 90, 0))
    toaster = replace(toaster, mass=5.0, position=(0.0, 0.9, 1.0))
    slice_ = make_object("BreadSliced", (2, 0, 2), (0.13, 0.12, 0.02))
    slice_ = replace(slice_, position=slice_.box.center)
    spot = placed(world_with(toaster), slice_, toaster, toaster.box.center)
    assert spot.position == pytest.approx((0.0, 0.9 + 0.1564, 1.0 - 0.0378))
    assert spot.rotation == (0.0, 180.0, 0.0)
    assert find_placement(world_with(replace(toaster, mass=4.0)), slice_, toaster, (0, 1, 1))


@pytest.mark.parametrize(("height", "fits"), [(0.1, True), (0.2, False)])
def test_the_spout_of_a_faucet_is_in_the_way_of_what_stands_high_in_a_sink(
    height: float, fits: bool
):
    basin = make_object("SinkBasin", (0, 0.7, 1), (0.4, 0.2, 0.3))
    faucet = make_object("Faucet", (0, 0.8, 1.1), (0.3, 0.25, 0.5))
    pot = make_object("Pot", (2, 0, 2), (0.25, height, 0.2))
    found = find_placement(world_with(basin, faucet), pot, basin, (0, 0.7, 1))
    assert isinstance(found, Placement) is fits
    placed(world_with(basin), pot, basin, (0, 0.7, 1))


def test_a_basin_takes_nothing_while_its_faucet_runs_that_ran_at_the_start():
    basin = make_object("SinkBasin", (0, 0.7, 1), (0.4, 0.2, 0.3))
    near, far = (make_object("Faucet", (x, 1.1, 1.1), (0.05, 0.2, 0.05)) for x in (0.0, 2.0))
    on, off = near.with_values(isToggled=True), near.with_values(isToggled=False)

    def fits(world: WorldState) -> bool:
        return isinstance(find_placement(world, CUP, basin, (0, 0.7, 1)), Placement)

    world = world_with(basin, on, far)
    for faucet, fit in ((on, False), (off, True), (on, False)):
        world.set_object(faucet)
        assert fits(world) is fit
    world = world_with(basin, off, far.with_values(isToggled=True))
    for faucet in (off, on):
        world.set_object(faucet)
        assert fits(world), "no water stands where the faucet was off at the start"


def test_what_finds_no_place_is_forced_to_the_point_nearest_to_the_click():
    table = make_object("SideTable", (0, 0, 1), (0.4, 0.8, 0.4))
    full = with_parents(make_object("Bread", (0, 0.68, 1), (0.5, 0.3, 0.5)), table)
    world, click = world_with(table, full), (0.1, 0.8, 1.0)
    assert find_placement(world, CUP, table, click) == NO_VALID_POSITION_MESSAGE
    forced = forced_placement(world, CUP, table, click)
    assert forced is not None
    assert dist(forced.position[::2], click[::2]) < 0.1
    free = world_with(table)
    assert forced_placement(free, CUP, table, click) == find_placement(free, CUP, table, click)


def test_a_burner_takes_no_pot_where_the_next_one_reaches_over_it():
    next_one = make_object("Pan", (0.25, 0.95, 1), (0.3, 0.06, 0.2))
    refused = find_placement(world_with(BURNER, next_one), POT, BURNER, (0, 0.9, 1))
    assert refused == NO_VALID_POSITION_MESSAGE
    apart = translate(next_one, (0.1, 0.0, 0.0))
    placed(world_with(BURNER, apart), POT, BURNER, (0, 0.9, 1))


def test_a_pot_that_reaches_over_two_burners_does_not_move_the_place_of_either():
    """It is listed in both; a burner's own place is where things stood over it."""
    rests = [RestingPose((x, 0.01, 0.0), (0.0, 0.0, 0.0)) for x in (0.01, 0.3, 0.3, 0.3)]
    here = world_with(BURNER, evidence=RecordedEvidence({BURNER.name: tuple(rests)}))
    spot = placed(here, POT, BURNER, (0, 0.9, 1))
    assert spot.position[0] == pytest.approx(0.01)


def test_a_towel_hangs_in_the_one_place_of_its_holder_whatever_is_near():
    holder = make_object("HandTowelHolder", (0, 1.5, 1), (0.2, 0.1, 0.06))
    towel = replace(CUP, objectType="HandTowel")
    spot = placed(world_with(holder), towel, holder, (0.1, 1.5, 1))
    assert spot.position[::2] == (0.0, 1.0)
    near = replace(CUP, objectId="near", box=spot.box)
    assert find_placement(world_with(holder, near), towel, holder, (0.1, 1.5, 1)) == spot
    assert fill_receptacle(holder, towel) == 1
    assert isinstance(find_placement(world_with(holder), CUP, holder, (0, 1.5, 1)), str)


@pytest.mark.parametrize("kind", ["Kettle", "Pan", "Pot", "Bowl", "PotatoSliced"])
def test_a_burner_takes_what_one_cooks_in_only(kind: str):
    held = make_object(kind, (0, 0, 0), (0.1, 0.1, 0.1))
    spot = find_placement(world_with(BURNER), held, BURNER, (0, 0.9, 1))
    assert isinstance(spot, Placement) is (kind in {"Kettle", "Pan", "Pot"})


def test_a_bin_is_filled_to_its_rim_and_no_farther():
    bin_ = make_object("GarbageCan", (0, 0, 1), (0.3, 0.5, 0.3))
    flat = make_object("Pan", (0, 0, 0), (0.2, 0.1, 0.2))
    assert fill_receptacle(bin_, flat) == 5
    assert fill_receptacle(replace(bin_, objectType="Chair"), flat) < 5


def test_a_thing_too_large_is_refused_at_once():
    box = make_object("Microwave", (0, 0.9, 1), (0.4, 0.3, 0.5), isOpen=True)
    assert fill_receptacle(box, make_object("Pot", (0, 0, 0), (0.3, 0.34, 0.3))) == 0
    assert fill_receptacle(box, make_object("Pan", (0, 0, 0), (0.6, 0.06, 0.6))) == 0


def test_a_long_thing_is_turned_to_fit():
    drawer = make_object("Drawer", (0, 0.6, 1), (0.2, 0.15, 0.5), isOpen=True)
    ladle = make_object("Ladle", (0, 0, 0), (0.4, 0.05, 0.08))
    spot = placed(world_with(drawer), ladle, drawer, drawer.box.center)
    assert spot.box.yaw == 90.0


@pytest.mark.parametrize("kind", ["Cabinet", "Drawer", "Fridge", "Microwave", "Box"])
def test_what_is_shut_takes_nothing(kind: str):
    shut = make_object(kind, (0, 0.5, 1), (0.8, 0.8, 0.8))
    shut = replace(shut, affordances=replace(shut.affordances, openable=True))
    assert "CLOSED" in str(find_placement(world_with(shut), CUP, shut, shut.box.center))
    opened = replace(shut, isOpen=True)
    placed(world_with(opened), CUP, opened, (0, 0.9, 1))


def test_toast_stands_across_its_toaster():
    toaster = make_object("Toaster", (1, 0.9, 1), (0.2, 0.25, 0.4))
    middle = (1.02, *toaster.position[1:])
    toaster = replace(toaster, position=middle, rotation=(0.0, 90.0, 0.0))
    spot = placed(world_with(toaster), THIN_SLICE, toaster, toaster.box.center)
    assert spot.rotation[1] == 0.0
    assert spot.box.center[::2] == pytest.approx((1.02, 1.0))
    assert spot.box.bounds()[0][1] == pytest.approx(0.9 + 0.44 * 0.25)


def test_a_pans_content_lies_in_its_disc_not_on_its_handle():
    pan = replace(make_object("Pan", (0, 0.9, 1), (0.28, 0.1, 0.44)), position=(0, 0.9, 1.08))
    egg = make_object("Egg", (0, 0, 0), (0.05, 0.06, 0.05))
    spot = placed(world_with(pan), egg, pan, (0.0, 0.92, 0.8))
    assert dist(spot.box.center[::2], (0, 1.08)) < 0.14


def test_what_is_held_goes_into_nothing_that_lies_in_it():
    mug = with_parents(make_object("Mug", (0, 0.93, 1), (0.1, 0.1, 0.1)), PLATE)
    held = replace(PLATE, isPickedUp=True)
    refusal = find_placement(world_with(held, mug), held, mug, mug.box.center)
    assert refusal == NO_VALID_POSITION_MESSAGE


def test_things_stand_in_a_dish_where_it_is_now():
    low = make_object("Plate", (0, 0.7, 1), (0.24, 0.1, 0.24))
    apple = with_parents(make_object("Apple", (0, 0.72, 1), (0.08, 0.08, 0.08)), low)
    here = world_with(low, apple)
    here.set_object(replace(apple, parentReceptacles=()))
    lifted = translate(low, (1.0, 0.2, 0.0))
    here.set_object(lifted)
    spot = placed(here, CUP, lifted, lifted.box.center)
    assert 0.9 <= spot.box.bounds()[0][1] < 0.95


def test_some_receptacles_take_one_type_only():
    toaster = make_object("Toaster", (0, 0.9, 1), (0.2, 0.2, 0.3))
    refused = find_placement(world_with(toaster), CUP, toaster, toaster.box.center)
    assert "not a valid Object Type to be placed" in str(refused)


def test_a_thing_stands_at_the_point_of_the_lattice_nearest_to_the_click():
    counter = make_object("CounterTop", (0, 0.86, 1), (2.0, 0.04, 0.8))
    other = with_parents(make_object("Bowl", (0.25, 0.9, 1), (0.2, 0.1, 0.2)), counter)
    free = placed(world_with(counter, other), CUP, counter, (-0.4, 0.9, 1.06))
    assert free.box.center == pytest.approx((-0.5, 0.95, 1.1))
    assert free.position == pytest.approx(free.box.center)
    taken = placed(world_with(counter, other), CUP, counter, (0.2, 0.9, 1.0))
    assert not boxes_overlap(taken.box, other.box)
    assert taken.box.center == pytest.approx((0.0, 0.95, 1.0))


def test_the_nearest_point_of_all_stretches_of_a_counter_is_taken():
    counter = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, 0.6))
    sink = make_object("Sink", (0, 0.8, 1), (0.8, 0.1, 0.5))
    for side in (-1.0, 1.0):
        spot = placed(world_with(counter, sink), CUP, counter, (side, 0.9, 1.0))
        assert spot.box.center[0] == pytest.approx(side, abs=0.06)


def test_things_are_turned_as_those_that_stood_there_before():
    table = make_object("DiningTable", (0, 0.0, 1), (1.6, 0.8, 1.4))
    knife = make_object("Knife", (0, 0, 0), (0.3, 0.02, 0.04))
    turned = [
        with_parents(
            make_object("Cup", (x, 0.69, 0.4), (0.1, 0.1, 0.1), rotation=(0, 45, 0)), table
        )
        for x in (-0.4, 0.4)
    ]
    for others, yaw in ((turned, 45.0), (turned[:1], 90.0)):
        spot = placed(world_with(table, *others), knife, table, (0, 0.69, 1.3))
        assert spot.rotation == (0.0, yaw, 0.0)


def test_a_sink_parts_a_counter():
    counter = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, 0.6))
    sink = make_object("Sink", (0, 0.8, 1), (0.8, 0.1, 0.5))
    spot = placed(world_with(counter, sink), CUP, counter, (0.75, 0.9, 1.0))
    # The part to its right runs from 0.4 to 1.2.
    assert spot.box.center[0] == pytest.approx(0.7, abs=0.11)
    assert spot.box.center[0] * 10 == pytest.approx(round(spot.box.center[0] * 10))


def test_what_finds_no_room_flat_is_laid_on_its_side():
    knife = make_object("Knife", (0, 0, 0), (0.34, 0.02, 0.09))
    board = make_object("Desk", (0, 0.8, 1), (0.5, 0.04, 0.5))
    bowls = [
        with_parents(make_object("Bowl", (x, 0.8, z), (0.22, 0.3, 0.22)), board)
        for x in (-0.125, 0.125)
        for z in (0.875, 1.125)
    ]
    spot = placed(world_with(board, *bowls), knife, board, (0, 0.8, 1))
    assert spot.rotation[0] == 90.0
    assert spot.box.size == (0.34, 0.09, 0.02)
    laptop = replace(knife, objectType="Laptop")
    refused = find_placement(world_with(board, *bowls), laptop, board, (0, 0.8, 1))
    assert refused == NO_VALID_POSITION_MESSAGE


def test_what_would_jut_out_over_an_edge_finds_no_room():
    board = make_object("Desk", (0, 0.8, 1), (0.3, 0.04, 0.3))
    laptop = make_object("Laptop", (0, 0, 0), (0.34, 0.2, 0.25))
    refused = find_placement(world_with(board), laptop, board, (0, 0.8, 1))
    assert refused == NO_VALID_POSITION_MESSAGE
    plate = replace(PLATE, box=board.box)
    placed(world_with(plate), laptop, plate, (0, 0.8, 1))


@pytest.mark.parametrize(("kind", "fits"), [("CounterTop", True), ("Desk", False)])
def test_what_is_too_long_for_a_counter_is_turned_as_if_a_wall_were_behind_it(
    kind: str, fits: bool
):
    board = make_object(kind, (0, 0.8, 1), (0.4, 0.04, 0.8))
    pot = make_object("Pot", (3, 0, 3), (0.5, 0.15, 0.3))
    spot = find_placement(world_with(board), pot, board, (0, 0.8, 1))
    assert isinstance(spot, Placement) if fits else spot == NO_VALID_POSITION_MESSAGE
    assert not isinstance(spot, Placement) or spot.box.yaw == 90.0


def test_a_point_at_which_a_thing_sticks_out_of_a_counter_is_given_up_while_another_is_free():
    board = make_object("CounterTop", (0, 0.8, 1), (0.6, 0.04, 0.8))
    pot = make_object("Pot", (3, 0, 3), (0.5, 0.15, 0.3))
    spot = placed(world_with(board), pot, board, (0.3, 0.8, 1))
    assert spot.box.yaw == 0.0 and abs(spot.position[0]) < 0.06


def test_a_pot_stands_in_the_middle_of_its_burner():
    burner = make_object("StoveBurner", (1, 0.9, 1), (0.2, 0.02, 0.2))
    pot = replace(make_object("Pot", (0, 0, 0), (0.34, 0.1, 0.2)), position=(0.07, 0, 0))
    spot = placed(world_with(burner), pot, burner, (1.08, 0.9, 1.0))
    assert (spot.position[0], spot.position[2]) == (1, 1)
    assert spot.box.center[0] == pytest.approx(0.93)


def test_things_stand_in_the_corners_of_the_boxes_of_what_is_round():
    counter = make_object("CounterTop", (0, 0.86, 1), (0.8, 0.04, 0.8))
    spoon = make_object("Spoon", (0, 0, 0), (0.04, 0.02, 0.04))
    corner = (-0.1, 0.9, 0.9)
    others = (make_object(kind, (0.02, 0.9, 1.02), (0.3, 0.1, 0.3)) for kind in ("Pot", "Bread"))
    round_, square = (
        placed(world_with(counter, with_parents(other)), spoon, counter, corner).position
        for other in others
    )
    assert round_[::2] == pytest.approx(corner[::2])
    assert dist(square[::2], corner[::2]) > 0.05


@pytest.mark.parametrize(
    ("kind", "foot"), [("HousePlant", 0.1), ("DeskLamp", 0.1), ("Television", 0.06)]
)
def test_a_foot_is_in_the_way_and_what_reaches_out_over_it_is_not(kind: str, foot: float):
    counter = make_object("CounterTop", (0, 0.86, 1), (0.8, 0.04, 0.8))
    plant = with_parents(make_object(kind, (0, 0.9, 1), (0.5, 0.4, 0.5)), counter)
    spoon = make_object("Spoon", (0, 0, 0), (0.04, 0.02, 0.04))
    beside = placed(world_with(counter, plant), spoon, counter, (0.2, 0.9, 1.0))
    at = placed(world_with(counter, plant), spoon, counter, (0.0, 0.9, 1.0))
    assert beside.position[0] == pytest.approx(0.2)
    assert max(abs(at.position[0]), abs(at.position[2] - 1.0)) > foot - 1e-9


def test_a_mug_stands_in_a_coffee_machine_where_others_did():
    machine = make_object("CoffeeMachine", (1, 0.9, 1), (0.3, 0.4, 0.3))
    rests = {machine.objectId: (RestingPose((0.02, -0.14, 0.05), (0.0, 0.0, 0.0)),)}
    mug = make_object("Mug", (0, 0, 0), (0.1, 0.1, 0.1))
    here = world_with(machine, evidence=RecordedEvidence(rests))
    spot = placed(here, mug, machine, machine.box.center)
    assert (spot.position[0], spot.position[2]) == pytest.approx((1.02, 1.05))


def test_things_keep_off_a_sinks_walls_unless_there_is_no_other_room():
    sink = make_object("SinkBasin", (0, 0.8, 1), (0.42, 0.15, 0.42))
    for side, off in ((0.2, 0.02), (0.38, 0.0)):
        plate = make_object("Plate", (0, 0, 0), (side, 0.03, side))
        spot = placed(world_with(sink), plate, sink, (0.2, 0.8, 1.2))
        (x0, _, z0), (x1, _, z1) = spot.box.bounds()
        assert max(-x0, x1, 1 - z0, z1 - 1) <= 0.2 - off + 1e-6


def test_only_round_tables_have_crossing_areas():
    for kind, depth, count in (
        ("DiningTable", 1.4, 4),
        ("DiningTable", 0.9, 1),
        ("SideTable", 1.4, 1),
    ):
        table = make_object(kind, (0, 0.0, 1), (1.4, 0.9, depth))
        levels = observed_surfaces(world_with(table), table)
        assert len(levels) == count
        reach = max(abs(level.x) + level.size[0] / 2 for level in levels)
        assert reach <= 0.7


def test_parents_run_on_through_dishes_but_not_through_furniture():
    sink = make_object("SinkBasin", (0, 0.8, 1), (0.4, 0.2, 0.4))
    plate = with_parents(PLATE, sink)
    floor = make_object("Floor", (0, -0.02, 0), (6, 0.02, 6))
    fridge = with_parents(make_object("Fridge", (1, 0, 1), (0.8, 1.8, 0.8)), floor)
    here = world_with(sink, plate, floor, fridge)
    expected = tuple(sorted((plate.objectId, sink.objectId)))
    assert parent_receptacles_at(here, plate, PLATE.box) == expected
    high = Box((1, 1.2, 1), (0.1, 0.1, 0.1))
    assert parent_receptacles_at(here, fridge, high) == (fridge.objectId,)
    low = Box((1, 0.2, 1), (0.1, 0.1, 0.1))
    both = tuple(sorted((fridge.objectId, floor.objectId)))
    assert parent_receptacles_at(here, fridge, low) == both


YAWS = st.sampled_from([0.0, 30.0, 45.0, 90.0, 200.0])
SIZES = st.floats(0.05, 0.6)
BOXES = st.builds(
    lambda x, z, w, d, yaw: Box((x, 0.5, z), (w, 0.2, d), yaw),
    st.floats(-0.5, 0.5),
    st.floats(-0.5, 0.5),
    SIZES,
    SIZES,
    YAWS,
)


def overlaps_inscribed_ellipse(a: Box, b: Box) -> bool:
    x, y, z = a.center
    return heights_overlap(y, a.size[1], b) and EllipseTest(a.size, a.yaw, b).overlaps(x, z)


@given(a=BOXES, b=BOXES)
def test_overlap_is_symmetric_and_moving_up_ends_it(a: Box, b: Box):
    assert boxes_overlap(a, b) == boxes_overlap(b, a)
    assert boxes_overlap(a, a)
    assert not boxes_overlap(a, b.translate(0.0, 0.21, 0.0))


@given(a=BOXES, b=BOXES)
def test_a_pillar_is_met_only_where_its_box_is_and_always_in_its_middle(a: Box, b: Box):
    assert boxes_overlap(a, b) or not overlaps_inscribed_ellipse(a, b)
    needle = Box(b.center, (0.01, 0.1, 0.01), a.yaw)
    assert overlaps_inscribed_ellipse(needle, b)
    cover = Box(b.center, (1.5, 0.1, 1.5), a.yaw)
    assert overlaps_inscribed_ellipse(cover, b)


@given(b=BOXES)
def test_a_pillar_leaves_the_corners_of_its_box_free(b: Box):
    tip = Box(b.center, (b.size[0] / 8, 0.1, b.size[2] / 8), b.yaw)
    corner = rotate_yaw((b.size[0] * 0.46, 0.0, b.size[2] * 0.46), b.yaw)
    side = rotate_yaw((b.size[0] * 0.46, 0.0, 0.0), b.yaw)
    assert boxes_overlap(tip.translate(*corner), b)
    assert not overlaps_inscribed_ellipse(tip.translate(*corner), b)
    assert overlaps_inscribed_ellipse(tip.translate(*side), b)


@given(a=BOXES, b=BOXES)
def test_boxes_whose_circles_are_apart_do_not_overlap(a: Box, b: Box):
    reach = sum((s.size[0] ** 2 + s.size[2] ** 2) ** 0.5 / 2 for s in (a, b))
    away = b.translate(reach + 1.5, 0.0, 0.0)
    assert not boxes_overlap(a, away)
    inside = Box(a.center, (0.02, 0.1, 0.02), b.yaw)
    assert boxes_overlap(a, inside)


@given(
    st.lists(st.tuples(st.floats(-0.9, 0.9), st.floats(0.5, 1.5), st.floats(0, 360)), max_size=12),
    st.tuples(st.floats(-0.5, 0.5), st.floats(0.7, 1.3)),
)
@settings(max_examples=25, deadline=None)
def test_what_is_left_out_because_it_is_far_never_decides_where_a_thing_fits(
    places: list[tuple[float, float, float]], at: tuple[float, float]
):
    table = make_object("DiningTable", (0, 0.4, 1), (1.2, 0.8, 0.7))
    others = [
        replace(
            with_parents(make_object("Box", (x, 0.9, z), (0.25, 0.2, 0.15)), table),
            objectId=f"Box|{i}",
            box=Box((x, 0.9, z), (0.25, 0.2, 0.15), yaw),
        )
        for i, (x, z, yaw) in enumerate(places)
    ]
    world = world_with(table, *others)
    click = (at[0], 0.8, at[1])
    found = find_placement(world, CUP, table, click)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Obstacles, "near", lambda self, surface, reach: self)
        assert find_placement(world, CUP, table, click) == found


def test_nothing_is_put_farther_from_the_body_than_ai2_thor_tries():
    table = make_object("DiningTable", (0, 0, 1.6), (0.4, 0.8, 2.4))
    near = with_parents(make_object("Bread", (0, 0.68, 0.95), (0.4, 0.2, 1.3)), table)
    world, click = world_with(table, near), (0.0, 0.8, 1.75)
    far, nearer = (0.0, 0.9, -0.5), (0.0, 0.9, 1.0)
    assert find_placement(world, CUP, table, click, far) == NO_VALID_POSITION_MESSAGE
    for body in (nearer, None):
        assert placed(world, CUP, table, click, body).position[2] > 1.6
