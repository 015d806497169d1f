"""ALFRED's tests of subgoals: each is done at the end of its actions, and not before."""

from dataclasses import replace
from pathlib import Path

import pytest

from tatc.evaluation.alfred.alfred_conditions import is_subgoal_done, objects_of_subgoal
from tatc.home.state import Snapshot
from tatc.planners.grid import NavigationGrid
from tatc.session.alfred.named_actions import NamedReplay
from tatc.session.records.trajectory import Trajectory, read_trajectory
from tatc.session.records.trajectory_plan import HighAction
from tatc.session.start import load_scene
from tests.generated_trajectories import generate
from tests.session.records.sample_record import COMMANDER, FOLLOWER, make_object, sample_objects


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


def _plan(*steps: tuple[str, str | None]) -> list[HighAction]:
    return [HighAction(i, kind, (), name) for i, (kind, name) in enumerate(steps)]


def test_heating_is_about_what_is_put_down_next_or_was_picked_up_last() -> None:
    _, counter, mug, machine = (obj.objectId for obj in sample_objects())
    now = Snapshot.from_objects(sample_objects(), COMMANDER, FOLLOWER)
    put_before = ("PutObject", counter)
    taken, heated = ("PickupObject", mug), ("HeatObject", machine)
    for plan, about in (
        (_plan(put_before, put_before, put_before, heated, ("PutObject", mug), put_before), [mug]),
        (_plan(put_before, heated, ("PutObject", mug)), [mug]),
        (_plan(("PickupObject", counter), taken, ("GotoLocation", None), heated), [mug]),
        (_plan(put_before, heated), []),
    ):
        index = plan.index(next(each for each in plan if each.kind == "HeatObject"))
        assert [obj.objectId for obj in objects_of_subgoal(plan, index, now)] == about


def test_a_slice_stands_for_all_of_its_whole_the_held_one_first() -> None:
    whole = make_object("Apple", (0.1, 0.91, -1.4), (0.1, 0.1, 0.1), "sliceable", isSliced=True)
    slices = [
        replace(whole, objectId=f"{whole.objectId}|AppleSliced_{i}", objectType="AppleSliced")
        for i in range(3)
    ]
    slices[2] = replace(slices[2], isPickedUp=True)
    now = Snapshot.from_objects((*sample_objects(), whole, *slices), COMMANDER, FOLLOWER)
    recorded = "Apple|+00.12|+00.92|-01.41|AppleSliced_1"  # not quite where it is here
    found = objects_of_subgoal(_plan(("PickupObject", recorded)), 0, now)
    assert found == (slices[2], slices[0], slices[1])
    lost = objects_of_subgoal(_plan(("PickupObject", "Bread|+00.12|+00.92|-01.41")), 0, now)
    assert lost == ()
