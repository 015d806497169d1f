"""What AI2-THOR's actions never break, over the server's own wire and on its world."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.soak.invariants import check_state
from tatc.apps.thorserver.client_connection import FifoConnection
from tatc.apps.thorserver.server_loop import serve_client
from tatc.apps.thorserver.thor_world import CLIENT_5, ThorWorld
from tatc.sim.rooms import load_room
from tests.apps.thorserver.conftest import do, first, forced, metadata_of, must, new_world

msgpack = pytest.importorskip("msgpack", reason="needs the extra: thor")
FRAME = (32, 32)
NO_TURN = dict.fromkeys("xyz", 0)


def of_type(room: str, kind: str) -> str:
    return next(obj.objectId for obj in load_room(room).objects if obj.objectType == kind)


def event_metadata(pipe: Path) -> list[Any]:
    """Return the metadata of a server's messages, which hold frames of fields and lengths."""
    data, found = pipe.read_bytes(), list[Any]()
    while data:
        field, length = data[0], int.from_bytes(data[1:5], "big")
        if field == 1:
            found.append(msgpack.unpackb(data[5 : 5 + length]))
        data = data[5 + length :]
    return found


def played(folder: Path, room: str, *actions: dict[str, Any], agents: int = 1) -> list[Any]:
    """Return the metadata after each action that a client sends to the server by its pipes."""
    start = [{"action": "Reset", "sceneName": room}, {"action": "Initialize", "agentCount": agents}]
    bodies = [json.dumps({"renderImage": False, **each}).encode() for each in (*start, *actions)]
    frames = [b"\2" + len(body).to_bytes(4, "big") + body + b"\xff\0\0\0\0" for body in bodies]
    (folder / "client").write_bytes(b"".join(frames))
    (folder / "server").touch()
    connection = FifoConnection(str(folder / "server"), str(folder / "client"))
    serve_client(connection, FRAME, CLIENT_5, lambda line: None)
    connection.close()
    return event_metadata(folder / "server")[1 + len(start) :]


def acting(event: Any) -> Any:
    return event["agents"][event["activeAgentId"]]


def row_of(event: Any, object_id: str) -> Any:
    return next(row for row in acting(event)["objects"] if row["objectId"] == object_id)


def by_force(name: str, object_id: str, **given: Any) -> dict[str, Any]:
    return {"action": name, "objectId": object_id, "forceAction": True, **given}


def test_what_is_held_is_not_put_into_itself(tmp_path: Path):
    pan = of_type("kitchen-01", "Pan")
    taken, put, again = played(
        tmp_path,
        "kitchen-01",
        *(by_force(name, pan) for name in ("PickupObject", "PutObject", "PickupObject")),
    )
    assert acting(taken)["lastActionSuccess"]
    assert "No valid positions" in acting(put)["errorMessage"]
    assert "in it already" in acting(again)["errorMessage"]
    assert row_of(again, pan)["isPickedUp"] and not row_of(again, pan)["parentReceptacles"]


def test_an_object_is_in_one_hand(tmp_path: Path):
    plate = of_type("kitchen-01", "Plate")
    took = [by_force("PickupObject", plate, agentId=agent) for agent in (0, 1)]
    _, second = played(tmp_path, "kitchen-01", *took, agents=2)
    assert "another agent's hand" in acting(second)["errorMessage"]
    held = [[row["objectId"] for row in each["inventoryObjects"]] for each in second["agents"]]
    assert held == [[plate], []]


@pytest.mark.parametrize("changes", [("CanBeSliced", "CanBreak"), ("CanBreak", "CanBeSliced")])
def test_an_egg_is_cracked_once(tmp_path: Path, changes: tuple[str, str]):
    setting = [
        {"action": "SetStateOfAllObjects", "StateChange": each, "forceAction": True}
        for each in (*changes, *changes)
    ]
    *_, last = played(tmp_path, "kitchen-06", *setting)
    rows = acting(last)["objects"]
    kinds = Counter(row["objectType"] for row in rows)
    assert len({row["objectId"] for row in rows}) == len(rows)
    assert kinds["EggCracked"] == kinds["Egg"] > 0


def test_no_object_is_in_one_that_is_gone(tmp_path: Path):
    spawn = {"action": "InitialRandomSpawn", "numPlacementAttempts": 5}
    (spawned,) = played(tmp_path, "kitchen-04", {**spawn, "randomSeed": 25})
    poses = [
        {"objectName": row["name"], "position": row["position"], "rotation": NO_TURN}
        for row in acting(spawned)["objects"]
        if row["pickupable"]
    ]
    posed = {"action": "SetObjectPoses", "objectPoses": poses}
    for other in (25, 5, 7, 9):
        _, last = played(tmp_path, "kitchen-04", {**spawn, "randomSeed": other}, posed)
        rows = {row["objectId"]: row for row in acting(last)["objects"]}
        pairs = [(a, b) for a, row in rows.items() for b in row["parentReceptacles"] or ()]
        assert all(a in rows[b]["receptacleObjectIds"] for a, b in pairs) and pairs


