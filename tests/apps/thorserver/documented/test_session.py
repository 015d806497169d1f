"""Starting, resetting, frames, segmentation, the list of scenes, and calls that are wrong."""

import warnings
from typing import Any

import numpy as np
import pytest

from tests.apps.thorserver.documented.thor_events import error, first_of_type, result

SCENE = "FloorPlan1"


def test_flags_for_segmentation_may_have_their_old_names(controller: Any) -> None:
    event = controller.reset(SCENE, renderObjectImage=True, renderClassImage=True)
    assert event.instance_segmentation_frame is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert event.class_segmentation_frame is event.semantic_segmentation_frame is not None


def test_a_reset_changes_size_and_images(controller: Any) -> None:
    event = controller.reset(SCENE, width=520, height=310, renderDepthImage=True)
    assert event.frame.shape == (310, 520, 3)
    assert event.depth_frame.shape == (310, 520)
    assert controller.step("Initialize", gridSize=0.25).frame.shape == (310, 520, 3)
    event = controller.reset(SCENE, width=300, height=300, renderDepthImage=False)
    assert event.depth_frame is None and event.frame.shape == (300, 300, 3)


def test_scenes_of_ithor_are_in_the_build(controller: Any) -> None:
    scenes = set(result(controller.step("GetScenesInBuild")))
    assert {"FloorPlan1_physics", "FloorPlan201_physics", "FloorPlan301_physics"} <= scenes


def test_no_scene_of_robothor_is_claimed(controller: Any) -> None:
    """AI2-THOR's builds list them too; here there are none, and a reset says so."""
    assert not set(controller.robothor_scenes()) & set(controller.scenes_in_build)
    with pytest.raises(ValueError, match="not contained in build"):
        controller.reset("FloorPlan_Train1_1")


def test_a_single_step_asks_for_segmentation(controller: Any) -> None:
    controller.reset(SCENE, renderInstanceSegmentation=False)
    assert controller.step("RotateRight").instance_segmentation_frame is None
    event = controller.step("Pass", renderInstanceSegmentation=True)
    assert event.instance_segmentation_frame is not None


def test_the_resolution_changes_and_comes_back(controller: Any) -> None:
    flags = ("renderInstanceSegmentation", "renderDepthImage", "renderSemanticSegmentation")
    before = controller.reset(SCENE, width=300, height=300, **dict.fromkeys(flags, True))
    event = controller.step("ChangeResolution", x=500, y=500)
    assert (event.screen_width, event.screen_height) == (500, 500)
    assert event.frame.shape == event.semantic_segmentation_frame.shape == (500, 500, 3)
    assert event.depth_frame.shape == (500, 500)
    after = controller.step("ChangeResolution", x=300, y=300)
    assert np.allclose(after.depth_frame, before.depth_frame, atol=1e-3)
    assert np.array_equal(after.instance_segmentation_frame, before.instance_segmentation_frame)
    assert np.array_equal(after.semantic_segmentation_frame, before.semantic_segmentation_frame)
    assert after.color_to_object_id == before.color_to_object_id


def test_masks_of_classes_come_with_semantic_segmentation_alone(controller: Any) -> None:
    event = controller.reset(SCENE, renderSemanticSegmentation=True)
    assert event.class_masks["Floor"].shape == event.frame.shape[:2]
    shown = {each["objectType"] for each in event.metadata["objects"]}
    assert set(event.class_masks) - {"background", "StructureObject"} <= shown


@pytest.mark.parametrize("flag", ["renderSemanticSegmentation", "renderInstanceSegmentation"])
def test_a_type_has_a_colour_of_its_own(controller: Any, flag: str) -> None:
    event = controller.reset(SCENE, **{flag: True})
    assert event.color_to_object_id[event.object_id_to_color["Fridge"]] == "Fridge"


def test_the_controller_type_is_no_longer_a_parameter(controller: Any) -> None:
    """The client itself refuses it; a Controller that is started with it never steps."""
    from ai2thor.controller import Controller

    with pytest.raises(ValueError, match="agentControllerType"):
        Controller(
            local_executable_path=controller._build.executable_path,
            x_display="0",
            agentControllerType="stochastic",
        )


@pytest.mark.parametrize("mode", ["locobot", "arm"])
def test_other_bodies_are_refused_in_words(controller: Any, mode: str) -> None:
    with pytest.raises(RuntimeError, match="the default body alone is"):
        controller.reset(SCENE, agentMode=mode)
    assert "agentMode " + mode in error(controller.last_event)


@pytest.mark.parametrize("what", ["Materials", "Colors"])
def test_materials_change_and_come_back_and_nothing_else_does(controller: Any, what: str) -> None:
    before = controller.reset(SCENE, renderInstanceSegmentation=True)
    first, second = (controller.step(f"Randomize{what}") for _ in "12")
    assert not np.array_equal(first.frame, before.frame)
    assert not np.array_equal(first.frame, second.frame)
    mask = second.instance_segmentation_frame
    assert np.array_equal(mask, before.instance_segmentation_frame)
    assert np.array_equal(controller.step(f"Reset{what}").frame, before.frame)


