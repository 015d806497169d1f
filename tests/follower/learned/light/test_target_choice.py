"""What a verb is for: what people did it to, and what is in view."""

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.follower.learned.light.history_follower import TargetChooser
from tatc.home.actions import Verb

CLASSES = ("Bread", "Fridge", "Mug")
DEEDS = (("Pickup", "Bread"), ("Pickup", "Mug"), ("Open", "Fridge"))
LOGITS = torch.tensor([0.0, 9.0, 1.0])


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
