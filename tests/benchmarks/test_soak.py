"""The soak's own checks: they hold in rooms, and see states that break them."""

from dataclasses import replace

import pytest

from benchmarks.soak.invariants import (
    BrokenInvariant,
    check_same,
    check_shut_in,
    check_state,
    given_in,
)
from benchmarks.soak.random_actions import (
    DrawnAction,
    check_restored,
    do_action,
    hash_in_other_process,
    play_round,
)
from tatc.home.actions import Action, Role, Verb
from tatc.home.state import ObjectState, Snapshot
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room, start_state


@pytest.fixture(scope="module")
def start() -> Snapshot:
    return start_state(load_room("kitchen-01"), 1).initial


def changed(state: Snapshot, *objects: ObjectState) -> Snapshot:
    new = {obj.objectId: obj for obj in objects}
    kept = [new.get(obj.objectId, obj) for obj in state.objects]
    return Snapshot.from_objects(kept, state.commander, state.follower)


def test_a_round_has_the_same_states_in_another_process() -> None:
    assert play_round(3, 9, (), hashed=True) == hash_in_other_process(3, 9, (), 77)


def test_a_hand_with_two_objects_or_one_that_is_elsewhere_is_seen(start: Snapshot) -> None:
    check_state(start)
    one, other = [obj for obj in start.objects if obj.affordances.pickupable][:2]
    alone = [replace(obj, isPickedUp=True, parentReceptacles=()) for obj in (one, other)]
    check_state(changed(start, alone[0]))
    with pytest.raises(BrokenInvariant, match="1 hands hold"):
        check_state(changed(start, *alone))
    with pytest.raises(BrokenInvariant, match="is held, and in"):
        table = next(obj for obj in start.objects if obj.affordances.receptacle)
        check_state(changed(start, replace(alone[0], parentReceptacles=(table.objectId,))))


@pytest.mark.parametrize("parent", ["Nothing|1", None])
def test_a_parent_that_does_not_exist_is_seen(parent: str | None, start: Snapshot) -> None:
    obj = start.objects[3]
    broken = replace(obj, parentReceptacles=(parent or obj.objectId,))
    state = changed(start, broken)
    with pytest.raises(BrokenInvariant, match="which cannot hold it"):
        check_state(state)
    check_state(state, given_in(state))  # a recorded start may say so
    with pytest.raises(BrokenInvariant, match="which cannot hold it"):
        check_state(state, given_in(start))


def test_what_is_open_is_not_shut_in(start: Snapshot) -> None:
    fridge = replace(start.of_type("Fridge")[0], isOpen=True)
    portable = [obj for obj in start.objects if obj.affordances.pickupable]
    inside = [replace(obj, parentReceptacles=(fridge.objectId,)) for obj in portable]
    check_shut_in(changed(start, fridge, *inside))


def test_states_are_the_same_only_to_the_last_digit(start: Snapshot) -> None:
    obj = start.objects[3]
    check_same(changed(start, replace(obj)), start)
    with pytest.raises(BrokenInvariant, match="instead of"):
        check_same(changed(start, replace(obj, mass=-0.0 if obj.mass == 0 else -obj.mass)), start)
    with pytest.raises(BrokenInvariant, match="instead of"):
        check_same(replace(start, objects=start.objects[1:]), start)


def test_a_restored_world_must_do_the_same_again(start: Snapshot) -> None:
    sim = EmbeddedSimulator()
    kept = sim.reset(start_state(load_room("kitchen-01"), 1))
    turn = DrawnAction(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    do_action(sim, turn)
    turned = sim.snapshot()
    check_restored(sim, kept, [(turn, turned)])
    assert sim.snapshot() == kept
    with pytest.raises(BrokenInvariant, match="instead of"):
        check_restored(sim, kept, [(turn, kept)])
