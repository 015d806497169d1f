"""The checks of Gymnasium and PettingZoo, whose warnings are errors here."""

from functools import partial
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")
pytest.importorskip("pettingzoo", reason="needs the extra: gym")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from tatc.apps.envs import (
    FOLLOWER_ENV_ID,
    FOLLOWER_SYMBOLIC_ENV_ID,
    TEXT_FOLLOWER_ENV_ID,
    dialogue_v0,
)


@pytest.mark.parametrize(
    ("env_id", "options"),
    [
        (FOLLOWER_ENV_ID, {"size": 16, "render_mode": "rgb_array"}),
        (FOLLOWER_ENV_ID, {"size": 16, "render_mode": "ansi"}),
        (FOLLOWER_ENV_ID, {"size": 16, "flat": True}),
        (FOLLOWER_SYMBOLIC_ENV_ID, {"render_mode": "ansi"}),
        (FOLLOWER_SYMBOLIC_ENV_ID, {"flat": True}),
        (TEXT_FOLLOWER_ENV_ID, {"render_mode": "ansi"}),
    ],
)
def test_the_follower_passes_gymnasiums_check(env_id: str, options: dict[str, Any]):
    check_env(gymnasium.make(env_id, **options).unwrapped)


@pytest.mark.parametrize("symbolic", [False, True])
def test_turns_pass_pettingzoos_check_without_a_warning(symbolic: bool):
    api_test(dialogue_v0.env(symbolic=symbolic, size=16, render_mode="ansi"), 40)
    api_test(dialogue_v0.env(symbolic=symbolic), 4)


@pytest.mark.filterwarnings("ignore:.*(NumPy array|should be gymnasium)")
def test_turns_pass_pettingzoos_check_as_dictionaries():
    api_test(dialogue_v0.env(flat=False, size=16, render_mode="rgb_array"), 20)


@pytest.mark.parametrize("flat", [False, True])
def test_both_at_once_pass_pettingzoos_check(flat: bool):
    parallel_api_test(dialogue_v0.parallel_env(size=16, flat=flat), 30)


def test_the_same_seed_gives_the_same_session():
    seed_test(partial(dialogue_v0.env, symbolic=True), 20)
    parallel_seed_test(partial(dialogue_v0.parallel_env, symbolic=True), 20)