def test_two_agents_do_not_stand_in_each_other(tmp_path: Path):
    (event,) = played(tmp_path, "kitchen-01", {"action": "Pass"}, agents=2)
    there = event["agents"][0]["agent"]["position"]
    teleport = {"action": "Teleport", "position": there, "agentId": 1}
    ahead = {"action": "MoveAhead", "agentId": 1}
    turn = {"action": "Rotate", "agentId": 1, "rotation": facing(event["agents"])}
    events = played(
        tmp_path,
        "kitchen-01",
        teleport,
        {**teleport, "forceAction": True},
        turn,
        *[ahead] * 3,
        *[{**ahead, "allowAgentsToIntersect": True}] * 2,
        {**ahead, "action": "MoveBack"},
        agents=2,
    )
    told = [acting(event)["errorMessage"] for event in events]
    assert told[:2] == ["Collided with: Agent 0."] * 2 and not told[2]
    assert told[5].startswith("Agent 0 is blocking Agent 1 from moving by (")
    assert told[6:] == ["", "", ""]  # out of another agent there is a way


def facing(agents: list[Any]) -> dict[str, float]:
    """Return the rotation of agent 1 to agent 0, along an axis."""
    one, zero = agents[1]["agent"]["position"], agents[0]["agent"]["position"]
    dx, dz = zero["x"] - one["x"], zero["z"] - one["z"]
    assert dx == 0 or dz == 0
    return {"y": 90.0 * (dx > 0) + 180.0 * (dz < 0) + 270.0 * (dx < 0)}


def test_force_puts_from_afar(tmp_path: Path):
    room = load_room("kitchen-03")
    apple, counter = (of_type(room.name, kind) for kind in ("Apple", "CounterTop"))
    far = {"action": "Teleport", "position": {"x": 40, "y": 0.9, "z": 0}, "forceAction": True}
    *_, put = played(
        tmp_path, room.name, by_force("PickupObject", apple), far, by_force("PutObject", counter)
    )
    assert acting(put)["errorMessage"] == "" and not acting(put)["inventoryObjects"]
    assert apple in row_of(put, counter)["receptacleObjectIds"]


def test_poses_of_another_scene_remove_nothing(world: ThorWorld):
    before, mug = {obj.objectId for obj in world.state.objects}, first(world, "Mug")
    there = {"position": dict(zip("xyz", mug.position, strict=True)), "rotation": NO_TURN}
    rows = [{"objectName": name, **there} for name in ("Mug_of_another_build", "Pot_4711")]
    came = do(world, "SetObjectPoses", objectPoses=rows)
    assert "Mug_of_another_build found in scene" in came.error_message
    assert {obj.objectId for obj in world.state.objects} == before


def with_agents(count: int) -> ThorWorld:
    world = new_world("kitchen-01")
    must(world, "Initialize", agentCount=count)
    return world


def test_what_one_agent_puts_down_leaves_the_others_hand():
    world = with_agents(2)
    plate, bread = forced(world, "PickupObject", "Plate"), first(world, "Bread")
    world.set_active_agent(1)
    must(world, "PickupObject", objectId=bread.objectId, forceAction=True)
    place = must(world, "GetReachablePositions")[0]
    must(world, "PlaceObjectAtPoint", objectId=plate.objectId, position=place)
    world.save_active_agent()
    assert [agent.held for agent in world.agents] == [None, bread.objectId]
    assert not world.object_of_id(plate.objectId).isPickedUp
    must(world, "Initialize", agentCount=1)
    assert [agent.held for agent in world.agents] == [None]
    assert not world.object_of_id(bread.objectId).isPickedUp


def test_a_dish_is_not_put_on_what_lies_on_it(world: ThorWorld):
    plate, bowl = (first(world, kind).objectId for kind in ("Plate", "Bowl"))
    must(world, "PickupObject", objectId=bowl, forceAction=True)
    must(world, "PutObject", objectId=plate, forceAction=True)
    x, y, z = world.object_of_id(bowl).box.center
    do(world, "PlaceObjectAtPoint", objectId=plate, position={"x": x, "y": y + 0.3, "z": z})
    assert plate in (world.object_of_id(bowl).parentReceptacles or ())
    assert bowl not in (world.object_of_id(plate).parentReceptacles or ())


