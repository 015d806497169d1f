"""Arguments are checked before an action runs, in AI2-THOR's words."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatc.apps.thorserver.action_table import THOR_ACTIONS, run_action
from tatc.apps.thorserver.thor_action import INVALID_ARGUMENT, MISSING_ARGUMENTS, ThorResult
from tatc.apps.thorserver.thor_world import CLIENT_2, ThorWorld
from tests.apps.thorserver.worlds import do, metadata_of, must, new_world

ORIGIN = {"x": 0, "y": 0, "z": 0}


@pytest.mark.parametrize(
    ("name", "given", "missing"),
    [
        ("PickupObject", {}, "objectId"),
        ("PickupObject", {"x": 0.5}, "y"),
        ("PickupObject", {"objectId": None, "y": 0.5}, "x"),
        ("GetShortestPathToPoint", {"x": 0.5}, "y,z"),
        ("TeleportFull", {"position": ORIGIN}, "rotation,horizon"),
        ("MoveHandAhead", {}, "moveMagnitude"),
    ],
)
def test_what_is_missing_is_named(world: ThorWorld, name: str, given: Any, missing: str):
    refused = do(world, name, **given)
    assert refused.error_code == MISSING_ARGUMENTS
    assert refused.error_message == f"action: {name} is missing the following arguments: {missing}"


def test_a_client_before_2_5_may_send_what_an_action_does_not_have(world: ThorWorld):
    refused = do(world, "MoveAhead", snapToGrid=True, speed=3)
    assert refused.error_code == INVALID_ARGUMENT
    assert "called with invalid arguments: 'snapToGrid', 'speed'" in refused.error_message
    assert "float moveMagnitude" in refused.error_message
    old = new_world(client=CLIENT_2)
    must(old, "MoveAhead", snapToGrid=True, speed=3)
    must(old, "Pass", tempRenderChange=True)


@pytest.mark.parametrize(
    ("name", "given", "code", "words"),
    [
        ("RotateLeft", {"degrees": [1]}, INVALID_ARGUMENT, "degrees (==[1]). Cannot convert to: f"),
        ("MoveAhead", {"forceAction": {}}, INVALID_ARGUMENT, "Cannot convert to: Boolean"),
        ("RotateLeft", {"degrees": "far"}, "", "Input string was not in a correct format: 'far'"),
        ("RotateLeft", {"degrees": True}, "", "not in a correct format"),
        ("ChangeResolution", {"x": 3.5, "y": 3}, "", "Path 'x'"),
        ("Teleport", {"position": 5}, "", "Error converting value 5 to type 'Vector3'"),
        ("Teleport", {"position": {"x": "a"}}, "", "to type 'Vector3'"),
        ("SetObjectFilter", {"objectIds": "Mug"}, "", "to type 'String[]'"),
        ("SetObjectFilter", {"objectIds": [1]}, "", "to type 'String[]'"),
    ],
)
def test_what_is_of_the_wrong_type_is_refused(
    world: ThorWorld, name: str, given: Any, code: str, words: str
):
    refused = do(world, name, **given)
    assert not refused.success and refused.error_code == code
    assert words in refused.error_message


@pytest.mark.parametrize(
    ("given", "fine"),
    [("30", True), (" 3e1 ", True), ("90.", True), ("1e999", False), ("nan", False), ("٣", False)],
)
def test_a_number_may_be_given_as_text(world: ThorWorld, given: str, fine: bool):
    done = do(world, "RotateLeft", degrees=given)
    assert ("not in a correct format" in done.error_message) != fine


def test_a_truth_value_may_be_given_as_text_and_a_text_stays_one(world: ThorWorld):
    must(world, "MoveAhead", forceAction="True")
    refused = do(world, "MoveAhead", forceAction="yes")
    assert "Error converting value 'yes' to type 'Boolean'" in refused.error_message
    named = do(world, "PickupObject", objectId="12")
    assert "Object ID appears to be invalid." in named.error_message
    pushed = do(world, "DirectionalPush", objectId="12", moveMagnitude="100", pushAngle="90")
    assert "not in a correct format" not in pushed.error_message


def test_arguments_that_change_nothing_are_warned_of(world: ThorWorld):
    camera = {"position": ORIGIN, "rotation": ORIGIN}
    assert do(world, "AddThirdPartyCamera", **camera).warning == ""
    warned = do(world, "AddThirdPartyCamera", skyboxColor="white", **camera)
    assert warned.success and "skyboxColor" in warned.warning


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=4,
)
SHARED_WORLD = new_world("FloorPlan401_physics")


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_no_arguments_get_anything_but_an_answer(data: st.DataObject):
    name = data.draw(st.sampled_from(sorted(THOR_ACTIONS)))
    names = [*THOR_ACTIONS[name].parameters, "objectPoses", "SetObjectStates", "agentCount"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names), JSON, max_size=4))
    result = run_action(SHARED_WORLD, name, {**arguments, "maxPoses": 1})
    assert isinstance(result, ThorResult)
    assert result.success is not bool(result.error_message)
    json.dumps(metadata_of(SHARED_WORLD, name, result), allow_nan=False)
