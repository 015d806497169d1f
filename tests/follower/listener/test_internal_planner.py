"""The listener's own planner: what a task still needs to be found, and what is put down."""

from dataclasses import replace

from tatc.follower.listener.internal_planner import MAX_PUT_DOWNS, InternalPlanner, missing_types
from tatc.home.actions import Verb
from tatc.home.state import Snapshot
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.follower.listener.homes import looked_around, one_that_is, opening


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


def test_what_is_held_at_the_end_is_put_down_after_a_few_tries_no_more() -> None:
    _, belief = looked_around()
    planner = InternalPlanner(belief, opening("coffee").task)
    assert planner.steps_to_put_down(None) == ()
    belief.hold(one_that_is("pickupable", belief).objectId)
    for _ in range(MAX_PUT_DOWNS):
        assert planner.steps_to_put_down(None)[-1].step.verb is Verb.PLACE
    assert planner.steps_to_put_down(None) == ()
