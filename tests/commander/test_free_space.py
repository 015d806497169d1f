"""Room: what fits where, and the fewest things that must go for another to fit."""

from dataclasses import replace

import pytest

from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.skills.free_space import (
    blocked_points,
    count_free_beside,
    fewest_to_clear,
    free_places_in_dish,
    free_points,
    has_free_room,
    points_for_footprint,
    world_points,
)
from tatc.home.assets import dish_geometry
from tatc.home.state import Affordances, Box, ObjectState, Snapshot, Vec3
from tatc.planners.snapshot_view import SnapshotView
from tatc.sim.embedded.placement.placement_search import Placement, find_placement
from tatc.sim.embedded.world_state import WorldState
from tests.commander.test_placing_clicks import AGENT, PLATE
from tests.commander.test_plan_builder import open_kitchen
from tests.sim.box_kitchen import make_object, with_parents

RECEPTACLE_BOUNDS = ((0.0, 0.0, 0.0), (0.8, 0.1, 0.4))


def _nothing_must_stay(_: object) -> bool:
    return False


def test_points_keep_footprint_inside():
    spots = points_for_footprint(RECEPTACLE_BOUNDS, (0.4, 0.2))
    assert spots[:, 0].min() >= 0.19 and spots[:, 0].max() <= 0.61
    assert spots[:, 1].min() >= 0.09 and spots[:, 1].max() <= 0.31
    assert not len(points_for_footprint(RECEPTACLE_BOUNDS, (0.9, 0.1)))


def test_objects_near_point_block_it():
    spots = points_for_footprint(RECEPTACLE_BOUNDS, (0.1, 0.1))
    met = blocked_points(spots, (0.1, 0.1), [((0.0, 0, 0.0), (0.2, 1, 0.4))])
    assert met.shape == (1, len(spots))
    assert met[0].tolist() == (spots[:, 0] < 0.25).tolist()


@pytest.mark.parametrize(
    ("width", "gone"), [(0.5, ["Bread"]), (0.8, ["Bread", "Potato"]), (1.5, [])]
)
def test_fewest_objects_are_cleared(width: float, gone: list[str]):
    """At one end of the table stands a plant that nobody can carry."""
    _, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    table, plate = known.snapshot.get(ids["DiningTable"]), known.snapshot.get(ids["Plate"])
    large = replace(plate, box=Box(plate.box.center, (width, 0.1, 0.6)))
    spots = free_points(builder, table, large)
    assert spots is not None and not len(spots)
    few = fewest_to_clear(builder, table, large, _nothing_must_stay)
    assert [obj.objectType for obj in few] == gone
    if gone == ["Bread"]:
        kept = fewest_to_clear(builder, table, large, lambda obj: obj in few)
        assert few[0] not in kept, "what stays is not taken"
    egg = known.snapshot.get(ids["Egg"])
    assert fewest_to_clear(builder, table, egg, _nothing_must_stay) == (), "there is room for it"


def test_back_of_a_chair_and_the_shade_of_a_lamp_take_no_room():
    _, known, ids = open_kitchen()
    chair = make_object("Chair", (0.0, 0.0, -1.0), (1.6, 1.2, 0.7))
    lamp = make_object("DeskLamp", (0.0, 0.7, -1.0), (0.4, 0.4, 0.4))
    moveable = Affordances(moveable=True)
    both = [replace(obj, affordances=moveable) for obj in (chair, lamp)]
    now = known.snapshot
    more = Snapshot.from_objects((*now.objects, *both), now.commander, now.follower)
    known.view = SnapshotView(more)
    table, egg = known.snapshot.get(ids["DiningTable"]), known.snapshot.get(ids["Egg"])
    free = free_points(PlanBuilder(known), table, egg)
    points = {(round(x, 3), round(z, 3)) for x, z in free.tolist()}
    assert {(-0.2, -1.0), (0.2, -1.0)} <= points and (0.0, -1.0) not in points


def test_optimistic_builder_tries_full_receptacle():
    _, known, ids = open_kitchen()
    sink = known.snapshot.get(ids["SinkBasin"])
    bed = replace(sink, box=Box(sink.box.center, (3.0, 0.1, 3.0)), objectId="Bed")
    assert not has_free_room(PlanBuilder(known), sink, bed)
    assert has_free_room(PlanBuilder(known, optimistic=True), sink, bed)


@pytest.mark.parametrize(
    ("size", "fits"),
    [((0.075, 0.086, 0.013), True), ((0.1, 0.1, 0.01), False), ((0.1, 0.085, 0.01), True)],
)
def test_only_small_slices_fit_into_the_area_of_a_bowl(
    size: tuple[float, float, float], fits: bool
):
    """Bowl_25 has one area of 0.09 x 0.086 m; a slice may lie or stand in it."""
    builder = PlanBuilder(open_kitchen()[1])
    bowl = make_object("Bowl", (0, 0.9, 0), (0.2194, 0.0656, 0.2235), mass=0.47)
    piece = make_object("TomatoSliced", (1, 0.9, 0), size)
    assert has_free_room(builder, bowl, piece) is fits
    other = replace(bowl, box=Box(bowl.box.center, (0.3, 0.07, 0.3)))
    assert has_free_room(builder, other, piece), "nothing is known of other bowls"


def _places(dish: ObjectState, piece: ObjectState, contents: list[ObjectState]):
    known = dish_geometry(dish.objectType, dish.mass, dish.box.size)
    assert known is not None
    return free_places_in_dish(dish, known, piece, contents)


@pytest.mark.parametrize("size", [(0.11, 0.1, 0.02), (0.06, 0.05, 0.01)])
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
