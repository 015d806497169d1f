"""Learned Followers by name, and what their checkpoints hold.

Names are `et`, `et:FILE`, and with fewer inputs `et-language-only` and the like.  torch takes
seconds to import, so it is imported where a checkpoint is read.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path

from tatc.base.errors import UnknownName
from tatc.follower.learned import LEARNED_FAMILY, InputMode, require_learned_extra
from tatc.follower.protocol import Follower

SHIPPED_CHECKPOINT = Path(__file__).parent / "shipped.safetensors"
"""The checkpoint that `et` loads."""
SummaryValue = str | int | list[str] | dict[str, str]


def checkpoint_of(name: str) -> Path:
    """Return the checkpoint that a learned Follower's name means."""
    file = name.partition(":")[2]
    return Path(file) if file else SHIPPED_CHECKPOINT


def input_mode_of(name: str) -> InputMode:
    """Return the inputs that a learned Follower's name means."""
    mode = name.partition(":")[0].removeprefix(LEARNED_FAMILY).removeprefix("-")
    known = {"": InputMode.FULL, **{str(each): each for each in list(InputMode)[1:]}}
    if mode not in known:
        names = tuple(f"{LEARNED_FAMILY}-{each}" for each in list(InputMode)[1:])
        fix = f"name one of {LEARNED_FAMILY}, {', '.join(names)}"
        raise UnknownName("Follower", name, (LEARNED_FAMILY, *names), fix=fix)
    return known[mode]


def learned_follower_factory(name: str) -> Callable[[], Follower]:
    """Return a function that makes the learned Follower of this name."""
    input_mode, path = input_mode_of(name), checkpoint_of(name)
    require_learned_extra()
    modified_ns = path.stat().st_mtime_ns if exists(path) else 0
    return partial(_checkpoint_factory(path, modified_ns), input_mode)


@lru_cache(maxsize=4)
def _checkpoint_factory(path: Path, modified_ns: int) -> Callable[[InputMode], Follower]:
    """Return what makes Followers of a checkpoint, which is read again after it was modified."""
    import torch

    from tatc.follower.learned.light.checkpoint import is_light_checkpoint, read_light_checkpoint
    from tatc.follower.learned.light.history_follower import HistoryFollower
    from tatc.follower.learned.light.light_follower import LightFollower

    torch.set_num_threads(1)  # sums in one order: the same bytes in every process
    if path.suffix != ".pth" or is_light_checkpoint(path):
        light = read_light_checkpoint(path)
        kind = HistoryFollower if light.network.sizes.recalls else LightFollower
        return lambda input_mode: kind(light, input_mode)

    from tatc.follower.learned.et.follower import official_follower_factory

    return official_follower_factory(path)


def summarize_checkpoint(path: Path) -> dict[str, SummaryValue]:
    """Return the contents of a checkpoint by name; nothing in the file is run."""
    from tatc.follower.learned.light.checkpoint import is_light_checkpoint

    light = path.suffix == ".safetensors" or is_light_checkpoint(path)
    return _light_summary(path) if light else _official_summary(path)


def _light_summary(path: Path) -> dict[str, SummaryValue]:
    from tatc.follower.learned.light.checkpoint import read_light_checkpoint

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
    from tatc.follower.learned.et.checkpoint import read_checkpoint

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
