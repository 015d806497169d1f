"""AI2-THOR's actions on our world, without a client in between."""

from typing import Any

import pytest

from tatc.state import ObjectState
from tatc.thorserver.actions import ACTIONS, answer
from tatc.thorserver.answers import INVALID, INVALID_ACTION, MISSING, Answer
from tatc.thorserver.lens import Lens
from tatc.thorserver.report import Reporter
from tatc.thorserver.scenes import served
from tatc.thorserver.stage import Stage


@pytest.fixture
def stage() -> Stage:
    found = served("FloorPlan3_physics")
    assert found is not None
    return Stage(found, (300, 300))


def do(stage: Stage, name: str, **given: Any) -> Answer:
    came = answer(stage, name, given)
    stage.run_machines()
    return came


def must(stage: Stage, name: str, **given: Any) -> Any:
    came = do(stage, name, **given)
    assert came.success, came.error
    return came.value


def first(stage: Stage, kind: str) -> ObjectState:
    return stage.house.of_type(kind)[0]


def forced(stage: Stage, name: str, kind: str) -> ObjectState:
    thing = first(stage, kind)
    must(stage, name, objectId=thing.objectId, forceAction=True)
    return stage.house.things[stage.house.index(thing.objectId)]


def test_what_is_unknown_missing_or_of_the_wrong_kind_has_ai2thors_code(stage: Stage):
    assert do(stage, "Fly").code == INVALID_ACTION
    assert do(stage, "SetObjectPoses").code == MISSING
    assert do(stage, "PickupObject").code == MISSING
    assert do(stage, "RotateLeft", degrees="far").code == INVALID
    assert do(stage, "GetObjectInFrame", x=3, y=0).code == INVALID
    assert do(stage, "PickupObject", objectId="Moon|1").code == ""


@pytest.mark.parametrize("name", ACTIONS)
def test_no_action_fails_in_a_way_that_is_not_an_answer(stage: Stage, name: str):
    for given in (
        {},
        {"objectId": 7, "x": "a", "y": None, "position": 3, "rotation": []},
        {
            "objectId": "",
            "x": float("nan"),
            "y": 0.5,
            "objectPoses": [1],
            "degrees": {},
        },
        {"objectType": [], "agentCount": 99, "gridSize": -1, "thirdPartyCameraId": 5},
    ):
        assert isinstance(do(stage, name, **given), Answer)


def test_steps_go_back_and_forth_and_are_refused_at_walls(stage: Stage):
    start = stage.body
    must(stage, "MoveAhead")
    must(stage, "MoveBack")
    assert stage.body == start
    came = [do(stage, "MoveAhead") for _ in range(40)]
    assert not came[-1].success and "is blocking" in came[-1].error


def test_a_long_move_is_made_whole_or_not_at_all(stage: Stage):
    start = stage.body
    assert not do(stage, "MoveAhead", moveMagnitude=20.0).success
    assert stage.body == start
    assert not do(stage, "MoveAhead", moveMagnitude=0.05).success
    must(stage, "MoveRight", moveMagnitude=0.5)
    assert abs(stage.body.position[0] - start.position[0]) == pytest.approx(0.5)


def test_turns_and_looks_take_degrees_and_keep_to_their_limits(stage: Stage):
    must(stage, "RotateRight", degrees=45)
    must(stage, "LookDown", degrees=10)
    assert (stage.body.yaw, stage.body.horizon) == (45.0, 10.0)
    assert not do(stage, "LookUp", degrees=60).success
    must(stage, "Rotate", rotation={"y": 180})
    assert stage.body.yaw == 180.0


def test_teleport_needs_room_unless_forced(stage: Stage):
    places = must(stage, "GetReachablePositions")
    must(stage, "TeleportFull", position=places[0], rotation={"y": 90}, horizon=30)
    assert (stage.body.yaw, stage.body.horizon) == (90.0, 30.0)
    counter = first(stage, "CounterTop").box.center
    inside = {"x": counter[0], "y": 0.9, "z": counter[2]}
    assert not do(stage, "Teleport", position=inside).success
    must(stage, "Teleport", position=inside, forceAction=True)
    assert do(stage, "Teleport", horizon=85).code == ""


def test_only_what_is_seen_can_be_handled_unless_forced(stage: Stage):
    hidden = [
        thing
        for thing in stage.house.things
        if thing.affordances.pickupable and not stage.interactable(thing)
    ]
    came = do(stage, "PickupObject", objectId=hidden[0].objectId)
    assert not came.success and came.code == "ObjectNotVisible"
    must(stage, "PickupObject", objectId=hidden[0].objectId, forceAction=True)
    again = do(stage, "PickupObject", objectId=hidden[1].objectId, forceAction=True)
    assert not again.success and "hand has something in it" in again.error


