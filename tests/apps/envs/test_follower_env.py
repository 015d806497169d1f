"""The Follower's environment: rewards, words, clicks by type, the end."""

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import gymnasium
import numpy as np

from tatc.apps.envs import (
    FOLLOWER_ENV_ID,
    FOLLOWER_SYMBOLIC_ENV_ID,
    TEXT_FOLLOWER_ENV_ID,
    dialogue_v0,
)
from tatc.apps.envs.spaces import (
    DIALOGUE_ENV_VERBS,
    FAILED,
    FOLLOWER_ENV_VERBS,
    OBJECT_TYPES,
    SUCCEEDED,
    fit_text_space,
    flat_action,
    named_types,
    parse_flat_action,
)
from tatc.apps.envs.symbolic_view import VIEW_SIDE_PIXELS, symbolic_view, type_rows_with_numpy
from tatc.base.errors import BadInput
from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.state import AgentState, Snapshot
from tatc.language import Stretch, hear
from tatc.session.session_types import SessionLimits


def act(verb: Verb, click=(0.0, 0.0), text: str = "") -> dict[str, object]:
    return {"verb": FOLLOWER_ENV_VERBS.index(verb), "click": click, "text": text}


def test_doing_what_is_said_earns_all_there_is_to_earn():
    env = gymnasium.make(FOLLOWER_ENV_ID, task="coffee", size=8)
    seen, info = env.reset(seed=3)
    met, earned, done, queue = info["goal_conditions_met"], 0.0, False, []
    for _ in range(300):
        if not queue:
            seen, reward, done, cut, info = env.step(act(Verb.TEXT, text="What should I do next?"))
            heard = hear(seen["heard"])
            queue = list(heard.steps) if isinstance(heard, Stretch) else []
        else:
            step = queue.pop(0)
            click = (step.click.x, step.click.y) if step.click else (0.0, 0.0)
            seen, reward, done, cut, info = env.step(act(step.verb, click))
        earned += reward
        if done or cut:
            break
    assert done and info["success"]
    total = info["goal_conditions"]
    assert earned == pytest.approx((total - met) / total)


def test_a_failed_action_is_seen_as_such_and_stop_ends_an_episode_which_a_limit_cuts_short():
    env = gymnasium.make(FOLLOWER_ENV_ID, size=8)
    env.reset(seed=1)
    seen, *_ = env.step(act(Verb.PLACE, (0.5, 0.5)))
    assert seen["last"] == FAILED and seen["message"] == "hand empty"
    assert env.step(act(Verb.TURN_LEFT))[0]["last"] == SUCCEEDED
    assert env.step(act(Verb.STOP))[2:4] == (True, False)
    env = gymnasium.make(FOLLOWER_ENV_ID, size=8, limits=SessionLimits(steps=2))
    env.reset(seed=1)
    ends = [env.step(act(Verb.TURN_LEFT))[2:4] for _ in range(3)]
    assert (True, False) not in ends and (False, True) in ends


def test_a_symbolic_click_is_on_the_type_that_is_named():
    env = gymnasium.make(FOLLOWER_SYMBOLIC_ENV_ID, room="kitchen-03")
    seen, _ = env.reset(seed=1)
    turn = np.array([FOLLOWER_ENV_VERBS.index(Verb.TURN_LEFT), 0])
    for _ in range(4):
        kinds = np.flatnonzero(seen["view"][:, 0])
        if len(kinds):
            break
        seen, *_ = env.step(turn)
    assert len(kinds)
    _, x, y = seen["view"][kinds[0]]
    play = env.unwrapped.episode
    env.step(np.array([FOLLOWER_ENV_VERBS.index(Verb.PICKUP), kinds[0] + 1]))
    done = [each for each in play.session.result().interactions if each.click]
    assert (done[-1].click.x, done[-1].click.y) == pytest.approx((x, y))
    seen, *_ = env.step(np.array([FOLLOWER_ENV_VERBS.index(Verb.PICKUP), 0]))
    assert seen["last"] == FAILED, "no type is named"


def test_a_symbolic_view_says_what_each_pixel_shows_after_whatever_was_done():
    env = gymnasium.make(FOLLOWER_SYMBOLIC_ENV_ID, room="kitchen-03")
    seen, _ = env.reset(seed=2)
    play, rng = env.unwrapped.episode, np.random.default_rng(2)
    for _ in range(60):
        shown = play._sim.segments(Role.FOLLOWER, VIEW_SIDE_PIXELS)
        for row, kind in enumerate(OBJECT_TYPES):
            masks = [shown.pixels == i for i, each in enumerate(shown.types) if each == kind]
            share, x, y = seen["view"][row]
            assert share == pytest.approx(sum(mask.mean() for mask in masks))
            if masks:
                largest = max(masks, key=lambda mask: mask.sum())
                ys, xs = (at + 0.5 for at in np.nonzero(largest))
                gaps = (xs - xs.mean()) ** 2 + (ys - ys.mean()) ** 2
                at = np.array([x, y]) * VIEW_SIDE_PIXELS - (xs.mean(), ys.mean())
                assert (at**2).sum() == pytest.approx(gaps.min(), abs=1e-4)
        kinds = np.flatnonzero(seen["view"][:, 0])
        kind = rng.choice(kinds) + 1 if len(kinds) else 0
        seen, _, done, cut, _ = env.step(np.array([rng.integers(8, len(FOLLOWER_ENV_VERBS)), kind]))
        seen["view"][:] = -1.0  # which is the caller's own
        seen, _, done, cut, _ = env.step(np.array([rng.integers(0, 8), 0]))
        if done or cut:
            seen, _ = env.reset()


