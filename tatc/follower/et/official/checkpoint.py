"""E.T.'s files (spec 7.6): a checkpoint, and the vocabulary that lies beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, cast

import torch
from torch import Tensor

from tatc.errors import BadInput
from tatc.follower.et.official.network import ET, Settings
from tatc.follower.et.official.unpickling import Pickled, by_name, read_pickled
from tatc.follower.et.official.variants import CORRECTIONS, Variant
from tatc.follower.et.official.vocabulary import Vocabulary

KEYS = ("metric", "model", "optim", "args", "vocab_out", "embs_ann")
"""What an official checkpoint holds."""
VOCABULARY = "data.vocab"
"""The file of words beside a checkpoint."""

_EMBEDDING, _ACTIONS = "model.embs_ann.", "model.emb_action.weight"
_CLASSES = "model.dec_object.linear.weight"
_LAYER = "model.encoder_vl.enc_transformer.layers."


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a checkpoint holds, once it has proved to be one of E.T.'s.

    `actions` are their names by number; `args` are the options of its training, as
    (name, value) texts, and `metric` what was noted of it, both "" or () without.
    """

    weights: dict[str, Tensor]
    settings: Settings
    actions: tuple[str, ...]
    variant: Variant
    args: tuple[tuple[str, str], ...]
    metric: str

    @property
    def parameters(self) -> int:
        """How many weights it has, tables and counters left out."""
        names = (n for n in self.weights if not n.endswith(_NOT_LEARNED))
        return sum(self.weights[name].numel() for name in names)

    def network(self) -> ET:
        """Return the network with these weights, ready to be used."""
        network = ET(self.settings)
        network.load_state_dict(self.weights)
        return network.eval().requires_grad_(False)


_NOT_LEARNED = ("enc_pos.pe", "num_batches_tracked", "running_mean", "running_var")


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint in the official layout; nothing in it is run.

    Raises:
        BadInput: there is none, it is damaged or hostile, or its weights are not
            those of E.T.: the first that is missing or too many is named.

    """
    held = by_name(read_pickled(path))
    if not {"model", "vocab_out"} <= held.keys():
        raise _bad(path, "it has no weights or no actions")
    weights = _weights(path, held["model"])
    settings = _settings(path, weights)
    wanted = {n: v.shape for n, v in _empty(settings).state_dict().items()}
    _compare(path, wanted, {n: v.shape for n, v in weights.items()})
    variant = _variant(held)
    actions = words_of(path, _part(held["vocab_out"], "action_low"))
    if len(actions) != settings.actions:
        why = f"it knows {len(actions)} actions and has weights for {settings.actions}"
        raise _bad(path, why)
    if variant.actions != actions[: len(variant.actions)]:
        raise _bad(path, f"its actions are not those of the variant {variant.name}")
    metric = str(held.get("metric", ""))
    return Checkpoint(weights, settings, actions, variant, _args(held), metric)


def read_vocabulary(checkpoint: Checkpoint, path: Path) -> Vocabulary:
    """Read the words of a checkpoint from a `data.vocab`.

    Raises:
        BadInput: the file is not there, damaged, or of other words than these.

    """
    held = read_pickled(path)
    words = words_of(path, _part(held, "word"))
    if len(words) != checkpoint.settings.words:
        raise BadInput(
            f"it has {len(words)} words, the checkpoint {checkpoint.settings.words}",
            where=str(path),
            fix=f"use the {VOCABULARY} that the checkpoint was trained with",
        )
    return Vocabulary(words, checkpoint.variant)


def write_checkpoint(
    network: ET, vocabulary: Vocabulary, path: Path, metric: Mapping[str, float]
) -> None:
    """Write a network in the official layout, and its words beside it.

    Vocabularies are written as plain dictionaries, which `read_checkpoint` takes too.
    """
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
    torch.save({"word": words, "action_low": actions}, path.with_name(VOCABULARY))


def words_of(path: Path, vocabulary: Any) -> tuple[str, ...]:
    """Return the words of a pickled vocabulary in the order of their numbers.

    Raises:
        BadInput: it is none.

    """
    plain = isinstance(vocabulary, dict | NoneType)
    held = by_name(vocabulary if plain else vars(vocabulary))
    words = held.get("_index2word")
    if not isinstance(words, list):
        raise _bad(path, "its vocabulary has no list of words")
    return tuple(str(word) for word in cast("list[Any]", words))


def _part(vocabularies: Any, name: str) -> Any:
    """Return one of several vocabularies, or the only one."""
    return by_name(vocabularies).get(name, vocabularies)


def _weights(path: Path, held: Any) -> dict[str, Tensor]:
    weights = by_name(held)
    if not all(isinstance(value, Tensor) for value in weights.values()):
        raise _bad(path, "its weights are no tensors by name")
    return weights


def _settings(path: Path, weights: Mapping[str, Tensor]) -> Settings:
    """Return the settings that the shapes of weights tell."""
    embeddings = [name for name in weights if name.startswith(_EMBEDDING)]
    needed = (_ACTIONS, _CLASSES, f"{_LAYER}0.linear1.weight")
    missing = [name for name in needed if name not in weights]
    if len(embeddings) != 1 or missing:
        name = missing[0] if missing else f"{_EMBEDDING}*.weight"
        raise _bad(path, f"weights are missing, the first {name}")
    words, width = weights[embeddings[0]].shape
    layers = {n.removeprefix(_LAYER).split(".")[0] for n in weights if _LAYER in n}
    return Settings(
        words=words,
        actions=weights[_ACTIONS].shape[0],
        data_set=embeddings[0].removeprefix(_EMBEDDING).removesuffix(".weight"),
        width=width,
        heads=12 if width % 12 == 0 else 1,
        feed=weights[f"{_LAYER}0.linear1.weight"].shape[0],
        layers=len(layers),
        classes=weights[_CLASSES].shape[0],
    )


def _empty(settings: Settings) -> ET:
    """Return the network without memory behind its weights, for names and shapes."""
    with torch.device("meta"):
        return ET(settings)


def _compare(
    path: Path, wanted: Mapping[str, torch.Size], found: Mapping[str, torch.Size]
) -> None:
    missing, extra = sorted(wanted.keys() - found), sorted(found.keys() - wanted)
    if missing:
        why = f"{len(missing)} weights are missing, the first {missing[0]}"
        raise _bad(path, why)
    if extra:
        raise _bad(path, f"{len(extra)} weights are too many, the first {extra[0]}")
    for name, shape in wanted.items():
        if found[name] != shape:
            shapes = tuple(found[name]), tuple(shape)
            raise _bad(path, f"{name} has the shape {shapes[0]}, not {shapes[1]}")


def _variant(held: Mapping[str, Any]) -> Variant:
    made = str(by_name(held.get("args")).get("variant", "")).split("+")
    return Variant(**{each: each in made for each in CORRECTIONS})


def _args(held: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    args = held.get("args")
    options = vars(args) if isinstance(args, Pickled) else by_name(args)
    return tuple((name, str(value)) for name, value in options.items())


def _bad(path: Path, why: str) -> BadInput:
    fix = "name a checkpoint of TEACh's E.T."
    return BadInput(f"is no checkpoint of E.T.: {why}", where=str(path), fix=fix)