def test_coffee_fills_a_mug_and_can_be_poured_away(stage: Stage):
    mug = forced(stage, "PickupObject", "Mug")
    machine = first(stage, "CoffeeMachine")
    must(stage, "PutObject", objectId=machine.objectId, forceAction=True)
    if first(stage, "CoffeeMachine").isToggled:
        forced(stage, "ToggleObjectOff", "CoffeeMachine")
    forced(stage, "ToggleObjectOn", "CoffeeMachine")
    assert stage.liquids[mug.objectId] == "coffee"
    again = do(stage, "ToggleObjectOn", objectId=machine.objectId, forceAction=True)
    assert "toggle object on if" in again.error
    forced(stage, "ToggleObjectOff", "CoffeeMachine")
    must(stage, "EmptyLiquidFromObject", objectId=mug.objectId, forceAction=True)
    assert mug.objectId not in stage.liquids


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
    stage: Stage, sets: str, clears: str, kind: str, flag: str
):
    thing = first(stage, kind)
    if getattr(thing, flag):
        forced(stage, clears, kind)
    assert getattr(forced(stage, sets, kind), flag)
    assert not do(stage, sets, objectId=thing.objectId, forceAction=True).success
    assert not getattr(forced(stage, clears, kind), flag)
    assert not do(stage, clears, objectId=thing.objectId, forceAction=True).success


def test_slicing_cooking_and_breaking(stage: Stage):
    whole = forced(stage, "SliceObject", "Bread")
    assert whole.isSliced and stage.house.of_type("BreadSliced")
    assert forced(stage, "CookObject", "Potato").isCooked
    assert forced(stage, "BreakObject", "Plate").isBroken
    must(stage, "MakeObjectsOfTypeUnbreakable", objectType="Egg")
    egg = first(stage, "Egg").objectId
    assert not do(stage, "BreakObject", objectId=egg, forceAction=True).success


def test_what_is_dropped_comes_to_lie_below_the_hand(stage: Stage):
    assert not do(stage, "DropHandObject").success
    apple = forced(stage, "PickupObject", "Apple")
    where = must(stage, "DropHandObject")
    lies = stage.house.things[stage.house.index(apple.objectId)]
    assert not lies.isPickedUp and where["y"] < stage.body.position[1]


def test_poses_move_copy_and_remove(stage: Stage):
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
    kinds = {o.objectType for o in stage.house.things if o.affordances.pickupable}
    assert kinds == {"Mug"}
    one, two = stage.house.of_type("Mug")
    assert one.objectId == mug.objectId and two.objectId.startswith(mug.objectId)
    assert two.box.center[0] - one.box.center[0] == pytest.approx(0.15)


def test_what_no_pose_moves_keeps_its_place_and_parents(stage: Stage):
    before = tuple(stage.house.things)
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
    assert sorted(stage.house.things, key=key) == sorted(before, key=key)


def test_spawning_is_drawn_by_its_seed(stage: Stage):
    def spawned(seed: int) -> list[tuple[str, object]]:
        must(stage, "InitialRandomSpawn", randomSeed=seed)
        return [(o.objectId, o.position) for o in stage.house.things]

    once = spawned(3)
    assert spawned(3) == once != spawned(4)
    count = [{"objectType": "Mug", "count": 3}]
    must(stage, "InitialRandomSpawn", randomSeed=1, numDuplicatesOfType=count)
    assert len(stage.house.of_type("Mug")) == 3


def test_rays_meet_objects_and_walls(stage: Stage):
    must(stage, "LookDown", degrees=60)
    point = must(stage, "GetCoordinateFromRaycast", x=0.5, y=0.9)
    assert point["y"] < stage.body.position[1]
    floor = must(stage, "GetObjectInFrame", x=0.5, y=0.9)
    assert floor.startswith("Floor")
    must(stage, "LookUp", degrees=90)
    wall = must(stage, "GetCoordinateFromRaycast", x=0.5, y=0.1)
    low, high = stage.bounds()
    assert all(
        a - 1e-6 <= wall[axis] <= b + 1e-6
        for axis, a, b in zip("xyz", low, high, strict=True)
    )


def test_the_metadata_of_agents_stand_apart(stage: Stage):
    must(stage, "Initialize", agentCount=2)
    assert len({body.state.position for body in stage.bodies}) == 2
    stage.act_as(1)
    must(stage, "RotateRight")
    mug = forced(stage, "PickupObject", "Mug")
    told = Reporter().report(stage, "PickupObject", Answer(), 7)
    zero, one = told["agents"]
    assert (zero["inventoryObjects"], told["activeAgentId"]) == ([], 1)
    assert one["inventoryObjects"][0]["objectId"] == mug.objectId
    assert (zero["agent"]["rotation"]["y"], one["agent"]["rotation"]["y"]) == (0, 90)


@pytest.mark.parametrize("size", [(300, 300), (400, 200), (200, 400)])
def test_a_frame_of_any_shape_shows_the_middle_in_its_middle(size: tuple[int, int]):
    lens = Lens.of((0.0, 1.0, 0.0), 0.0, 0.0, 90.0, size)
    x, y, z = lens.ways()
    assert x.shape == (size[1], size[0])
    # The field of view is that of the height.
    assert y[0, 0] / z[0, 0] == pytest.approx(1.0, abs=0.01)
    click = lens.click(0.5, 0.5)
    assert (click.x, click.y) == (0.5, 0.5)
