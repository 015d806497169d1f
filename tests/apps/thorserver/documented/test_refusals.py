"""Actions and arguments that do not exist, are missing, or are of the wrong kind."""

from typing import Any

import pytest

from tests.apps.thorserver.documented.thor_events import error


def test_an_unknown_action_is_an_error_of_the_caller(controller: Any) -> None:
    with pytest.raises(ValueError, match="Invalid action: Fly"):
        controller.step("Fly")
    assert controller.last_event.metadata["errorCode"] == "InvalidAction"


def test_a_missing_argument_is_an_error_of_the_caller(controller: Any) -> None:
    with pytest.raises(ValueError, match="PickupObject is missing the following arguments: obj"):
        controller.step("PickupObject")
    assert controller.last_event.metadata["errorCode"] == "MissingArguments"


def test_an_unknown_argument_is_an_error_of_the_caller(controller: Any) -> None:
    with pytest.raises(ValueError, match=r"called with invalid argument: 'z'"):
        controller.step("PutObject", x=0.0, y=0.0, z=1.0, forceAction=False, placeStationary=True)
    assert controller.last_event.metadata["errorCode"] == "InvalidArgument"
    assert error(controller.last_event)


def test_a_refusal_within_an_action_is_a_failed_event(controller: Any) -> None:
    assert error(controller.step("OpenObject", x=1.5, y=0.5))


def test_the_callers_action_is_left_as_it_was(controller: Any) -> None:
    action = {"action": "RotateLook", "rotation": 0, "horizon": 0}
    controller.step(action)
    assert action == {"action": "RotateLook", "rotation": 0, "horizon": 0}
