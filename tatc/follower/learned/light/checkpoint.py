"""Checkpoints of light Followers, as safetensors files: reading one executes nothing."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from tatc.base import errors, files
from tatc.follower.learned.light.network import LightNetwork, LightNetworkSizes
from tatc.follower.learned.light.network_inputs import FIRST_NAMED_CLASS, FIRST_WORD_ID
from tatc.follower.learned.network_shapes import shapes_only

LIGHT_FORMAT = "tatc-light-1"
_MAX_LAYERS, _MAX_WIDTH, _MAX_WORDS = 64, 65_536, 1_000_000
_MAX_CLASSES = 256  # class maps have a byte for each pixel
_LIMIT_BY_SIZE = {
    "words": _MAX_WORDS,
    "classes": _MAX_CLASSES,
    "width": _MAX_WIDTH,
    "heads": _MAX_WIDTH,
    "readers": _MAX_LAYERS,
    "layers": _MAX_LAYERS,
    "feed": _MAX_WIDTH,
}
_MAX_TEXT = 1000  # characters of a word, a class or an entry of the card
_LENGTH_BYTES = 8  # of the header, in front of it
_FLOAT_TYPES = ("F16", "BF16", "F32", "F64")
TextPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LightModel:
    """A network, its vocabulary and object classes, and a card of (name, value) pairs.

    `verb_object_pairs` are the (verb, object type) pairs of its training, () if unknown.
    """

    network: LightNetwork
    words: tuple[str, ...]
    classes: tuple[str, ...]
    card: TextPairs = ()
    verb_object_pairs: TextPairs = ()


def new_light_model(
    words: tuple[str, ...], classes: tuple[str, ...], *, recalls: bool = False, **sizes: int
) -> LightModel:
    """Return an untrained network; torch's generator draws its weights."""
    count = len(words) + FIRST_WORD_ID
    shape = LightNetworkSizes(count, len(classes) + FIRST_NAMED_CLASS, recalls=recalls, **sizes)
    return LightModel(LightNetwork(shape), words, classes)


def write_light_checkpoint(model: LightModel, path: Path, *, half_precision: bool = False) -> None:
    """Write a checkpoint; `half_precision` stores the weights in 16 bits."""
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
    files.write_atomically(_sort_header(save(tensors, header)), path, force=True)


def _sort_header(data: bytes) -> bytes:
    """Return a safetensors file with its header sorted: the same training gives the same bytes."""
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    header: Any = json.loads(data[_LENGTH_BYTES:start])
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # tensors begin at a multiple of 8, as they did
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + data[start:]


def read_light_checkpoint(path: Path) -> LightModel:
    """Read a checkpoint; its network is in evaluation mode."""
    with _opened(path) as file:
        try:
            model = _read_header(file.metadata())
        except ValueError as fault:
            raise _bad_checkpoint(path, str(fault)) from fault
        network = model.network
        _check_tensors(path, file, network)
        weights = {name: file.get_tensor(name).float() for name in network.state_dict()}
    for name, value in weights.items():
        if not value.isfinite().all():
            raise _bad_checkpoint(path, f"{name} holds NaN or an infinite number")
    network.load_state_dict(weights, assign=True)
    network.eval()
    return model


def is_light_checkpoint(path: Path) -> bool:
    """Return whether a file's header says that it is a light Follower's checkpoint."""
    try:
        with _opened(path):
            return True
    except errors.BadInput:
        return False


@contextmanager
def _opened(path: Path) -> Generator[Any]:
    """Open a light Follower's file; the library checks that tensors fill it without overlaps."""
    files.check_file(path, files.LIGHT_CHECKPOINT)
    try:
        with path.open("rb") as file:  # the header's length comes first
            if int.from_bytes(file.read(_LENGTH_BYTES), "little") > files.MAX_LIGHT_HEADER_BYTES:
                raise ValueError(f"its header is longer than {files.MAX_LIGHT_HEADER_BYTES} bytes")
        opened: Any = safe_open(path, framework="pt")
    except (OSError, ValueError, SafetensorError) as fault:
        raise _bad_checkpoint(path, f"it is no safetensors file: {fault}") from fault
    with opened as file:
        header: dict[str, str] = file.metadata() or {}
        if header.get("format") != LIGHT_FORMAT:
            raise _bad_checkpoint(path, "it is a safetensors file of another kind")
        try:
            yield file
        except SafetensorError as fault:
            raise _bad_checkpoint(path, f"it is damaged: {fault}") from fault


