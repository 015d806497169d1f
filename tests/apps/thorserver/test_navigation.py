"""Where an agent can go and stand, and how it gets to an object."""

from itertools import pairwise, product
from math import dist
from typing import Any

import numpy as np
import pytest

from tatc.apps.thorserver import agent_actions
from tatc.apps.thorserver.thor_world import CLIENT_2, ThorWorld
from tatc.apps.thorserver.views import visible_ids
from tatc.home.state import subtract, yaw_sin_cos
from tests.apps.thorserver.conftest import do, first, metadata_of, must, new_world


def point(position: Any) -> tuple[float, float, float]:
    return tuple(position[axis] for axis in "xyz")  # pyright: ignore


def test_reachable_positions_are_on_a_grid_and_off_the_walls_and_the_furniture(world: ThorWorld):
    fine = must(world, "GetReachablePositions")
    must(world, "Initialize", gridSize=0.5)
    coarse = must(world, "GetReachablePositions")
    assert 0 < len(coarse) < len(fine)
    assert not do(world, "GetReachablePositions", gridSize=0.01).success
    refused = do(world, "GetReachablePositions", maxStepCount=1)
    assert "Too many steps" in refused.error_message
    low, high = world.bounds()
    for position in must(world, "GetReachablePositions", gridSize=0.1):
        for axis, name in ((0, "x"), (2, "z")):
            assert low[axis] + 0.19 < position[name] < high[axis] - 0.19
        for obj in world.state.of_type("CounterTop", "Fridge"):
            assert obj.box.horizontal_distance(position["x"], position["z"]) > 0.15


def test_a_path_leads_over_the_floor_to_its_target(world: ThorWorld):
    free = {point(each) for each in must(world, "GetReachablePositions")}
    start = world.agent_state.position
    for obj in (first(world, "Fridge"), first(world, "Sink")):
        corners = must(world, "GetShortestPath", objectId=obj.objectId)["corners"]
        path = [point(each) for each in corners]
        assert path[0] == start and set(path) <= free
        last = path[-1]
        assert obj.box.horizontal_distance(last[0], last[2]) == pytest.approx(
            min(obj.box.horizontal_distance(x, z) for x, _, z in free)
        )
        assert sum(dist(a, b) for a, b in pairwise(path)) >= dist(start, last) - 1e-9
        to_point = must(world, "GetShortestPathToPoint", **corners[-1])["corners"]
        assert to_point == corners


def test_a_path_needs_one_target_on_the_floor(world: ThorWorld):
    for given, words in (
        ({"objectType": "Unicorn"}, "'Unicorn' was not found in the scene"),
        ({"objectType": "Cabinet"}, "Multiple objects of type 'Cabinet'"),
        ({"objectId": "Moon|1"}, "Cannot find sim object with id 'Moon|1'"),
    ):
        assert words in do(world, "GetShortestPath", **given).error_message
        assert words in do(world, "ObjectNavExpertAction", **given).error_message
    away = {"x": 99, "y": 0, "z": 99}
    assert "could not be found" in do(world, "GetShortestPathToPoint", target=away).error_message
    fridge = first(world, "Fridge").objectId
    refused = do(world, "GetShortestPath", objectId=fridge, position=away)
    assert "could not be found" in refused.error_message


FREE = {"snapToGrid": False}


@pytest.mark.parametrize("settings", [{}, FREE, {"gridSize": 0.1, **FREE}])
def test_a_step_is_as_long_as_it_was_asked_for_or_refused(world: ThorWorld, settings: Any):
    must(world, "Initialize", **settings)
    made = 0
    for degrees, metres in product((0, 45, 15), (None, 0.1, 0.13, 0.3, 0.37, 0.5)):
        must(world, "RotateRight", degrees=degrees)
        before, asked = world.agent_state, metres or world.settings.step_metres
        for name, sign in (("MoveAhead", 1), ("MoveBack", -1), ("MoveLeft", -1)):
            start = world.agent_state
            came = do(world, name, **({} if metres is None else {"moveMagnitude": metres}))
            went = world.agent_state
            assert dist(start.position, went.position) == pytest.approx(asked * came.success)
            assert "is blocking" in came.error_message or came.success or not settings
            if came.success and name != "MoveLeft":
                made += 1
                assert agent_actions.has_room_at(world, np.array([went.position[::2]]))[0]
                sine, cosine = yaw_sin_cos(before.yaw)
                dx, _, dz = subtract(went.position, start.position)
                assert dx * sine + dz * cosine == pytest.approx(sign * asked)
    assert made > (20 if settings else 3)
    if not settings:
        refused = do(world, "MoveAhead", moveMagnitude=0.3).error_message
        assert refused.endswith("snapToGrid=False in Initialize allows it")


