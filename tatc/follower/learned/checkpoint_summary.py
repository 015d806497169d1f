"""Describes a checkpoint, for `tatc follower inspect`."""

from pathlib import Path

from tatc.follower.learned.et.checkpoint import read_checkpoint
from tatc.follower.learned.light.checkpoint import is_light_checkpoint, read_light_checkpoint

SummaryValue = str | int | list[str] | dict[str, str]


def summarize_checkpoint(path: Path) -> dict[str, SummaryValue]:
    """Return the contents of a checkpoint by name; nothing in the file is run."""
    light = path.suffix == ".safetensors" or is_light_checkpoint(path)
    return _light_summary(path) if light else _official_summary(path)


def _light_summary(path: Path) -> dict[str, SummaryValue]:
    light = read_light_checkpoint(path)
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


def _official_summary(path: Path) -> dict[str, SummaryValue]:
    checkpoint = read_checkpoint(path)
    return {
        "kind": "E.T.",
        "variant": checkpoint.variant.name,
        "parameters": checkpoint.parameter_count,
        "data_set": checkpoint.settings.data_set,
        "words": checkpoint.settings.word_count,
        "actions": list(checkpoint.actions),
        "classes": checkpoint.settings.class_count,
        "metric": checkpoint.metric,
        "args": dict(checkpoint.args),
    }