def _check_tensors(path: Path, file: Any, network: LightNetwork) -> None:
    """Compare names, shapes and types in a file with those of a network, before any is read."""
    wanted = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    found = {name: file.get_slice(name) for name in file.keys()}
    missing, extra = sorted(wanted.keys() - found), sorted(found.keys() - wanted)
    if missing:
        raise _bad_checkpoint(path, f"{len(missing)} weights are missing, the first {missing[0]}")
    if extra:
        raise _bad_checkpoint(path, f"{len(extra)} weights are too many, the first {extra[0]}")
    for name, shape in wanted.items():
        own, kind = tuple(found[name].get_shape()), found[name].get_dtype()
        if own != shape:
            raise _bad_checkpoint(path, f"{name} has the shape {own} in place of {shape}")
        if kind not in _FLOAT_TYPES:
            raise _bad_checkpoint(path, f"{name} is of the type {kind}")


def _bad_checkpoint(path: Path, why: str) -> errors.BadInput:
    fix = "name a checkpoint that `tatc train` wrote"
    return errors.BadInput(f"is no light checkpoint: {why}", where=str(path), fix=fix)


def _read_header(texts: Mapping[str, str]) -> LightModel:
    """Return the model of a header's JSON, without weights yet; a ValueError says what is wrong."""
    words, classes = (_read_texts(texts, name) for name in ("words", "classes"))
    sizes = _read_sizes(texts)
    counts = len(words) + FIRST_WORD_ID, len(classes) + FIRST_NAMED_CLASS
    if (sizes.words, sizes.classes) != counts:
        raise ValueError("its vocabulary does not match its network")
    pairs = _read_pairs(texts, "deeds") if "deeds" in texts else ()
    card = _read_pairs(texts, "card")
    with shapes_only():
        return LightModel(LightNetwork(sizes), words, classes, card, pairs)


def _read_sizes(texts: Mapping[str, str]) -> LightNetworkSizes:
    found: Any = _read_entry(texts, "sizes")
    names = {each.name for each in fields(LightNetworkSizes)}
    if not isinstance(found, dict) or not {"words", "classes"} <= found.keys() <= names:
        raise ValueError("its header is damaged: sizes are no sizes of a light network")
    sizes = cast("dict[str, Any]", found)
    for name, limit in _LIMIT_BY_SIZE.items():
        value = sizes.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= limit:
            raise ValueError(f"its header is damaged: sizes.{name} is not from 1 to {limit}")
    if not isinstance(sizes.get("recalls", False), bool):
        raise ValueError("its header is damaged: sizes.recalls is not true or false")
    read = LightNetworkSizes(**sizes)
    if read.width % read.heads:
        raise ValueError("its header is damaged: sizes.width is no multiple of sizes.heads")
    return read


def _read_texts(texts: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(_check_text(each, name) for each in _read_list(texts, name))


def _read_pairs(texts: Mapping[str, str], name: str) -> TextPairs:
    found: list[tuple[str, str]] = []
    for pair in _read_list(texts, name):
        if not isinstance(pair, list) or len(cast("list[Any]", pair)) != 2:
            raise ValueError(f"its header is damaged: {name} holds what is no pair")
        one, two = cast("list[Any]", pair)
        found.append((_check_text(one, name), _check_text(two, name)))
    return tuple(found)


def _read_list(texts: Mapping[str, str], name: str) -> list[Any]:
    found: Any = _read_entry(texts, name)
    if not isinstance(found, list):
        raise ValueError(f"its header is damaged: {name} is no list")
    return cast("list[Any]", found)


def _read_entry(texts: Mapping[str, str], name: str) -> Any:
    if name not in texts:
        raise ValueError(f"its header is damaged: {name} is missing")
    try:
        return files.parse_json(texts[name].encode(), name, files.LIGHT_CHECKPOINT)
    except files.LIGHT_CHECKPOINT.error as fault:
        raise ValueError(f"its header is damaged: {fault.where} {fault.what}") from fault


def _check_text(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise ValueError(f"its header is damaged: {name} holds what is no short text")
    return value
