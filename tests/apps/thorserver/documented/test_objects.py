"""What is opened, toggled, dropped, pushed, filtered and outlined."""

from typing import Any

import pytest

from tests.apps.thorserver.documented.thor_events import (
    error,
    first_of_type,
    objects_of_type,
    result,
    see,
)


def forced(controller: Any, action: str, object_id: str, **arguments: Any) -> Any:
    return controller.step(action, objectId=object_id, forceAction=True, **arguments)


def test_an_object_opens_and_closes_and_its_box_grows_while_it_is_open(controller: Any) -> None:
    fridge = first_of_type(controller.last_event, "Fridge")
    states = [fridge]
    for action in ("OpenObject", "CloseObject"):
        event = forced(controller, action, fridge["objectId"], raise_for_failure=True)
        states.append(event.get_object(fridge["objectId"]))
    assert [each["isOpen"] for each in states] == [False, True, False]
    assert states[2]["openness"] == 0
    sizes = [each["axisAlignedBoundingBox"]["size"] for each in states]
    assert sizes[0] == sizes[2] != sizes[1]


def test_a_stove_is_lit_by_a_knob_that_is_seen(controller: Any) -> None:
    knob = see(controller, "StoveKnob")
    assert knob["visible"] and not knob["isToggled"]
    event = controller.step("ToggleObjectOn", objectId=knob["objectId"], raise_for_failure=True)
    assert event.get_object(knob["objectId"])["isToggled"]


def test_what_is_seen_and_openable_opens(controller: Any) -> None:
    fridge = see(controller, "Fridge")
    assert fridge["visible"] and fridge["isInteractable"] and fridge["openable"]
    # Not where its door swings.
    event = controller.step("OpenObject", objectId=fridge["objectId"])
    opened = event.get_object(fridge["objectId"])["isOpen"]
    assert opened or "Agent 0 is in its way" in error(event)
    drawer = see(controller, "Drawer")
    action = "CloseObject" if drawer["isOpen"] else "OpenObject"
    result(controller.step(action, objectId=drawer["objectId"]))


def test_an_object_opens_as_far_as_it_is_told(controller: Any) -> None:
    fridge = first_of_type(controller.last_event, "Fridge")["objectId"]
    for openness in (0.5, 0.7, 0):
        event = forced(controller, "OpenObject", fridge, openness=openness)
        result(event)
        obj = event.get_object(fridge)
        assert abs(obj["openness"] - openness) < 1e-3 and obj["isOpen"] == (openness != 0)


@pytest.mark.parametrize("openness", [-0.5, 1.5])
def test_no_object_opens_further_than_it_can(controller: Any, openness: float) -> None:
    fridge = first_of_type(controller.last_event, "Fridge")["objectId"]
    event = forced(controller, "OpenObject", fridge, openness=openness)
    assert error(event) == "openness must be in [0:1]"
    assert not event.get_object(fridge)["isOpen"]


def test_move_magnitude_is_the_old_name_of_openness(controller: Any) -> None:
    fridge = first_of_type(controller.last_event, "Fridge")["objectId"]
    for given, openness in ((0, 1), (0.65, 0.65)):
        event = forced(controller, "OpenObject", fridge, moveMagnitude=given)
        obj = event.get_object(fridge)
        assert abs(obj["openness"] - openness) < 1e-3 and obj["isOpen"]


def test_an_object_opens_that_is_not_listed(controller: Any) -> None:
    see(controller, "Drawer")
    drawers = objects_of_type(controller.last_event, "Drawer")
    drawer = next(each for each in drawers if each["visible"] and not each["isOpen"])
    assert controller.step("SetObjectFilter", objectIds=[]).metadata["objects"] == []
    result(controller.step("OpenObject", objectId=drawer["objectId"]))
    assert controller.step("ResetObjectFilter").get_object(drawer["objectId"])["isOpen"]


def test_a_filter_limits_the_objects_that_are_listed(controller: Any) -> None:
    every = [each["objectId"] for each in controller.last_event.metadata["objects"]]
    event = controller.step("SetObjectFilter", objectIds=every[:3])
    assert sorted(each["objectId"] for each in event.metadata["objects"]) == sorted(every[:3])
    assert controller.step("Pass").metadata["objects"] != []
    event = controller.step("SetObjectFilterForType", objectTypes=["Fridge"])
    assert {each["objectType"] for each in event.metadata["objects"]} == {"Fridge"}
    event = controller.step("ResetObjectFilter")
    assert sorted(each["objectId"] for each in event.metadata["objects"]) == sorted(every)
    controller.step("SetObjectFilterForType", objectTypes=["Fridge"])
    assert len(controller.reset("FloorPlan1").metadata["objects"]) == len(every)


@pytest.mark.parametrize("action", ["DropHandObject", "DropHeldObject"])
def test_the_hand_drops_what_it_holds(controller: Any, action: str) -> None:
    assert "Nothing in hand" in error(controller.step(action))
    mug = first_of_type(controller.last_event, "Mug")["objectId"]
    event = forced(controller, "PickupObject", mug)
    assert event.metadata["inventoryObjects"][0]["objectId"] == mug
    event = controller.step(action)
    result(event)
    assert event.metadata["inventoryObjects"] == [] and not event.get_object(mug)["isPickedUp"]


@pytest.mark.parametrize("action", ["DirectionalPush", "PushObject", "PullObject"])
def test_a_push_moves_what_is_loose_and_nothing_else(controller: Any, action: str) -> None:
    mug = first_of_type(controller.last_event, "Mug")
    angle = {"pushAngle": 90} if action == "DirectionalPush" else {}
    ways = {"DirectionalPush": ("x", 1), "PushObject": ("z", 1), "PullObject": ("z", -1)}
    result(controller.step("Rotate", rotation=0))
    event = forced(controller, action, mug["objectId"], moveMagnitude=25, **angle)
    result(event)
    axis, sign = ways[action]
    shift = {
        k: event.get_object(mug["objectId"])["position"][k] - mug["position"][k] for k in "xyz"
    }
    assert 0.01 < sign * shift.pop(axis) < 0.05 and set(shift.values()) == {0.0}
    fridge = first_of_type(event, "Fridge")["objectId"]
    event = forced(controller, action, fridge, moveMagnitude=25, **angle)
    assert "incompatible with push/pull" in error(event)


def test_outlines_are_convex_and_as_large_as_the_objects(controller: Any) -> None:
    hulls = result(controller.step("Get2DSemanticHulls"))
    assert set(hulls) == {each["objectId"] for each in controller.last_event.metadata["objects"]}
    fridge = first_of_type(controller.last_event, "Fridge")
    outline = hulls[fridge["objectId"]]
    box = fridge["axisAlignedBoundingBox"]
    for i, axis in enumerate("xz"):
        side = [point[i] for point in outline]
        assert max(side) - min(side) == pytest.approx(box["size"][axis], abs=1e-4)
    assert result(controller.step("Get2DSemanticHulls", objectTypes=["Fridge"])) == {
        fridge["objectId"]: outline
    }
    some = result(controller.step("Get2DSemanticHulls", objectIds=[fridge["objectId"]]))
    assert list(some) == [fridge["objectId"]]
    assert result(controller.step("Get2DSemanticHull", objectId=fridge["objectId"])) == outline
    both = controller.step("Get2DSemanticHulls", objectTypes=["Fridge"], objectIds=["a"])
    assert "Only one of" in error(both)