def test_a_free_agent_stands_where_its_body_has_room(world: ThorWorld):
    must(world, "Initialize", **FREE)
    fridge = first(world, "Fridge").box
    x, z = fridge.center[0], fridge.center[2]
    beside = {"x": x + fridge.size[0] / 2 + 0.15, "y": world.agent_y, "z": z}
    assert "Collided with" in do(world, "Teleport", position=beside).error_message
    position = must(world, "GetReachablePositions")[0]
    must(world, "Teleport", position={**position, "x": position["x"] + 0.01})
    offset = must(world, "GetReachablePositions")[0]["x"] % 0.25
    assert min(offset, 0.25 - offset) == pytest.approx(0.01)


def follow_expert(world: ThorWorld, **target: Any) -> None:
    for _ in range(80):
        action = must(world, "ObjectNavExpertAction", **target)
        if action is None:
            return
        must(world, action)
    pytest.fail("the expert does not arrive")


@pytest.mark.parametrize("settings", [{}, {"gridSize": 0.5}, {"rotateStepDegrees": 30, **FREE}])
def test_an_expert_leads_to_objects_and_places(world: ThorWorld, settings: Any):
    must(world, "Initialize", **settings)
    for kind in ("Fridge", "Sink", "StoveKnob", "Book"):
        for obj in world.state.of_type(kind)[:1]:
            follow_expert(world, objectId=obj.objectId)
            assert obj.objectId in visible_ids(world, world.acting_agent)
    places = must(world, "GetReachablePositions", gridSize=0.25)
    follow_expert(world, position=places[0])
    assert dist(world.agent_state.position, point(places[0])) < 0.5


def test_a_crouching_agent_looks_from_lower_down(world: ThorWorld):
    assert do(world, "Stand").error_message == "Already standing."
    high = metadata_of(world)
    must(world, "Crouch")
    low = metadata_of(world)
    assert do(world, "Crouch").error_message == "Already crouching."
    assert high["cameraPosition"]["y"] - low["cameraPosition"]["y"] == pytest.approx(0.675)
    assert (high["agent"]["isStanding"], low["agent"]["isStanding"]) == (True, False)
    must(world, "Teleport", standing=True)
    assert metadata_of(world)["cameraPosition"] == high["cameraPosition"]


def test_poses_are_those_from_which_the_object_is_visible(world: ThorWorld):
    microwave = first(world, "Microwave").objectId
    poses = must(world, "GetInteractablePoses", objectId=microwave, standings=[False])
    every = must(world, "GetReachablePositions")
    for pose in poses:
        must(world, "TeleportFull", **pose)
        assert microwave in visible_ids(world, world.acting_agent)
    known = {(each["x"], each["z"], each["rotation"], each["horizon"]) for each in poses}
    for place in every[::7]:
        must(world, "TeleportFull", position=place, rotation=90, horizon=30, standing=False)
        seen = microwave in visible_ids(world, world.acting_agent)
        assert seen == ((place["x"], place["z"], 90, 30) in known)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"maxPoses": 0}, "maxPoses must be > 0"),
        ({"maxDistance": -1}, "maxDistance must be > 0"),
        ({"horizons": [70]}, "Each horizon must be in [-30:60]"),
        ({"standings": [1]}, "true and false"),
    ],
)
def test_poses_are_asked_for_within_limits(world: ThorWorld, given: Any, words: str):
    fridge = first(world, "Fridge").objectId
    assert words in do(world, "GetInteractablePoses", objectId=fridge, **given).error_message
    there = [{"x": 99, "y": 0, "z": 99}]
    assert must(world, "GetInteractablePoses", objectId=fridge, positions=there) == []


def test_a_teleport_stays_on_the_grid_unless_initialize_frees_it(world: ThorWorld):
    place = must(world, "GetReachablePositions")[0]
    off = {**place, "x": place["x"] + 0.1}
    assert "is not on the grid of size 0.25" in do(world, "Teleport", position=off).error_message
    tilted = do(world, "Teleport", position=place, rotation={"x": 20, "y": 0, "z": 0})
    assert "pitch or roll" in tilted.error_message
    must(world, "Initialize", snapToGrid=False)
    must(world, "Teleport", position=off)
    assert world.agent_state.position[0] == pytest.approx(off["x"])


def test_a_client_before_2_5_drops_to_the_floor_and_turns_if_told():
    world = new_world(client=CLIENT_2)
    place = must(world, "GetReachablePositions")[0]
    high = {**place, "y": place["y"] + 0.3}
    must(world, "TeleportFull", **high, rotation={"y": 90}, horizon=30)
    assert world.agent_state.position[1] == place["y"]
    must(world, "Teleport", **place, rotation={"y": 180})
    assert world.agent_state.yaw == 90.0
    must(world, "Teleport", **place, rotation={"y": 180}, rotateOnTeleport=True)
    assert world.agent_state.yaw == 180.0
