"""A trajectory's scene: what stands fast, what can be carried, and what lies in what."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.home.body import ALFRED
from tatc.home.state import Affordances, ObjectState, Scene
from tatc.session.alfred.carried_objects import ObjectModel, carried_object, recorded_id
from tatc.session.alfred.floor_plan_files import FurnitureCatalogue, read_furniture
from tatc.session.alfred.recorded_ids import find_recorded
from tatc.session.alfred.scene import build_scene, with_narrow_toilet
from tatc.session.records.trajectory import ObjectPose, parse_trajectory
from tatc.sim.rooms import load_room
from tests.session.records.sample_trajectory import (
    carried_objects,
    sample_furniture,
    sample_scene,
    sample_trajectory,
)

_LIES_ACROSS = ("ButterKnife", "Fork", "Knife", "Ladle", "Pen", "Pencil", "Spatula", "Spoon")


@pytest.fixture(scope="module")
def furniture_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the furniture of the sample trajectory, which is made from a shipped room."""
    path = tmp_path_factory.mktemp("plans") / "dump.json"
    path.write_text(json.dumps(sample_furniture()))
    return path


def _build(furniture_file: Path, raw: dict[str, Any]) -> Scene:
    trajectory = parse_trajectory(raw, Path("train/a/b/traj_data.json"))
    catalogue: FurnitureCatalogue = read_furniture((str(furniture_file),))
    furniture = catalogue.find(trajectory.floor_plan, "x")
    return build_scene(trajectory, furniture, catalogue.models)


@pytest.fixture(scope="module")
def scene(furniture_file: Path) -> Scene:
    return _build(furniture_file, sample_trajectory())


@pytest.fixture(scope="module")
def pairs(scene: Scene) -> list[tuple[ObjectState, ObjectState]]:
    """Return each object that can be carried, as it is built and as it was recorded."""
    ours = {obj.position: obj for obj in scene.initial.objects if obj.affordances.pickupable}
    return [(ours[obj.position], obj) for obj in carried_objects(sample_scene())]


def test_scene_is_the_room_that_the_trajectory_was_made_from(scene: Scene) -> None:
    room = sample_scene()
    fixed = [obj.objectId for obj in room.initial.objects if not obj.affordances.pickupable]
    built = [obj for obj in scene.initial.objects if not obj.affordances.pickupable]
    assert [obj.objectId for obj in built] == fixed
    assert scene.initial.follower.body == ALFRED
    assert scene.initial.follower.position == room.initial.follower.position
    assert len(scene.initial.objects) == len(room.initial.objects)


def test_boxes_are_turned_as_recorded_and_cutlery_lies_across_what_later_models_have(
    pairs: list[tuple[ObjectState, ObjectState]],
) -> None:
    lying = [obj for _, obj in pairs if obj.objectType in _LIES_ACROSS]
    assert 0 < len(lying) < len(pairs)
    for built, obj in pairs:
        if obj in lying:
            width, _, depth = obj.box.size
            assert built.box.yaw % 180.0 == obj.box.yaw % 180.0
            assert (built.box.size[0] > built.box.size[2]) == (depth > width)
            continue
        for bound, recorded in zip(built.box.bounds(), obj.box.bounds(), strict=True):
            assert bound == pytest.approx(recorded, abs=0.15)


def test_what_falls_over_comes_to_lie_lower_unless_it_lay_already() -> None:
    model = ObjectModel((0.33, 0.01, 0.05), (0.0, 0.0, 0.0), 0.0, Affordances(), 0.1, ()).fallen()
    for rotation, fall in (((0.0, 90.0, 0.0), 0.02), ((270.0, 0.0, 0.0), 0.0)):
        pose = ObjectPose("Knife_1", "Knife", (1.0, 0.9, 2.0), rotation)
        assert carried_object(pose, model, dirty=False).box.center[1] == pytest.approx(0.9 - fall)


