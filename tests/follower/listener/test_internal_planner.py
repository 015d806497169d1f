"""The listener's own planner: what a task still needs to be found, and what is put down."""

from dataclasses import replace

import pytest

from tatc.commander.skills import appliances
from tatc.follower.listener.expected_effects import (
    expect_effects,
    expect_running,
    learn_from_refusal,
)
from tatc.follower.listener.internal_planner import MAX_PUT_DOWNS, InternalPlanner, missing_types
from tatc.home.actions import Verb
from tatc.home.percepts import PerceptionLevel
from tatc.home.refusals import RefusalCode
from tatc.home.state import ObjectState, Snapshot
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


@pytest.mark.parametrize("refused", ["a Place in the basin", "a switch that is on"])
def test_water_that_ran_at_the_start_is_turned_off_before_the_basin_is_used(refused: str) -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    dish = one_that_is("dirtyable", belief).objectId
    basin, faucet = (
        next(obj.objectId for obj in belief.objects if obj.objectType == kind)
        for kind in ("SinkBasin", "Faucet")
    )
    planner = InternalPlanner(belief, opening("coffee").task)
    rinse = (appliances.RinseIn(dish, basin),)
    in_turn = [step.step.verb for step in planner.plan_stretch(rinse)]
    assert Verb.TOGGLE_OFF not in in_turn
    if refused == "a Place in the basin":
        learn_from_refusal(belief, Verb.PLACE, basin, RefusalCode.NOT_VISIBLE)
    else:
        learn_from_refusal(belief, Verb.TOGGLE_ON, faucet, RefusalCode.NO_FITTING_TARGET)
    in_turn = [step.step.verb for step in planner.plan_stretch(rinse)]
    assert in_turn.index(Verb.TOGGLE_OFF) < in_turn.index(Verb.PLACE)
    again = InternalPlanner(belief, opening("coffee").task)
    in_turn = [step.step.verb for step in again.plan_stretch(rinse)]
    assert Verb.TOGGLE_OFF in in_turn


def test_water_that_stood_before_washes_nothing_and_what_is_below_a_basin_is_not_in_it() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    basin = next(obj for obj in belief.objects if obj.objectType == "SinkBasin")
    faucet = next(obj for obj in belief.objects if obj.objectType == "Faucet")
    dish = one_that_is("dirtyable", belief)

    def state_of(obj: ObjectState) -> ObjectState:
        return next(each for each in belief.objects if each.objectId == obj.objectId)

    below = basin.box.translate(0.0, -0.6, 0.0)
    belief.change(dish.objectId, box=below, position=below.center, isDirty=True)
    learn_from_refusal(belief, Verb.PICKUP, dish.objectId, RefusalCode.NOT_VISIBLE)
    assert not state_of(faucet).isToggled
    inside = {"box": basin.box, "position": basin.box.center}
    belief.change(dish.objectId, parentReceptacles=(basin.objectId,), **inside)
    learn_from_refusal(belief, Verb.PICKUP, dish.objectId, RefusalCode.NOT_VISIBLE)
    assert state_of(faucet).isToggled
    expect_running(belief)
    assert state_of(dish).isDirty
    for verb in (Verb.TOGGLE_OFF, Verb.TOGGLE_ON):
        expect_effects(belief, verb, faucet.objectId, None)
    expect_running(belief)
    assert not state_of(dish).isDirty
