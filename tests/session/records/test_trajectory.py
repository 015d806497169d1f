"""ALFRED's trajectories: what is read of them, and the line that each fault gives."""

import json
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput
from tatc.home.actions import Verb
from tatc.home.body import ALFRED
from tatc.home.state import Pose, RoomKind
from tatc.session.records.trajectory import (
    MADE_BY_TATC_KEY,
    TaskType,
    Trajectory,
    is_trajectory_file,
    read_trajectory,
)
from tests.session.records.damaged_files import GONE, change
from tests.session.records.sample_trajectory import FLOOR_PLAN, sample_trajectory

Json = dict[str, Any]


def _write(folder: Path, raw: object) -> Path:
    path = folder / "train" / "pick-Apple" / "trial_1" / "traj_data.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(raw))
    return path


def _read(folder: Path, raw: Json) -> Trajectory:
    return read_trajectory(_write(folder, raw))


def test_trajectory_is_read(tmp_path: Path) -> None:
    raw = sample_trajectory()
    found = _read(tmp_path, raw)
    assert found.fold == "train"
    assert found.key == f"pick-Apple~{raw['task_id']}"
    assert found.floor_plan == f"FloorPlan{FLOOR_PLAN}"
    assert found.follower.body == ALFRED
    assert found.task is not None and found.task.type is TaskType.SIMPLE
    assert found.task.parameters == {"object": "Apple", "receptacle": "CounterTop"}
    assert [each.verb for each in found.low_actions] == [Verb.LOOK_DOWN]
    assert len(found.object_poses) == len(raw["scene"]["object_poses"])
    assert found.annotations[0].goal == "Put an apple on the counter."
    assert found.annotations[0].steps == ("Look down.",)


@pytest.mark.parametrize("kind", RoomKind)
def test_trajectory_made_here_is_of_a_shipped_room(tmp_path: Path, kind: RoomKind) -> None:
    raw = sample_trajectory() | {MADE_BY_TATC_KEY: {}}
    del raw["scene"]["scene_num"]
    name = f"{kind.value.lower().replace(' ', '-')}-01"
    raw["scene"]["floor_plan"] = name
    found = _read(tmp_path, raw)
    assert (found.floor_plan, found.kind) == (name, kind)


def test_trajectory_made_here_is_of_no_other_room(tmp_path: Path) -> None:
    raw = sample_trajectory() | {MADE_BY_TATC_KEY: {}}
    del raw["scene"]["scene_num"]
    for i, name in enumerate(("attic-01", "FloorPlan7", "zoo-01")):
        raw["scene"]["floor_plan"] = name
        with pytest.raises(BadInput, match=f"scene.floor_plan: is no shipped room: '{name}'"):
            _read(tmp_path / str(i), raw)


def test_trajectory_of_a_test_fold_has_no_task(tmp_path: Path) -> None:
    raw = sample_trajectory()
    for name in ("plan", "pddl_params", "task_type", "images"):
        del raw[name]
    found = _read(tmp_path, raw)
    assert found.task is None
    assert found.low_actions == ()


def _interaction(mask: object) -> Json:
    return {
        "api_action": {"action": "PickupObject", "objectId": "Apple|+00.00|+01.00|+00.00"},
        "discrete_action": {"action": "PickupObject", "args": {"mask": mask}},
        "high_idx": 0,
    }


def test_interaction_has_its_object_and_its_mask(tmp_path: Path) -> None:
    raw = sample_trajectory()
    raw["plan"]["low_actions"].append(_interaction([[0, 2], [89_999, 1]]))
    done = _read(tmp_path, raw).low_actions[-1]
    assert done.verb is Verb.PICKUP
    assert done.target_id == "Apple|+00.00|+01.00|+00.00"
    assert done.mask == ((0, 2), (89_999, 1))


def test_subgoal_has_the_pose_that_the_planner_sent_the_agent_to(tmp_path: Path) -> None:
    raw = sample_trajectory()
    raw["plan"]["high_pddl"][0]["planner_action"] = {"location": "loc|-3|6|5|30"}
    [subgoal] = _read(tmp_path, raw).high_actions
    assert subgoal.pose == Pose(-0.75, 1.5, 90.0, 30.0)


def test_trajectory_is_named_by_its_folders(tmp_path: Path) -> None:
    raw = sample_trajectory()
    for folder, fold, key in (
        ("valid_seen/a-task/trial_2", "valid_seen", "a-task~"),
        ("some/where/flat/trial_2", "flat", ""),
        ("train/trial_2", "train", ""),
        ("a/train/b/c/trial_2", "train", "c~"),
    ):
        path = tmp_path / folder / "traj_data.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(raw))
        found = read_trajectory(path)
        assert (found.fold, found.key) == (fold, f"{key}{raw['task_id']}")


def _changed(place: str, value: object) -> Json:
    """Return a trajectory in which one value is another, or not there."""
    raw = sample_trajectory()
    change(raw, place, value)
    return raw


