"""Many homes of the text world in one process, as one vector environment of Gymnasium."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from tatc.apps.envs.text_follower_env import TextFollowerEnv, ToolAction
from tatc.home.actions import Role
from tatc.session.tool_session import SavedState

_MAX_SEED = 2**31


class TextVectorEnv(VectorEnv[tuple[str, ...], Sequence[ToolAction], Any]):
    """So many `TextFollowerEnv`s side by side, stepped together.

    Observations are tuples of texts, actions sequences of tool calls, one for each home.  An
    episode that is over starts anew at the next step (`AutoresetMode.NEXT_STEP`), at which its
    action does not count.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(self, num_envs: int, **options: Any) -> None:
        """Make the environments; the options are those of `TextFollowerEnv`."""
        self.num_envs = num_envs
        self.envs = tuple(TextFollowerEnv(**options) for _ in range(num_envs))
        one = self.envs[0]
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = spaces.Tuple([one.observation_space] * num_envs)
        self.action_space = spaces.Tuple([one.action_space] * num_envs)
        self._is_over = [False] * num_envs

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Start all sessions; home i is drawn by the seed plus i, or by its own seed in a list."""
        seeds = (
            seed if isinstance(seed, list) else [_seed_of(seed, i) for i in range(self.num_envs)]
        )
        found = [
            env.reset(seed=s, options=options) for env, s in zip(self.envs, seeds, strict=True)
        ]
        self._is_over = [False] * self.num_envs
        return tuple(text for text, _ in found), _as_columns([info for _, info in found])

    def step(
        self, actions: Sequence[ToolAction]
    ) -> tuple[tuple[str, ...], Any, Any, Any, dict[str, Any]]:
        """Carry out one tool call in each home."""
        rows = [self._step_one(i, action) for i, action in enumerate(actions)]
        texts, rewards, done, cut, infos = zip(*rows, strict=True)
        self._is_over = [a or b for a, b in zip(done, cut, strict=True)]
        return (
            texts,
            np.array(rewards, np.float64),
            np.array(done, np.bool_),
            np.array(cut, np.bool_),
            _as_columns(infos),
        )

    def save(self, index: int) -> SavedState:
        """Return where one home's session stands; see `TextFollowerEnv.save`."""
        return self.envs[index].save()

    def restore(self, index: int, saved: SavedState) -> str:
        """Go back to where one home's session stood, and return its observation."""
        self._is_over[index] = False
        return self.envs[index].restore(saved)

    def fork(self, index: int, saved: SavedState, into: int) -> str:
        """Let home `into` go on from where home `index` stood, and return its observation."""
        forked = self.envs[index].fork(saved)
        self.envs[into].close()
        self.envs = (*self.envs[:into], forked, *self.envs[into + 1 :])
        self._is_over[into] = False
        return forked.session.text(Role.FOLLOWER)

    def state_hashes(self) -> tuple[str, ...]:
        """Return the hash of where each session stands."""
        return tuple(env.state_hash() for env in self.envs)

    def close_extras(self, **kwargs: Any) -> None:
        """Free the worlds' resources."""
        for env in self.envs:
            env.close()

    def _step_one(
        self, index: int, action: ToolAction
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        env = self.envs[index]
        if not self._is_over[index]:
            return env.step(action)
        text, info = env.reset()
        return text, 0.0, False, False, info


def _seed_of(seed: int | list[int | None] | None, index: int) -> int | None:
    return None if not isinstance(seed, int) else (seed + index) % _MAX_SEED


def _as_columns(infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the infos of all homes by name."""
    return {name: [info[name] for info in infos] for name in infos[0]}
