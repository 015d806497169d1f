"""The plan model: what a room and a moment of a session look like from above."""

from dataclasses import replace

import pytest

from tatc.home.state import Affordances, AgentState, Box, Scene, Snapshot
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.rooms import Room, load_room
from tatc.sim.top_view.plan_model import (
    PICKUPABLE_GROUP,
    PlanAgents,
    PlanFloor,
    RoomPlan,
    footprint_of,
    state_words,
    target_points,
)
from tests.object_factory import make_object

AGENT = AgentState((0.0, 0.9, 0.0), 90.0, 0.0)


@pytest.fixture(scope="module")
def room() -> Room:
    return load_room("kitchen-01")


def test_a_plan_holds_each_object_of_a_room_but_the_room_itself(room: Room):
    plan = RoomPlan.of_room(room)
    drawn = {each.object_id for each in (*plan.furniture, *plan.small_objects)}
    assert drawn == {obj.objectId for obj in room.objects if obj.objectType != "Floor"}
    assert all(each.group == PICKUPABLE_GROUP for each in plan.small_objects)
    assert PICKUPABLE_GROUP not in {each.group for each in plan.furniture}


def test_furniture_is_ordered_from_the_floor_upwards(room: Room):
    bottoms = [piece.box.bottom for piece in RoomPlan.of_room(room).furniture]
    assert bottoms == sorted(bottoms)


def test_wall_cabinets_hang_overhead_and_counters_do_not(room: Room):
    overhead = {
        piece.object_type for piece in RoomPlan.of_room(room).furniture if piece.is_overhead
    }
    assert "Cabinet" in overhead and "CounterTop" not in overhead


def test_the_floor_of_a_scene_has_the_cells_that_its_body_can_reach():
    floor = make_object("Floor", (0.0, 0.0, 0.0), (2.0, 0.1, 1.0))
    table = make_object("DiningTable", (0.5, 0.4, 0.0), (0.5, 0.8, 0.5))
    snapshot = Snapshot.from_objects((floor, table), AGENT, AGENT)
    scene = Scene("test", load_room("kitchen-01").kind, snapshot)
    grid = WalkableGrid.from_scene(scene)
    plan_floor = PlanFloor.of_scene(scene)
    assert (plan_floor.low, plan_floor.high) == ((-1.0, -0.5), (1.0, 0.5))
    assert plan_floor.cells == tuple((pose.x, pose.z) for pose in grid.reachable())
    assert plan_floor == PlanFloor.of_scene(scene, grid)
    without = Scene("test", scene.kind, Snapshot.from_objects((table,), AGENT, AGENT))
    assert PlanFloor.of_scene(without).low == (0.25, -0.25)


def test_what_the_follower_holds_is_no_object_of_the_plan():
    mug = make_object("Mug", (0.5, 0.9, 0.0), affordances=Affordances(pickupable=True))
    held = replace(mug, isPickedUp=True)
    floor, agents = PlanFloor((-1.0, -1.0), (1.0, 1.0), ()), PlanAgents(AGENT, AGENT)
    for obj, count in ((mug, 1), (held, 0)):
        snapshot = Snapshot.from_objects((obj,), AGENT, AGENT)
        assert len(RoomPlan.of_objects(floor, snapshot.objects, agents).small_objects) == count


@pytest.mark.parametrize(
    ("parents", "container"),
    [
        (None, ""),
        ((), ""),
        (("Fridge|+00.00|+00.00|+00.00",), "Fridge"),
        (("Sink|+00.00|+00.00|+00.00|SinkBasin",), "SinkBasin"),
    ],
)
def test_a_footprint_names_the_type_of_its_container(
    parents: tuple[str, ...] | None, container: str
):
    mug = replace(make_object("Mug", (0.0, 0.9, 0.0)), parentReceptacles=parents)
    assert footprint_of(mug).container == container


def test_fronts_and_doors_are_those_of_the_types_that_have_them(room: Room):
    plans = {piece.object_type: piece for piece in RoomPlan.of_room(room).furniture}
    drawer, counter, fridge = plans["Drawer"], plans["CounterTop"], plans["Fridge"]
    assert drawer.front is not None and drawer.front[1] in ((0, 1), (1, 0), (0, -1), (-1, 0))
    assert counter.front is None and not counter.can_close
    assert fridge.can_close and drawer.can_close


def test_targets_are_the_middles_of_objects_that_are_there():
    mug = replace(make_object("Mug", (0.5, 0.9, 0.25)), box=Box((0.6, 0.9, 0.3), (0.1, 0.1, 0.1)))
    snapshot = Snapshot.from_objects((mug,), AGENT, AGENT)
    assert target_points(snapshot, ("Knife|gone", mug.objectId)) == ((0.6, 0.3),)


def test_the_words_of_a_state_say_what_is_unusual_and_each_once():
    toast = make_object("BreadSliced", (0.0, 0.9, 0.0))
    assert state_words(toast) == []
    cooked = replace(toast, isCooked=True, simbotIsCooked=True, ObjectTemperature="Hot")
    assert state_words(cooked) == ["cooked", "hot"]
    assert state_words(replace(toast, isOpen=True, isDirty=True)) == ["open", "dirty"]
