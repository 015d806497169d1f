"""ALFRED's tests of subgoals: each is done at the end of its actions, and not before."""

from pathlib import Path

import pytest

from tatc.alfred.named_replay import NamedReplay
from tatc.planners.grid import NavigationGrid
from tatc.records.trajectory import Trajectory, read_trajectory
from tatc.scoring.alfred_subgoals import is_subgoal_done
from tatc.session.trajectory_start import load_scene
from tests.generated_trajectories import generate


@pytest.mark.parametrize("kind", ["cool", "clean"])
def test_each_subgoal_is_done_when_its_actions_are(tmp_path: Path, kind: str) -> None:
    [path] = generate(tmp_path / "set", kind, 1, seed=2)
    trajectory: Trajectory = read_trajectory(path)
    replay = NamedReplay(load_scene(path, ()).scene)
    grid = NavigationGrid.from_poses(replay.sim.reachable(), replay.start.follower.body)
    plan = trajectory.high_actions
    for i, subgoal in enumerate(plan[:-1]):
        actions = [each for each in trajectory.low_actions if each.high_index == i]
        if len(actions) > 3 or subgoal.kind != "GotoLocation":
            assert not is_subgoal_done(plan, i, replay.now, grid), subgoal.kind
        for action in actions:
            assert replay.do(action)
        assert is_subgoal_done(plan, i, replay.now, grid), subgoal.kind
    assert not is_subgoal_done(plan, len(plan) - 1, replay.now, grid)
    assert {"cool": "CoolObject", "clean": "CleanObject"}[kind] in {each.kind for each in plan}
