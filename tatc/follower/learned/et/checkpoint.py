"""E.T.'s files (spec 7.6): a checkpoint, and the vocabulary in the same folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from reprlib import Repr
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import ModuleDict

from tatc.base.errors import BadInput
from tatc.follower.learned.et import safe_unpickling
from tatc.follower.learned.et.network import ET, ETSettings
from tatc.follower.learned.et.vocabulary import CORRECTIONS, Variant, Vocabulary
from tatc.follower.learned.network_shapes import shapes_only

VOCABULARY_FILE = "data.vocab"  # the name of the vocabulary's file, in the checkpoint's folder
_WORD_EMBEDDING_PREFIX, _ACTION_EMBEDDING_KEY = ("model.embs_ann.", "model.emb_action.weight")
_CLASSIFIER_KEY = "model.dec_object.linear.weight"
_ENCODER_LAYER_PREFIX = "model.encoder_vl.enc_transformer.layers."
_MAX_LAYERS = 64
_MAX_TEXT = 1000  # characters of an option of the training
_SHORT = Repr()
_SHORT.maxdict = _SHORT.maxlist = 10
_SHORT.maxstring = _SHORT.maxother = 200
_UNTRAINED_SUFFIXES = ("enc_pos.pe", "num_batches_tracked", "running_mean", "running_var")


@dataclass(frozen=True, slots=True)
class OfficialCheckpoint:
    """The contents of a checkpoint, checked to fit E.T.

    `actions` come in the order of their ids.  `args`, the training's options, and `metric` are
    texts, empty if there are none.
    """

    weights: dict[str, Tensor]
    settings: ETSettings
    actions: tuple[str, ...]
    variant: Variant
    args: tuple[tuple[str, str], ...]
    metric: str

    @property
    def parameter_count(self) -> int:
        """The number of trained weights: positional tables and counters are left out."""
        names = (n for n in self.weights if not n.endswith(_UNTRAINED_SUFFIXES))
        return sum(self.weights[name].numel() for name in names)

    def build_network(self) -> ET:
        """Return the network with these weights, in evaluation mode."""
        network = ET(self.settings)
        network.load_state_dict(self.weights)
        return network.eval().requires_grad_(False)


def read_checkpoint(path: Path) -> OfficialCheckpoint:
    """Read a checkpoint in the official layout; nothing in it is run."""
    held = safe_unpickling.string_keyed(safe_unpickling.read_pickled(path))
    if not {"model", "vocab_out"} <= held.keys():
        raise _bad_checkpoint(path, "it has no weights or no actions")
    weights = _checked_weights(path, held["model"])
    settings = _infer_settings(path, weights)
    with shapes_only():
        wanted = ET(settings).state_dict()
    _check_weights(path, wanted, weights)
    named = safe_unpickling.string_keyed(held.get("args")).get("variant", "")
    corrections = named.split("+") if isinstance(named, str) else ()
    variant = Variant(**{each: each in corrections for each in CORRECTIONS})
    actions = pickled_words(path, _select_vocabulary(held["vocab_out"], "action_low"))
    if len(actions) != settings.action_count:
        why = f"it knows {len(actions)} actions and has weights for {settings.action_count}"
        raise _bad_checkpoint(path, why)
    if variant.actions != actions[: len(variant.actions)]:
        raise _bad_checkpoint(path, f"its actions are not those of the variant {variant.name}")
    metric = _short_text(held["metric"]) if "metric" in held else ""
    args = held.get("args")
    is_object = isinstance(args, safe_unpickling.PickledObject)
    options = vars(args) if is_object else safe_unpickling.string_keyed(args)
    texts = tuple((name[:_MAX_TEXT], _short_text(value)) for name, value in options.items())
    return OfficialCheckpoint(weights, settings, actions, variant, texts, metric)


def read_vocabulary(checkpoint: OfficialCheckpoint, path: Path) -> Vocabulary:
    """Read the vocabulary of a checkpoint from a `data.vocab`."""
    words = pickled_words(path, _select_vocabulary(safe_unpickling.read_pickled(path), "word"))
    if len(words) != checkpoint.settings.word_count:
        what = f"it has {len(words)} words, the checkpoint {checkpoint.settings.word_count}"
        fix = f"use the {VOCABULARY_FILE} that the checkpoint was trained with"
        raise BadInput(what, where=str(path), fix=fix)
    return Vocabulary(words, checkpoint.variant)


def write_checkpoint(
    network: ET, vocabulary: Vocabulary, path: Path, metric: Mapping[str, float]
) -> None:
    """Write a network in the official layout, and its vocabulary (plain dictionaries) beside it."""
    actions = {"_index2word": list(vocabulary.variant.actions)}
    torch.save(
        {
            "metric": dict(metric),
            "model": network.state_dict(),
            "optim": {},
            "args": {"variant": vocabulary.variant.name},
            "vocab_out": {"action_low": actions},
            "embs_ann": {network.model.settings.data_set: len(vocabulary.words)},
        },
        path,
    )
    words = {"_index2word": list(vocabulary.words)}
    torch.save({"word": words, "action_low": actions}, path.with_name(VOCABULARY_FILE))


def pickled_words(path: Path, vocabulary: Any) -> tuple[str, ...]:
    """Return the words of an unpickled vocabulary in the order of their ids."""
    pickled = isinstance(vocabulary, safe_unpickling.PickledObject)
    held = safe_unpickling.string_keyed(vars(vocabulary) if pickled else vocabulary)
    words = held.get("_index2word")
    if not isinstance(words, list):
        raise _bad_checkpoint(path, "its vocabulary has no list of words")
    if not all(isinstance(word, str) for word in cast("list[Any]", words)):
        raise _bad_checkpoint(path, "its vocabulary has words that are no texts")
    return tuple(cast("list[str]", words))


def _select_vocabulary(vocabularies: Any, name: str) -> Any:
    """Return the vocabulary of this name, or the argument if it is a single vocabulary."""
    return safe_unpickling.string_keyed(vocabularies).get(name, vocabularies)


def _checked_weights(path: Path, held: Any) -> dict[str, Tensor]:
    """Return the weights by name, no larger than the file: strides of 0 would give any shape."""
    weights = safe_unpickling.string_keyed(held)
    for name, value in weights.items():
        if not isinstance(value, Tensor):
            raise _bad_checkpoint(path, f"{name} is no tensor")
    size = sum(value.numel() * value.element_size() for value in weights.values())
    if size > path.stat().st_size:
        raise _bad_checkpoint(path, f"its weights would be {size} bytes, more than the file has")
    if (name := safe_unpickling.find_overlap(weights)) is not None:
        raise _bad_checkpoint(path, f"{name} overlaps another weight")
    return weights


def _infer_settings(path: Path, weights: Mapping[str, Tensor]) -> ETSettings:
    """Return the settings that the shapes of the weights imply."""
    embeddings = [name for name in weights if name.startswith(_WORD_EMBEDDING_PREFIX)]
    needed = (_ACTION_EMBEDDING_KEY, _CLASSIFIER_KEY, f"{_ENCODER_LAYER_PREFIX}0.linear1.weight")
    missing = [name for name in needed if name not in weights]
    if len(embeddings) != 1 or missing:
        name = missing[0] if missing else f"{_WORD_EMBEDDING_PREFIX}*.weight"
        raise _bad_checkpoint(path, f"weights are missing, the first {name}")
    for name in (*embeddings, *needed):
        if len(weights[name].shape) != 2 or not weights[name].numel():
            raise _bad_checkpoint(path, f"{name} has the shape {tuple(weights[name].shape)}")
    words, width = weights[embeddings[0]].shape
    data_set = embeddings[0].removeprefix(_WORD_EMBEDDING_PREFIX).removesuffix(".weight")
    if not data_set.isidentifier() or hasattr(ModuleDict(), data_set):
        raise _bad_checkpoint(path, f"{embeddings[0]} names no set of data")
    names = (name for name in weights if _ENCODER_LAYER_PREFIX in name)
    layers = {name.removeprefix(_ENCODER_LAYER_PREFIX).split(".")[0] for name in names}
    if len(layers) > _MAX_LAYERS:
        raise _bad_checkpoint(path, f"it has {len(layers)} layers")
    return ETSettings(
        word_count=words,
        action_count=weights[_ACTION_EMBEDDING_KEY].shape[0],
        data_set=data_set,
        width=width,
        heads=12 if width % 12 == 0 else 1,
        feed_forward_width=weights[f"{_ENCODER_LAYER_PREFIX}0.linear1.weight"].shape[0],
        layers=len(layers),
        class_count=weights[_CLASSIFIER_KEY].shape[0],
    )


def _check_weights(path: Path, wanted: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> None:
    missing, extra = sorted(wanted.keys() - found), sorted(found.keys() - wanted)
    if missing:
        raise _bad_checkpoint(path, f"{len(missing)} weights are missing, the first {missing[0]}")
    if extra:
        raise _bad_checkpoint(path, f"{len(extra)} weights are too many, the first {extra[0]}")
    for name, value in wanted.items():
        if why := safe_unpickling.check_weight(found[name], value):
            raise _bad_checkpoint(path, f"{name} {why}")


def _short_text(value: object) -> str:
    """Return a value as text, cut short: what it holds may be nested without end."""
    return value[:_MAX_TEXT] if isinstance(value, str) else _SHORT.repr(value)[:_MAX_TEXT]


def _bad_checkpoint(path: Path, why: str) -> BadInput:
    fix = "name a checkpoint of TEACh's E.T."
    return BadInput(f"is no checkpoint of E.T.: {why}", where=str(path), fix=fix)
