"""What a task still needs to be found: its objects, and tools where something is to be done."""

from dataclasses import replace

from tatc.follower.listener.internal_planner import missing_types
from tatc.home.state import Snapshot
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.follower.listener.homes import opening


def without(now: Snapshot, *types: str) -> Snapshot:
    kept = [obj for obj in now.objects if obj.objectType not in types]
    return Snapshot.from_objects(kept, now.commander, now.follower)


def test_any_knife_cuts_and_none_is_needed_once_all_is_cut() -> None:
    start = opening("sliced x", "kitchen-01", 0, "Tomato")
    sim = EmbeddedSimulator()
    sim.reset(start.scene)
    task, now = start.task, sim.snapshot()
    butter_knife = next(
        replace(obj, objectType="ButterKnife", objectId="ButterKnife|1")
        for obj in now.of_type("Knife", "ButterKnife")
    )
    bare = without(now, "Knife", "ButterKnife")
    assert missing_types(task, task.check(bare), bare) == {"Knife", "ButterKnife"}
    with_one = Snapshot.from_objects((*bare.objects, butter_knife), now.commander, now.follower)
    assert missing_types(task, task.check(with_one), with_one) == frozenset()
    tomato = next(obj for obj in bare.of_type("Tomato"))
    piece = replace(tomato, objectType="TomatoSliced", objectId="TomatoSliced|1")
    cut = Snapshot.from_objects((*bare.objects, piece), now.commander, now.follower)
    assert missing_types(task, task.check(cut), cut) == frozenset()
