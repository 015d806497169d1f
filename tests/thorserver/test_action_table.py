"""AI2-THOR's actions on our world, without a client in between."""

from typing import Any

import pytest

from tatc.state import ObjectState
from tatc.thorserver.action_results import (
    INVALID_ACTION,
    INVALID_ARGUMENT,
    MISSING_ARGUMENTS,
    ThorResult,
)
from tatc.thorserver.action_table import THOR_ACTIONS, run_action
from tatc.thorserver.event_metadata import EventMetadataWriter
from tatc.thorserver.frame_camera import FrameCamera
from tatc.thorserver.scene_rooms import find_served_scene
from tatc.thorserver.thor_world import ThorWorld


@pytest.fixture
def stage() -> ThorWorld:
    found = find_served_scene("FloorPlan3_physics")
    assert found is not None
    return ThorWorld(found, (300, 300))


def do(stage: ThorWorld, name: str, **given: Any) -> ThorResult:
    came = run_action(stage, name, given)
    stage.update_appliances()
    return came


def must(stage: ThorWorld, name: str, **given: Any) -> Any:
    came = do(stage, name, **given)
    assert came.success, came.error_message
    return came.return_value


def first(stage: ThorWorld, kind: str) -> ObjectState:
    return stage.state.of_type(kind)[0]


def forced(stage: ThorWorld, name: str, kind: str) -> ObjectState:
    obj = first(stage, kind)
    must(stage, name, objectId=obj.objectId, forceAction=True)
    return stage.state.objects[stage.state.index_of(obj.objectId)]


def test_what_is_unknown_missing_or_of_the_wrong_kind_has_ai2thors_code(stage: ThorWorld):
    assert do(stage, "Fly").error_code == INVALID_ACTION
    assert do(stage, "SetObjectPoses").error_code == MISSING_ARGUMENTS
    assert do(stage, "PickupObject").error_code == MISSING_ARGUMENTS
    assert do(stage, "RotateLeft", degrees="far").error_code == INVALID_ARGUMENT
    assert do(stage, "GetObjectInFrame", x=3, y=0).error_code == INVALID_ARGUMENT
    assert do(stage, "PickupObject", objectId="Moon|1").error_code == ""


@pytest.mark.parametrize("name", THOR_ACTIONS)
def test_no_action_fails_in_a_way_that_is_not_an_answer(stage: ThorWorld, name: str):
    for given in (
        {},
        {"objectId": 7, "x": "a", "y": None, "position": 3, "rotation": []},
        {"objectId": "", "x": float("nan"), "y": 0.5, "objectPoses": [1], "degrees": {}},
        {"objectType": [], "agentCount": 99, "gridSize": -1, "thirdPartyCameraId": 5},
    ):
        assert isinstance(do(stage, name, **given), ThorResult)


def test_steps_go_back_and_forth_and_are_refused_at_walls(stage: ThorWorld):
    start = stage.agent_state
    must(stage, "MoveAhead")
    must(stage, "MoveBack")
    assert stage.agent_state == start
    came = [do(stage, "MoveAhead") for _ in range(40)]
    assert not came[-1].success and "is blocking" in came[-1].error_message


def test_a_long_move_is_made_whole_or_not_at_all(stage: ThorWorld):
    start = stage.agent_state
    assert not do(stage, "MoveAhead", moveMagnitude=20.0).success
    assert stage.agent_state == start
    assert not do(stage, "MoveAhead", moveMagnitude=0.05).success
    must(stage, "MoveRight", moveMagnitude=0.5)
    assert abs(stage.agent_state.position[0] - start.position[0]) == pytest.approx(0.5)


def test_turns_and_looks_take_degrees_and_keep_to_their_limits(stage: ThorWorld):
    must(stage, "RotateRight", degrees=45)
    must(stage, "LookDown", degrees=10)
    assert (stage.agent_state.yaw, stage.agent_state.horizon) == (45.0, 10.0)
    assert not do(stage, "LookUp", degrees=60).success
    must(stage, "Rotate", rotation={"y": 180})
    assert stage.agent_state.yaw == 180.0


