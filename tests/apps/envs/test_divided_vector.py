"""Many homes that are divided among processes."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import gymnasium
from gymnasium.wrappers.vector import DictInfoToList

from tatc.apps.envs import (
    FOLLOWER_ENV_ID,
    FOLLOWER_SYMBOLIC_ENV_ID,
    TEXT_FOLLOWER_ENV_ID,
    DividedVector,
)
from tatc.apps.envs.divided_vector import _join_infos
from tatc.base.errors import BadInput, TatcError

TURN, STOP = {"name": "turn", "arguments": {"direction": "left"}}, {"name": "stop"}
COUNT, STEP_COUNT = 3, 60
ENVIRONMENTS: dict[str, dict[str, Any]] = {
    FOLLOWER_ENV_ID: {"size": 16},
    FOLLOWER_SYMBOLIC_ENV_ID: {"starts": 5},
    TEXT_FOLLOWER_ENV_ID: {"max_calls": 4},
}


@pytest.fixture(scope="module")
def divided() -> Iterator[Any]:
    made = DividedVector(FOLLOWER_SYMBOLIC_ENV_ID, num_envs=COUNT, processes=2)
    yield made
    made.close()


def _children() -> set[int]:
    """Return the processes that this one has started."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(child) for path in lists for child in path.read_text().split()}


def _assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert [*one] == [*other]
        for name in one:
            _assert_same(one[name], other[name])
    elif isinstance(one, tuple):
        for each, too in zip(one, other, strict=True):
            _assert_same(each, too)
    else:
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)
        assert np.array_equal(one, other)


def _actions(homes: Any, step: int) -> Any:
    if isinstance(homes.single_action_space, gymnasium.spaces.Text):
        return [STOP if (step + i) % 7 == 0 else TURN for i in range(COUNT)]
    return homes.action_space.sample()


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_they_do_as_in_one_process(name: str) -> None:
    options = ENVIRONMENTS[name]
    ours = DividedVector(name, num_envs=COUNT, processes=2, **options)
    theirs: Any = gymnasium.make_vec(name, num_envs=COUNT, **options)
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    theirs.action_space.seed(1)
    _assert_same(ours.reset(seed=4), theirs.reset(seed=4))
    end_count = 0
    for step in range(STEP_COUNT):
        actions = _actions(theirs, step)
        found = ours.step(actions)
        _assert_same(found, theirs.step(actions))
        end_count += int((found[2] | found[3]).sum())
    assert end_count
    _assert_same(ours.reset(seed=[7, 2, 9]), theirs.reset(seed=[7, 2, 9]))
    ours.close()


def test_each_home_is_asked_by_name(divided: Any) -> None:
    divided.reset(seed=1)
    assert divided.call("render_mode") == divided.render() == (None,) * COUNT
    *_, infos = DictInfoToList(divided).step(np.zeros((COUNT, 2), int))
    assert [each["task"] for each in infos] == ["Coffee"] * COUNT


def test_what_is_wrong_is_said_in_whichever_process_it_is_found(divided: Any) -> None:
    with pytest.raises(BadInput, match="seed: should be 3 values, one for each home, is 1"):
        divided.reset(seed=[1])
    with pytest.raises(BadInput, match="unknown option 'strat'"):
        divided.reset(options={"strat": 1})
    divided.reset(seed=1)
    with pytest.raises(BadInput, match="actions: should be 3 values, one for each home, is 1"):
        divided.step([[0, 0]])
    with pytest.raises(BadInput, match="action: verb"):
        divided.step([[0, 0], [0, 0], [99, 0]])
    with pytest.raises(BadInput, match="reset_mask: cannot be given"):
        divided.reset(options={"reset_mask": np.ones(COUNT, bool)})
    for wrong in ((0, 1), (2, 3), (2, 0)):
        with pytest.raises(BadInput, match=r"^(num_envs|processes): should be"):
            DividedVector(FOLLOWER_SYMBOLIC_ENV_ID, *wrong)
    with pytest.raises(BadInput, match=r"^size: should be"):
        DividedVector(FOLLOWER_SYMBOLIC_ENV_ID, 2, 2, size=0)


def test_a_process_that_dies_is_named_and_a_reset_starts_it_anew() -> None:
    homes = DividedVector(FOLLOWER_SYMBOLIC_ENV_ID, num_envs=1, processes=1)
    others = _children()
    first = homes.reset(seed=1)
    for own in _children() - others:
        os.kill(own, signal.SIGKILL)
    with pytest.raises(TatcError, match=r"the homes are lost: its process died.*call reset"):
        homes.step(np.zeros((1, 2), int))
    _assert_same(homes.reset(seed=1), first)
    homes.close()
    assert _children() <= others


def test_infos_of_some_homes_alone_are_blank_elsewhere() -> None:
    """Environments of others may give infos at some steps alone, of arrays and dictionaries too."""
    there, name = np.ones(2, bool), np.array(["a", "b"], object)
    one = {"n": np.array([1, 2]), "_n": there, "at": np.ones((2, 3)), "of": {"name": name}}
    joined = _join_infos([{}, one], [1, 2])
    assert joined["n"].tolist() == [0, 1, 2] and joined["_n"].tolist() == [False, True, True]
    assert joined["at"].shape == (3, 3) and joined["of"]["name"].tolist() == [None, "a", "b"]
