"""ThorEnv: ALFRED's evaluation loop runs on it, and what it refuses it says as ALFRED does."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples.follow_an_expert import evaluate
from tatc.base.errors import TatcError
from tatc.evaluation.alfred.thor_env import ThorEnv
from tests.generated_trajectories import generate


def _begin(path: Path) -> tuple[ThorEnv, dict[str, Any]]:
    raw = json.loads(path.read_text())
    env, scene = ThorEnv(), raw["scene"]
    env.reset(scene["floor_plan"])
    env.restore_scene(scene["object_poses"], scene["object_toggles"], scene["dirty_and_empty"])
    env.step(dict(scene["init_action"]))
    env.set_task(raw, None, reward_type="dense")
    return env, raw


def test_model_that_follows_the_expert_solves_the_task(generated: dict[str, Path]) -> None:
    raw = json.loads(generated["heat"].read_text())
    env = ThorEnv()
    solved, steps = evaluate(env, raw)
    assert solved and steps == len(raw["plan"]["low_actions"])
    assert env.get_goal_conditions_met() == (3, 3)
    assert env.get_subgoal_idx() == len(raw["plan"]["high_pddl"]) - 2  # all but the End


def test_generated_scene_is_found_by_alfreds_number_and_solved(tmp_path: Path) -> None:
    raw = json.loads(generate(tmp_path / "set", "simple", 1, where="--scenes")[0].read_text())
    assert raw["scene"]["floor_plan"] == f"FloorPlan{raw['scene']['scene_num']}"
    solved, steps = evaluate(ThorEnv(), raw)
    assert solved and steps == len(raw["plan"]["low_actions"])


def test_rewards_add_up_to_the_conditions_that_were_met(generated: dict[str, Path]) -> None:
    env, raw = _begin(generated["simple"])
    met, total = env.get_goal_conditions_met()
    earned, is_done = 0.0, False
    for action in raw["plan"]["low_actions"]:
        env.step(action["api_action"])
        reward, is_done = env.get_transition_reward()
        earned += reward
    assert is_done and earned == total - met


def test_mask_that_means_nothing_is_refused_and_changes_nothing(
    generated: dict[str, Path],
) -> None:
    env, _ = _begin(generated["simple"])
    before = env.session.now
    success, event, target, why, call = env.va_interact("PickupObject", np.zeros((300, 300)))
    assert (success, target, call) == (False, "", {"action": "PickupObject", "forceAction": True})
    assert "mask" in why and event.metadata["lastActionSuccess"] is False
    assert env.session.now.objects == before.objects


def test_mask_means_the_object_that_it_covers_best(generated: dict[str, Path]) -> None:
    env, _ = _begin(generated["simple"])
    masks = env.last_event.instance_masks
    able = [
        obj["objectId"]
        for obj in env.last_event.metadata["objects"]
        if obj["objectId"] in masks and (obj["pickupable"] or obj["receptacle"])
        if obj["objectType"] != "Floor"  # which is no object in AI2-THOR 2.1.0
    ]
    assert able
    for object_id in able:
        assert env.va_interact("SliceObject", masks[object_id])[2] == object_id


def test_mask_beside_what_was_put_down_means_it_and_not_what_it_lies_in(
    generated: dict[str, Path],
) -> None:
    env, raw = _begin(generated["heat"])
    pick_ups: list[dict[str, Any]] = []
    for action in raw["plan"]["low_actions"]:
        call = action["api_action"]
        if call["action"] == "PickupObject":
            pick_ups.append(call)
            if len(pick_ups) == 2:  # out of the microwave
                break
        assert env.step(call).success
    name = pick_ups[-1]["objectId"]
    beside = np.roll(env.last_event.instance_masks[name], 12, axis=1)
    success, _, target, _, _ = env.va_interact("PickupObject", beside)
    assert success and target == name


def test_event_keeps_what_it_showed(generated: dict[str, Path]) -> None:
    env, _ = _begin(generated["simple"])
    first, pose = env.last_event, env.last_event.pose_discrete
    env.va_interact("RotateLeft_90")
    assert first.pose_discrete == pose != env.last_event.pose_discrete
    assert first.frame.shape == (300, 300, 3)
    assert not np.array_equal(first.frame, env.last_event.frame)
    assert first.metadata["agent"]["rotation"]["y"] == pose[2] * 90.0


def test_what_comes_too_early_is_said() -> None:
    env = ThorEnv()
    with pytest.raises(TatcError, match="no scene"):
        env.va_interact("RotateLeft_90")
    with pytest.raises(TatcError, match="no floor plan"):
        env.reset("the kitchen")