def test_teleport_needs_room_unless_forced(stage: ThorWorld):
    places = must(stage, "GetReachablePositions")
    must(stage, "TeleportFull", position=places[0], rotation={"y": 90}, horizon=30)
    assert (stage.agent_state.yaw, stage.agent_state.horizon) == (90.0, 30.0)
    counter = first(stage, "CounterTop").box.center
    inside = {"x": counter[0], "y": 0.9, "z": counter[2]}
    assert not do(stage, "Teleport", position=inside).success
    must(stage, "Teleport", position=inside, forceAction=True)
    assert do(stage, "Teleport", horizon=85).error_code == ""


def test_only_what_is_seen_can_be_handled_unless_forced(stage: ThorWorld):
    hidden = [
        obj
        for obj in stage.state.objects
        if obj.affordances.pickupable and not stage.is_interactable(obj)
    ]
    came = do(stage, "PickupObject", objectId=hidden[0].objectId)
    assert not came.success and came.error_code == "ObjectNotVisible"
    must(stage, "PickupObject", objectId=hidden[0].objectId, forceAction=True)
    again = do(stage, "PickupObject", objectId=hidden[1].objectId, forceAction=True)
    assert not again.success and "hand has something in it" in again.error_message


def test_coffee_fills_a_mug_and_can_be_poured_away(stage: ThorWorld):
    mug = forced(stage, "PickupObject", "Mug")
    machine = first(stage, "CoffeeMachine")
    must(stage, "PutObject", objectId=machine.objectId, forceAction=True)
    if first(stage, "CoffeeMachine").isToggled:
        forced(stage, "ToggleObjectOff", "CoffeeMachine")
    forced(stage, "ToggleObjectOn", "CoffeeMachine")
    assert stage.liquid_by_object[mug.objectId] == "coffee"
    again = do(stage, "ToggleObjectOn", objectId=machine.objectId, forceAction=True)
    assert "toggle object on if" in again.error_message
    forced(stage, "ToggleObjectOff", "CoffeeMachine")
    must(stage, "EmptyLiquidFromObject", objectId=mug.objectId, forceAction=True)
    assert mug.objectId not in stage.liquid_by_object


@pytest.mark.parametrize(
    ("sets", "clears", "kind", "flag"),
    [
        ("OpenObject", "CloseObject", "Fridge", "isOpen"),
        ("ToggleObjectOn", "ToggleObjectOff", "Faucet", "isToggled"),
        ("DirtyObject", "CleanObject", "Plate", "isDirty"),
        ("FillObjectWithLiquid", "EmptyLiquidFromObject", "Pot", "isFilledWithLiquid"),
    ],
)
def test_states_are_set_and_cleared_and_not_twice(
    stage: ThorWorld, sets: str, clears: str, kind: str, flag: str
):
    obj = first(stage, kind)
    if getattr(obj, flag):
        forced(stage, clears, kind)
    assert getattr(forced(stage, sets, kind), flag)
    assert not do(stage, sets, objectId=obj.objectId, forceAction=True).success
    assert not getattr(forced(stage, clears, kind), flag)
    assert not do(stage, clears, objectId=obj.objectId, forceAction=True).success


def test_slicing_cooking_and_breaking(stage: ThorWorld):
    whole = forced(stage, "SliceObject", "Bread")
    assert whole.isSliced and stage.state.of_type("BreadSliced")
    assert forced(stage, "CookObject", "Potato").isCooked
    assert forced(stage, "BreakObject", "Plate").isBroken
    must(stage, "MakeObjectsOfTypeUnbreakable", objectType="Egg")
    egg = first(stage, "Egg").objectId
    assert not do(stage, "BreakObject", objectId=egg, forceAction=True).success


def test_what_is_dropped_comes_to_lie_below_the_hand(stage: ThorWorld):
    assert not do(stage, "DropHandObject").success
    apple = forced(stage, "PickupObject", "Apple")
    where = must(stage, "DropHandObject")
    lies = stage.state.objects[stage.state.index_of(apple.objectId)]
    assert not lies.isPickedUp and where["y"] < stage.agent_state.position[1]


