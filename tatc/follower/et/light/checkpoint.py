"""Checkpoints of light Followers, as safetensors files: reading one executes nothing.

The header holds, as text, the format's version, the vocabulary, the object classes, the
network's sizes and a card that describes the training.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from tatc.atomic_files import write_atomically
from tatc.errors import BadInput
from tatc.follower.et.light.class_map import FIRST_NAMED_CLASS
from tatc.follower.et.light.network import LightNetwork, LightNetworkSizes
from tatc.follower.et.light.word_encoding import FIRST_WORD_ID

LIGHT_FORMAT = "tatc-light-1"


@dataclass(frozen=True, slots=True)
class LightModel:
    """A network, its vocabulary and object classes, and a card of (name, value) pairs.

    `verb_object_pairs` are the (verb, object type) pairs of its training, () if unknown.
    """

    network: LightNetwork
    words: tuple[str, ...]
    classes: tuple[str, ...]
    card: tuple[tuple[str, str], ...] = ()
    verb_object_pairs: tuple[tuple[str, str], ...] = ()


def new_light_model(
    words: tuple[str, ...], classes: tuple[str, ...], *, recalls: bool = False, **sizes: int
) -> LightModel:
    """Return an untrained network; torch's generator draws its weights."""
    count = len(words) + FIRST_WORD_ID
    shape = LightNetworkSizes(count, len(classes) + FIRST_NAMED_CLASS, recalls=recalls, **sizes)
    return LightModel(LightNetwork(shape), words, classes)


def write_light_checkpoint(model: LightModel, path: Path, *, half_precision: bool = False) -> None:
    """Write a checkpoint; `half_precision` stores the weights in 16 bits.

    Raises:
        OutputError: the file cannot be written.

    """
    kind = torch.float16 if half_precision else torch.float32
    state = model.network.state_dict()
    tensors = {name: value.to(kind).contiguous() for name, value in state.items()}
    header = {
        "format": LIGHT_FORMAT,
        "sizes": json.dumps(asdict(model.network.sizes)),
        "words": json.dumps(model.words),
        "classes": json.dumps(model.classes),
        "card": json.dumps(model.card),
        "deeds": json.dumps(model.verb_object_pairs),
    }
    write_atomically(save(tensors, header), path, force=True)


def read_light_checkpoint(path: Path) -> LightModel:
    """Read a checkpoint; its network is in evaluation mode.

    Raises:
        BadInput: the file does not exist, is of another kind or damaged, or its weights
            do not fit its header.

    """
    header, tensors = _read_tensors(path)
    try:
        sizes = LightNetworkSizes(**json.loads(header["sizes"]))
        words, classes = (tuple(json.loads(header[k])) for k in ("words", "classes"))
        card = tuple((str(k), str(v)) for k, v in json.loads(header["card"]))
        pairs = json.loads(header.get("deeds", "[]"))
        shown = tuple((str(verb), str(object_type)) for verb, object_type in pairs)
    except (KeyError, TypeError, ValueError) as fault:
        raise _bad_checkpoint(path, f"its header is damaged: {fault!r}") from fault
    if (sizes.words, sizes.classes) != (
        len(words) + FIRST_WORD_ID,
        len(classes) + FIRST_NAMED_CLASS,
    ):
        raise _bad_checkpoint(path, "its vocabulary does not match its network")
    network = LightNetwork(sizes)
    wanted = {name: value.shape for name, value in network.state_dict().items()}
    found = {name: value.shape for name, value in tensors.items()}
    if wanted != found:
        raise _bad_checkpoint(path, _describe_mismatch(wanted, found))
    network.load_state_dict({k: v.float() for k, v in tensors.items()})
    return LightModel(network.eval(), words, classes, card, shown)


def is_light_checkpoint(path: Path) -> bool:
    """Return whether a file's header says that it is a light Follower's checkpoint."""
    try:
        return _read_tensors(path)[0].get("format") == LIGHT_FORMAT
    except BadInput:
        return False


def _read_tensors(path: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    try:
        opened: Any = safe_open(path, framework="pt")
        with opened as file:
            header: dict[str, str] = file.metadata() or {}
            names: list[str] = list(file.keys())
            tensors: dict[str, Tensor] = {n: file.get_tensor(n) for n in names}
    except FileNotFoundError as fault:
        raise BadInput("there is no such file", where=str(path), fix="name a checkpoint") from fault
    except (OSError, SafetensorError) as fault:
        raise _bad_checkpoint(path, f"it is no safetensors file: {fault}") from fault
    if header.get("format") != LIGHT_FORMAT:
        raise _bad_checkpoint(path, "it is a safetensors file of another kind")
    return header, tensors


def _describe_mismatch(wanted: dict[str, torch.Size], found: dict[str, torch.Size]) -> str:
    missing, extra = sorted(wanted.keys() - found), sorted(found.keys() - wanted)
    if missing:
        return f"{len(missing)} weights are missing, the first {missing[0]}"
    if extra:
        return f"{len(extra)} weights are too many, the first {extra[0]}"
    name = next(name for name in wanted if wanted[name] != found[name])
    shapes = tuple(found[name]), tuple(wanted[name])
    return f"{name} has the shape {shapes[0]} in place of {shapes[1]}"


def _bad_checkpoint(path: Path, why: str) -> BadInput:
    fix = "name a checkpoint that `tatc train` wrote"
    return BadInput(f"is no light checkpoint: {why}", where=str(path), fix=fix)
