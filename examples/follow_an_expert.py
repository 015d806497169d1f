"""A small model for ALFRED's evaluation loop, on tatc's world in place of AI2-THOR.

It does what the expert of a trajectory did: each action by name, each interaction by the recorded
mask.  A model of your own would choose both from `env.last_event.frame` and the words.

    tatc alfred generate --rooms --type heat --count 1 --out heat/
    python examples/follow_an_expert.py heat/*/*/traj_data.json

Recorded trajectories also need the furniture that ALFRED's files leave out:

    python examples/follow_an_expert.py traj_data.json --plans ai2thor-object-metadata.json
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tatc.evaluation.alfred.thor_env import ThorEnv

SIDE = 300
MAX_FAILS = 10


class ExpertFollower:
    """The model: one action and one mask at a time."""

    def __init__(self, trajectory: dict[str, Any]) -> None:
        """Take the expert's actions."""
        self._actions: Iterator[dict[str, Any]] = iter(trajectory["plan"]["low_actions"])

    def step(self, frame: np.ndarray) -> tuple[str, np.ndarray | None]:
        """Return the next action for a frame, and its mask, None for a motion."""
        action = next(self._actions, None)
        if action is None:
            return "Stop", None
        done = action["discrete_action"]
        return done["action"], mask_of_runs(done["args"].get("mask"))


def mask_of_runs(runs: list[list[int]] | None) -> np.ndarray | None:
    """Return a mask of the frame from ALFRED's runs of pixels."""
    if runs is None:
        return None
    pixels = np.zeros(SIDE * SIDE, dtype=bool)
    for start, length in runs:
        pixels[start : start + length] = True
    return pixels.reshape(SIDE, SIDE)


def evaluate(env: ThorEnv, trajectory: dict[str, Any]) -> tuple[bool, int]:
    """Play a trajectory as ALFRED's evaluation does; return if it was solved, and the steps."""
    scene = trajectory["scene"]
    env.reset(scene["floor_plan"])
    env.restore_scene(scene["object_poses"], scene["object_toggles"], scene["dirty_and_empty"])
    env.step(dict(scene["init_action"]))
    env.set_task(trajectory, None, reward_type="dense")
    model, steps, fails = ExpertFollower(trajectory), 0, 0
    while fails < MAX_FAILS:
        action, mask = model.step(env.last_event.frame)
        if action == "Stop":
            break
        success, *_ = env.va_interact(action, interact_mask=mask, smooth_nav=False)
        steps, fails = steps + 1, fails + (not success)
        env.get_transition_reward()
    return env.get_goal_satisfied(), steps


def main() -> None:
    """Evaluate the model on the trajectories named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trajectories", nargs="+", type=Path)
    parser.add_argument("--plans", action="append", default=[])
    given = parser.parse_args()
    env = ThorEnv(plans=given.plans)
    for path in given.trajectories:
        solved, steps = evaluate(env, json.loads(path.read_text("utf-8")))
        met, total = env.get_goal_conditions_met()
        done = env.get_subgoal_idx() + 1
        print(
            f"{path.parent.name}: {'solved' if solved else 'not solved'} in {steps} steps, "
            f"{met} of {total} goal conditions, {done} subgoals"
        )


if __name__ == "__main__":
    main()
