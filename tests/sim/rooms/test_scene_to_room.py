"""Rooms from AI2-THOR's scenes: what a room's file can hold, and nothing else."""

from dataclasses import replace

import pytest

from tatc.home.state import ABSENT, ObjectState, RoomKind, Snapshot
from tatc.sim.rooms import format_room
from tatc.sim.rooms.room_files import parse_room
from tatc.sim.rooms.scene_to_room import room_from_scene, room_kind_of
from tests.sim.box_kitchen import kitchen, make_object


def kitchen_with(*objects: ObjectState) -> Snapshot:
    start = kitchen().start
    return Snapshot.from_objects((*start.objects, *objects), start.commander, start.follower)


def test_a_captured_room_comes_back_from_its_file():
    room = room_from_scene("FloorPlan7", kitchen_with(), [(1, 0), (0, 0), (1, 0)])
    assert room.cells == ((0, 0), (1, 0))
    assert parse_room(format_room(room), "a file") == room


def test_the_teach_properties_of_a_session_are_left_out():
    marked = make_object("Mug", (0.0, 2.0, 0.0), (0.1, 0.1, 0.1), simbotPickedUp=1)
    room = room_from_scene("FloorPlan7", kitchen_with(marked))
    assert room.objects[-1].objectType == "Mug"
    assert room.objects[-1].simbotPickedUp is ABSENT


def test_what_a_file_cannot_hold_is_left_out():
    far = make_object("Mug", (0.0, 5000.0, 0.0), (0.1, 0.1, 0.1))
    alien = replace(make_object("Mug", (0.0, 2.0, 0.0), (0.1, 0.1, 0.1)), objectType="Ufo")
    flat = make_object("Book", (0.0, 2.0, 0.0), (0.2, 0.0, 0.1))
    room = room_from_scene("FloorPlan7", kitchen_with(far, alien, flat, flat))
    added = room.objects[len(kitchen().start.objects) :]
    assert [each.objectType for each in added] == ["Book"]
    assert parse_room(format_room(room), "a file") == room


def test_parents_that_are_not_there_are_forgotten():
    lost = make_object("Mug", (0, 2, 0), (0.1, 0.1, 0.1), parentReceptacles=("Moon|1",))
    assert room_from_scene("FloorPlan7", kitchen_with(lost)).objects[-1].parentReceptacles == ()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("FloorPlan7", RoomKind.KITCHEN),
        ("FloorPlan229", RoomKind.LIVING_ROOM),
        ("FloorPlan301", RoomKind.BEDROOM),
        ("FloorPlan430", RoomKind.BATHROOM),
        ("my-room", RoomKind.KITCHEN),
    ],
)
def test_the_kind_is_told_by_number_or_by_what_is_there(name: str, kind: RoomKind):
    assert room_kind_of(name, kitchen().start.objects) is kind


def test_a_room_with_nothing_telling_is_a_living_room():
    assert room_kind_of("my-room", ()) is RoomKind.LIVING_ROOM
