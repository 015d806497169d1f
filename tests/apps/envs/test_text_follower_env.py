"""The text world as Gymnasium environments: one home, and many in one process."""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import gymnasium

from tatc.apps.envs import TEXT_FOLLOWER_ENV_ID, TextFollowerEnv
from tatc.base.errors import BadInput
from tatc.session.start import load_split
from tests.session.text_world.sessions import opening

TURN = {"name": "turn", "arguments": {"direction": "left"}}


@pytest.fixture(scope="module")
def pair() -> Iterator[Any]:
    options: dict[str, Any] = {"room": "kitchen-01", "max_calls": 6}
    made: Any = gymnasium.make_vec(
        TEXT_FOLLOWER_ENV_ID, num_envs=2, vectorization_mode="sync", **options
    )
    yield made
    made.close()


def test_many_homes_do_as_single_ones_do(pair: Any) -> None:
    single = TextFollowerEnv(room="kitchen-01")
    texts, _ = pair.reset(seed=5)
    assert texts[0] != texts[1]
    for index in range(2):
        assert single.reset(seed=5 + index)[0] == texts[index]
    stepped = pair.step([TURN, '{"name": "ask"}'])
    assert single.step({"name": "ask"})[0] == stepped[0][1]
    assert single.state_hash() == pair.call("state_hash")[1]
    assert stepped[1].tolist() == [0.0, 0.0]


def test_an_episode_that_is_over_starts_anew_at_the_next_step(pair: Any) -> None:
    pair.reset(seed=[1, 1])
    texts, _, done, cut, _ = pair.step([{"name": "stop"}, TURN])
    assert (done.tolist(), cut.tolist()) == ([True, False], [False, False])
    too_long = f'{{"name": {"1" * 5000}}}'  # Python reads no number of so many digits
    texts, rewards, done, _, infos = pair.step([TURN, too_long])
    assert not done.any()
    assert rewards.tolist() == [0.0, 0.0]
    assert "Last" not in texts[0]
    assert "refused" in texts[1]
    assert infos["task"].tolist() == ["Coffee", "Coffee"]
    for action in ("no call", TURN, TURN, TURN):
        _, _, _, cut, _ = pair.step([TURN, action])
    assert cut.tolist() == [False, True]


def test_a_saved_state_gives_the_same_reward_and_text_again() -> None:
    env = TextFollowerEnv()
    env.reset(options={"start": opening("coffee", "kitchen-01", 1)})
    calls = [
        {"name": "open", "arguments": {"object": "Cabinet_12"}},
        {"name": "move", "arguments": {"direction": "right"}},
    ]
    saved, before = env.save(), env.state_hash()
    first = [env.step(call) for call in calls]
    assert env.state_hash() != before
    env.restore(saved)
    assert env.state_hash() == before
    other = env.fork(saved)
    assert other.state_hash() == before
    for each in (env, other):
        assert [each.step(call) for call in calls] == first
        each.close()


def test_a_split_draws_tasks_and_rooms_by_the_seed() -> None:
    env = TextFollowerEnv(split="test_tasks")
    infos = [env.reset(seed=seed)[1] for seed in (1, 2, 1)]
    assert infos[0] == infos[2] != infos[1]
    split = load_split("test_tasks")
    for info in infos:
        assert info["task"] in split.tasks
        assert int(info["place"].rpartition("-")[2]) >= split.first_room
    env.close()
    for wrong in ({"split": "tests"}, {"split": "train", "room": "kitchen-01"}, {"grain": "walk"}):
        with pytest.raises(BadInput):
            TextFollowerEnv(**wrong)
