"""Why a recorded action may have been refused."""

from dataclasses import replace

import pytest

from tatc.evaluation.fidelity.game_fidelity import RefusalCause, refusal_cause
from tatc.home.actions import Click, Verb
from tatc.home.state import AgentState, Snapshot
from tatc.session.records.recorded_steps import RecordedAttempt
from tests.sim.box_kitchen import kitchen

BODY = AgentState((0.0, 0.9, 0.0), 0.0, 30.0)
CENTRE = Click(0.5, 0.5)


def kitchen_with_held(**held: bool) -> Snapshot:
    """Return the kitchen's start with some things of a kind in the hand."""
    start = kitchen().start
    objects = [replace(obj, isPickedUp=held.get(obj.objectType, False)) for obj in start.objects]
    return Snapshot.from_objects(objects, start.commander, start.follower)


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
    now = kitchen_with_held(**{held: True}) if held else kitchen_with_held()
    assert refusal_cause(now, RecordedAttempt(0, verb, BODY, CENTRE)) is RefusalCause.WRONG_HANDS


def test_where_no_fitting_box_is_met_there_is_nothing():
    up = replace(BODY, horizon=-30.0, yaw=180.0)
    assert (
        refusal_cause(kitchen_with_held(), RecordedAttempt(0, Verb.OPEN, up, CENTRE))
        is RefusalCause.NOTHING_THERE
    )


def test_a_fitting_box_beyond_reach_is_too_far():
    fridge = next(o for o in kitchen_with_held().objects if o.objectType == "Fridge")
    x, _, z = fridge.box.center
    far = AgentState((x + 3.0, 0.9, z), 270.0, 0.0)
    assert (
        refusal_cause(kitchen_with_held(), RecordedAttempt(0, Verb.OPEN, far, CENTRE))
        is RefusalCause.TOO_FAR
    )
    near = AgentState((x + 1.0, 0.9, z), 270.0, 0.0)
    assert (
        refusal_cause(kitchen_with_held(), RecordedAttempt(0, Verb.OPEN, near, CENTRE))
        is RefusalCause.OTHER
    )


def test_a_place_fails_on_what_is_shut_or_for_want_of_room():
    fridge = next(o for o in kitchen_with_held().objects if o.objectType == "Fridge")
    x, _, z = fridge.box.center
    near = AgentState((x + 1.0, 0.9, z), 270.0, 0.0)
    place = RecordedAttempt(0, Verb.PLACE, near, CENTRE)
    assert refusal_cause(kitchen_with_held(Mug=True), place) is RefusalCause.CLOSED
    counter = RecordedAttempt(0, Verb.PLACE, BODY, Click(0.5, 0.6))
    assert refusal_cause(kitchen_with_held(Mug=True), counter) is RefusalCause.NO_SPACE
