"""The light Follower that recalls: what it reads, and how it goes on after failures."""

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.follower import PastAction, ResumableFollower
from tatc.follower.learned import InputMode
from tatc.follower.learned.checkpoint import new_model
from tatc.follower.learned.light.history_follower import (
    MAX_EVENTS,
    MAX_FAILED_CLICKS,
    HistoryFollower,
    Odometry,
    TargetChooser,
    held_type,
    history_text,
)
from tatc.follower.learned.light.network import LightNetwork
from tatc.follower.learned.light.network_inputs import NETWORK_VERBS
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Role, Utterance, Verb
from tatc.home.observation import Observation, ObservedResult
from tatc.home.refusals import RefusalCode
from tatc.language import InstructionRequest, TaskDone, hear, say

OK, NO = ObservedResult(True), ObservedResult(False, RefusalCode.PATH_BLOCKED)
ORDER = Utterance(Role.COMMANDER, "It's the RED mug, 2nd drawer!", 1.0)
REPLY = Utterance(Role.FOLLOWER, "okay", 2.0)
CLASSES = ("Bread", "Fridge", "Mug")
DEEDS = (("Pickup", "Bread"), ("Pickup", "Mug"), ("Open", "Fridge"))
LOGITS = torch.tensor([0.0, 9.0, 1.0])


def follower(*favourites: Verb, form: InputMode = InputMode.FULL) -> HistoryFollower:
    """Return one that likes these verbs best, in order, whatever it hears and sees."""
    torch.manual_seed(1)
    light = new_model(LightNetwork, ("mug", "told"), ("Fork", "Mug"), width=8, feed=8, recalls=True)
    with torch.no_grad():
        light.network.next_action.weight.zero_()
        light.network.next_action.bias.zero_()
        for i, verb in enumerate(favourites):
            light.network.next_action.bias[NETWORK_VERBS.index(verb)] = 90.0 - 30 * i
        light.network.next_class.bias[3] = 99.0  # a mug
    light.network.eval()
    return HistoryFollower(light, form)


def see(*said: Utterance, last: ObservedResult | None = None) -> Observation:
    return Observation(said, last)


def test_the_newest_is_read_first_and_motions_are_left_out():
    events = [ORDER, PastAction(Verb.FORWARD), PastAction(Verb.PICKUP, "Mug"), REPLY]
    assert history_text(events) == (
        "holding Mug, said okay, did pickup mug, told its the red mug 2nd drawer"
    )
    assert history_text([]) == "holding nothing"


def test_without_words_it_knows_who_spoke_and_what_it_did():
    events = [ORDER, PastAction(Verb.PICKUP, "Mug"), REPLY]
    assert history_text(events, include_words=False) == "holding Mug, said, did pickup mug, told"
    mine = follower(Verb.FORWARD, form=InputMode.VISION_ONLY)
    assert mine.act(see(ORDER)).verb is Verb.FORWARD


def test_the_first_orders_are_recalled_however_long_ago_they_were():
    done = [PastAction(Verb.OPEN, "Drawer"), PastAction(Verb.CLOSE, "Drawer")] * MAX_EVENTS
    phrases = history_text([REPLY, ORDER, *done]).split(", ")
    assert len(phrases) == 1 + MAX_EVENTS + 1
    assert phrases[-1].startswith("told its the red mug")


@pytest.mark.parametrize(
    ("deeds", "holds"),
    [
        ([], "nothing"),
        ([PastAction(Verb.PICKUP, "Mug"), PastAction(Verb.OPEN, "Fridge")], "Mug"),
        ([PastAction(Verb.PICKUP, "Mug"), PastAction(Verb.PLACE, "Fridge")], "nothing"),
    ],
)
def test_what_is_held_follows_from_what_was_done(deeds, holds):
    assert held_type(deeds) == holds


def test_it_takes_a_session_over_and_knows_what_its_hand_holds():
    mine = follower(Verb.PICKUP, Verb.PLACE)
    assert isinstance(mine, ResumableFollower)
    mine.begin_after([ORDER, PastAction(Verb.PICKUP, "Mug")], tuple)
    assert mine.act(see()).verb is Verb.PLACE
    mine.begin_after([ORDER], tuple)
    assert mine.act(see()).verb is Verb.PICKUP


