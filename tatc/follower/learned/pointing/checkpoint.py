"""Checkpoints of the pointing network, as safetensors files: reading one executes nothing.

The header holds the format of the network, its sizes and vocabularies, and a card, as JSON.
"""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

from tatc.base import errors, files
from tatc.follower.learned.network_shapes import shapes_only  # which needs the extra
from tatc.follower.learned.pointing import decision, network_inputs
from tatc.follower.learned.pointing.network import PointingNetwork, PointingSizes

from safetensors import SafetensorError, safe_open  # isort: skip
from safetensors.torch import save  # isort: skip

_LIMIT_BY_SIZE = {
    "words": 1_000_000, "classes": 256, "width": 65_536, "heads": 65_536, "blocks": 64,
}  # fmt: skip
_MAX_TEXT = 1000  # characters of a word, a class or an entry of the card
_LENGTH_BYTES = 8  # of the header, in front of it
_FLOAT_TYPES = ("F16", "BF16", "F32", "F64")
TextPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PointingModel:
    """A network, its vocabulary and object classes, and a card of (name, value) pairs.

    `verb_object_pairs` are the (verb, object type) pairs of its training, () if unknown.  One
    `is_of_people` if recorded games taught it.
    """

    network: PointingNetwork
    words: tuple[str, ...]
    classes: tuple[str, ...]
    card: TextPairs = ()
    verb_object_pairs: TextPairs = ()
    is_of_people: bool = False


def new_model(words: tuple[str, ...], classes: tuple[str, ...], width: int) -> PointingModel:
    """Return an untrained network; torch's generator draws its weights."""
    counts = len(words) + network_inputs.FIRST_WORD_ID, len(classes) + decision.FIRST_TYPE
    network = PointingNetwork(PointingSizes(*counts, width), words, classes)
    return PointingModel(network, words, classes)


def write_checkpoint(model: PointingModel, path: Path, *, half_precision: bool = False) -> None:
    """Write a checkpoint; `half_precision` stores the weights in 16 bits."""
    state = model.network.state_dict()
    tensors = {
        name: (value.half() if half_precision else value.float()).contiguous()
        for name, value in state.items()
    }
    header = {
        "format": model.network.format,
        "sizes": json.dumps(asdict(model.network.sizes)),
        "words": json.dumps(model.words),
        "classes": json.dumps(model.classes),
        "card": json.dumps(model.card),
        "deeds": json.dumps(model.verb_object_pairs),
    }
    if model.is_of_people:
        header["people"] = "true"
    files.write_atomically(_sort_header(save(tensors, header)), path, force=True)


def _sort_header(data: bytes) -> bytes:
    """Return a safetensors file with its header sorted: the same training gives the same bytes."""
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    header: Any = json.loads(data[_LENGTH_BYTES:start])
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # tensors begin at a multiple of 8, as they did
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + data[start:]


def read_checkpoint(path: Path) -> PointingModel:
    """Read a checkpoint; its network is in evaluation mode."""
    with _opened(path) as file:
        header: dict[str, str] = file.metadata() or {}
        try:
            if (form := header.get("format", "")) != PointingNetwork.format:
                known = form if form.startswith("tatc-") else "another kind"
                raise ValueError(f"it is a safetensors file of {known}")
            sizes = _read_sizes(header)
            words, classes = (
                tuple(_check_text(each, name) for each in _read_list(header, name))
                for name in ("words", "classes")
            )
            counts = len(words) + network_inputs.FIRST_WORD_ID, len(classes) + decision.FIRST_TYPE
            if (sizes.words, sizes.classes) != counts:
                raise ValueError("its vocabulary does not match its network")
            pairs = _read_pairs(header, "deeds") if "deeds" in header else ()
            card = _read_pairs(header, "card")
            with shapes_only():
                network = PointingNetwork(sizes, words, classes)
            _check_tensors(file, network)
            weights = {name: file.get_tensor(name).float() for name in network.state_dict()}
        except ValueError as fault:
            raise _bad_file(path, str(fault)) from fault
        except SafetensorError as fault:
            raise _bad_file(path, f"it is damaged: {fault}") from fault
    for name, value in weights.items():
        if not value.isfinite().all():
            raise _bad_file(path, f"{name} holds NaN or an infinite number")
    network.load_state_dict(weights, assign=True)
    network.eval()
    return PointingModel(network, words, classes, card, pairs, "people" in header)


@contextmanager
def _opened(path: Path) -> Generator[Any]:
    """Open a network's file; the library checks that tensors fill it without overlaps."""
    files.check_file(path, files.NETWORK_CHECKPOINT)
    try:
        with path.open("rb") as file:  # the header's length comes first
            if int.from_bytes(file.read(_LENGTH_BYTES), "little") > files.MAX_HEADER_BYTES:
                raise ValueError(f"its header is longer than {files.MAX_HEADER_BYTES} bytes")
        opened: Any = safe_open(path, framework="pt")
    except (OSError, ValueError, SafetensorError) as fault:
        raise _bad_file(path, f"it is no safetensors file: {fault}") from fault
    with opened as file:
        yield file


def _check_tensors(file: Any, network: Any) -> None:
    """Compare names, shapes and types in a file with those of a network, before any is read."""
    wanted = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    found = {name: file.get_slice(name) for name in file.keys()}
    missing, extra = sorted(wanted.keys() - found), sorted(found.keys() - wanted)
    if missing:
        raise ValueError(f"{len(missing)} weights are missing, the first {missing[0]}")
    if extra:
        raise ValueError(f"{len(extra)} weights are too many, the first {extra[0]}")
    for name, shape in wanted.items():
        own, kind = tuple(found[name].get_shape()), found[name].get_dtype()
        if own != shape:
            raise ValueError(f"{name} has the shape {own} in place of {shape}")
        if kind not in _FLOAT_TYPES:
            raise ValueError(f"{name} is of the type {kind}")


def _bad_file(path: Path, why: str) -> errors.BadInput:
    fix = "name a checkpoint that `tatc train` of this version wrote"
    return errors.BadInput(f"is no checkpoint of tatc's: {why}", where=str(path), fix=fix)


def _read_sizes(texts: Mapping[str, str]) -> PointingSizes:
    found: Any = _read_entry(texts, "sizes")
    names = {each.name for each in fields(PointingSizes)}
    if not isinstance(found, dict) or not {"words", "classes"} <= found.keys() <= names:
        raise ValueError("its header is damaged: sizes are no sizes of such a network")
    sizes = cast("dict[str, Any]", found)
    for name in sorted(names):
        value, limit = sizes.get(name, 1), _LIMIT_BY_SIZE[name]
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= limit:
            raise ValueError(f"its header is damaged: sizes.{name} is not from 1 to {limit}")
    read = PointingSizes(**sizes)
    if read.width % read.heads:
        raise ValueError("its header is damaged: sizes.width is no multiple of sizes.heads")
    return read


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
        return files.parse_json(texts[name].encode(), name, files.NETWORK_CHECKPOINT)
    except files.NETWORK_CHECKPOINT.error as fault:
        raise ValueError(f"its header is damaged: {fault.where} {fault.what}") from fault


def _check_text(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise ValueError(f"its header is damaged: {name} holds what is no short text")
    return value
