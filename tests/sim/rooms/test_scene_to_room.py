"""Rooms from AI2-THOR's scenes and from recorded starts: what a room's file can hold."""

from dataclasses import replace

import pytest

from tatc.home.state import ABSENT, AgentState, RoomKind, Scene, Snapshot
from tatc.sim.rooms import format_room
from tatc.sim.rooms.room_files import parse_room
from tatc.sim.rooms.scene_to_room import recorded_room, room_from_scene, room_kind_of
from tests.sim.box_kitchen import kitchen, make_object

SMALL = (0.1, 0.1, 0.1)


def test_a_captured_room_comes_back_from_its_file():
    room = room_from_scene("FloorPlan7", kitchen().initial, [(1, 0), (0, 0), (1, 0)])
    assert room.cells == ((0, 0), (1, 0))
    assert parse_room(format_room(room), "a file") == room


def test_the_teach_properties_of_a_session_are_left_out():
    marked = make_object("Mug", (0.0, 2.0, 0.0), SMALL, simbotPickedUp=1)
    last = room_from_scene("FloorPlan7", kitchen(marked).initial).objects[-1]
    assert last.objectType == "Mug" and last.simbotPickedUp is ABSENT


def test_what_a_file_cannot_hold_is_left_out():
    far = make_object("Mug", (0.0, 5000.0, 0.0), SMALL)
    alien = replace(make_object("Mug", (0.0, 2.0, 0.0), SMALL), objectType="Ufo")
    flat = make_object("Book", (0.0, 2.0, 0.0), (0.2, 0.0, 0.1))
    room = room_from_scene("FloorPlan7", kitchen(far, alien, flat, flat).initial)
    added = room.objects[len(kitchen().initial.objects) :]
    assert [each.objectType for each in added] == ["Book"]
    assert parse_room(format_room(room), "a file") == room


def test_parents_that_are_not_there_are_forgotten():
    lost = make_object("Mug", (0, 2, 0), SMALL, parentReceptacles=("Moon|1",))
    assert room_from_scene("FloorPlan7", kitchen(lost).initial).objects[-1].parentReceptacles == ()


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
    assert room_kind_of(name, kitchen().initial.objects) is kind
    assert room_kind_of("my-room", ()) is RoomKind.LIVING_ROOM


def halved_room() -> Scene:
    """Return a room in two halves; the Follower stands in the southern one."""
    floor = make_object("Floor", (0.0, -0.05, 0.0), (4.0, 0.1, 4.0))
    wall_to_wall = make_object("Fridge", (0.0, 0.0, 0.75), (4.0, 1.0, 0.5))
    body = AgentState((0.0, 0.9, -0.5), 0.0, 30.0)
    start = Snapshot.from_objects((floor, wall_to_wall), body, body)
    return Scene("FloorPlan7", RoomKind.KITCHEN, start)


def test_the_objects_are_those_of_the_recorded_start():
    start = kitchen()
    room = recorded_room(Scene("FloorPlan7", start.kind, start.initial))
    assert room.name == "FloorPlan7" and room.kind is RoomKind.KITCHEN
    kept = ("objectId", "position", "box", "isOpen", "isToggled", "isFilledWithLiquid", "isDirty")
    for obj, recorded in zip(room.objects, start.initial.objects, strict=True):
        assert [getattr(obj, name) for name in kept] == [getattr(recorded, name) for name in kept]
    assert parse_room(format_room(room), "a file") == room


def test_a_body_can_stand_where_the_follower_can_walk_and_people_stood():
    cells = set(recorded_room(halved_room()).cells)
    assert {(0, -2), (4, -6)} <= cells
    assert not any(z > 1 for _, z in cells), "beyond the fridge"
    in_the_fridge = (2, 3)
    assert in_the_fridge in recorded_room(halved_room(), frozenset({in_the_fridge})).cells


def test_a_refused_cell_is_not_free_unless_somebody_stood_there():
    corner, other = (5, -6), (5, -5)
    cells = recorded_room(halved_room(), frozenset({other}), {corner, other}).cells
    assert other in cells and corner not in cells
    assert corner in recorded_room(halved_room()).cells
