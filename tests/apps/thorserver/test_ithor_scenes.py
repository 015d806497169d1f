"""AI2-THOR's scenes behind the server: their boxes, and ids of other versions of AI2-THOR."""

from dataclasses import replace
from typing import Any

import pytest

from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.scene_actions import initial_random_spawn
from tatc.apps.thorserver.served_scenes import find_served_scene
from tatc.apps.thorserver.thor_action import Arguments, ThorResult
from tatc.apps.thorserver.thor_world import CLIENT_2, CLIENT_5, ClientVersion, ThorWorld
from tatc.apps.thorserver.views import visible_ids
from tatc.evaluation.alfred.thor_env import ThorEnv
from tatc.home.actions import cell_of
from tatc.home.metadata import write_vector
from tatc.home.state import translate
from tatc.sim.rooms import load_room
from tatc.sim.rooms.ithor import aligned_boxes
from tests.apps.thorserver.conftest import do, first, forced, must, new_world

SINK = "Sink|-01.90|+00.97|-01.50"


@pytest.fixture
def world() -> ThorWorld:
    served = find_served_scene("FloorPlan1_physics")
    assert served is not None and served.source == "FloorPlan1"
    return ThorWorld(served, (300, 300))


def test_metadata_have_ai2thors_own_boxes_until_an_object_moves(world: ThorWorld) -> None:
    name, box = next(iter(aligned_boxes("FloorPlan1").items()))

    def size_in_metadata() -> tuple[float, ...]:
        event = EventMetadataWriter().event_metadata(world, "Pass", ThorResult(), 0)
        listed = {obj["objectId"]: obj for obj in event["agents"][0]["objects"]}
        return tuple(listed[name]["axisAlignedBoundingBox"]["size"].values())

    assert size_in_metadata() == pytest.approx(box.size)
    world.state.set_object(translate(world.object_of_id(name), (0.0, 0.5, 0.0)))
    assert size_in_metadata() != pytest.approx(box.size, abs=1e-3)


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        (SINK, SINK),
        ("Sink|-01.88|+00.97|-01.52", SINK),
        ("Sink|-01.90|+00.97|-01.99", "Sink|-01.90|+00.97|-01.99"),
        ("Sink|-01.90|+00.95|-01.50|SinkBasin", f"{SINK}|SinkBasin"),
        ("Apple|-00.47|+01.15|+00.49", "Apple|-00.47|+01.15|+00.49"),
        ("Fridge", "Fridge"),
        (7, 7),
    ],
)
def test_an_id_of_another_version_means_the_furniture_there(
    named: object, meant: object, world: ThorWorld
) -> None:
    given = {"action": "OpenObject", "objectId": named, "objectIds": [named]}
    assert world.with_known_ids(given) == given | {"objectId": meant, "objectIds": [meant]}


def test_a_spawn_moves_the_scenes_own_objects(world: ThorWorld) -> None:
    before = {obj.objectId: obj for obj in world.state.objects}
    initial_random_spawn(world, Arguments(randomSeed=3))
    after = {obj.objectId: obj for obj in world.state.objects}
    assert after.keys() == before.keys()
    moved = {name for name, obj in after.items() if obj.position != before[name].position}
    assert moved and all(before[name].affordances.pickupable for name in moved)


def old_poses(scene: str) -> list[dict[str, Any]]:
    """Return poses such as a trajectory of ALFRED's has: AI2-THOR 2.1.0's names are others."""
    able = [obj for obj in load_room(scene).objects if obj.affordances.pickupable]
    return [
        {
            "objectName": f"{obj.objectType}_{number:08x}",
            "position": write_vector(obj.position),
            "rotation": write_vector(obj.rotation),
        }
        for number, obj in enumerate(able)
    ]


def test_poses_of_2_1_0_build_the_scene_of_alfreds_sessions():
    poses, toggles = old_poses("FloorPlan1"), [{"objectType": "StoveKnob", "isOn": True}]
    world = new_world("FloorPlan1", CLIENT_2)
    x, y, z = world.agent_state.position
    start = {"x": x, "y": y, "z": z, "rotation": 90, "horizon": 30}
    must(world, "SetObjectToggles", objectToggles=toggles)
    must(world, "SetStateOfAllObjects", StateChange="CanBeDirty", forceAction=True)
    must(world, "SetObjectPoses", objectPoses=poses)
    must(world, "TeleportFull", **start)
    env = ThorEnv()
    env.reset("FloorPlan1")
    env.restore_scene(poses, toggles, dirty_and_empty=True)
    env.step({"action": "TeleportFull", **start})
    served, played = (
        [replace(obj, ObjectTemperature="RoomTemp") for obj in each]  # the server's fridge has run
        for each in (world.state.objects, env.session.now.objects)
    )
    assert served == played
    reached = {cell_of(pose.x, pose.z) for pose in env.session.sim.reachable()}
    assert reached and world.floor.free_cells >= reached


def test_furniture_of_later_versions_stops_no_teleport_of_an_old_client():
    for client, is_done in ((CLIENT_2, True), (CLIENT_5, False)):
        world = new_world("FloorPlan1", client)
        x, _, z = first(world, "Fridge").position
        done = do(world, "TeleportFull", x=x, y=world.agent_y, z=z, rotation=90, horizon=30)
        assert (not done.error_message) is is_done


@pytest.mark.parametrize("client", [CLIENT_2, CLIENT_5])
def test_poses_that_are_not_of_the_scene_change_nothing(client: ClientVersion):
    world = new_world("FloorPlan1", client)
    before = world.state.objects
    poses = old_poses("FloorPlan1")
    elsewhere = next(obj for obj in load_room("FloorPlan2").objects if obj.affordances.pickupable)
    for name in ("Unicorn_0123abcd", "Mug", elsewhere.name):
        wrong = [{**poses[0], "objectName": name}, *poses[1:]]
        refused = do(world, "SetObjectPoses", objectPoses=wrong)
        assert f"object of name {name} found in scene. Nothing was changed" in refused.error_message
        assert world.state.objects == before


def test_an_old_client_puts_things_where_they_are_seen():
    world = new_world("FloorPlan1", CLIENT_2)
    fridge = first(world, "Fridge").objectId
    [pose, *_] = must(world, "GetInteractablePoses", objectId=fridge, maxPoses=1, horizons=[30])
    must(world, "TeleportFull", **{k: v for k, v in pose.items() if k != "standing"})
    must(world, "OpenObject", objectId=fridge, forceAction=True)
    apple = forced(world, "PickupObject", "Apple").objectId
    must(world, "PutObject", objectId=apple, receptacleObjectId=fridge, forceAction=True)
    assert apple in visible_ids(world, world.acting_agent)
    forced(world, "PickupObject", "Apple")
    must(world, "RotateRight")
    must(world, "RotateRight")
    refused = do(world, "PutObject", objectId=apple, receptacleObjectId=fridge)
    assert "not visible" in refused.error_message
