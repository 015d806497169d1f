"""Objects are removed, placed, put into states, held and filtered."""

from typing import Any

import pytest

from tatc.apps.thorserver.thor_world import CLIENT_2, ThorWorld
from tatc.sim.embedded.interaction_handlers import open_target
from tests.apps.thorserver.conftest import do, first, forced, metadata_of, must, new_world


def listed(world: ThorWorld) -> set[str]:
    return {each["objectId"] for each in metadata_of(world)["objects"]}


def test_what_is_removed_is_gone_from_everywhere(world: ThorWorld):
    knob, mug = first(world, "StoveKnob"), first(world, "Mug")
    burner = (knob.controlledObjects or ())[0]
    must(world, "RemoveFromScene", objectId=mug.objectId)
    must(world, "RemoveFromScene", objectIds=[burner])
    assert not {mug.objectId, burner} & listed(world)
    must(world, "ToggleObjectOn", objectId=knob.objectId, forceAction=True)
    again = do(world, "RemoveFromScene", objectId=mug.objectId)
    assert "on any object in the scene" in again.error_message
    assert not do(world, "RemoveFromScene", objectIds=[]).success
    must(world, "EnableObject", objectId=knob.objectId)
    assert not do(world, "EnableObject", objectId=mug.objectId).success
    must(world, "InitialRandomSpawn", randomSeed=1)
    assert mug.objectId not in listed(world)


def test_what_is_disabled_comes_back_as_it_was(world: ThorWorld):
    mug = forced(world, "DirtyObject", "Mug")
    before = listed(world)
    must(world, "DisableObject", objectId=mug.objectId)
    assert listed(world) == before - {mug.objectId}
    must(world, "EnableObject", objectId=mug.objectId)
    assert listed(world) == before and world.object_of_id(mug.objectId) == mug
    cabinets = {obj.objectId for obj in world.state.of_type("Cabinet")}
    must(world, "DisableAllObjectsOfType", objectType="Cabinet")
    assert listed(world) == before - cabinets


def test_the_rest_stays_as_it_is_when_something_is_removed(world: ThorWorld):
    fridge, apple = forced(world, "OpenObject", "Fridge"), first(world, "Apple")
    must(world, "PickupObject", objectId=apple.objectId, forceAction=True)
    must(world, "RemoveFromScene", objectId=first(world, "Mug").objectId)
    assert world.object_of_id(fridge.objectId) == fridge
    assert metadata_of(world)["inventoryObjects"][0]["objectId"] == apple.objectId
    closed = forced(world, "CloseObject", "Fridge")
    assert closed.box == new_world().object_of_id(fridge.objectId).box
    must(world, "RemoveFromScene", objectId=apple.objectId)
    assert metadata_of(world)["inventoryObjects"] == []


def test_an_object_is_put_above_a_receptacle(world: ThorWorld):
    counter, mug = first(world, "CounterTop"), first(world, "Mug")
    above = {"name": "GetSpawnCoordinatesAboveReceptacle", "objectId": counter.objectId}
    points = must(world, **above, anywhere=True)
    placed = 0
    for point in points:
        refused = do(world, "PlaceObjectAtPoint", objectId=mug.objectId, position=point)
        if not refused.success:
            assert "Spawn area not clear" in refused.error_message
            continue
        placed += 1
        now = world.object_of_id(mug.objectId)
        assert (now.position[0], now.position[2]) == pytest.approx((point["x"], point["z"]))
        assert counter.objectId in (now.parentReceptacles or ())
    assert placed
    assert len(must(world, **above)) < len(points)


