"""Why a recorded action may have been refused."""

from dataclasses import replace

import pytest

from tatc.actions import Click, Verb
from tatc.evaluation.fidelity.causes import Cause, cause_of
from tatc.records.course import Question
from tatc.state import AgentState, Snapshot
from tests.sim.scenes import kitchen

BODY = AgentState((0.0, 0.9, 0.0), 0.0, 30.0)
NORTH = Click(0.5, 0.5)


def world(**held: bool) -> Snapshot:
    """Return the kitchen's start with some things of a kind in the hand."""
    start = kitchen().start
    things = [
        replace(thing, isPickedUp=held.get(thing.objectType, False))
        for thing in start.objects
    ]
    return Snapshot.of(things, start.commander, start.follower)


@pytest.mark.parametrize(
    "verb, held",
    [
        (Verb.PLACE, ""),
        (Verb.PICKUP, "Mug"),
        (Verb.SLICE, "Mug"),
        (Verb.SLICE, ""),
        (Verb.POUR, "Mug"),
    ],
)
def test_wrong_hands_come_first(verb: Verb, held: str):
    now = world(**{held: True}) if held else world()
    assert cause_of(now, Question(0, verb, BODY, NORTH)) is Cause.HANDS


def test_where_no_fitting_box_is_met_there_is_nothing():
    up = replace(BODY, horizon=-30.0, yaw=180.0)
    assert cause_of(world(), Question(0, Verb.OPEN, up, NORTH)) is Cause.NOTHING


def test_a_fitting_box_beyond_reach_is_too_far():
    fridge = next(o for o in world().objects if o.objectType == "Fridge")
    x, _, z = fridge.box.center
    far = AgentState((x + 3.0, 0.9, z), 270.0, 0.0)
    assert cause_of(world(), Question(0, Verb.OPEN, far, NORTH)) is Cause.FAR
    near = AgentState((x + 1.0, 0.9, z), 270.0, 0.0)
    assert cause_of(world(), Question(0, Verb.OPEN, near, NORTH)) is Cause.OTHER


def test_a_place_fails_on_what_is_shut_or_for_want_of_room():
    fridge = next(o for o in world().objects if o.objectType == "Fridge")
    x, _, z = fridge.box.center
    near = AgentState((x + 1.0, 0.9, z), 270.0, 0.0)
    place = Question(0, Verb.PLACE, near, NORTH)
    assert cause_of(world(Mug=True), place) is Cause.CLOSED
    counter = Question(0, Verb.PLACE, BODY, Click(0.5, 0.6))
    assert cause_of(world(Mug=True), counter) is Cause.ROOM
