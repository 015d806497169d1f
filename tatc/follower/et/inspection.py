"""What is inside a checkpoint, in words and numbers."""

from pathlib import Path

from tatc.follower.et.light.weights import is_light, read_light
from tatc.follower.et.official.checkpoint import read_checkpoint

Value = str | int | list[str] | dict[str, str]


def inspect(path: Path) -> dict[str, Value]:
    """Return what a checkpoint holds; nothing in it is run.

    Raises:
        BadInput: it is neither a light one nor one of E.T.'s.

    """
    light = path.suffix == ".safetensors" or is_light(path)
    return _light(path) if light else _official(path)


def _light(path: Path) -> dict[str, Value]:
    light = read_light(path)
    sizes = light.network.sizes
    return {
        "kind": "light",
        "parameters": sum(p.numel() for p in light.network.parameters()),
        "hears": "whole sessions" if sizes.recalls else "utterances",
        "width": sizes.width,
        "words": len(light.words),
        "classes": len(light.classes),
        "card": dict(light.card),
    }


def _official(path: Path) -> dict[str, Value]:
    checkpoint = read_checkpoint(path)
    return {
        "kind": "E.T.",
        "variant": checkpoint.variant.name,
        "parameters": checkpoint.parameters,
        "data_set": checkpoint.settings.data_set,
        "words": checkpoint.settings.words,
        "actions": list(checkpoint.actions),
        "classes": checkpoint.settings.classes,
        "metric": checkpoint.metric,
        "args": dict(checkpoint.args),
    }