def test_a_held_object_is_put_on_the_floor_below_a_point(world: ThorWorld):
    place = must(world, "GetReachablePositions")[0]
    apple = forced(world, "PickupObject", "Apple")
    must(world, "PlaceObjectAtPoint", objectId=apple.objectId, position=place, rotation={"y": 30})
    now = world.object_of_id(apple.objectId)
    assert not now.isPickedUp and world.state.held_object is None
    assert now.rotation == (0.0, 30.0, 0.0)
    assert now.box.center[1] - now.box.size[1] / 2 == pytest.approx(0.005, abs=0.02)
    assert any(each.startswith("Floor") for each in now.parentReceptacles or ())


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("PlaceObjectAtPoint", {"objectId": "Moon|1", "position": {}}, "Cannot find object"),
        ("PlaceObjectAtPoint", {"position": {"x": 99}}, "is not within scene bounds"),
        ("PlaceObjectAtPoint", {"positions": []}, "positions must not be empty!"),
        ("GetSpawnCoordinatesAboveReceptacle", {"anywhere": True}, "found in scene"),
        ("GetSpawnCoordinatesAboveReceptacle", {}, "found in view"),
    ],
)
def test_what_cannot_be_placed_is_refused(world: ThorWorld, name: str, given: Any, words: str):
    apple = {"objectId": first(world, "Apple").objectId}
    refused = do(world, name, **{**apple, **given})
    assert not refused.success and words in refused.error_message


def test_states_are_set_of_all_objects_of_a_type():
    world = new_world(client=CLIENT_2)
    toggles = [{"objectType": "StoveKnob", "isOn": True}, {"objectType": "Mug", "isOn": True}]
    must(world, "SetObjectToggles", objectToggles=toggles)
    assert all(obj.isToggled for obj in world.state.of_type("StoveKnob"))
    for wanted in (True, False):
        for name, flag, affordance in (
            ("CanBeDirty", "isDirty", "dirtyable"),
            ("CanBeFilled", "isFilledWithLiquid", "canFillWithLiquid"),
        ):
            must(world, "SetStateOfAllObjects", StateChange=name, forceAction=wanted)
            able = [obj for obj in world.state.objects if getattr(obj.affordances, affordance)]
            assert able and all(getattr(obj, flag) is wanted for obj in able)
    must(world, "SetStateOfAllObjects", StateChange="CanBreak", forceAction=True)
    assert first(world, "Plate").isBroken
    refused = do(world, "SetStateOfAllObjects", StateChange="CanFly")
    assert "CanFly is not a StateChange" in refused.error_message


def test_states_are_set_by_rows_of_later_clients(world: ThorWorld):
    row = {"objectType": "Cabinet", "stateChange": "openable", "isOpen": True}
    must(world, "SetObjectStates", SetObjectStates=row)
    assert first(world, "Cabinet").isOpen and not first(world, "Fridge").isOpen
    row = {"stateChange": "toggleable", "isToggled": True}
    must(world, "SetObjectStates", SetObjectStates=row)
    assert first(world, "Faucet").isToggled
    refused = do(world, "SetObjectStates", SetObjectStates={"stateChange": "flyable"})
    assert "stateChange" in refused.error_message


def test_an_object_is_put_for_a_client_before_2_5_by_the_receptacles_own_id():
    world = new_world(client=CLIENT_2)
    apple, counter = forced(world, "PickupObject", "Apple"), first(world, "CounterTop")
    put = {"objectId": apple.objectId, "receptacleObjectId": counter.objectId}
    put |= {"placeStationary": True}
    assert not do(world, "PutObject", **put).success  # every place on it is too far away
    must(world, "PutObject", **put, forceAction=True)
    assert counter.objectId in (world.object_of_id(apple.objectId).parentReceptacles or ())


def test_a_forced_door_opens_where_the_agent_is_in_its_way(world: ThorWorld):
    cells = must(world, "GetReachablePositions")
    for door in world.state.of_type("Fridge", "Cabinet"):
        x, _, z = door.box.center
        near = sorted(cells, key=lambda cell: (cell["x"] - x) ** 2 + (cell["z"] - z) ** 2)
        must(world, "Teleport", position=near[0])
        message = open_target(world.state, door, door.box.center)
        if message is not None:
            break
        must(world, "CloseObject", objectId=door.objectId, forceAction=True)
    else:
        pytest.fail("no door is in the way anywhere")
    assert "is in its way" in message
    must(world, "OpenObject", objectId=door.objectId, forceAction=True)
    assert world.object_of_id(door.objectId).isOpen


