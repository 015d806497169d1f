"""What recorded starts and ends show, and what they do not."""

from dataclasses import replace

import pytest

from tatc.home.state import Box, subtract, translate
from tatc.sim.embedded.slicing import cut_into_pieces
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import (
    NO_EVIDENCE,
    OpenBox,
    RecordedEvidence,
    RestingPose,
    SlicePlacement,
    extract_evidence,
    merge_evidence,
    resting_pose_in,
)
from tests.sim.box_kitchen import make_object, snapshot_of, with_parents, world_with

TABLE = make_object("DiningTable", (0, 0, 2), (1.0, 0.8, 0.6))
DRAWER = make_object("Drawer", (2, 0.4, 2), (0.4, 0.2, 0.5))
MUG = with_parents(make_object("Mug", (0.2, 0.8, 2.1), (0.1, 0.1, 0.1)), TABLE)
SPOON = with_parents(make_object("Spoon", (2, 0.42, 2), (0.02, 0.01, 0.1)), DRAWER)
PLATE = with_parents(make_object("Plate", (-0.2, 0.8, 2), (0.3, 0.02, 0.3)), TABLE)
TOMATO = with_parents(make_object("Tomato", (-0.3, 0.8, 1.9), (0.1, 0.1, 0.1)), TABLE)


START = snapshot_of(TABLE, DRAWER, MUG, SPOON)


def test_what_stands_in_furniture_at_the_start_is_shown():
    shown = extract_evidence(START, START, ())
    assert shown.resting_poses == {
        TABLE.name: (RestingPose((0.2, 0.4, 0.1), (0, 0, 0)),),
        DRAWER.name: (RestingPose((0, -0.08, 0), (0, 0, 0)),),
    }
    assert shown.slices == {}


def test_what_was_put_elsewhere_is_shown_there_too():
    moved = translate(MUG, (-0.5, 0.0, 0.05))
    shown = extract_evidence(START, snapshot_of(TABLE, DRAWER, moved, SPOON), {MUG.objectId})
    first, second = shown.resting_poses[TABLE.name]
    assert first.offset == (0.2, 0.4, 0.1) and second.offset == (-0.3, 0.4, 0.15)


def test_furniture_that_stands_otherwise_shows_the_same():
    yaw, (x, _, z) = 90.0, TABLE.position
    table = replace(TABLE, rotation=(0, yaw, 0), box=replace(TABLE.box, yaw=yaw))
    turned_with_it = replace(
        MUG, position=(x + 0.1, MUG.position[1], z - 0.2), rotation=(0, yaw, 0)
    )
    begun = snapshot_of(table, turned_with_it)
    (rest,) = extract_evidence(begun, begun, ()).resting_poses[TABLE.name]
    assert rest.offset == pytest.approx((0.2, 0.4, 0.1))
    assert rest.rotation == (0, 0, 0)


def test_what_came_out_with_an_open_drawer_did_not_move_in_it():
    out = (0.0, 0.0, -0.3)
    box = Box((2, 0.5, 1.85), (0.4, 0.2, 0.8), 0.0)
    drawer = replace(translate(DRAWER, out), isOpen=True, box=box)
    (one, two) = extract_evidence(
        START, snapshot_of(TABLE, drawer, MUG, translate(SPOON, out)), ()
    ).resting_poses[DRAWER.name]
    assert one.offset == pytest.approx(two.offset)


def test_what_is_held_or_lies_on_a_plate_is_not_shown():
    on_plate = replace(MUG, parentReceptacles=tuple(sorted((PLATE.objectId, TABLE.objectId))))
    held = replace(TOMATO, isPickedUp=True, parentReceptacles=None)
    begun = snapshot_of(TABLE, PLATE, on_plate, held)
    assert set(extract_evidence(begun, begun, ()).resting_poses) == {TABLE.name}
    (plate,) = extract_evidence(begun, begun, ()).resting_poses[TABLE.name]
    assert plate == resting_pose_in(TABLE, TABLE.box, PLATE)


