"""E.T. in sessions: a synthetic checkpoint plays, sees, clicks and asks."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.actions import (
    INTERACTIONS,
    MOTIONS,
    Observation,
    Role,
    Segments,
    Utterance,
    Verb,
)
from tatc.agents import follower_named
from tatc.commander import RuleCommander
from tatc.errors import BadInput
from tatc.follower import Deed
from tatc.follower.et.official.checkpoint import write_checkpoint
from tatc.follower.et.official.follower import VISUAL, OfficialFollower
from tatc.follower.et.official.names import CLASSES
from tatc.follower.et.official.network import ET, FEATURES, Settings
from tatc.follower.et.official.resnet import ResNet50, features, read_resnet
from tatc.follower.et.official.variants import CORRECTED, OFFICIAL, Variant
from tatc.follower.et.official.vocabulary import vocabulary_of
from tatc.language import Done, Question, hear, say
from tatc.opening import open_room
from tatc.session import Limits, run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import shipped_library

WORDS = [[Utterance(Role.COMMANDER, "pick up the mug", 1.0)]]


def small(variant: Variant = OFFICIAL) -> ET:
    torch.manual_seed(1)
    count = len(vocabulary_of(WORDS, variant).words)
    settings = Settings(count, len(variant.actions), width=24, heads=12, feed=24)
    return ET(settings).eval()


def always(verb: Verb, kind: str = "Mug", variant: Variant = OFFICIAL) -> ET:
    """Return a network that predicts one action and one class whatever it sees."""
    network = small(variant)
    with torch.no_grad():
        number = variant.actions.index(verb.value)
        network.model.emb_action.weight.fill_(-1.0)
        network.model.emb_action.weight[number] = 1.0
        network.model.dec_action.weight.zero_()
        network.model.dec_action.bias.fill_(1.0)
        network.model.dec_object.linear.bias[CLASSES.index(kind)] = 99.0
    return network


def playing(network: ET, variant: Variant = OFFICIAL, *, sees: bool = True):
    words = vocabulary_of(WORDS, variant)
    return OfficialFollower(network, words, lambda _: torch.zeros(FEATURES), sees=sees)


def told(text: str = "", sensor=None) -> Observation:
    said = (Utterance(Role.COMMANDER, text, 1.0),) if text else ()
    return Observation(said, None, None, sensor)


def mugs(size: int) -> Segments:
    pixels = np.full((size, size), -1)
    pixels[:10, :10], pixels[100:200, 200:300] = 0, 1
    return Segments(pixels, ("Mug", "Mug"))


def test_a_synthetic_official_checkpoint_runs_a_session(tmp_path: Path):
    words = vocabulary_of(WORDS)
    write_checkpoint(small(), words, tmp_path / "latest.pth", {"epoch": 1.0})
    opening = open_room("kitchen-01", shipped_library(), "coffee", (), 1)
    make = follower_named(f"et-frame-blank:{tmp_path / 'latest.pth'}")
    result = run_session(
        EmbeddedSimulator(),
        opening.scene,
        opening.task,
        RuleCommander(),
        make(),
        limits=Limits(steps=6, words=6),
    )
    done = [d for d in result.interactions if d.role is Role.FOLLOWER]
    assert hear(done[0].text or "") == Question()
    assert all(d.verb in (*MOTIONS, *INTERACTIONS, Verb.TEXT) for d in done)


def test_it_asks_first_then_acts_and_stops_when_all_is_done():
    follower = playing(always(Verb.FORWARD))
    assert hear(follower.act(told()).text or "") == Question()
    assert follower.act(told("pick up the mug")).verb is Verb.FORWARD
    assert follower.act(told()).verb is Verb.FORWARD
    assert follower.act(told(say(Done()))).verb is Verb.STOP


@pytest.mark.parametrize("variant", [OFFICIAL, CORRECTED])
def test_stop_is_a_question_here(variant: Variant):
    follower = playing(always(Verb.STOP, variant=variant), variant)
    assert hear(follower.act(told("pick up the mug")).text or "") == Question()


def test_an_action_that_nobody_can_do_fails_in_the_world():
    follower = playing(always(Verb.NAVIGATION))
    assert follower.act(told("pick up the mug")).verb is Verb.NAVIGATION


def test_it_clicks_the_middle_of_the_largest_mask_of_its_class():
    follower = playing(always(Verb.PICKUP))
    action = follower.act(told("pick up the mug", mugs))
    assert action.verb is Verb.PICKUP and action.click is not None
    assert (action.click.x, action.click.y) == pytest.approx((249.5 / 300, 149.5 / 300))


@pytest.mark.parametrize(("kind", "sees"), [("Chair", True), ("Mug", False)])
def test_what_its_detector_cannot_find_is_clicked_at_random(kind: str, sees: bool):
    follower = playing(always(Verb.PICKUP, kind), sees=sees)
    one = follower.act(told("pick up the mug", mugs)).click
    two = follower.act(told("", mugs)).click
    follower.begin()
    again = follower.act(told("pick up the mug", mugs)).click
    assert one == again != two


def test_features_average_strided_groups_of_channels():
    network = ResNet50().eval()
    frame = np.full((900, 900, 3), 128, dtype=np.uint8)
    found = features(network, frame)
    assert found.shape == FEATURES
    with torch.inference_mode():
        grey = (128 / 255 - torch.tensor([0.485, 0.456, 0.406])) / torch.tensor(
            [0.229, 0.224, 0.225]
        )
        whole = network(grey[None, :, None, None].expand(1, 3, 224, 224))[0]
    assert whole.shape == (2048, 7, 7)
    mean = (whole[7] + whole[7 + 512] + whole[7 + 1024] + whole[7 + 1536]) / 4
    assert torch.allclose(found[7], mean, atol=1e-4)


def test_an_encoder_is_read_from_a_detector_and_other_files_are_refused(
    tmp_path: Path,
):
    network = ResNet50()
    state = {f"backbone.body.{k}": v for k, v in network.state_dict().items()}
    torch.save({"model": {**state, "rpn.head": torch.zeros(1)}}, tmp_path / VISUAL)
    found = read_resnet(tmp_path / VISUAL).state_dict()
    assert all(torch.equal(found[k], v) for k, v in network.state_dict().items())
    torch.save({"conv1.weight": torch.zeros(1)}, tmp_path / VISUAL)
    with pytest.raises(BadInput, match=r"conv1\.weight is missing or of another shape"):
        read_resnet(tmp_path / VISUAL)
    (tmp_path / VISUAL).write_bytes(b"no")
    with pytest.raises(BadInput, match="no file of plain tensors"):
        read_resnet(tmp_path / VISUAL)
    with pytest.raises(BadInput, match="no such file"):
        read_resnet(tmp_path / "none.pth")


def test_it_takes_over_what_was_said_seen_and_done():
    follower = playing(always(Verb.FORWARD))
    entered = [*WORDS[0], Deed(Verb.FORWARD), Deed(Verb.PICKUP, "Mug")]
    follower.enter(entered, tuple)
    follower.act(told())
    other = playing(always(Verb.FORWARD))
    other.enter(WORDS[0], tuple)
    other.act(told())
    assert len(follower._frames) == 3 and len(other._frames) == 1
    assert follower._actions[:2] == [1, OFFICIAL.actions.index("Pickup")]


def test_a_history_without_its_frames_or_of_other_actions_is_refused():
    words = vocabulary_of(WORDS)
    look = lambda _: torch.zeros(FEATURES)  # noqa: E731
    follower = OfficialFollower(small(), words, look, draws=True)
    with pytest.raises(BadInput, match="0 frames for 1 actions"):
        follower.enter([Deed(Verb.FORWARD)], tuple)
    with pytest.raises(BadInput, match="knows no action Break"):
        playing(small()).enter([Deed(Verb.BREAK, "Mug")], tuple)
