"""Files of tatc's own networks, in the safetensors format: reading one executes nothing.

The header holds the kind of network, its sizes and vocabularies, and a card, as JSON.
"""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar, cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from tatc.base import errors, files

MAX_LAYERS, MAX_WIDTH, MAX_WORDS = 64, 65_536, 1_000_000
_MAX_TEXT = 1000  # characters of a word, a class or an entry of the card
_LENGTH_BYTES = 8  # of the header, in front of it
_FLOAT_TYPES = ("F16", "BF16", "F32", "F64")
TextPairs = tuple[tuple[str, str], ...]
Header = Mapping[str, str]
Sizes = TypeVar("Sizes")


def write_network(
    network: torch.nn.Module,
    sizes: Any,
    header: Mapping[str, object],
    path: Path,
    *,
    half_precision: bool = False,
) -> None:
    """Write a network's file; `header` has its `format` as text and other entries as JSON values.

    `half_precision` stores the weights in 16 bits.
    """
    kind = torch.float16 if half_precision else torch.float32
    state = network.state_dict()
    tensors = {name: value.to(kind).contiguous() for name, value in state.items()}
    texts = {name: json.dumps(value) for name, value in header.items() if name != "format"}
    texts |= {"format": str(header["format"]), "sizes": json.dumps(asdict(sizes))}
    files.write_atomically(_sort_header(save(tensors, texts)), path, force=True)


def _sort_header(data: bytes) -> bytes:
    """Return a safetensors file with its header sorted: the same training gives the same bytes."""
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    header: Any = json.loads(data[_LENGTH_BYTES:start])
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # tensors begin at a multiple of 8, as they did
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + data[start:]


def format_of(path: Path) -> str:
    """Return the format that a file's header names, "" for what is no network's file."""
    try:
        with _opened(path) as file:
            return (file.metadata() or {}).get("format", "")
    except errors.BadInput:
        return ""


@contextmanager
def opened_network(path: Path, form: str) -> Generator[tuple[Any, Header]]:
    """Open a network's file of a format; a ValueError in the block says what is wrong with it."""
    with _opened(path) as file:
        header: dict[str, str] = file.metadata() or {}
        if header.get("format") != form:
            found = header.get("format", "")
            kind = f"of the format {found!r}" if found.startswith("tatc-") else "of another kind"
            raise _bad_file(path, f"it is a safetensors file {kind}")
        try:
            yield file, header
        except ValueError as fault:
            raise _bad_file(path, str(fault)) from fault
        except SafetensorError as fault:
            raise _bad_file(path, f"it is damaged: {fault}") from fault


def load_weights(file: Any, network: torch.nn.Module) -> None:
    """Give a network, made without memory, the weights of a file; it is in evaluation mode then."""
    _check_tensors(file, network)
    weights = {name: file.get_tensor(name).float() for name in network.state_dict()}
    for name, value in weights.items():
        if not value.isfinite().all():
            raise ValueError(f"{name} holds NaN or an infinite number")
    network.load_state_dict(weights, assign=True)
    network.eval()


@contextmanager
def _opened(path: Path) -> Generator[Any]:
    """Open a network's file; the library checks that tensors fill it without overlaps."""
    files.check_file(path, files.LIGHT_CHECKPOINT)
    try:
        with path.open("rb") as file:  # the header's length comes first
            if int.from_bytes(file.read(_LENGTH_BYTES), "little") > files.MAX_LIGHT_HEADER_BYTES:
                raise ValueError(f"its header is longer than {files.MAX_LIGHT_HEADER_BYTES} bytes")
        opened: Any = safe_open(path, framework="pt")
    except (OSError, ValueError, SafetensorError) as fault:
        raise _bad_file(path, f"it is no safetensors file: {fault}") from fault
    with opened as file:
        yield file


def _check_tensors(file: Any, network: torch.nn.Module) -> None:
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


def read_sizes(texts: Header, kind: type[Sizes], limits: Mapping[str, int]) -> Sizes:
    """Return the sizes in a header; `limits` bound those that are numbers, others are switches."""
    found: Any = _read_entry(texts, "sizes")
    names = {each.name for each in fields(cast(Any, kind))}
    if not isinstance(found, dict) or not {"words"} <= found.keys() <= names:
        raise ValueError("its header is damaged: sizes are no sizes of such a network")
    sizes = cast("dict[str, Any]", found)
    for name, limit in limits.items():
        value = sizes.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= limit:
            raise ValueError(f"its header is damaged: sizes.{name} is not from 1 to {limit}")
    for name in names - limits.keys():
        if not isinstance(sizes.get(name, False), bool):
            raise ValueError(f"its header is damaged: sizes.{name} is not true or false")
    try:
        read: Any = kind(**sizes)
    except TypeError as fault:
        raise ValueError("its header is damaged: sizes are no sizes of such a network") from fault
    if read.width % read.heads:
        raise ValueError("its header is damaged: sizes.width is no multiple of sizes.heads")
    return read


def read_texts(texts: Header, name: str) -> tuple[str, ...]:
    """Return the list of texts that an entry of a header holds."""
    return tuple(_check_text(each, name) for each in _read_list(texts, name))


def read_pairs(texts: Header, name: str) -> TextPairs:
    """Return the list of pairs of texts that an entry of a header holds."""
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