POSE, START, ACTION = "scene.object_poses.0", "scene.init_action", "plan.low_actions.0"
FAULTS: list[tuple[str, object, str]] = [
    ("scene", GONE, "scene: is missing"),
    ("scene.scene_num", 99, "scene.scene_num: names an unknown"),
    ("scene.floor_plan", "FloorPlan8", "unlike scene_num"),
    (f"{POSE}.position.x", nan, "is impossible: nan"),
    (f"{POSE}.position.x", 1001.0, "object_poses[0].position: is beyond 1000 m"),
    (f"{START}.z", -2e3, "init_action.z: is impossible"),
    ("scene.object_poses", [], "scene.object_poses: is empty"),
    (f"{POSE}.objectName", "Zebra_1", "object_poses[0].objectName: names an object of an unknown"),
    ("plan.high_pddl", [{}] * 201, "plan.high_pddl: has more than 200 entries"),
    ("task_type", "pick_up_nothing", "task_type: is none of ALFRED's"),
    ("pddl_params.parent_target", "", "is empty, but pick_and_place_simple needs it"),
    ("pddl_params", GONE, "pddl_params: is missing"),
    (f"{START}.horizon", 20, "init_action.horizon: should be"),
    (f"{START}.rotation", 45, "init_action.rotation: is no"),
    (ACTION, _interaction([[90_000, 1]]), "mask[0]: lies outside of the frame's 90000 pixels"),
    (ACTION, _interaction([[89_999, 2]]), "low_actions[0].discrete_action.args.mask[0]: lies"),
    (ACTION, _interaction([[7, 0]]), "args.mask[0]: lies outside"),
    (ACTION, _interaction([[7, 1, 1]]), "args.mask[0]: should be"),
    (ACTION, _interaction([5]), "args.mask[0]: should be a list"),
    ("plan.high_pddl", [], "plan.low_actions[0].high_idx: should be from 0 to -1, is 0"),
    (f"{ACTION}.discrete_action.action", "Jump", "action: is an unknown action: 'Jump'"),
    ("plan.high_pddl.0.discrete_action.action", "Dance", "action: is an unknown subgoal"),
    (f"{ACTION}.high_idx", 1, "plan.low_actions[0].high_idx: should be from 0 to 0, is 1"),
    ("turk_annotations", [], "turk_annotations: should be an object"),
    ("turk_annotations.anns", {}, "turk_annotations.anns: should be a list"),
]


@pytest.mark.parametrize("words", [GONE, None])
def test_trajectory_without_annotations_is_as_one_with_none(tmp_path: Path, words: object) -> None:
    bare = _write(tmp_path / "bare", _changed("turk_annotations", words))
    assert is_trajectory_file(bare)
    found = read_trajectory(bare)
    with_none = _read(tmp_path / "none", _changed("turk_annotations", {"anns": []}))
    assert replace(found, path=with_none.path) == with_none
    assert found.annotations == () and found.task is not None


@pytest.mark.parametrize("key", ["plan", "task_type"])
def test_one_without_annotations_has_its_plan(tmp_path: Path, key: str) -> None:
    raw = _changed("turk_annotations", GONE)
    del raw[key]
    assert not is_trajectory_file(_write(tmp_path / "asked", raw))
    assert "is JSON but no trajectory" in _fault_of(tmp_path / "read", raw)


def test_values_are_read_as_what_they_mean(tmp_path: Path) -> None:
    turned = _read(tmp_path / "turned", _changed(f"{START}.rotation", 450))
    assert turned.follower.yaw == 90.0, "a whole turn is none"
    away = _read(tmp_path / "away", _changed(f"{START}.z", -1000))
    assert away.follower.position[2] == -1000.0, "no farther than that"
    sliced = _read(tmp_path / "sliced", _changed("pddl_params.object_sliced", True))
    assert sliced.task is not None and sliced.task.wanted_object == "AppleSliced"
    renamed = _read(tmp_path / "renamed", _changed(f"{POSE}.objectName", "Glassbottle_0123abcd"))
    pose = renamed.object_poses[0]
    assert (pose.type, pose.recorded_type) == ("Bottle", "Glassbottle")


def _fault_of(folder: Path, raw: Json) -> str:
    """Return the one line that a damaged trajectory gives, which names its file."""
    path = _write(folder, raw)
    with pytest.raises(BadInput) as caught:
        read_trajectory(path)
    line = str(caught.value)
    assert line.startswith(str(path)) and "\n" not in line
    return line


@pytest.mark.parametrize(("place", "value", "why"), FAULTS)
def test_fault_is_one_line_that_names_file_and_field(
    place: str, value: object, why: str, tmp_path: Path
) -> None:
    assert why in _fault_of(tmp_path, _changed(place, value))


def test_actions_go_from_subgoal_to_subgoal(tmp_path: Path) -> None:
    raw = sample_trajectory()
    raw["plan"]["high_pddl"].append({**raw["plan"]["high_pddl"][0], "high_idx": 1})
    first = raw["plan"]["low_actions"][0]
    raw["plan"]["low_actions"] = [{**first, "high_idx": 1}, first]
    why = "plan.low_actions[1].high_idx: should be from 1 to 1, is 0"
    assert why in _fault_of(tmp_path, raw)


def test_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "traj_data.json"
    path.write_text("{")
    with pytest.raises(BadInput, match="JSON"):
        read_trajectory(path)


def test_trajectory_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "any.name"
    path.write_text(json.dumps(sample_trajectory()))
    assert is_trajectory_file(path)
    path.write_text('{"tasks": []}')
    assert not is_trajectory_file(path)
