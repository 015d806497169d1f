"""Steps, turns, looks, teleports, and where the agent can go."""

from typing import Any

import numpy as np
import pytest

from tests.apps.thorserver.documented.thor_events import (
    error,
    first_of_type,
    free_line,
    is_near,
    pose,
    position,
    result,
    yaw_and_horizon,
)


def level(controller: Any, yaw: float = 0) -> Any:
    """Look ahead from where the agent stands, by TeleportFull."""
    event = controller.step("TeleportFull", **pose(position(controller.last_event), yaw))
    assert yaw_and_horizon(event) == (yaw, 0)
    return event


@pytest.mark.parametrize(
    ("action", "horizons", "message"),
    [("LookDown", [30, 60, 60], "can't look down beyond 60"), ("LookUp", [-30, -30], "look up")],
)
def test_looks_have_limits(controller: Any, action: str, horizons: Any, message: str) -> None:
    place = position(level(controller))
    assert [yaw_and_horizon(controller.step(action))[1] for _ in horizons] == horizons
    assert position(controller.last_event) == place
    assert message in error(controller.last_event)


@pytest.mark.parametrize(("action", "yaw"), [("RotateLeft", 270.0), ("RotateRight", 90.0)])
def test_a_turn_changes_the_yaw_alone(controller: Any, action: str, yaw: float) -> None:
    place = position(level(controller))
    event = controller.step(action)
    assert yaw_and_horizon(event) == (yaw, 0) and position(event) == place
    assert event.metadata["agent"]["rotation"]["x"] == event.metadata["agent"]["rotation"]["z"] == 0


def test_rotate_look_sets_yaw_and_horizon(controller: Any) -> None:
    place = position(controller.last_event)
    assert yaw_and_horizon(controller.step("RotateLook", rotation=0, horizon=0)) == (0, 0)
    event = controller.step("RotateLook", rotation=90, horizon=31)
    assert yaw_and_horizon(event) == (90, 31) and position(event) == place


@pytest.mark.parametrize(
    ("action", "dx", "dz"),
    [
        ("MoveAhead", 0, 0.25),
        ("MoveBack", 0, -0.25),
        ("MoveLeft", -0.25, 0),
        ("MoveRight", 0.25, 0),
    ],
)
def test_a_step_goes_along_the_grid(controller: Any, action: str, dx: float, dz: float) -> None:
    start = free_line(controller)
    event = controller.step(action, raise_for_failure=True)
    assert is_near(position(event), {**start, "x": start["x"] + dx, "z": start["z"] + dz})


def test_a_step_goes_as_far_as_it_is_told(controller: Any) -> None:
    start = free_line(controller)
    event = controller.step("MoveAhead", moveMagnitude=0.5, raise_for_failure=True)
    assert is_near(position(event), {**start, "z": start["z"] + 0.5})


def test_a_step_through_the_wall_is_refused(controller: Any) -> None:
    start = free_line(controller)
    assert error(controller.step("MoveAhead", moveMagnitude=25.0))
    assert is_near(position(controller.last_event), start)


def test_teleport_puts_the_agent_on_the_floor(controller: Any) -> None:
    place = free_line(controller)
    high = {**place, "y": place["y"] + 0.04}
    event = controller.step("TeleportFull", **pose(high), raise_for_failure=True)
    assert is_near(position(event), place)


def test_teleport_refuses_more_than_5_cm_above_the_floor(controller: Any) -> None:
    place = free_line(controller)
    event = controller.step("Teleport", position={**place, "y": place["y"] + 0.1})
    assert "> 0.05" in error(event) and position(event) == place
    result(controller.step("Teleport", position={**place, "y": 2.0}, forceAction=True))


def test_teleport_into_an_object_is_refused(controller: Any) -> None:
    place = free_line(controller)
    x, _, z = (
        first_of_type(controller.last_event, "Fridge")["axisAlignedBoundingBox"]["center"][axis]
        for axis in "xyz"
    )
    inside = {"x": round(x * 4) / 4, "y": place["y"], "z": round(z * 4) / 4}
    assert "Fridge" in error(controller.step("Teleport", position=inside))
    result(controller.step("Teleport", position=inside, forceAction=True))


def test_teleport_keeps_what_is_left_out(controller: Any) -> None:
    before = level(controller, 90).metadata["agent"]
    after = controller.step("Teleport", horizon=10).metadata["agent"]
    assert abs(after["cameraHorizon"] - 10) < 1e-2
    for key in ("position", "rotation", "isStanding"):
        assert after[key] == before[key]


@pytest.mark.parametrize("action", ["Teleport", "TeleportFull"])
def test_teleport_out_of_the_scene_is_refused(controller: Any, action: str) -> None:
    event = controller.step(action, **pose({"x": 2000, "y": 0, "z": 9000}, 90, 30))
    assert "out of scene bounds" in error(event)