def test_what_is_asked_of_materials_is_checked(controller: Any) -> None:
    told = result(controller.step("RandomizeMaterials"))
    assert told["useTrainMaterials"] and not told["useTestMaterials"]
    assert told["totalMaterialsConsidered"] > 0
    assert "useTrainMaterials" in error(
        controller.step("RandomizeMaterials", useTrainMaterials=False)
    )
    assert "LivingRoom" in error(controller.step("RandomizeMaterials", inRoomTypes=["Cellar"]))
    assert "Kitchen" in error(controller.step("RandomizeMaterials", inRoomTypes=["LivingRoom"]))
    for name in ("RandomizeLighting", "ResetMaterials", "ResetLighting"):
        result(controller.step(name))


def test_a_random_seed_decides_the_materials(controller: Any) -> None:
    frames: list[Any] = []
    for seed in (41, 42, 41):
        result(controller.step("SetRandomSeed", seed=seed))
        frames.append(controller.step("RandomizeMaterials").frame)
    assert np.array_equal(frames[0], frames[2]) and not np.array_equal(frames[0], frames[1])
    with pytest.raises(ValueError, match="missing the following arguments: seed"):
        controller.step("SetRandomSeed")


@pytest.mark.parametrize(
    ("action", "given", "message", "code"),
    [
        ("Fly", {}, "Invalid action: Fly", "InvalidAction"),
        ("PickupObject", {}, "missing the following arguments: obj", "MissingArguments"),
        ("PutObject", {"x": 0.0, "y": 0.0, "z": 1.0}, "invalid argument: 'z'", "InvalidArgument"),
    ],
    ids=["unknown action", "missing argument", "unknown argument"],
)
def test_what_the_caller_gets_wrong_is_its_error(
    controller: Any, action: str, given: Any, message: str, code: str
) -> None:
    with pytest.raises(ValueError, match=message):
        controller.step(action, **given)
    assert controller.last_event.metadata["errorCode"] == code
    assert error(controller.last_event)


def test_a_refusal_within_an_action_is_a_failed_event(controller: Any) -> None:
    assert error(controller.step("OpenObject", x=1.5, y=0.5))


def test_the_callers_action_is_left_as_it_was(controller: Any) -> None:
    action = {"action": "RotateLook", "rotation": 0, "horizon": 0}
    controller.step(action)
    assert action == {"action": "RotateLook", "rotation": 0, "horizon": 0}


# The fields of objects and of events, by their types.
REQUIRED_OF_OBJECTS = {
    str: "name ObjectTemperature temperature objectType objectId",
    dict: "position rotation axisAlignedBoundingBox",
    bool: (
        "visible obstructed isInteractable receptacle toggleable isToggled breakable "
        "isBroken canFillWithLiquid isFilledWithLiquid dirtyable isDirty canBeUsedUp "
        "isUsedUp cookable isCooked isHeatSource isColdSource sliceable isSliced "
        "openable isOpen pickupable isPickedUp moveable isMoving"
    ),
    float: "openness mass distance",
}
REQUIRED = {
    dict: "agent heldObjectPose cameraPosition sceneBounds",
    int: "agentId screenWidth screenHeight actionIntReturn",
    float: "fov cameraOrthSize currentTime actionFloatReturn",
    list: (
        "thirdPartyCameras collidedObjects inventoryObjects flatSurfacesOnGrid "
        "distances normals isOpenableGrid segmentedObjectIds objectIdsInBox "
        "actionStringsReturn actionFloatsReturn actionVector3sReturn"
    ),
    bool: "collided lastActionSuccess isSceneAtRest",
    str: "sceneName lastAction errorMessage",
}


def wrong_fields(metadata: Any, required: Any) -> "list[str]":
    """Return the fields that are missing, or of another type."""
    return [
        name
        for kind, names in required.items()
        for name in names.split()
        if not isinstance(metadata.get(name), kind)
    ]


def test_metadata_have_every_field_of_ai2thors_schema(controller: Any) -> None:
    metadata = dict(controller.step("Pass").metadata)
    assert not wrong_fields(metadata, REQUIRED)
    assert {"errorCode", "actionReturn", "visibleRange", "colors", "colorBounds"} <= set(metadata)
    for obj in metadata["objects"]:
        assert not wrong_fields(obj, REQUIRED_OF_OBJECTS)
        corners = obj["axisAlignedBoundingBox"]["cornerPoints"]
        assert len(corners) == 8 and all(len(corner) == 3 for corner in corners)
        assert obj["fillLiquid"] is None or obj["isFilledWithLiquid"]
    assert first_of_type(controller.last_event, "Fridge")["receptacleObjectIds"] is not None
