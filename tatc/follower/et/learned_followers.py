"""Learned Followers by name: `et`, `et:FILE`, and their lesser forms."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from tatc.agent_names import LEARNED_FAMILY
from tatc.errors import UnknownName
from tatc.follower.et.dependencies import require_learned_extra
from tatc.follower.et.input_modes import InputMode
from tatc.follower.protocol import Follower

SHIPPED_CHECKPOINT = Path(__file__).parent / "shipped.safetensors"
"""The checkpoint of `et`."""


def is_learned_name(name: str) -> bool:
    """Whether a Follower's name is one of a learned one."""
    family = name.partition(":")[0]
    return family == LEARNED_FAMILY or family.startswith(f"{LEARNED_FAMILY}-")


def checkpoint_of(name: str) -> Path:
    """Return the checkpoint of a learned Follower's name."""
    file = name.partition(":")[2]
    return Path(file) if file else SHIPPED_CHECKPOINT


def input_mode_of(name: str) -> InputMode:
    """Return the form that a learned Follower's name means.

    Raises:
        UnknownName: there is no such form.

    """
    form = name.partition(":")[0].removeprefix(LEARNED_FAMILY).removeprefix("-")
    known = {"": InputMode.FULL, **{str(each): each for each in list(InputMode)[1:]}}
    if form not in known:
        names = tuple(f"{LEARNED_FAMILY}-{each}" for each in list(InputMode)[1:])
        fix = f"name one of {LEARNED_FAMILY}, {', '.join(names)}"
        raise UnknownName("Follower", name, (LEARNED_FAMILY, *names), fix=fix)
    return known[form]


def learned_follower_factory(name: str) -> Callable[[], Follower]:
    """Return what makes the learned Follower of this name.

    Raises:
        UnknownName: there is no such form.
        MissingExtra: torch is not installed.
        BadInput: its checkpoint is not there, or is none.

    """
    form, path = input_mode_of(name), checkpoint_of(name)
    require_learned_extra()
    changed = path.stat().st_mtime_ns if path.exists() else 0
    make = _checkpoint_factory(path, changed)

    def made() -> Follower:
        return make(form)

    return made


@lru_cache(maxsize=4)
def _checkpoint_factory(path: Path, modified_ns: int) -> Callable[[InputMode], Follower]:
    """Return what makes Followers of a checkpoint, read once as it is now."""
    import torch

    from tatc.follower.et.light.checkpoint import is_light_checkpoint, read_light_checkpoint
    from tatc.follower.et.light.follower import LightFollower
    from tatc.follower.et.light.history_follower import HistoryFollower

    torch.set_num_threads(1)  # sums in one order: the same bytes in every process
    if path.suffix != ".pth" or is_light_checkpoint(path):
        light = read_light_checkpoint(path)
        kind = HistoryFollower if light.network.sizes.recalls else LightFollower
        return lambda form: kind(light, form)

    from tatc.follower.et.official.follower import official_follower_factory

    return official_follower_factory(path)