def test_objects_lie_in_what_they_lay_in(
    scene: Scene, pairs: list[tuple[ObjectState, ObjectState]]
) -> None:
    types = {obj.objectId: obj.objectType.removesuffix("Basin") for obj in scene.initial.objects}
    right = found = 0
    for built, obj in pairs:
        if not obj.parentReceptacles:
            continue
        found += 1
        wanted = sample_scene().initial.get(obj.parentReceptacles[0])
        parents = {types[parent] for parent in built.parentReceptacles or ()}
        right += wanted is not None and wanted.objectType.removesuffix("Basin") in parents
    assert found > 10
    assert right / found >= 0.85


def test_start_is_as_the_trajectory_says(furniture_file: Path) -> None:
    raw = sample_trajectory()
    raw["scene"]["dirty_and_empty"] = True
    raw["scene"]["object_toggles"] = [{"objectType": "Faucet", "isOn": True}]
    start = _build(furniture_file, raw).initial
    assert all(obj.isToggled for obj in start.of_type("Faucet"))
    assert all(obj.isDirty == obj.affordances.dirtyable for obj in start.objects)
    assert not any(obj.isOpen for obj in start.of_type("Cabinet", "Drawer", "Fridge"))


def test_copies_are_separate_and_equal_entries_are_one(scene: Scene, furniture_file: Path) -> None:
    raw = sample_trajectory()
    poses = raw["scene"]["object_poses"]
    moved = {**poses[0], "position": {**poses[0]["position"], "x": 0.111}}
    raw["scene"]["object_poses"] = [*poses, dict(poses[0]), moved]
    start = _build(furniture_file, raw).initial
    assert sum(obj.name == poses[0]["objectName"] for obj in start.objects) >= 2
    assert len(start.objects) == len(scene.initial.objects) + 1


def test_fixed_thing_in_what_is_shut_is_not_in_it(tmp_path: Path, furniture_file: Path) -> None:
    dump = json.loads(furniture_file.read_text())
    fridge, cabinet = (
        next(raw for raw in dump["objects"] if raw["objectType"] == kind)
        for kind in ("Fridge", "Cabinet")
    )
    fridge["parentReceptacles"] = [cabinet["objectId"]]
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(dump))
    start = _build(path, sample_trajectory()).initial
    assert start.of_type("Fridge")[0].parentReceptacles == ()


def test_recorded_id_means_the_nearest_of_its_type(scene: Scene) -> None:
    fridge = scene.initial.of_type("Fridge")[0]
    x, y, z = fridge.position
    assert find_recorded(f"Fridge|{x + 0.2:+06.2f}|{y:+06.2f}|{z:+06.2f}", scene.initial) is fridge
    assert find_recorded(f"Fridge|{x + 9:+06.2f}|{y:+06.2f}|{z:+06.2f}", scene.initial) is fridge
    assert len(scene.initial.of_type("Drawer")) > 1
    assert find_recorded("Drawer|+99.00|+00.00|+00.00", scene.initial) is None
    assert find_recorded("Zebra|+00.00|+00.00|+00.00", scene.initial) is None
    assert find_recorded("no id", scene.initial) is None


def test_id_of_a_carried_object_is_its_initial_position() -> None:
    trajectory = parse_trajectory(sample_trajectory(), Path("train/a/b/traj_data.json"))
    pose = replace(trajectory.object_poses[0], name="Mug_1", position=(-0.915, 0.951, 10.5))
    assert recorded_id(pose).split("|")[0] == "Mug"
    assert recorded_id(pose).endswith("|+00.95|+10.50")


@pytest.mark.parametrize(("plan", "across"), [("FloorPlan421", 2), ("FloorPlan401", None)])
def test_a_toilet_of_over_a_metre_is_as_broad_as_others(plan: str, across: int | None) -> None:
    toilet = next(obj for obj in load_room(plan).objects if obj.objectType == "Toilet")
    narrow = with_narrow_toilet(toilet)
    if across is None:
        assert narrow == toilet
        return
    assert narrow.box.size[across] == pytest.approx(0.5, abs=0.06)
    behind = toilet.box.bounds()[1][0]  # where its wall is, as it faces the low x
    assert narrow.box.bounds()[1][0] == pytest.approx(behind)
