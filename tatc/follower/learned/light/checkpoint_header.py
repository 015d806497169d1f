"""The header of a light checkpoint: texts by name, each of which is JSON and checked here."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, cast

from tatc.base.file_reading import LIGHT_CHECKPOINT, parse_json
from tatc.follower.learned.light.class_map import FIRST_NAMED_CLASS
from tatc.follower.learned.light.network import LightNetworkSizes
from tatc.follower.learned.light.word_encoding import FIRST_WORD_ID

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

TextPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LightHeader:
    """What a checkpoint holds besides its weights; see `LightModel`."""

    sizes: LightNetworkSizes
    words: tuple[str, ...]
    classes: tuple[str, ...]
    card: TextPairs
    verb_object_pairs: TextPairs


def write_header(header: LightHeader) -> dict[str, str]:
    """Return a header as texts by name."""
    return {
        "format": LIGHT_FORMAT,
        "sizes": json.dumps(asdict(header.sizes)),
        "words": json.dumps(header.words),
        "classes": json.dumps(header.classes),
        "card": json.dumps(header.card),
        "deeds": json.dumps(header.verb_object_pairs),
    }


def read_header(texts: Mapping[str, str]) -> LightHeader:
    """Return the header of which `write_header` returned these texts.

    Raises:
        ValueError: an entry is missing or impossible; the message names it.

    """
    words, classes = (_read_texts(texts, name) for name in ("words", "classes"))
    sizes = _read_sizes(texts)
    if (sizes.words, sizes.classes) != (
        len(words) + FIRST_WORD_ID,
        len(classes) + FIRST_NAMED_CLASS,
    ):
        raise ValueError("its vocabulary does not match its network")
    pairs = _read_pairs(texts, "deeds") if "deeds" in texts else ()
    return LightHeader(sizes, words, classes, _read_pairs(texts, "card"), pairs)


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
        return parse_json(texts[name].encode(), name, LIGHT_CHECKPOINT)
    except LIGHT_CHECKPOINT.error as fault:
        raise ValueError(f"its header is damaged: {fault.where} {fault.what}") from fault


def _check_text(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise ValueError(f"its header is damaged: {name} holds what is no short text")
    return value