def test_a_turned_object_keeps_what_was_done_to_it(world: ThorWorld):
    mug = forced(world, "PickupObject", "Mug").objectId
    must(world, "RotateHeldObject", yaw=90)
    must(world, "DirtyObject", objectId=mug, forceAction=True)
    must(world, "RotateHeldObject", yaw=30)
    assert world.object_of_id(mug).isDirty
    must(world, "RotateRight")
    assert world.object_of_id(mug).isDirty


def test_what_is_cut_is_taken_and_placed_by_nobody(world: ThorWorld):
    bread = forced(world, "SliceObject", "Bread").objectId
    taken = do(world, "PickupObject", objectId=bread, forceAction=True)
    assert "cut into pieces" in taken.error_message
    place = must(world, "GetReachablePositions")[0]
    assert not do(world, "PlaceObjectAtPoint", objectId=bread, position=place).success
    lettuce = forced(world, "PickupObject", "Lettuce").objectId
    assert "in a hand" in do(world, "SliceObject", objectId=lettuce, forceAction=True).error_message


def test_what_comes_back_is_in_nothing_that_is_gone(world: ThorWorld):
    mug = next(obj for obj in world.state.of_type("Mug", "Apple", "Egg") if obj.parentReceptacles)
    must(world, "DisableObject", objectId=mug.objectId)
    must(world, "RemoveObjsFromScene", objectIds=list(mug.parentReceptacles or ()))
    must(world, "EnableObject", objectId=mug.objectId)
    assert not world.object_of_id(mug.objectId).parentReceptacles
    must(world, "EnableObject", objectId=mug.objectId)  # it is there
    knob = first(world, "StoveKnob")
    must(world, "InitialRandomSpawn", randomSeed=1)
    assert world.object_of_id(knob.objectId).controlledObjects == knob.controlledObjects


def test_settings_that_no_camera_and_no_search_can_have_are_refused(world: ThorWorld):
    for fov in (1e-300, 0, 180, 179.999999999):
        assert "fov" in do(world, "Initialize", fieldOfView=fov).error_message
        camera = {"position": {}, "rotation": {}, "fieldOfView": fov}
        assert "fieldOfView" in do(world, "AddThirdPartyCamera", **camera).error_message
    refused = do(world, "Initialize", rotateStepDegrees=1e-6)
    assert "1.0 and more are" in refused.error_message


def test_what_is_posed_into_each_other_is_not_in_itself(world: ThorWorld):
    dishes = [first(world, kind) for kind in ("Bowl", "Cup", "Plate", "Mug", "Pot", "Pan")]
    there = {"position": {"x": 45, "y": 0.9, "z": 1.5}, "rotation": NO_TURN}
    must(world, "SetObjectPoses", objectPoses=[{"objectName": o.name, **there} for o in dishes])
    check_state(world.state.snapshot())
    assert any(obj.parentReceptacles for obj in world.state.of_type("Bowl", "Cup", "Plate"))


@pytest.mark.parametrize("metres", [1e6, "1000000"])
def test_a_step_of_any_length_is_answered(world: ThorWorld, metres: object):
    assert "is blocking" in do(world, "MoveAhead", moveMagnitude=metres).error_message
    must(world, "Initialize", gridSize=1e6)
    must(world, "ObjectNavExpertAction", position={"x": 0, "y": 0, "z": 0})


def test_more_agents_than_the_floor_has_room_for_are_refused(world: ThorWorld):
    assert len(with_agents(8).agents) == 8
    fridge = first(world, "Fridge")
    wide = replace(fridge, box=replace(fridge.box, size=(20.0, 1.0, 20.0)))
    world.replace_objects([wide if obj is fridge else obj for obj in world.state.objects])
    refused = do(world, "Initialize", agentCount=2, gridSize=0.5)
    assert "agentCount 2 is not served: the floor has room for 1" in refused.error_message
    assert world.settings.step_metres == 0.25 and len(world.agents) == 1


def test_all_of_a_world_is_put_back():
    world = with_agents(2)
    forced(world, "PickupObject", "Mug")
    before, agents = metadata_of(world), [each.state for each in world.agents]
    put_back = world.saved()
    must(world, "DropHandObject")
    world.set_active_agent(1)
    must(world, "DisableAllObjectsOfType", objectType="Mug")
    must(world, "MoveAhead", allowAgentsToIntersect=True)
    assert world.agent_state != agents[1]
    put_back()
    assert metadata_of(world) == before and not world.disabled_objects
    assert [each.state for each in world.agents] == agents and world.active_agent == 0