@pytest.mark.parametrize("yaw", [0.0, 90.0, 217.0])
def test_pieces_are_shown_as_they_lie_about_their_whole(yaw: float):
    whole = replace(TOMATO, rotation=(0.0, yaw, 0.0), box=replace(TOMATO.box, yaw=yaw))
    begun = snapshot_of(TABLE, whole)
    world = WorldState(begun)
    cut_into_pieces(world, whole)
    taken = f"{whole.objectId}|TomatoSliced_2"
    shown = extract_evidence(begun, world.snapshot(), {taken}).slices[whole.name]
    straight = world_with(TABLE, TOMATO)
    cut_into_pieces(straight, TOMATO)
    assert "TomatoSliced_2" not in shown and len(shown) > 3
    for suffix, piece in shown.items():
        true = straight.find(f"{TOMATO.objectId}|{suffix}")
        assert true is not None
        offset = subtract(true.box.center, TOMATO.position)
        assert piece.offset == pytest.approx(offset, abs=1e-3)
        assert piece.size == pytest.approx(true.box.size, abs=1e-3)
        assert (piece.box_yaw + 1.0) % 360.0 == pytest.approx(1.0, abs=0.05)


def test_a_whole_that_lay_on_its_side_shows_no_pieces():
    fallen = replace(TOMATO, rotation=(90.0, 0.0, 0.0))
    world = world_with(TABLE, fallen)
    cut_into_pieces(world, fallen)
    assert extract_evidence(snapshot_of(TABLE, fallen), world.snapshot(), ()).slices == {}


def test_pieces_that_nobody_took_show_the_ground_they_fell_on():
    begun = snapshot_of(TABLE, TOMATO)
    world = WorldState(begun)
    cut_into_pieces(world, TOMATO)
    (first, *_) = pieces = world.of_type("TomatoSliced")
    for piece in pieces:
        world.set_object(with_parents(translate(piece, (0.0, -0.01, 0.0)), TABLE))
    end = world.snapshot()
    ids = {piece.objectId for piece in pieces}
    heights = extract_evidence(begun, end, ids - {first.objectId}).landing_heights[TABLE.name]
    under = first.box.bounds()[0][1] - 0.01 - TABLE.box.center[1]
    assert heights == (pytest.approx(under, abs=1e-4),)
    assert extract_evidence(begun, end, ids).landing_heights == {}


FRIDGE = make_object("Fridge", (-2, 0.9, 2), (0.8, 1.8, 0.6))
OPEN_BOX = OpenBox((0.07, 0.0, -0.3), (0.94, 1.8, 1.2))


@pytest.mark.parametrize("yaw", [0.0, 90.0, 217.0])
def test_what_was_opened_or_shut_shows_how_it_stands_open(yaw: float):
    shut = replace(FRIDGE, box=replace(FRIDGE.box, yaw=yaw))
    wide = replace(shut, isOpen=True, box=OPEN_BOX.to_world(shut.box))
    for start, end in ((shut, wide), (wide, shut)):
        seen = extract_evidence(snapshot_of(start), snapshot_of(end), ()).open_boxes[shut.name]
        assert seen.offset == pytest.approx(OPEN_BOX.offset, abs=1e-4)
        assert seen.size == OPEN_BOX.size
    assert extract_evidence(snapshot_of(shut), snapshot_of(shut), ()).open_boxes == {}
    assert extract_evidence(snapshot_of(wide), snapshot_of(wide), ()).open_boxes == {}


def test_drawers_and_lids_show_no_open_box():
    came_out = replace(translate(DRAWER, (0.0, 0.0, -0.3)), isOpen=True)
    assert extract_evidence(snapshot_of(DRAWER), snapshot_of(came_out), ()).open_boxes == {}


def test_sessions_add_up_and_the_middle_piece_stands_for_all():
    def one(x: float) -> RecordedEvidence:
        piece = SlicePlacement((x, 0, 0), (0.1, 0.1, 0.02), 0.0, (0, 0, 0))
        rest = RestingPose((x, 0, 0), (0, 0, 0))
        box = OpenBox((x, 0, 0), (1, 1, 1))
        return RecordedEvidence(
            {"Table|1": (rest,)},
            {"Tomato_a": {"TomatoSliced_1": piece}},
            {"F": box},
            {"Table|1": (x,)},
        )

    both = merge_evidence([one(0.01), one(0.9), one(0.02)])
    assert [rest.offset[0] for rest in both.resting_poses["Table|1"]] == [0.01, 0.9, 0.02]
    assert both.slices["Tomato_a"]["TomatoSliced_1"].offset[0] == 0.02
    assert both.open_boxes["F"].offset[0] == 0.02
    assert both.landing_heights["Table|1"] == (0.01, 0.9, 0.02)
    assert (
        RecordedEvidence(open_boxes=both.open_boxes)
        and RecordedEvidence(landing_heights=both.landing_heights)
        and merge_evidence([]) == NO_EVIDENCE
        and not NO_EVIDENCE
        and both
    )
