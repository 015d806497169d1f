"""AI2-THOR's actions on our world, without a client in between: arguments and effects."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn, settings, strategies as st

from tatc.apps.thorserver import action_table
from tatc.apps.thorserver.action_table import THOR_ACTIONS, run_action
from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.thor_action import INVALID_ARGUMENT, MISSING_ARGUMENTS, ThorResult
from tatc.apps.thorserver.thor_agent import FrameCamera
from tatc.apps.thorserver.thor_world import CLIENT_2, ThorWorld
from tatc.apps.thorserver.views import is_interactable
from tatc.home.state import ObjectState
from tests.apps.thorserver.conftest import do, first, forced, metadata_of, must, new_world


def test_each_function_is_an_actions_and_what_does_nothing_says_so():
    assert action_table._FUNCTIONS.keys() <= THOR_ACTIONS.keys()
    idle = {name for name in THOR_ACTIONS if name not in action_table._FUNCTIONS}
    assert {"Pass", "ResetLighting", "ChangeQuality"} <= idle
    assert all(THOR_ACTIONS[name].run is action_table._do_nothing for name in idle)


def test_a_long_move_is_made_whole_or_not_at_all(world: ThorWorld):
    start = world.agent_state
    assert not do(world, "MoveAhead", moveMagnitude=20.0).success
    assert world.agent_state == start
    assert not do(world, "MoveAhead", moveMagnitude=0.05).success
    came = [do(world, "MoveAhead") for _ in range(40)]
    assert not came[-1].success and "is blocking" in came[-1].error_message
    must(world, "MoveBack", moveMagnitude=0.25 * sum(each.success for each in came))
    must(world, "MoveRight", moveMagnitude=0.5)
    assert abs(world.agent_state.position[0] - start.position[0]) == pytest.approx(0.5)


def test_turns_and_looks_take_degrees_and_keep_to_their_limits(world: ThorWorld):
    must(world, "RotateRight", degrees=45)
    must(world, "LookDown", degrees=10)
    assert (world.agent_state.yaw, world.agent_state.horizon) == (45.0, 10.0)
    assert not do(world, "LookUp", degrees=60).success
    must(world, "Rotate", rotation={"y": 180})
    assert world.agent_state.yaw == 180.0


def test_only_what_is_seen_is_picked_up_unless_forced_and_it_is_dropped_below_the_hand(
    world: ThorWorld,
):
    pickupable = [obj for obj in world.state.objects if obj.affordances.pickupable]
    hidden = [obj for obj in pickupable if not is_interactable(world, obj)]
    came = do(world, "PickupObject", objectId=hidden[0].objectId)
    assert not came.success and came.error_code == "ObjectNotVisible"
    must(world, "PickupObject", objectId=hidden[0].objectId, forceAction=True)
    again = do(world, "PickupObject", objectId=hidden[1].objectId, forceAction=True)
    assert not again.success and "hand has something in it" in again.error_message
    where = must(world, "DropHandObject")
    lies = world.object_of_id(hidden[0].objectId)
    assert not lies.isPickedUp and where["y"] < world.agent_state.position[1]


def test_coffee_fills_a_mug_and_can_be_poured_away(world: ThorWorld):
    mug = forced(world, "PickupObject", "Mug")
    machine = first(world, "CoffeeMachine")
    must(world, "PutObject", objectId=machine.objectId, forceAction=True)
    if first(world, "CoffeeMachine").isToggled:
        forced(world, "ToggleObjectOff", "CoffeeMachine")
    forced(world, "ToggleObjectOn", "CoffeeMachine")
    assert world.liquid_by_object[mug.objectId] == "coffee"
    again = do(world, "ToggleObjectOn", objectId=machine.objectId, forceAction=True)
    assert "toggle object on if" in again.error_message
    forced(world, "ToggleObjectOff", "CoffeeMachine")
    must(world, "EmptyLiquidFromObject", objectId=mug.objectId, forceAction=True)
    assert mug.objectId not in world.liquid_by_object
    must(world, "FillObjectWithLiquid", objectId=mug.objectId, fillLiquid="wine", forceAction=True)
    assert world.liquid_by_object[mug.objectId] == "wine"


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
    world: ThorWorld, sets: str, clears: str, kind: str, flag: str
):
    obj = first(world, kind)
    if getattr(obj, flag):
        forced(world, clears, kind)
    assert getattr(forced(world, sets, kind), flag)
    assert not do(world, sets, objectId=obj.objectId, forceAction=True).success
    assert not getattr(forced(world, clears, kind), flag)
    assert not do(world, clears, objectId=obj.objectId, forceAction=True).success


def test_what_is_sliced_cooked_or_broken_is_another_thing(world: ThorWorld):
    whole = forced(world, "SliceObject", "Bread")
    assert whole.isSliced and world.state.of_type("BreadSliced")
    assert forced(world, "CookObject", "Potato").isCooked
    plate = forced(world, "BreakObject", "Plate")
    again = do(world, "BreakObject", objectId=plate.objectId, forceAction=True)
    assert plate.isBroken and "already broken" in again.error_message
    forced(world, "BreakObject", "Egg")
    assert world.state.of_type("EggCracked")
    must(world, "MakeObjectsOfTypeUnbreakable", objectType="Mug")
    for kind in ("Mug", "Pot"):
        unbroken = first(world, kind).objectId
        assert not do(world, "BreakObject", objectId=unbroken, forceAction=True).success


def pose_of(obj: ObjectState, position: Any, rotation: Any) -> dict[str, Any]:
    places = {"position": position, "rotation": rotation}
    return {"objectName": obj.name} | {
        name: dict(zip("xyz", place, strict=True)) for name, place in places.items()
    }


def test_poses_move_copy_and_remove(world: ThorWorld):
    mug = first(world, "Mug")
    x, y, z = mug.position
    poses = [pose_of(mug, place, (0, 0, 0)) for place in (mug.position, (x + 0.15, y, z))]
    must(world, "SetObjectPoses", objectPoses=poses)
    kinds = {o.objectType for o in world.state.objects if o.affordances.pickupable}
    assert kinds == {"Mug"}
    one, two = world.state.of_type("Mug")
    assert one.objectId == mug.objectId != two.objectId  # ids are of positions
    assert (one.name, two.name) == (mug.name, f"{mug.name}(Clone)_copy_1")
    assert two.box.center[0] - one.box.center[0] == pytest.approx(0.15)


def test_what_no_pose_moves_keeps_its_place_and_parents(world: ThorWorld):
    before = tuple(world.state.objects)
    movable = [o for o in before if o.affordances.pickupable or o.affordances.moveable]
    poses = [pose_of(o, o.position, o.rotation) for o in movable]
    must(world, "SetObjectPoses", objectPoses=poses)
    key = ObjectState.objectId.__get__  # by id: fixed things come first now
    assert sorted(world.state.objects, key=key) == sorted(before, key=key)


def test_spawning_is_drawn_by_its_seed(world: ThorWorld):
    def spawned(seed: int) -> list[tuple[str, object]]:
        must(world, "InitialRandomSpawn", randomSeed=seed)
        return [(o.objectId, o.position) for o in world.state.objects]

    once = spawned(3)
    assert spawned(3) == once != spawned(4)
    count = [{"objectType": "Mug", "count": 3}]
    must(world, "InitialRandomSpawn", randomSeed=1, numDuplicatesOfType=count)
    assert len(world.state.of_type("Mug")) == 3


def test_the_metadata_of_agents_stand_apart(world: ThorWorld):
    must(world, "Initialize", agentCount=2)
    assert len({body.state.position for body in world.agents}) == 2
    world.set_active_agent(1)
    must(world, "RotateRight")
    mug = forced(world, "PickupObject", "Mug")
    told = EventMetadataWriter().event_metadata(world, "PickupObject", ThorResult(), 7)
    zero, one = told["agents"]
    assert (zero["inventoryObjects"], told["activeAgentId"]) == ([], 1)
    assert one["inventoryObjects"][0]["objectId"] == mug.objectId
    assert (zero["agent"]["rotation"]["y"], one["agent"]["rotation"]["y"]) == (0, 90)


@pytest.mark.parametrize("size", [(300, 300), (400, 200), (200, 400)])
def test_a_frame_of_any_shape_shows_the_middle_in_its_middle(size: tuple[int, int]):
    camera = FrameCamera.from_pose((0.0, 1.0, 0.0), 0.0, 0.0, 90.0, size)
    x, y, z = camera.ray_directions()
    assert x.shape == (size[1], size[0])
    # The field of view is that of the height.
    assert y[0, 0] / z[0, 0] == pytest.approx(1.0, abs=0.01)
    click = camera.to_square_click(0.5, 0.5)
    assert (click.x, click.y) == (0.5, 0.5)


def test_settings_that_are_not_served_are_refused_with_what_is_or_warned_of(world: ThorWorld):
    for given, served in (
        ({"agentMode": "locobot"}, "the default body alone is"),
        ({"renderFlowImage": True}, "RGB, depth, ids and classes are"),
        ({"gridSize": 0.1}, "multiples of 0.25 are, and others with snapToGrid=False"),
        ({"rotateStepDegrees": 45}, "grid rotation steps of 0, 90, 180, 270 or 360."),
        ({"agentCount": 9}, "1 to 8 are"),
    ):
        assert do(world, "Initialize", **given).error_message.endswith(served)
    camera = {"position": ORIGIN, "rotation": ORIGIN}
    assert do(world, "AddThirdPartyCamera", **camera).warning == ""
    assert "skyboxColor" in do(world, "AddThirdPartyCamera", skyboxColor="white", **camera).warning
    must(world, "ChangeResolution", x=64, y=32)
    assert world.size == (64, 32)
    assert not do(world, "ChangeResolution", x=0, y=32).success


def test_a_point_of_the_frame_names_an_object_or_fails(world: ThorWorld):
    must(world, "LookDown", degrees=60)
    assert do(world, "PickupObject", x=0.5).error_code == MISSING_ARGUMENTS
    seen = must(world, "GetObjectInFrame", x=0.5, y=0.9, checkVisible=True)
    assert not do(world, "OpenObject", x=0.5, y=0.9).success  # the floor
    assert seen.startswith("Floor") and world.state.find(seen) is not None
    assert not do(world, "PutObject", x=0.5, y=0.9).success  # the hand is empty
    apple = forced(world, "PickupObject", "Apple")
    must(world, "PutObject", x=0.5, y=0.9)
    assert not world.state.objects[world.state.index_of(apple.objectId)].isPickedUp


def test_a_pose_with_a_tilt_gives_an_upright_box_around_the_object(world: ThorWorld):
    bottle = first(world, "SoapBottle")
    pose = pose_of(bottle, bottle.position, (90, 0, 0))
    must(world, "SetObjectPoses", objectPoses=[pose])
    [lying] = world.state.of_type("SoapBottle")
    width, height, depth = bottle.box.size
    assert lying.box.size == pytest.approx((width, depth, height))
    unknown = {**pose, "objectName": "Moon"}
    refused = do(world, "SetObjectPoses", objectPoses=[unknown])
    assert "Moon" in refused.error_message
    broken = {"objectName": "Moon", "position": 3}
    fault = do(world, "SetObjectPoses", objectPoses=[broken])
    assert not fault.success and "objectPoses[0]" in fault.error_message


def test_the_guide_says_of_every_action_how_it_differs():
    guide = Path(__file__).parents[3] / "docs" / "how-to" / "thor.md"
    _, _, table = guide.read_text(encoding="utf-8").partition("### Actions")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted([*THOR_ACTIONS, "Reset"])


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
        ("MoveAhead", {"forceAction": "yes"}, "", "converting value 'yes' to type 'Boolean'"),
        ("SetObjectFilter", {"objectIds": "Mug"}, "", "to type 'String[]'"),
        ("SetObjectFilter", {"objectIds": [1]}, "", "to type 'String[]'"),
        ("GetObjectInFrame", {"x": 3, "y": 0}, "", "must be in [0:1]"),
        ("PickupObject", {"objectId": "12"}, "", "ID appears to be invalid"),
        ("FillObjectWithLiquid", {"objectId": "Pot", "fillLiquid": "oil"}, "", "oil is not"),
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
def test_a_number_or_a_truth_value_may_be_given_as_text(world: ThorWorld, given: str, fine: bool):
    must(world, "Initialize", snapToGrid=False)
    done = do(world, "RotateLeft", degrees=given)
    assert ("not in a correct format" in done.error_message) != fine
    must(world, "MoveAhead", forceAction="True")


def test_a_dish_that_its_mass_tells_has_other_surfaces_with_another_mass():
    def spawn_points(world: ThorWorld, bowl: str) -> Any:
        name = "GetSpawnCoordinatesAboveReceptacle"
        return must(world, name, objectId=bowl, anywhere=True)

    asked, fresh = new_world("FloorPlan2"), new_world("FloorPlan2")
    bowl = first(asked, "Bowl").objectId
    before = spawn_points(asked, bowl)
    for world in (asked, fresh):
        must(world, "SetMassProperties", objectId=bowl, mass=9.0, drag=0.1, angularDrag=0.1)
    assert spawn_points(asked, bowl) == spawn_points(fresh, bowl) != before


def test_small_actions_answer_or_say_what_is_not_served(world: ThorWorld):
    mug, sink = first(world, "Mug").objectId, first(world, "Sink").objectId
    must(world, "SetMassProperties", objectId=mug, mass=2.5, drag=0.1, angularDrag=0.1)
    assert world.object_of_id(mug).mass == 2.5
    refused = do(world, "SetMassProperties", objectId=sink, mass=2.5)
    assert "Mass Properties cannot be changed" in refused.error_message
    for name, given in (
        ("SetRoomTempDecayTimeForType", {"objectType": "Mug", "TimeUntilRoomTemp": 2}),
        ("SetGlobalRoomTempDecayTime", {"TimeUntilRoomTemp": 2}),
        ("SetDecayTemperatureBool", {"allowDecayTemperature": False}),
    ):
        assert "stays so here" in do(world, name, **given).warning
    must(world, "UpdateMainCamera", fieldOfView=60)
    assert metadata_of(world)["fov"] == 60
    assert "its eye" in do(world, "UpdateMainCamera", position=ORIGIN).error_message
    assert not do(world, "UpdateMainCamera", fieldOfView=200).success
    seen = must(world, "GetVisibleObjects")
    assert seen == [row["objectId"] for row in metadata_of(world)["objects"] if row["visible"]]
    assert not do(world, "GetVisibleObjects", thirdPartyCameraIndex=0).success
    [place, *_] = must(world, "GetReachablePositions")
    named = must(world, "PointNavExpertAction", position=place)
    assert named == must(world, "ObjectNavExpertAction", position=place) is not None


NAN = float("nan")  # which Python's JSON may hold
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(-9, 9)
    | st.just(NAN)
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=4,
)
SHARED_WORLD = new_world("FloorPlan401_physics")


@settings(deadline=None, max_examples=4)
@drawn(st.data())
@pytest.mark.parametrize("name", sorted(THOR_ACTIONS))
def test_no_arguments_get_anything_but_an_answer(name: str, data: st.DataObject):
    names = [*THOR_ACTIONS[name].parameters, "objectPoses", "SetObjectStates", "agentCount"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names), JSON, max_size=4))
    result = run_action(SHARED_WORLD, name, {**arguments, "maxPoses": 1})
    assert isinstance(result, ThorResult)
    assert result.success is not bool(result.error_message)
    json.dumps(metadata_of(SHARED_WORLD, name, result), allow_nan=False)
