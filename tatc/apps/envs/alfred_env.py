"""ALFRED's action space as a Gymnasium environment: 13 discrete actions, with masks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import Env, spaces

from tatc.apps.envs import spaces as env_spaces
from tatc.base import arguments, errors
from tatc.evaluation.alfred.masked_session import ACTIONS, STOP, MaskedSession
from tatc.home.actions import Role
from tatc.home.body import ALFRED
from tatc.session import start

FAILURE_LIMIT = 10  # failed actions after which ALFRED's evaluation ends an episode
STEP_LIMIT = 1000  # actions after which it does
_SIDE = ALFRED.frame_pixels


class AlfredEnv(Env[Any, Any]):
    """An episode of one of ALFRED's trajectories; the Follower's body is ALFRED's.

    An action is a dictionary of `action`, an index into `ACTIONS`, and `mask`, the 300 x 300
    pixels that an interaction is meant for (all 0 for a motion).  An observation is a dictionary
    of `frame` (300, 300, 3) and `last`: how the last action went, 0 none yet, 1 failed, 2
    succeeded.  What annotators wrote stands in `info`, as `goal` and `steps`.

    The reward is the share of ALFRED's goal conditions that an action fulfils, minus the share
    that it undoes.  An episode terminates at a Stop, and is truncated after 1,000 actions or 10
    failures.  Each reset takes one of the trajectories, as its seed draws it.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        trajectories: Sequence[str | Path] = (),
        plans: Sequence[str | Path] = (),
        *,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment of `traj_data.json` files; `plans` may have other furniture for them.

        The first `reset` starts an episode; the `render_mode` is "rgb_array" or None.
        """
        self._paths = [*map(Path, arguments.texts(trajectories, "trajectories"))]
        if not self._paths:
            raise errors.UsageError("there is no trajectory to play", fix="give trajectories=[...]")
        self.render_mode = render_mode
        self._plans = arguments.texts(plans, "plans")
        self._session: MaskedSession | None = None
        frame = spaces.Box(0, 255, (_SIDE, _SIDE, 3), np.uint8)
        self.observation_space = spaces.Dict({"frame": frame, "last": spaces.Discrete(3)})
        action, mask = spaces.Discrete(len(ACTIONS)), spaces.MultiBinary((_SIDE, _SIDE))
        self.action_space = spaces.Dict({"action": action, "mask": mask})

    @property
    def session(self) -> MaskedSession:
        """The session that is played."""
        if self._session is None:
            raise errors.UsageError("there is no episode", fix="call reset first")
        return self._session

    @arguments.say_arguments
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode of a trajectory that the seed draws."""
        super().reset(seed=env_spaces.check_reset(seed, options))
        drawn = int(self.np_random.integers(len(self._paths)))
        loaded = start.load_scene(self._paths[drawn], self._plans)
        self._session = MaskedSession(loaded)
        words = loaded.trajectory.annotations
        self._words = {
            "trajectory": loaded.trajectory.key,
            "goal": words[0].goal if words else "",
            "steps": list(words[0].steps) if words else [],
        }
        self._steps = self._failures = 0
        self._met = self.session.goal_conditions().met
        return self._observe(env_spaces.NOTHING_DONE), self._info()

    def step(
        self, action: dict[str, Any]
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do an action, on what its mask means."""
        number, given = env_spaces.parts_of(action, "action", "mask")
        name = ACTIONS[env_spaces.check_part(number, len(ACTIONS), "action")]
        mask = np.asarray(given)
        if mask.shape != (_SIDE, _SIDE) or not np.isin(mask, (0, 1)).all():
            why = f"should be {_SIDE} x {_SIDE} pixels, each 0 or 1"
            raise errors.BadInput(why, where="action: mask", fix="give all 0 for a motion")
        done = self.session.step(name, mask.astype(np.bool_)).result
        self._steps += 1
        self._failures += not done.success
        counts = self.session.goal_conditions()
        gained, self._met = counts.met - self._met, counts.met
        reward = gained / counts.total if counts.total else 0.0
        is_over = name == STOP
        cut = self._steps >= STEP_LIMIT or self._failures >= FAILURE_LIMIT
        last = env_spaces.outcome_code(done)
        return self._observe(last), reward, is_over, cut and not is_over, self._info()

    def render(self) -> Any:
        """Return the agent's frame."""
        return self.session.sim.frame(Role.FOLLOWER)

    def _observe(self, last: int) -> dict[str, Any]:
        return {"frame": np.asarray(self.session.sim.frame(Role.FOLLOWER)), "last": np.int64(last)}

    def _info(self) -> dict[str, Any]:
        counts = self.session.goal_conditions()
        return {
            **self._words,
            "goal_conditions": counts.total,
            "goal_conditions_met": counts.met,
            "success": not counts.unmet,
        }