def test_without_an_order_it_asks_and_when_all_is_done_it_stops():
    mine = follower(Verb.FORWARD)
    assert hear(mine.act(see()).text or "") == InstructionRequest()
    assert mine.act(see(ORDER)).verb is Verb.FORWARD
    over = Utterance(Role.COMMANDER, say(TaskDone()), 3.0)
    assert mine.act(see(over, last=OK)).verb is Verb.STOP


def test_it_is_done_only_after_it_has_done_something():
    mine = follower(Verb.TEXT, Verb.OPEN)
    assert mine.act(see(ORDER)).verb is Verb.OPEN
    assert [mine.act(see(last=OK)).verb for _ in range(3)] == [Verb.TEXT] * 3


def test_what_failed_is_not_tried_again_from_the_same_place():
    mine = follower(Verb.OPEN, Verb.FORWARD)
    done = [mine.act(see(ORDER)).verb]
    done += [mine.act(see(last=NO)).verb for _ in range(MAX_FAILED_CLICKS + 1)]
    assert done[:MAX_FAILED_CLICKS] == [Verb.OPEN] * MAX_FAILED_CLICKS
    assert done[MAX_FAILED_CLICKS] is Verb.FORWARD
    assert done[MAX_FAILED_CLICKS + 1] not in (Verb.OPEN, Verb.FORWARD)


def test_it_does_not_turn_in_circles_for_ever():
    mine = follower(Verb.TURN_LEFT)
    done = [mine.act(see(ORDER)).verb]
    for _ in range(400):
        if done[-1] is Verb.TEXT:
            break
        done.append(mine.act(see(last=OK)).verb)
    assert done[-1] is Verb.TEXT or set(done) & set(INTERACTION_VERBS)
    assert any(verb in MOTION_VERBS for verb in done)


def test_whereabouts_are_reckoned_from_motions():
    square = [Verb.FORWARD, Verb.TURN_RIGHT] * 4
    at = Odometry()
    for verb in [*square, Verb.PAN_LEFT, Verb.PAN_RIGHT, Verb.LOOK_UP, Verb.LOOK_DOWN]:
        at = at.after(verb)
    assert at == Odometry()
    assert at.after(Verb.TURN_LEFT).after(Verb.FORWARD) == Odometry(-1, 0, 3)


def test_a_verb_is_for_what_people_did_it_to():
    found = TargetChooser(CLASSES, DEEDS).choose(Verb.PICKUP, LOGITS, None, {})
    assert found is not None and found.object_type == "Mug"
    assert found.logit_change == pytest.approx(0.0, abs=1e-6)
    assert TargetChooser(CLASSES, DEEDS).choose(Verb.SLICE, LOGITS, None, {}) is None
    anything = TargetChooser(CLASSES, ()).choose(Verb.SLICE, LOGITS, None, {})
    assert anything is not None and anything.object_type == "Fridge"


def test_it_is_for_what_is_in_view_and_less_likely_the_less_that_is():
    aiming = TargetChooser(CLASSES, DEEDS)
    found = aiming.choose(Verb.PICKUP, LOGITS, {"Bread", "Fridge"}, {})
    assert found is not None and found.object_type == "Bread"
    share = torch.softmax(LOGITS[[0, 2]], 0)[0]
    assert found.logit_change == pytest.approx(float(share.log()), abs=1e-5)
    assert aiming.choose(Verb.PICKUP, LOGITS, {"Fridge"}, {}) is None


def test_what_was_done_already_is_done_less():
    tired = {(Verb.PICKUP, "Mug"): 2.0, (Verb.PICKUP, "Bread"): 0.5}
    found = TargetChooser(CLASSES, DEEDS).choose(Verb.PICKUP, LOGITS, None, tired)
    assert found is not None and found.object_type == "Bread"
    assert found.logit_change == pytest.approx(-0.5, abs=1e-5)
