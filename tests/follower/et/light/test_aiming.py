"""What a verb is for: what people did it to, and what is in view."""

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.actions import Verb
from tatc.follower.et.light.aiming import Aiming

CLASSES = ("Bread", "Fridge", "Mug")
DEEDS = (("Pickup", "Bread"), ("Pickup", "Mug"), ("Open", "Fridge"))
LOGITS = torch.tensor([0.0, 9.0, 1.0])


def test_a_verb_is_for_what_people_did_it_to():
    found = Aiming(CLASSES, DEEDS).at(Verb.PICKUP, LOGITS, None, {})
    assert found is not None and found.noun == "Mug"
    assert found.odds == pytest.approx(0.0, abs=1e-6)
    assert Aiming(CLASSES, DEEDS).at(Verb.SLICE, LOGITS, None, {}) is None
    anything = Aiming(CLASSES, ()).at(Verb.SLICE, LOGITS, None, {})
    assert anything is not None and anything.noun == "Fridge"


def test_it_is_for_what_is_in_view_and_less_likely_the_less_that_is():
    aiming = Aiming(CLASSES, DEEDS)
    found = aiming.at(Verb.PICKUP, LOGITS, {"Bread", "Fridge"}, {})
    assert found is not None and found.noun == "Bread"
    share = torch.softmax(LOGITS[[0, 2]], 0)[0]
    assert found.odds == pytest.approx(float(share.log()), abs=1e-5)
    assert aiming.at(Verb.PICKUP, LOGITS, {"Fridge"}, {}) is None


def test_what_was_done_already_is_done_less():
    tired = {(Verb.PICKUP, "Mug"): 2.0, (Verb.PICKUP, "Bread"): 0.5}
    found = Aiming(CLASSES, DEEDS).at(Verb.PICKUP, LOGITS, None, tired)
    assert found is not None and found.noun == "Bread"
    assert found.odds == pytest.approx(-0.5, abs=1e-5)
