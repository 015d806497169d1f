"""Rooms made of recorded starts: the objects as they were, and where people stood."""

from tatc.home.state import AgentState, RoomKind, Scene, Snapshot
from tatc.sim.rooms import format_room
from tatc.sim.rooms.room_files import parse_room
from tatc.sim.rooms.scene_to_room import recorded_room
from tests.object_factory import make_object
from tests.sim.box_kitchen import kitchen

FLOOR = make_object("Floor", (0.0, 0.0, 0.0), (4.0, 0.1, 4.0))
WALL_TO_WALL = make_object("Fridge", (0.0, 0.5, 0.75), (4.0, 1.0, 0.5))


def scene() -> Scene:
    """Return a room in two halves; the Follower stands in the southern one."""
    body = AgentState((0.0, 0.9, -0.5), 0.0, 30.0)
    start = Snapshot.from_objects((FLOOR, WALL_TO_WALL), body, body)
    return Scene("FloorPlan7", RoomKind.KITCHEN, start)


def test_the_objects_are_those_of_the_start():
    start = kitchen()
    room = recorded_room(Scene("FloorPlan7", start.kind, start.start))
    assert room.name == "FloorPlan7" and room.kind is RoomKind.KITCHEN
    kept = ("objectId", "position", "box", "isOpen", "isToggled", "isFilledWithLiquid", "isDirty")
    for obj, recorded in zip(room.objects, start.start.objects, strict=True):
        assert [getattr(obj, name) for name in kept] == [getattr(recorded, name) for name in kept]
    assert parse_room(format_room(room), "a file") == room


def test_a_body_can_stand_where_the_follower_can_walk():
    cells = set(recorded_room(scene()).cells)
    assert (0, -2) in cells and (4, -6) in cells
    assert not any(z > 1 for _, z in cells), "beyond the fridge"


def test_people_stood_where_boxes_leave_no_room():
    in_the_fridge = (2, 3)
    cells = recorded_room(scene(), frozenset({in_the_fridge})).cells
    assert in_the_fridge in cells


def test_a_refused_cell_is_not_free_unless_somebody_stood_there():
    corner, other = (5, -6), (5, -5)
    cells = recorded_room(scene(), frozenset({other}), {corner, other}).cells
    assert other in cells and corner not in cells
    assert corner in recorded_room(scene()).cells
