"""E.T.'s own training, on a tiny network: items, losses, schedule, resuming."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.apps.training.et_training import (
    OfficialFitter,
    OfficialHyperparameters,
    TrainingItem,
    action_loss,
    class_loss,
    make_item,
)
from tatc.base.errors import BadInput
from tatc.follower.learned.et.checkpoint import read_checkpoint
from tatc.follower.learned.et.network import ET, FEATURE_SHAPE, ETSettings
from tatc.follower.learned.et.resnet import ResNet50
from tatc.follower.learned.et.vocabulary import (
    CORRECTED_VARIANT,
    ET_OBJECT_CLASSES,
    OFFICIAL_VARIANT,
    build_vocabulary,
)
from tatc.session.records import Instance, parse_instance
from tests.command_line import run_tatc


def action(name: str, oid: str | None = None) -> dict[str, object]:
    interacts = int(oid is not None)
    return {"action_name": name, "oid": oid, "obj_interaction_action": interacts}


def instance(*future: dict[str, object]) -> Instance:
    document = {
        "game_id": "a_1",
        "dialog_history": [["Commander", "slice the bread"]],
        "driver_action_history": [action("Pickup", "Knife|1|1|1")],
        "driver_actions_future": list(future),
        "pred_start_idx": 0,
        "interactions": [],
        "state_changes": {"objects": {}},
    }
    return parse_instance(document, "a_1.edh0")


BASE = instance(action("Forward"), action("Pickup", "Bread|1|1|1|BreadSliced_1"))


def item(variant=OFFICIAL_VARIANT) -> TrainingItem:
    words = build_vocabulary([BASE.dialogue], variant)
    return make_item(BASE, words, torch.rand(3, *FEATURE_SHAPE))


def tiny(variant=OFFICIAL_VARIANT) -> ET:
    torch.manual_seed(1)
    count = len(build_vocabulary([BASE.dialogue], variant).words)
    return ET(ETSettings(count, len(variant.actions), width=24, feed_forward_width=24))


def test_an_item_ends_with_a_stop_that_is_asked_for_where_it_has_a_number():
    found = item()
    names = [OFFICIAL_VARIANT.actions[number] for number in found.actions.tolist()]
    assert names == ["Pickup", "Forward", "Pickup", "Stop"]
    assert found.is_target.tolist() == [False, True, True, False]
    assert torch.equal(found.frames[-1], found.frames[-2])
    # Of a slice the whole is learned, and nothing of the history.
    assert found.classes.tolist() == [0, 0, ET_OBJECT_CLASSES.index("Bread"), 0]
    asked = item(CORRECTED_VARIANT)  # where Stop has a number of its own
    assert asked.is_target.tolist() == [False, True, True, True]
    assert int(asked.actions[-1]) != 0


def test_frames_that_do_not_fit_and_unknown_actions_are_refused():
    words = build_vocabulary([BASE.dialogue])
    with pytest.raises(BadInput, match="3 actions and 2 frames"):
        make_item(BASE, words, torch.rand(2, *FEATURE_SHAPE))
    with pytest.raises(BadInput, match="knows no action Text"):
        make_item(instance(action("Text")), words, torch.rand(2, *FEATURE_SHAPE))


def test_masked_places_count_in_the_mean_of_actions():
    logits = torch.zeros(1, 4, 18)  # every action is as likely
    targets = torch.tensor([[3, 3, 0, 0]])
    asked = torch.tensor([[False, True, True, False]])
    one = torch.log(torch.tensor(18.0)) / 4  # Stop, asked for, adds nothing
    assert action_loss(logits, targets, asked) == pytest.approx(float(one))


def test_classes_are_averaged_over_interactions_alone():
    logits = torch.zeros(1, 3, 97)
    even = float(torch.log(torch.tensor(97.0)))
    assert class_loss(logits, torch.tensor([[0, 5, 0]])) == pytest.approx(even)
    assert float(class_loss(logits, torch.zeros(1, 3, dtype=torch.int64))) == 0.0


def test_the_rate_falls_to_a_tenth_after_ten_epochs():
    fitting = OfficialFitter(tiny(), OfficialHyperparameters(epochs=11))
    rates: list[float] = []
    for _ in range(11):
        rates.append(fitting._optimiser.param_groups[0]["lr"])
        fitting.run_epoch([item()])
    assert rates == pytest.approx([1e-4] * 10 + [1e-5])


def test_a_training_learns_repeats_and_resumes_exactly(tmp_path: Path):
    items = [item()] * 3
    recipe = OfficialHyperparameters(batch=2, rate=1e-2)
    whole = OfficialFitter(tiny(), recipe)
    losses = [whole.run_epoch(items) for _ in range(4)]
    assert losses[-1] < losses[0]
    broken = OfficialFitter(tiny(), recipe)
    broken.run_epoch(items)
    broken.run_epoch(items)
    broken.save(tmp_path / "state.pt")
    again = OfficialFitter(tiny(), recipe)
    again.resume(tmp_path / "state.pt")
    assert [again.run_epoch(items), again.run_epoch(items)] == losses[2:]
    (tmp_path / "state.pt").write_bytes(b"damaged")
    with pytest.raises(BadInput, match="cannot be resumed from"):
        again.resume(tmp_path / "state.pt")


def test_a_command_trains_a_checkpoint_that_a_follower_reads(game: Path, tmp_path: Path):
    edh, out = tmp_path / "edh", tmp_path / "et"
    assert run_tatc("instances", game, "--out", edh).exit_code == 0
    first = min(edh.glob("*.json"), key=lambda path: path.stat().st_size)
    torch.manual_seed(1)
    torch.save(ResNet50().state_dict(), tmp_path / "resnet.pth")
    words = ["train-et", first, "--games", game, "--visual", tmp_path / "resnet.pth"]
    words += ["--epochs", "1", "--width", "24", "--out", out]
    done = run_tatc(*words, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["follower"] == str(out / "latest.pth")
    checkpoint = read_checkpoint(out / "latest.pth")
    assert checkpoint.variant == OFFICIAL_VARIANT and checkpoint.settings.width == 24
    assert (out / "data.vocab").exists() and (out / "visual.pth").exists()
    assert run_tatc(*words).exit_code == 0  # it is done: nothing is left to do
    assert run_tatc(*words, "--seed", "2").exit_code == 2
