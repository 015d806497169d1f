"""E.T.'s network: the names, shapes and number of the published weights, its mask."""

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.follower.learned.et.network import (
    ET,
    FEATURE_SHAPE,
    ETSettings,
    PositionalEncoding,
    attention_mask,
)
from tatc.follower.learned.et.vocabulary import DETECTOR_LABELS, EDH_ACTIONS, ET_OBJECT_CLASSES

WORDS, ACTIONS_EDH = 1000, 18
SMALL = ETSettings(word_count=30, action_count=18, width=24, heads=2, feed_forward_width=8)


def published() -> dict[str, tuple[int, ...]]:
    """Return the state dict that the spec lists (7.4, 7.6), of 1,000 words."""
    d, top = 768, "model."
    shapes: dict[str, tuple[int, ...]] = {f"{top}embs_ann.edh.weight": (WORDS, d)}
    for encoder in ("encoder_lang.enc_transformers.edh", "encoder_vl.enc_transformer"):
        for layer in (0, 1):
            at = f"{top}{encoder}.layers.{layer}."
            shapes[f"{at}self_attn.in_proj_weight"] = (3 * d, d)
            shapes[f"{at}self_attn.in_proj_bias"] = (3 * d,)
            for name in ("self_attn.out_proj", "linear1", "linear2"):
                shapes[f"{at}{name}.weight"] = (d, d)
                shapes[f"{at}{name}.bias"] = (d,)
            for name in ("norm1", "norm2"):
                shapes[f"{at}{name}.weight"] = shapes[f"{at}{name}.bias"] = (d,)
    for encoder, places in (("encoder_lang", 2000), ("encoder_vl", 1250)):
        shapes[f"{top}{encoder}.enc_pos.pe"] = (1, places, d)
        for part in ("weight", "bias"):
            shapes[f"{top}{encoder}.enc_layernorm.{part}"] = (d,)
    for features in ("vis_feat", "object_feat"):
        at = f"{top}{features}.layers."
        for conv, norm, given, made in ((0, 1, 512, 256), (3, 4, 256, 64)):
            shapes[f"{at}{conv}.weight"] = (made, given, 1, 1)
            shapes[f"{at}{conv}.bias"] = (made,)
            for part in ("weight", "bias", "running_mean", "running_var"):
                shapes[f"{at}{norm}.{part}"] = (made,)
            shapes[f"{at}{norm}.num_batches_tracked"] = ()
        shapes[f"{at}7.weight"], shapes[f"{at}7.bias"] = (d, 3136), (d,)
    shapes[f"{top}emb_action.weight"] = (ACTIONS_EDH, d)
    shapes[f"{top}dec_action.weight"], shapes[f"{top}dec_action.bias"] = (d, d), (d,)
    shapes[f"{top}dec_object.linear.weight"] = (97, d)
    shapes[f"{top}dec_object.linear.bias"] = (97,)
    return shapes


def test_the_official_weights_have_the_published_names_shapes_and_number():
    with torch.device("meta"):
        network = ET(ETSettings(word_count=WORDS, action_count=ACTIONS_EDH))
    found = {k: tuple(v.shape) for k, v in network.state_dict().items()}
    assert found == published()
    # By hand from section 7.4: embeddings, 4 layers, 4 norms' pairs, features, heads.
    d = 768
    layer = 4 * d * d + 4 * d + 2 * (d * d + d) + 4 * d
    flat = 512 * 256 + 256 + 512 + 256 * 64 + 64 + 128 + 3136 * d + d
    heads = d * d + d + 97 * d + 97
    count = (WORDS + 18) * d + 4 * layer + 4 * d + 2 * flat + heads
    assert sum(p.numel() for p in network.parameters()) == count == 20_751_841


def test_the_lists_are_as_long_as_published():
    assert (len(EDH_ACTIONS), len(ET_OBJECT_CLASSES)) == (18, 97)
    assert len(set(ET_OBJECT_CLASSES)) == 97 and len(DETECTOR_LABELS) == 89
    assert len(set(ET_OBJECT_CLASSES) - DETECTOR_LABELS) == 21
    assert len(DETECTOR_LABELS - set(ET_OBJECT_CLASSES)) == 13


def test_a_frame_sees_all_words_earlier_frames_and_the_action_before_it():
    hidden = attention_mask(2, 3)
    words, frames, actions = slice(0, 2), slice(2, 5), slice(5, 8)
    assert not hidden[:, words].any()
    assert hidden[words, frames].all() and hidden[words, actions].all()
    assert (~hidden[frames, frames]).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert (~hidden[frames, actions]).tolist() == [
        [False, False, False],
        [True, False, False],
        [False, True, False],
    ]
    assert torch.equal(hidden[frames], hidden[actions])


def test_places_are_sines_and_cosines_divided_by_the_root_of_the_width():
    table = PositionalEncoding(4, 3)
    assert table.pe[0, 1].tolist() == pytest.approx(
        [0.8414710, 0.5403023, 0.0099998, 0.9999500], abs=1e-6
    )
    assert torch.allclose(table.encode(torch.tensor([1])), table.pe[:, 1] / 2)


def inputs(words: list[int], frames: int):
    torch.manual_seed(3)
    seen = torch.rand(1, frames, *FEATURE_SHAPE)
    done = torch.arange(frames)[None] % 18
    return torch.tensor([words]), seen, done, torch.tensor([frames])


def small() -> ET:
    torch.manual_seed(1)
    return ET(SMALL).eval()


def test_the_last_action_and_later_frames_change_nothing():
    network, (words, frames, actions, lengths) = small(), inputs([5, 6, 7], 4)
    before = network(words, frames, actions, lengths)
    other = actions.clone()
    other[0, -1] = 9
    after = network(words, frames, other, lengths)
    assert torch.equal(before.actions, after.actions)
    changed = frames.clone()
    changed[0, -1] = 0
    after = network(words, changed, actions, lengths)
    assert torch.allclose(before.actions[0, :-1], after.actions[0, :-1], atol=1e-6)
    assert not torch.allclose(before.actions[0, -1], after.actions[0, -1])


def test_padding_a_batch_changes_no_sample():
    network = small()
    one, two = inputs([5, 6, 7], 4), inputs([8, 9], 2)
    words = torch.tensor([[5, 6, 7], [8, 9, 0]])
    frames = torch.zeros(2, 4, *FEATURE_SHAPE)
    frames[0], frames[1, :2] = one[1][0], two[1][0]
    actions = torch.zeros(2, 4, dtype=torch.int64)
    actions[0], actions[1, :2] = one[2][0], two[2][0]
    both = network(words, frames, actions, torch.tensor([4, 2]))
    assert torch.allclose(both.actions[0], network(*one).actions[0], atol=1e-5)
    assert torch.allclose(both.classes[1, :2], network(*two).classes[0], atol=1e-5)


def test_an_unknown_word_hides_the_last_word_from_the_joint_encoder():
    """Trap 42: what is unknown is padding, and lengths count what is not."""
    network = small()
    _, frames, actions, lengths = inputs([1], 2)

    def logits(words: list[int]) -> torch.Tensor:
        return network(torch.tensor([words]), frames, actions, lengths).actions

    # The unknown word stands first: the last word is cut off with it.
    assert not torch.allclose(logits([0, 5, 6]), logits([7, 5, 6]))
    seen: list[int] = []
    handle = network.model.encoder_vl.register_forward_pre_hook(
        lambda module, args: seen.append(args[0].shape[1])
    )
    logits([0, 5, 6])
    handle.remove()
    assert seen == [2]