def test_reachable_positions_come_on_any_grid(controller: Any) -> None:
    places = result(controller.step("GetReachablePositions"))
    fine = result(controller.step("GetReachablePositions", gridSize=0.125))
    coarse = result(controller.step("GetReachablePositions", gridSize=0.5))
    assert len(coarse) < len(places) < len(fine)
    known = {(round(p["x"], 3), round(p["z"], 3)) for p in places}
    assert known >= {(round(p["x"], 3), round(p["z"], 3)) for p in coarse}


def test_reachable_positions_turn_with_the_agent(controller: Any) -> None:
    places = result(controller.step("GetReachablePositions"))
    place = free_line(controller)
    controller.step("TeleportFull", **pose(place, 49.1))
    assert result(controller.step("GetReachablePositions")) == places
    turned = result(controller.step("GetReachablePositions", directionsRelativeAgent=True))
    assert 0.5 * len(places) < len(turned) < 1.5 * len(places)
    assert place in [{k: round(v, 6) for k, v in p.items()} for p in turned]
    off_grid = [p for p in turned if abs(p["x"] * 4 - round(p["x"] * 4)) > 0.01]
    assert off_grid


def test_reachable_positions_are_not_listed_after_another_action(controller: Any) -> None:
    event = controller.step("GetReachablePositions")
    assert "reachablePositions" not in event.metadata.keys()
    with pytest.warns(UserWarning, match="deprecated"):
        assert event.metadata["reachablePositions"] == result(event)
    with pytest.raises(IndexError):
        controller.step("Pass").metadata["reachablePositions"]


def test_interactable_poses_show_the_object(controller: Any) -> None:
    fridge = first_of_type(controller.last_event, "Fridge")["objectId"]
    poses = result(controller.step("GetInteractablePoses", objectId=fridge))
    assert {each["standing"] for each in poses} == {True, False}
    for given in (poses[0], poses[len(poses) // 2], poses[-1]):
        event = controller.step("TeleportFull", **given)
        agent = event.metadata["agent"]
        assert event.get_object(fridge)["visible"]
        assert abs(agent["position"]["x"] - given["x"]) < 1e-3
        assert agent["isStanding"] == given["standing"]
        assert yaw_and_horizon(event) == (given["rotation"], given["horizon"])


def test_interactable_poses_are_chosen_by_their_arguments(controller: Any) -> None:
    fridge = first_of_type(controller.last_event, "Fridge")["objectId"]

    def poses(**chosen: Any) -> Any:
        return result(controller.step("GetInteractablePoses", objectId=fridge, **chosen))

    few = poses(maxPoses=5)
    assert len(few) == 5
    one_way = {"rotations": [few[0]["rotation"]], "horizons": [few[0]["horizon"]]}
    some = poses(horizons=[0, 30], rotations=[0, 90])
    assert some and {each["horizon"] for each in some} <= {0, 30}
    assert {each["rotation"] for each in some} <= {0, 90}
    counts = [len(poses(maxDistance=reach, **one_way)) for reach in (0.8, 1.5)]
    assert counts == sorted(set(counts))
    assert len(poses(**one_way)) == counts[1]
    assert error(controller.step("GetInteractablePoses", objectId="Moon|1"))


def test_agents_see_each_other_and_hide_what_is_behind_them(controller: Any) -> None:
    flags = ("renderInstanceSegmentation", "renderSemanticSegmentation", "renderDepthImage")
    controller.reset("FloorPlan1", agentCount=2, visibilityDistance=9, **dict.fromkeys(flags, True))
    place = free_line(controller)
    viewer = pose({**place, "z": place["z"] + 0.5}, yaw=180)
    result(controller.step("TeleportFull", **viewer, agentId=0))
    behind = pose({**place, "z": place["z"] + 1.5})
    alone = controller.step("TeleportFull", **behind, forceAction=True, agentId=1).events[0]
    event = controller.step("TeleportFull", **pose(place), agentId=1).events[0]
    hidden = event.class_masks["agent_1"]
    assert hidden.sum() > 1000 and "agent_0" not in event.class_masks
    assert not np.array_equal(event.frame[hidden], alone.frame[hidden])
    assert event.depth_frame[hidden].min() == pytest.approx(0.3, abs=0.01)
    assert (event.depth_frame[~hidden] == alone.depth_frame[~hidden]).all()
    colour = event.object_id_to_color["Agent"]
    assert (event.semantic_segmentation_frame[hidden] == colour).all()
    seen, before = (
        {each["objectId"] for each in of.metadata["objects"] if each["visible"]}
        for of in (event, alone)
    )
    assert seen < before
    inside = controller.step("GetObjectInFrame", x=0.5, y=0.5, agentId=0)
    assert "ray meets none" in error(inside)
    unseen = controller.reset("FloorPlan1", agentCount=2, makeAgentsVisible=False).events[0]
    assert "agent_1" not in unseen.color_to_object_id.values()
    controller.reset("FloorPlan1", agentCount=1)
