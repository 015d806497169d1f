"""Third-party cameras, and rays through the frame."""

from typing import Any

import numpy as np
import pytest

from tests.apps.thorserver.documented.thor_events import (
    error,
    free_line,
    is_near,
    pose,
    position,
    result,
)

SCENE = "FloorPlan1"
CAMERA = {
    "position": {"x": 1.2, "y": 2.3, "z": 3.4},
    "rotation": {"x": 30, "y": 40, "z": 50},
    "fieldOfView": 45.0,
}


def camera_of(event: Any, number: int = 0) -> Any:
    return event.metadata["thirdPartyCameras"][number]


def test_a_camera_leaves_the_agents_their_own_frames(controller: Any) -> None:
    controller.reset(SCENE, agentCount=2)
    place = {"rotation": {"x": 0, "y": 0, "z": 90}, "position": {"x": -1.0, "z": -2.0, "y": 1.0}}
    event = controller.step("AddThirdPartyCamera", **place)
    first, second = (each.frame for each in event.events)
    assert not np.array_equal(first, second)
    controller.reset(SCENE, agentCount=1)


def test_a_camera_has_all_images(controller: Any) -> None:
    flags = ("renderInstanceSegmentation", "renderDepthImage", "renderSemanticSegmentation")
    controller.reset(SCENE, **dict.fromkeys(flags, True))
    event = controller.step("AddThirdPartyCamera", **CAMERA)
    kinds = ("camera", "depth", "semantic_segmentation", "instance_segmentation")
    for frames in [getattr(event, f"third_party_{kind}_frames") for kind in kinds]:
        assert len(frames) == 1 and frames[0].shape[:2] == event.frame.shape[:2]


def test_a_camera_sees_the_depths_that_an_agent_sees(controller: Any) -> None:
    controller.reset(SCENE, renderDepthImage=True)
    place = free_line(controller)
    event = controller.step("TeleportFull", **pose(place, 90))
    depth = event.depth_frame
    event = controller.step(
        "AddThirdPartyCamera",
        position=event.metadata["cameraPosition"],
        rotation={"x": 0, "y": 90, "z": 0},
        fieldOfView=event.metadata["fov"],
    )
    assert np.square(event.third_party_depth_frames[0] - depth).mean() < 1e-4


def test_a_camera_is_added_as_told(controller: Any) -> None:
    assert controller.last_event.metadata["thirdPartyCameras"] == []
    event = controller.step("AddThirdPartyCamera", **CAMERA)
    assert len(event.metadata["thirdPartyCameras"]) == 1
    assert is_near(camera_of(event)["position"], CAMERA["position"])
    assert is_near(camera_of(event)["rotation"], CAMERA["rotation"])
    assert camera_of(event)["fieldOfView"] == 45.0


@pytest.mark.parametrize(
    "changed",
    [
        {"position": {"x": 2.2, "y": 3.3, "z": 4.4}, "rotation": {"x": 10, "y": 20, "z": 30}},
        {"position": {"x": 3.2, "z": 5}, "fieldOfView": 55.0},
        {"rotation": {"y": 90}},
    ],
    ids=["whole", "a position without its height", "a rotation alone"],
)
def test_a_camera_is_updated_and_keeps_what_is_left_out(controller: Any, changed: Any) -> None:
    controller.step("AddThirdPartyCamera", **CAMERA)
    now = camera_of(controller.step("UpdateThirdPartyCamera", thirdPartyCameraId=0, **changed))
    for name in ("position", "rotation"):
        assert is_near(now[name], CAMERA[name] | changed.get(name, {}))
    assert now["fieldOfView"] == changed.get("fieldOfView", 45.0)


def test_a_position_of_the_wrong_kind_is_refused(controller: Any) -> None:
    event = controller.step("AddThirdPartyCamera", position=5, rotation={"x": 0, "y": 0, "z": 0})
    assert error(event) and event.metadata["thirdPartyCameras"] == []


def test_an_orthographic_size_of_the_wrong_kind_is_refused(controller: Any) -> None:
    start = "action: AddThirdPartyCamera has an invalid argument: orthographicSize"
    with pytest.raises(ValueError, match=start):
        place = {name: CAMERA[name] for name in ("position", "rotation")}
        size = {"x": 0, "y": 0, "z": 0}
        controller.step("AddThirdPartyCamera", orthographic=True, orthographicSize=size, **place)


@pytest.mark.parametrize("fov", [-1, 0, 180, 181])
def test_a_field_of_view_out_of_range_is_refused(controller: Any, fov: float) -> None:
    controller.step("AddThirdPartyCamera", **CAMERA)
    event = controller.step("UpdateThirdPartyCamera", fieldOfView=fov, position={"x": 9})
    assert "fieldOfView" in error(event)
    assert is_near(camera_of(event)["position"], CAMERA["position"])
    assert error(controller.step("AddThirdPartyCamera", **dict(CAMERA, fieldOfView=fov)))


@pytest.mark.parametrize(("x", "y"), [(1.5, 0.5), (1.1, 0.3), (-0.1, 0.8), (-0.5, -0.3)])
def test_a_ray_from_outside_of_the_frame_is_refused(controller: Any, x: float, y: float) -> None:
    event = controller.step("GetCoordinateFromRaycast", x=x, y=y)
    assert not event and "must be in [0:1]" in error(event)


def test_a_ray_meets_a_point_ahead(controller: Any) -> None:
    place = free_line(controller)
    controller.step("TeleportFull", **pose(place, 90))
    eye = controller.last_event.metadata["cameraPosition"]
    centre = result(controller.step("GetCoordinateFromRaycast", x=0.5, y=0.5))
    assert centre["x"] > eye["x"]
    assert abs(centre["y"] - eye["y"]) < 0.02 and abs(centre["z"] - eye["z"]) < 0.02
    above = result(controller.step("GetCoordinateFromRaycast", x=0.5, y=0.2))
    assert above["y"] > centre["y"] and abs(above["z"] - eye["z"]) < 0.02
    assert position(controller.last_event) == place