def test_poses_move_copy_and_remove(stage: ThorWorld):
    mug = first(stage, "Mug")
    table = {"x": mug.position[0], "y": mug.position[1], "z": mug.position[2]}
    aside = table | {"x": table["x"] + 0.15}
    level = {"x": 0, "y": 0, "z": 0}
    must(
        stage,
        "SetObjectPoses",
        objectPoses=[
            {"objectName": mug.name, "position": table, "rotation": level},
            {"objectName": mug.name, "position": aside, "rotation": level},
        ],
    )
    kinds = {o.objectType for o in stage.state.objects if o.affordances.pickupable}
    assert kinds == {"Mug"}
    one, two = stage.state.of_type("Mug")
    assert one.objectId == mug.objectId and two.objectId.startswith(mug.objectId)
    assert two.box.center[0] - one.box.center[0] == pytest.approx(0.15)


def test_what_no_pose_moves_keeps_its_place_and_parents(stage: ThorWorld):
    before = tuple(stage.state.objects)
    poses = [
        {
            "objectName": o.name,
            "position": dict(zip("xyz", o.position, strict=True)),
            "rotation": dict(zip("xyz", o.rotation, strict=True)),
        }
        for o in before
        if o.affordances.pickupable or o.affordances.moveable
    ]
    must(stage, "SetObjectPoses", objectPoses=poses)
    key = ObjectState.objectId.__get__  # by id: fixed things come first now
    assert sorted(stage.state.objects, key=key) == sorted(before, key=key)


def test_spawning_is_drawn_by_its_seed(stage: ThorWorld):
    def spawned(seed: int) -> list[tuple[str, object]]:
        must(stage, "InitialRandomSpawn", randomSeed=seed)
        return [(o.objectId, o.position) for o in stage.state.objects]

    once = spawned(3)
    assert spawned(3) == once != spawned(4)
    count = [{"objectType": "Mug", "count": 3}]
    must(stage, "InitialRandomSpawn", randomSeed=1, numDuplicatesOfType=count)
    assert len(stage.state.of_type("Mug")) == 3


def test_rays_meet_objects_and_walls(stage: ThorWorld):
    must(stage, "LookDown", degrees=60)
    point = must(stage, "GetCoordinateFromRaycast", x=0.5, y=0.9)
    assert point["y"] < stage.agent_state.position[1]
    floor = must(stage, "GetObjectInFrame", x=0.5, y=0.9)
    assert floor.startswith("Floor")
    must(stage, "LookUp", degrees=90)
    wall = must(stage, "GetCoordinateFromRaycast", x=0.5, y=0.1)
    low, high = stage.bounds()
    assert all(
        a - 1e-6 <= wall[axis] <= b + 1e-6 for axis, a, b in zip("xyz", low, high, strict=True)
    )


def test_the_metadata_of_agents_stand_apart(stage: ThorWorld):
    must(stage, "Initialize", agentCount=2)
    assert len({body.state.position for body in stage.agents}) == 2
    stage.set_active_agent(1)
    must(stage, "RotateRight")
    mug = forced(stage, "PickupObject", "Mug")
    told = EventMetadataWriter().event_metadata(stage, "PickupObject", ThorResult(), 7)
    zero, one = told["agents"]
    assert (zero["inventoryObjects"], told["activeAgentId"]) == ([], 1)
    assert one["inventoryObjects"][0]["objectId"] == mug.objectId
    assert (zero["agent"]["rotation"]["y"], one["agent"]["rotation"]["y"]) == (0, 90)


@pytest.mark.parametrize("size", [(300, 300), (400, 200), (200, 400)])
def test_a_frame_of_any_shape_shows_the_middle_in_its_middle(size: tuple[int, int]):
    lens = FrameCamera.from_pose((0.0, 1.0, 0.0), 0.0, 0.0, 90.0, size)
    x, y, z = lens.ray_directions()
    assert x.shape == (size[1], size[0])
    # The field of view is that of the height.
    assert y[0, 0] / z[0, 0] == pytest.approx(1.0, abs=0.01)
    click = lens.to_square_click(0.5, 0.5)
    assert (click.x, click.y) == (0.5, 0.5)
