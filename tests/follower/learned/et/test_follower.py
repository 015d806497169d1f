"""E.T. in sessions: a synthetic checkpoint plays, sees, clicks and asks."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.base.errors import BadInput
from tatc.commander import RuleCommander
from tatc.follower import PastAction
from tatc.follower.learned.et.checkpoint import write_checkpoint
from tatc.follower.learned.et.follower import VISUAL_ENCODER_FILE, OfficialFollower
from tatc.follower.learned.et.network import ET, FEATURE_SHAPE, ETSettings
from tatc.follower.learned.et.resnet import ResNet50, read_resnet, resnet_features
from tatc.follower.learned.et.vocabulary import (
    CORRECTED_VARIANT,
    ET_OBJECT_CLASSES,
    OFFICIAL_VARIANT,
    Variant,
    build_vocabulary,
)
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Role, Utterance, Verb
from tatc.home.observation import Observation, SegmentationFrame
from tatc.language import InstructionRequest, TaskDone, hear, say
from tatc.session.agents.agents import follower_factory
from tatc.session.loop import run_session
from tatc.session.session_types import SessionLimits
from tatc.session.start import start_from_room_name
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

WORDS = [[Utterance(Role.COMMANDER, "pick up the mug", 1.0)]]


def small(variant: Variant = OFFICIAL_VARIANT) -> ET:
    torch.manual_seed(1)
    count = len(build_vocabulary(WORDS, variant).words)
    settings = ETSettings(count, len(variant.actions), width=24, heads=12, feed_forward_width=24)
    return ET(settings).eval()


def always(verb: Verb, kind: str = "Mug", variant: Variant = OFFICIAL_VARIANT) -> ET:
    """Return a network that predicts one action and one class whatever it sees."""
    network = small(variant)
    with torch.no_grad():
        number = variant.actions.index(verb.value)
        network.model.emb_action.weight.fill_(-1.0)
        network.model.emb_action.weight[number] = 1.0
        network.model.dec_action.weight.zero_()
        network.model.dec_action.bias.fill_(1.0)
        network.model.dec_object.linear.bias[ET_OBJECT_CLASSES.index(kind)] = 99.0
    return network


def playing(network: ET, variant: Variant = OFFICIAL_VARIANT, *, sees: bool = True):
    words = build_vocabulary(WORDS, variant)
    return OfficialFollower(network, words, lambda _: torch.zeros(FEATURE_SHAPE), uses_masks=sees)


def told(text: str = "", sensor=None) -> Observation:
    said = (Utterance(Role.COMMANDER, text, 1.0),) if text else ()
    return Observation(said, None, None, sensor)


def mugs(size: int) -> SegmentationFrame:
    pixels = np.full((size, size), -1)
    pixels[:10, :10], pixels[100:200, 200:300] = 0, 1
    return SegmentationFrame(pixels, ("Mug", "Mug"))


def test_a_synthetic_official_checkpoint_runs_a_session(tmp_path: Path):
    words = build_vocabulary(WORDS)
    write_checkpoint(small(), words, tmp_path / "latest.pth", {"epoch": 1.0})
    opening = start_from_room_name("kitchen-01", shipped_library(), "coffee", (), 1)
    make = follower_factory(f"et-frame-blank:{tmp_path / 'latest.pth'}")
    result = run_session(
        EmbeddedSimulator(),
        opening.scene,
        opening.task,
        RuleCommander(),
        make(),
        limits=SessionLimits(steps=6, utterances=6),
    )
    done = [d for d in result.interactions if d.role is Role.FOLLOWER]
    assert hear(done[0].text or "") == InstructionRequest()
    assert all(d.verb in (*MOTION_VERBS, *INTERACTION_VERBS, Verb.TEXT) for d in done)


def test_it_asks_first_then_acts_and_stops_when_all_is_done():
    follower = playing(always(Verb.FORWARD))
    assert hear(follower.act(told()).text or "") == InstructionRequest()
    assert follower.act(told("pick up the mug")).verb is Verb.FORWARD
    assert follower.act(told()).verb is Verb.FORWARD
    assert follower.act(told(say(TaskDone()))).verb is Verb.STOP


@pytest.mark.parametrize("variant", [OFFICIAL_VARIANT, CORRECTED_VARIANT])
def test_stop_is_a_question_here(variant: Variant):
    follower = playing(always(Verb.STOP, variant=variant), variant)
    assert hear(follower.act(told("pick up the mug")).text or "") == InstructionRequest()


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


@pytest.fixture(scope="module")
def encoder() -> ResNet50:
    return ResNet50().eval()


def test_features_average_strided_groups_of_channels(encoder: ResNet50):
    found = resnet_features(encoder, np.full((900, 900, 3), 128, dtype=np.uint8))
    assert found.shape == FEATURE_SHAPE
    means, deviations = torch.tensor([[0.485, 0.456, 0.406], [0.229, 0.224, 0.225]])
    with torch.inference_mode():
        grey = (128 / 255 - means) / deviations
        whole = encoder(grey[None, :, None, None].expand(1, 3, 224, 224))[0]
    assert whole.shape == (2048, 7, 7)
    mean = (whole[7] + whole[7 + 512] + whole[7 + 1024] + whole[7 + 1536]) / 4
    assert torch.allclose(found[7], mean, atol=1e-4)


def test_an_encoder_is_read_from_a_detector_and_other_files_are_refused(
    encoder: ResNet50, tmp_path: Path
):
    path, wanted = tmp_path / VISUAL_ENCODER_FILE, encoder.state_dict()
    state = {f"backbone.body.{name}": value for name, value in wanted.items()}
    torch.save({"model": {**state, "rpn.head": torch.zeros(1)}}, path)
    found = read_resnet(path).state_dict()
    assert all(torch.equal(found[name], value) for name, value in wanted.items())
    torch.save({"conv1.weight": torch.zeros(1)}, path)
    with pytest.raises(BadInput, match=r"conv1\.weight has the shape"):
        read_resnet(path)
    path.write_bytes(b"no")
    with pytest.raises(BadInput, match="no file that torch"):
        read_resnet(path)
    with pytest.raises(BadInput, match="no such file"):
        read_resnet(tmp_path / "none.pth")


def test_it_takes_over_what_was_said_seen_and_done():
    follower = playing(always(Verb.FORWARD))
    entered = [*WORDS[0], PastAction(Verb.FORWARD), PastAction(Verb.PICKUP, "Mug")]
    follower.begin_after(entered, tuple)
    follower.act(told())
    other = playing(always(Verb.FORWARD))
    other.begin_after(WORDS[0], tuple)
    other.act(told())
    assert len(follower._features) == 3 and len(other._features) == 1
    assert follower._action_ids[:2] == [1, OFFICIAL_VARIANT.actions.index("Pickup")]


def test_a_history_without_its_frames_or_of_other_actions_is_refused():
    words = build_vocabulary(WORDS)
    look = lambda _: torch.zeros(FEATURE_SHAPE)  # noqa: E731
    follower = OfficialFollower(small(), words, look, needs_frames=True)
    with pytest.raises(BadInput, match="0 frames for 1 actions"):
        follower.begin_after([PastAction(Verb.FORWARD)], tuple)
    with pytest.raises(BadInput, match="knows no action Break"):
        playing(small()).begin_after([PastAction(Verb.BREAK, "Mug")], tuple)
