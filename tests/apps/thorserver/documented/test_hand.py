"""The held object is moved and rotated."""

from typing import Any

import pytest

from tests.apps.thorserver.documented.thor_events import (
    error,
    first_of_type,
    is_near,
    pose,
    position,
    result,
)


def hold(controller: Any, yaw: float = 0) -> dict[str, Any]:
    """Hold something small while looking ahead; return the hand's pose."""
    controller.step("TeleportFull", **pose(position(controller.last_event), yaw))
    held = first_of_type(controller.last_event, "Egg")["objectId"]
    event = controller.step("PickupObject", objectId=held, forceAction=True)
    result(event)
    return event.metadata["heldObjectPose"]


@pytest.mark.parametrize(
    "moved",
    [
        {"ahead": 0.1},
        {"ahead": 0.1, "right": 0.1, "up": 0.1},
        {"ahead": 0.1, "right": 0.05, "up": -0.1},
    ],
)
def test_the_hand_moves_along_the_cameras_axes(controller: Any, moved: dict[str, float]) -> None:
    before = hold(controller)
    event = controller.step("MoveHeldObject", **moved)
    result(event)
    after = event.metadata["heldObjectPose"]
    assert is_near(after["rotation"], before["rotation"])
    for axis, name in (("x", "right"), ("y", "up"), ("z", "ahead")):
        offset = after["localPosition"][axis] - before["localPosition"][axis]
        assert offset == pytest.approx(moved.get(name, 0), abs=1e-3)
        # It looks along z.
        assert after["position"][axis] - before["position"][axis] == pytest.approx(offset, abs=1e-3)
    held = first_of_type(event, "Egg")
    assert is_near(held["position"], after["position"])


def test_the_hand_moves_by_a_named_direction_and_comes_back(controller: Any) -> None:
    before = hold(controller)
    event = controller.step("MoveHeldObjectAhead", moveMagnitude=0.1)
    assert event.metadata["hand"]["localPosition"]["z"] > before["localPosition"]["z"] + 0.09
    controller.step("RotateRight")
    event = controller.step("RotateLeft")
    assert is_near(event.metadata["heldObjectPose"]["position"], before["position"])
    assert "out of range" in error(controller.step("MoveHeldObjectAhead", moveMagnitude=2))
    assert "viewport" in error(controller.step("MoveHeldObjectUp", moveMagnitude=1))
    controller.step("DropHeldObject")
    assert "holding an item" in error(controller.step("MoveHeldObject", ahead=0.1))


@pytest.mark.parametrize(
    ("turned", "change"),
    [
        ({"pitch": 90}, {"x": 90, "y": 0, "z": 0}),
        ({"yaw": 90}, {"x": 0, "y": 90, "z": 0}),
        ({"roll": 90}, {"x": 0, "y": 0, "z": 270}),
        # Unity's normal form of 90, 270, 270 from a yaw of 180.
        ({"pitch": 90, "yaw": 90, "roll": 90}, {"x": 90, "y": 180, "z": 0}),
        ({"rotation": {"x": 90, "y": 180, "z": 0}}, {"x": 90, "y": 180, "z": 0}),
    ],
)
def test_the_hand_rotates(controller: Any, turned: Any, change: Any) -> None:
    before = hold(controller, yaw=180)
    assert is_near(before["rotation"], {"x": 0, "y": 180, "z": 0})
    event = controller.step("RotateHeldObject", **turned)
    result(event)
    after = event.metadata["hand"]
    assert after == event.metadata["heldObjectPose"]
    assert is_near(after["position"], before["position"])
    assert is_near(after["localRotation"], change)
    expected = {**change, "y": (180 + change["y"]) % 360}
    assert is_near(after["rotation"], expected)


def test_only_a_held_object_is_rotated(controller: Any) -> None:
    assert "unless holding object" in error(controller.step("RotateHeldObject", pitch=90))
