"""The soak of the AI2-THOR server: its checks hold, and see worlds that break them."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.soak.invariants import BrokenInvariant
from benchmarks.soak.thor_actions import CheckedWorld, draw_thor_action, play_thor_round
from tatc.apps.thorserver.thor_world import ThorWorld


def checked_world(room: str, agents: int) -> CheckedWorld:
    checked = CheckedWorld(room)
    checked.run({"action": "Initialize", "agentCount": agents})
    return checked


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=15), st.integers(1, 3))
def test_no_short_sequence_of_actions_breaks_the_world(seeds: list[int], agents: int) -> None:
    checked = checked_world("bathroom-03", agents)
    for seed in seeds:
        checked.run(draw_thor_action(checked.world, Random(seed)))
    checked.check_metadata("Pass")


@pytest.mark.parametrize("number", range(3))
def test_a_round_of_hostile_actions_breaks_nothing_and_succeeds_often(number: int) -> None:
    assert play_thor_round(2026, number, 200) > 40


PASS = {"action": "Pass"}


def break_hands(world: ThorWorld) -> None:
    [obj] = world.state.of_type("Apple")
    world.state.set_object(replace(obj, isPickedUp=True, parentReceptacles=None))


def break_places(world: ThorWorld) -> None:
    world.agents[1].state = world.agent_state


def break_a_state(world: ThorWorld) -> None:
    world.state.update_object(world.state.of_type("Floor")[0].objectId, isSliced=True)


def break_ids(world: ThorWorld) -> None:
    world.state.add_object(world.state.objects[0])


def break_a_box(world: ThorWorld) -> None:
    box = world.state.objects[0].box
    world.state.set_object(replace(world.state.objects[0], box=replace(box, size=(1, -1, 1))))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (break_hands, "are held"),
        (break_places, "in each other"),
        (break_a_state, "cannot have"),
        (break_ids, "one id twice"),
        (break_a_box, "impossible pose"),
    ],
)
def test_a_broken_world_is_seen(spoil: Any, words: str) -> None:
    checked = checked_world("kitchen-01", 2)
    checked.run(PASS)
    spoil(checked.world)
    with pytest.raises(BrokenInvariant, match=words):
        checked.run(PASS)
