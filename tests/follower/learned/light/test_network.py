"""The light network scores a history step by step as it does at once."""

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.follower.learned.light.network import (
    LanguageBatch,
    LightNetwork,
    LightNetworkSizes,
    StepBatch,
)
from tatc.follower.learned.light.network_inputs import action_history, encode_text
from tatc.home.actions import Verb


def test_the_same_is_decided_step_by_step_and_at_once():
    """The Follower keeps what it has seen; a batch sees all: both score alike."""
    torch.manual_seed(1)
    network = LightNetwork(LightNetworkSizes(5, 4, width=8, feed=8)).eval()
    told = encode_text("walk one step, mug", {"mug": 3, "walk": 4})
    words = told.words, told.phrases, told.positions, told.repeat_counts
    language = LanguageBatch(*(torch.tensor([row]) for row in words))
    done = action_history([Verb.FORWARD, Verb.FORWARD, Verb.TURN_LEFT])
    maps = torch.randint(0, 4, (1, 4, 32, 32))
    rows = [torch.tensor([r]) for r in (done.actions, done.runs, done.repeats)]
    whole = network(language, StepBatch(*rows, maps))
    part = network(language, StepBatch(*(r[:, :2] for r in rows), maps[:, :2]))
    assert torch.allclose(whole.actions[:, :2], part.actions, atol=1e-5)
    assert torch.allclose(whole.cells[:, :2], part.cells, atol=1e-5)