def test_the_turn_goes_over_with_words_and_only_then():
    env = dialogue_v0.env(symbolic=True, flat=False)
    env.reset(seed=1)
    follower, commander = dialogue_v0.FOLLOWER_NAME, dialogue_v0.COMMANDER_NAME

    def do(verb: Verb, text: str = "") -> None:
        click = np.zeros(2, np.float32)
        verb_number = DIALOGUE_ENV_VERBS.index(verb)
        env.step({"verb": verb_number, "click": click, "text": text})

    assert env.agent_selection == follower
    do(Verb.TURN_LEFT)
    assert env.agent_selection == follower
    do(Verb.TEXT, "Where to?")
    assert env.agent_selection == commander
    assert env.observe(commander)["heard"] == "Where to?"
    do(Verb.OPEN_PROGRESS_CHECK)
    assert env.agent_selection == commander
    assert '"success": 0' in env.observe(commander)["progress"]
    assert env.observe(follower)["progress"] == env.observe(follower)["task"] == ""
    do(Verb.PICKUP)  # not the Commander's to do
    assert env.episode.last_results[Role.FOLLOWER].success
    do(Verb.TEXT, "Left.")
    assert env.agent_selection == follower
    assert env.observe(follower)["heard"] == "Left."


def test_an_action_comes_back_from_its_array_and_a_text_is_cut_to_what_the_space_holds():
    for verb in range(len(DIALOGUE_ENV_VERBS)):
        came = parse_flat_action(flat_action(verb, (0.25, 0.5), "Pickup Mug at 0.5 0.6"))
        assert came["verb"] == verb and came["text"] == "Pickup Mug at 0.5 0.6"
        assert came["click"].tolist() == [0.25, 0.5]

    assert fit_text_space("caf\u00e9") == "caf?"
    assert len(fit_text_space("x" * 9999)) == 2000


def test_named_types_are_those_of_whole_names_in_either_spelling():
    def named(text: str) -> set[str]:
        return {OBJECT_TYPES[i] for i in np.flatnonzero(named_types(text))}

    assert named("put the potato in the coffee machine") == {"Potato", "CoffeeMachine"}
    assert named("ToggleOn CoffeeMachine at 0.95 0.60") == {"CoffeeMachine"}
    assert named("") == set()


def test_a_flat_observation_has_what_was_named_and_an_action_has_a_pixel():
    env = gymnasium.make(FOLLOWER_ENV_ID, size=8, flat=True, wording="goals")
    seen, _ = env.reset(seed=1)
    ask = FOLLOWER_ENV_VERBS.index(Verb.TEXT)
    asked, *_ = env.step(np.array([ask, 0, 0]))
    space = env.unwrapped._wordless_space
    heard, silent = (gymnasium.spaces.unflatten(space, each)["named"] for each in (asked, seen))
    assert heard[OBJECT_TYPES.index("Mug")] == 1 and not silent.any()
    action = env.unwrapped._parse_action(np.array([FOLLOWER_ENV_VERBS.index(Verb.PICKUP), 7, 0]))
    assert action == Action(Verb.PICKUP, Click(7.5 / 8, 0.5 / 8))


def test_both_ways_give_the_same_rows():
    pytest.importorskip("numba", reason="needs the extra: fast")
    from tatc.apps.envs.compiled_symbolic_view import type_rows

    rng = np.random.default_rng(5)
    for _ in range(40):
        count, known = 9, 4
        pixels = np.kron(rng.integers(-1, count, (8, 8)), np.ones((3, 3), np.int64))
        pixels.ravel()[:count] = np.arange(count)
        pixels = np.where(pixels < 0, pixels, rng.permutation(count)[pixels])
        own_rows = rng.integers(0, known + 1, count)  # some of no known type
        given = pixels.astype(np.int32), own_rows, known
        assert type_rows(*given).tobytes() == type_rows_with_numpy(*given).tobytes()
    nowhere = AgentState((0.0, 0.9, 0.0), 0.0, 0.0)
    nothing = np.full((4, 4), -1, np.int32), Snapshot.from_objects((), nowhere, nowhere)
    assert not symbolic_view(*nothing).any()


def test_flat_frames_show_what_full_ones_do_in_a_colour_each():
    envs = {
        quality: gymnasium.make(FOLLOWER_ENV_ID, room="kitchen-02", size=60, quality=quality)
        for quality in ("full", "flat")
    }
    seen = {quality: env.reset(seed=4)[0] for quality, env in envs.items()}
    assert np.array_equal(seen["full"]["mask"], seen["flat"]["mask"])
    colours = {
        quality: np.unique(each["frame"].reshape(-1, 3), axis=0) for quality, each in seen.items()
    }
    assert (
        len(np.unique(seen["flat"]["mask"])) - 1 <= len(colours["flat"]) < 40 < len(colours["full"])
    )
    with pytest.raises(BadInput, match="quality"):
        gymnasium.make(FOLLOWER_ENV_ID, quality="high")


@pytest.mark.parametrize("env_id", [FOLLOWER_SYMBOLIC_ENV_ID, TEXT_FOLLOWER_ENV_ID])
def test_so_many_starts_are_drawn_once_and_played_again_by_all(env_id: str):
    envs = [gymnasium.make(env_id, room="kitchen-03", starts=2).unwrapped for _ in range(2)]
    for env in envs:
        env._draw = env.episode._draw if env_id == FOLLOWER_SYMBOLIC_ENV_ID else env._draw
    first, second = (envs[0]._draw(seed) for seed in (0, 1))
    assert first.scene != second.scene
    assert all(env._draw(seed) is (first, second)[seed % 2] for env in envs for seed in (4, 7))
    starts = {str(envs[0].reset(seed=seed)[0]) for seed in range(12)}
    assert len(starts) == 2
    for wrong in (0, "many"):
        with pytest.raises(BadInput, match="starts"):
            gymnasium.make(env_id, starts=wrong)