def test_a_turned_object_stands_upright_again_when_the_agent_moves(world: ThorWorld):
    held = forced(world, "PickupObject", "Plate")
    must(world, "RotateHeldObject", pitch=90)
    assert world.object_of_id(held.objectId).box.size != held.box.size
    must(world, "RotateRight")
    world.state.snapshot()
    now = world.object_of_id(held.objectId)
    assert (now.box.size, now.rotation) == (held.box.size, held.rotation)


def test_the_hand_stays_where_something_is_in_its_way(world: ThorWorld):
    held = forced(world, "PickupObject", "Egg").objectId
    must(world, "LookDown", degrees=60)
    place = must(world, "GetReachablePositions")[0]
    must(world, "Teleport", position=place, horizon=0, rotation=0)
    before = world.object_of_id(held)
    for _ in range(40):
        came = do(world, "MoveHeldObjectDown", moveMagnitude=0.05)
        if not came.success:
            break
    assert "viewport" in came.error_message or "Object In Hand's Path" in came.error_message
    assert world.object_of_id(held).position[1] < before.position[1]


def test_nothing_is_thrown(world: ThorWorld):
    assert do(world, "ThrowObject", moveMagnitude=10).error_message == "Nothing in hand to throw!"
    held = forced(world, "PickupObject", "Egg").objectId
    for name, given in (
        ("ThrowObject", {}),
        ("TouchThenApplyForce", {"x": 0.5, "y": 0.5}),
    ):
        assert "does not simulate forces" in do(world, name, **given).error_message
    in_hand = do(world, "PushObject", objectId=held, forceAction=True)
    assert "Please use Throw" in in_hand.error_message
    assert world.state.held_object is not None


def test_time_passes_by_steps_only_while_it_is_paused(world: ThorWorld):
    assert "currently paused" in do(world, "AdvancePhysicsStep").error_message
    must(world, "AdvancePhysicsStep", allowAutoSimulation=True)
    must(world, "PausePhysicsAutoSim")
    must(world, "AdvancePhysicsStep", timeStep=0.05)
    for given in ({"timeStep": 0.06}, {"timeStep": 0}, {"simSeconds": -1}):
        assert not do(world, "AdvancePhysicsStep", **given).success
    for name in ("MakeAllObjectsMoveable", "MakeAllObjectsStationary"):
        before = tuple(world.state.objects)
        must(world, name)
        assert tuple(world.state.objects) == before
    must(world, "UnpausePhysicsAutoSim")
    assert not do(world, "AdvancePhysicsStep").success


def test_what_changes_nothing_is_warned_of(world: ThorWorld):
    for name in ("RandomizeLighting", "ChangeColorOfMaterials", "ResetLighting"):
        came = do(world, name)
        assert came.success and came.warning, name


def test_what_is_pushed_stops_where_its_surface_ends_or_something_is_in_its_way(world: ThorWorld):
    bread = first(world, "Bread")
    given = {"objectId": bread.objectId, "forceAction": True, "moveMagnitude": 10_000}
    assert "PushAngle" in do(world, "DirectionalPush", pushAngle=0, **given).error_message
    for angle in range(30, 360, 30):
        must(world, "DirectionalPush", pushAngle=angle, **given)
        now = world.object_of_id(bread.objectId)
        assert now.box.bottom == bread.box.bottom
        assert now.parentReceptacles == bread.parentReceptacles
    must(world, "PickupObject", objectId=bread.objectId, forceAction=True)
    forced(world, "OpenObject", "Fridge")
    fridge = first(world, "Fridge").objectId
    must(world, "PutObject", objectId=fridge, forceAction=True)
    must(world, "CloseObject", objectId=fridge, forceAction=True)
    before = world.object_of_id(bread.objectId).position
    must(world, "PushObject", **given)
    assert world.object_of_id(bread.objectId).position == before
    for given in ({"hue": [0, 2]}, {"brightness": [1]}, {"randomizeColor": False, "hue": [0, 1]}):
        assert not do(world, "RandomizeLighting", **given).success
    for scene, used in ((1, "Train"), (21, "Val"), (26, "Test")):
        other = new_world(f"FloorPlan{scene}_physics")
        told = must(other, "RandomizeMaterials")
        assert [name for name in ("Train", "Val", "Test") if told[f"use{name}Materials"]] == [used]
