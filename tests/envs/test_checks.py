"""The checks of Gymnasium and PettingZoo, whose warnings are errors here."""

from functools import partial

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")
pytest.importorskip("pettingzoo", reason="needs the extra: gym")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from tatc.envs import FOLLOWER_ENV_ID, FOLLOWER_SYMBOLIC_ENV_ID, dialogue_v0


@pytest.mark.parametrize("render_mode", ["rgb_array", "ansi"])
def test_the_follower_alone_passes_gymnasiums_check(render_mode: str):
    made = gymnasium.make(FOLLOWER_ENV_ID, size=16, render_mode=render_mode)
    check_env(made.unwrapped)


def test_the_symbolic_follower_passes_gymnasiums_check():
    check_env(gymnasium.make(FOLLOWER_SYMBOLIC_ENV_ID, render_mode="ansi").unwrapped)


def test_turns_pass_pettingzoos_check_as_arrays():
    # Of dictionaries the check says that they are no arrays, and warns.
    api_test(dialogue_v0.env(flat=True, symbolic=True, render_mode="ansi"), 40)


@pytest.mark.filterwarnings("ignore:.*(NumPy array|should be gymnasium)")
def test_turns_pass_pettingzoos_check_as_dictionaries():
    api_test(dialogue_v0.env(size=16, render_mode="rgb_array"), 20)


@pytest.mark.parametrize("flat", [False, True])
def test_both_at_once_pass_pettingzoos_check(flat: bool):
    parallel_api_test(dialogue_v0.parallel_env(size=16, flat=flat), 30)


def test_the_same_seed_gives_the_same_session():
    seed_test(partial(dialogue_v0.env, symbolic=True), 20)
    parallel_seed_test(partial(dialogue_v0.parallel_env, symbolic=True), 20)
