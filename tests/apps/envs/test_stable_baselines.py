"""stable-baselines3's PPO, as it is, on the flat environments."""

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import gymnasium

from tatc.apps.envs import FOLLOWER_ENV_ID, FOLLOWER_SYMBOLIC_ENV_ID

STEPS = 128


@pytest.mark.parametrize("env_id", [FOLLOWER_ENV_ID, FOLLOWER_SYMBOLIC_ENV_ID])
def test_ppo_trains(env_id: str):
    # Here, because only one of the processes that collect this file runs it.
    baselines = pytest.importorskip("stable_baselines3", reason="needs the extra: dev")
    env = gymnasium.make(env_id, task="coffee", size=16, flat=True)
    policy = baselines.PPO(
        "MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=2, seed=1, device="cpu"
    )
    before = policy.get_parameters()["policy"]["action_net.weight"].clone()
    policy.learn(STEPS)
    assert policy.num_timesteps == STEPS
    assert not before.equal(policy.get_parameters()["policy"]["action_net.weight"])
    observation, _ = env.reset(seed=2)
    action, _ = policy.predict(observation)
    assert env.action_space.contains(action)
    env.close()
