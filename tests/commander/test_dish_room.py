"""Where a dish of a known asset has room, and that the world puts things there."""

from dataclasses import replace

import pytest

from tatc.commander.skills.free_space import count_free_beside, free_places_in_dish, world_points
from tatc.home.assets import dish_geometry
from tatc.home.state import AgentState, ObjectState, Snapshot, Vec3
from tatc.sim.embedded.placement.placement_search import Placement, find_placement
from tatc.sim.embedded.world_state import WorldState
from tests.sim.box_kitchen import make_object, with_parents

AGENT = AgentState((0, 0.9, 0), 0, 30)
PLATE = make_object("Plate", (0, 0.9, 0), (0.2068, 0.1112, 0.2105), mass=0.62)


def _places(dish: ObjectState, piece: ObjectState, contents: list[ObjectState]):
    known = dish_geometry(dish.objectType, dish.mass, dish.box.size)
    assert known is not None
    return free_places_in_dish(dish, known, piece, contents)


@pytest.mark.parametrize(
    "size",
    [(0.11, 0.1, 0.02), (0.06, 0.05, 0.01)],
)
@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_where_the_world_puts_something_on_a_plate_room_was_expected(size: Vec3, yaw: float):
    dish = replace(PLATE, rotation=(0.0, yaw, 0.0))
    piece = make_object("BreadSliced", (2, 0, 2), size)
    contents: list[ObjectState] = []
    empty = 0
    for i in range(20):
        world = WorldState(Snapshot.from_objects([dish, *contents], AGENT, AGENT))
        found = find_placement(world, piece, dish, dish.box.center)
        room = len(_places(dish, piece, contents))
        if not isinstance(found, Placement):
            assert room < empty, "it takes the contents into account"
            break
        assert room, "no room is overlooked"
        empty = empty or room
        put = replace(piece, box=found.box, position=found.position, rotation=found.rotation)
        contents.append(with_parents(replace(put, objectId=f"BreadSliced|{i}"), dish))
    assert 1 <= len(contents) < 20


def test_a_place_at_the_side_leaves_more_room_than_one_in_the_middle():
    piece = make_object("BreadSliced", (2, 0, 2), (0.06, 0.05, 0.01))
    places = _places(PLATE, piece, [])
    points, rooms = world_points(PLATE, places), count_free_beside(places, places)
    from_middle = abs(points - (PLATE.position[0], PLATE.position[2])).max(axis=1)
    assert from_middle[rooms.argmax()] > from_middle[rooms.argmin()]
