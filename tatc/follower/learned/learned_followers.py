"""Learned Followers by name: `et`, `et:FILE`, and with fewer inputs (`et-language-only`)."""

from collections.abc import Callable
from functools import lru_cache, partial
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path

from tatc.base.errors import UnknownName
from tatc.follower.learned.dependencies import require_learned_extra
from tatc.follower.learned.input_modes import LEARNED_FAMILY, InputMode
from tatc.follower.protocol import Follower

SHIPPED_CHECKPOINT = Path(__file__).parent / "shipped.safetensors"
"""The checkpoint that `et` loads."""


def is_learned_name(name: str) -> bool:
    """Return whether this is the name of a learned Follower."""
    family = name.partition(":")[0]
    return family == LEARNED_FAMILY or family.startswith(f"{LEARNED_FAMILY}-")


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
    """Return a function that makes Followers of a checkpoint.

    The checkpoint is read once, and again after it was modified.
    """
    import torch

    from tatc.follower.learned.light.checkpoint import is_light_checkpoint, read_light_checkpoint
    from tatc.follower.learned.light.follower import LightFollower
    from tatc.follower.learned.light.history_follower import HistoryFollower

    torch.set_num_threads(1)  # sums in one order: the same bytes in every process
    if path.suffix != ".pth" or is_light_checkpoint(path):
        light = read_light_checkpoint(path)
        kind = HistoryFollower if light.network.sizes.recalls else LightFollower
        return lambda input_mode: kind(light, input_mode)

    from tatc.follower.learned.et.follower import official_follower_factory

    return official_follower_factory(path)
