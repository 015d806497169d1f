"""What policies and configurations send: numbers of every type, and what is wrong by its part."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import gymnasium
from gymnasium.wrappers.vector import DictInfoToList

from tatc.apps import envs
from tatc.apps.envs import dialogue_v0, spaces
from tatc.base.errors import BadInput

PICK_UP = [verb.name for verb in spaces.FOLLOWER_ENV_VERBS].index("PICKUP")
TEXT_VERB = len(spaces.FOLLOWER_ENV_VERBS) - 1


def _click(*numbers: Any, verb: Any = PICK_UP, text: Any = "") -> dict[str, Any]:
    return {"verb": verb, "click": np.array(numbers), "text": text}


@pytest.fixture(scope="module")
def homes() -> dict[str, Any]:
    made = {
        "words": envs.FollowerEnv(size=16),
        "symbolic": envs.FollowerEnv(symbolic=True),
        "flat": envs.FollowerEnv(flat=True, size=16),
    }
    for env in made.values():
        env.reset(seed=np.int64(1))
    return made


@pytest.mark.parametrize(
    ("home", "action", "part"),
    [
        ("words", _click(np.nan, 0.5), "click"),
        ("words", _click(0.5, np.inf), "click"),
        ("words", _click(-0.1, 0.5), "click"),
        ("words", _click(0.5, 1.5), "click"),
        ("words", _click(0.5), "click"),
        ("words", _click(0.5, 0.5, verb=-1), "verb"),
        ("words", _click(0.5, 0.5, verb=2.5), "verb"),
        ("words", _click(0.5, 0.5, verb=True), "verb"),
        ("words", _click(0.5, 0.5, verb=TEXT_VERB, text=3), "text"),
        ("words", {"verb": PICK_UP, "text": ""}, "action"),
        ("words", None, "action"),
        ("symbolic", (99, 0), "verb"),
        ("symbolic", (-1, 0), "verb"),
        ("symbolic", (PICK_UP, 9999), "type"),
        ("symbolic", (PICK_UP, np.nan), "type"),
        ("symbolic", (PICK_UP,), "action"),
        ("flat", (PICK_UP, 16, 0), "column"),
        ("flat", (PICK_UP, 0, -1), "row"),
    ],
)
def test_an_action_out_of_its_space_names_the_part(
    homes: dict[str, Any], home: str, action: Any, part: str
) -> None:
    with pytest.raises(BadInput, match=rf"^action(: {part})?: ") as caught:
        homes[home].step(action)
    assert part in str(caught.value)


@pytest.mark.parametrize("size", [0, -3, 1.5, np.nan, True, "9", 10**9])
@pytest.mark.parametrize("make", [envs.FollowerEnv, dialogue_v0.env, dialogue_v0.parallel_env])
def test_a_size_is_refused_when_the_environment_is_made(make: Any, size: Any) -> None:
    with pytest.raises(BadInput, match=r"^size: should be"):
        make(size=size)


@pytest.mark.parametrize(("place", "part"), [(0, "verb"), (2, "click"), (7, "text")])
@pytest.mark.parametrize("value", [np.nan, -0.5, 1.5])
def test_a_flat_action_of_the_dialogue_too(place: int, part: str, value: float) -> None:
    action = spaces.flat_action(0)
    action[place] = value
    with pytest.raises(BadInput, match=f"^action: {part}: should be a number from 0 to 1"):
        spaces.parse_flat_action(action)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (5, "options: should be a dictionary or None, is 5"),
        ([1], r"options: should be a dictionary or None, is \[1\]"),
        ({"star": 1}, "options: unknown option 'star'"),
        ({"start": 1}, "options: (start: should be|unknown option 'start')"),
    ],
)
def test_options_of_a_reset_are_checked(homes: dict[str, Any], options: Any, why: str) -> None:
    for home in (*homes.values(), envs.AlfredEnv("none")):
        with pytest.raises(BadInput, match=f"^{why}"):
            home.reset(options=options)


def test_errors_name_arguments_and_not_options() -> None:
    for make in (envs.FollowerEnv, envs.TextFollowerEnv):
        with pytest.raises(BadInput, match=r"^commander: .* another commander="):
            make(commander="me").reset()
        with pytest.raises(BadInput, match=r"needs a model to ask|leave out wording= or"):
            make(commander="llm").reset()
        make(commander="speaker").reset(seed=1)
    with pytest.raises(BadInput, match=r"^task: should be a name, .*, is 102.0"):
        dialogue_v0.env(task=102.0).reset()
    with pytest.raises(BadInput, match=r"name a task with task=, or a game="):
        dialogue_v0.parallel_env(task=None).reset()


def test_infos_of_a_vector_are_gymnasiums() -> None:
    homes = gymnasium.make_vec("tatc/TextFollower-v0", num_envs=2)
    _, infos = homes.reset(seed=1)
    assert infos["goal_share"].dtype == float and infos["_goal_share"].tolist() == [True, True]
    assert infos["task"].tolist() == ["Coffee", "Coffee"]
    *_, after = DictInfoToList(homes).step(
        ['{"name": "turn", "arguments": {"direction": "left"}}'] * 2
    )
    assert [sorted(each) for each in after] == [["goal_share", "place", "task"]] * 2


@pytest.mark.parametrize("calls", [0, np.nan, "5", None])
def test_calls_have_a_limit(calls: Any) -> None:
    with pytest.raises(BadInput, match=r"^max_calls: should be"):
        envs.TextFollowerEnv(max_calls=calls)


@pytest.mark.parametrize("actions", [None, {}, {"commander_0": spaces.flat_action(0)}])
def test_both_agents_give_actions(actions: Any) -> None:
    both = dialogue_v0.parallel_env(symbolic=True)
    both.reset(seed=1)
    with pytest.raises(BadInput, match=r"^action: should be a dictionary of follower_1"):
        both.step(actions)


def test_one_trajectory_is_one_path() -> None:
    with pytest.raises(BadInput, match=r"^none\.json: there is no such file"):
        envs.AlfredEnv("none.json", "plans.json").reset()
