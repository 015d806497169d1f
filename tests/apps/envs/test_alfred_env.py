"""ALFRED's action space as a Gymnasium environment."""

import json
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from examples.follow_an_expert import mask_of_runs
from tatc.apps.envs import ALFRED_ENV_ID
from tatc.base.errors import UsageError
from tatc.evaluation.alfred.masked_session import ACTIONS, STOP
from tests.generated_trajectories import generate

NOTHING = np.zeros((300, 300), dtype=np.int8)


@pytest.fixture(scope="module")
def trajectory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    [path] = generate(tmp_path_factory.mktemp("generated") / "set", "look", 1)
    return path


def test_it_passes_gymnasiums_check_and_needs_a_trajectory(trajectory: Path) -> None:
    env = gymnasium.make(ALFRED_ENV_ID, trajectories=[trajectory], render_mode="rgb_array")
    check_env(env.unwrapped)
    with pytest.raises(UsageError, match="no trajectory"):
        gymnasium.make(ALFRED_ENV_ID)


def test_doing_what_the_expert_did_earns_all_there_is_to_earn(trajectory: Path) -> None:
    env = gymnasium.make(ALFRED_ENV_ID, trajectories=[trajectory])
    _, info = env.reset(seed=1)
    assert info["goal"] and not info["success"] and len(ACTIONS) == 13
    start, earned = info["goal_conditions_met"], 0.0
    for action in json.loads(trajectory.read_text())["plan"]["low_actions"]:
        done = action["discrete_action"]
        mask = mask_of_runs(done["args"].get("mask"))
        chosen = {"action": ACTIONS.index(done["action"])}
        chosen["mask"] = NOTHING if mask is None else mask.astype(np.int8)
        seen, reward, over, cut, info = env.step(chosen)
        earned += reward
        assert seen["last"] == 2 and not over and not cut
    assert info["success"]
    assert earned == pytest.approx((info["goal_conditions"] - start) / info["goal_conditions"])
    assert env.step({"action": ACTIONS.index(STOP), "mask": NOTHING})[2:4] == (True, False)


def test_ten_failures_cut_an_episode_short(trajectory: Path) -> None:
    env = gymnasium.make(ALFRED_ENV_ID, trajectories=[trajectory])
    env.reset(seed=1)
    pick = {"action": ACTIONS.index("PickupObject"), "mask": NOTHING}
    ends = [env.step(pick)[2:4] for _ in range(10)]
    assert ends == [(False, False)] * 9 + [(False, True)]
