"""AI2-THOR's scenes behind the server: their boxes, and ids of other versions of AI2-THOR."""

import pytest

from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.scene_actions import initial_random_spawn
from tatc.apps.thorserver.thor_action import Arguments, ThorResult
from tatc.apps.thorserver.thor_world import ThorWorld, find_served_scene
from tatc.home.state import translate
from tatc.sim.rooms.ithor import aligned_boxes

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
