"""Learned Followers by name: `et`, `et:FILE`, and their lesser forms."""

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from tatc.errors import UnknownName
from tatc.follower.et.extra import require
from tatc.follower.protocol import Follower

LEARNED = "et"
"""The learned Follower that ships; `et:FILE` is one of the user's own."""
SHIPPED = Path(__file__).parent / "shipped.safetensors"
"""The checkpoint of `et`."""


class Form(StrEnum):
    """What a learned Follower is allowed to see and hear.

    FRAME_BLANK: nothing is seen while it decides; its clicks still find their masks.
    LANGUAGE_ONLY: nothing is ever seen.
    VISION_ONLY: words are not heard, but that something was said.
    """

    FULL = "full"
    FRAME_BLANK = "frame-blank"
    LANGUAGE_ONLY = "language-only"
    VISION_ONLY = "vision-only"


def is_learned(name: str) -> bool:
    """Whether a Follower's name is one of a learned one."""
    family = name.partition(":")[0]
    return family == LEARNED or family.startswith(f"{LEARNED}-")


def file_of(name: str) -> Path:
    """Return the checkpoint of a learned Follower's name."""
    file = name.partition(":")[2]
    return Path(file) if file else SHIPPED


def form_of(name: str) -> Form:
    """Return the form that a learned Follower's name means.

    Raises:
        UnknownName: there is no such form.

    """
    form = name.partition(":")[0].removeprefix(LEARNED).removeprefix("-")
    known = {"": Form.FULL, **{str(each): each for each in list(Form)[1:]}}
    if form not in known:
        names = tuple(f"{LEARNED}-{each}" for each in list(Form)[1:])
        fix = f"name one of {LEARNED}, {', '.join(names)}"
        raise UnknownName("Follower", name, (LEARNED, *names), fix=fix)
    return known[form]


def learned(name: str) -> Callable[[], Follower]:
    """Return what makes the learned Follower of this name.

    Raises:
        UnknownName: there is no such form.
        MissingExtra: torch is not installed.
        BadInput: its checkpoint is not there, or is none.

    """
    form, path = form_of(name), file_of(name)
    require()
    changed = path.stat().st_mtime_ns if path.exists() else 0
    make = _maker(path, changed)

    def made() -> Follower:
        return make(form)

    return made


@lru_cache(maxsize=4)
def _maker(path: Path, changed: int) -> Callable[[Form], Follower]:
    """Return what makes Followers of a checkpoint, read once as it is now."""
    import torch

    from tatc.follower.et.light.follower import LightFollower
    from tatc.follower.et.light.recalling import RecallingFollower
    from tatc.follower.et.light.weights import is_light, read_light

    torch.set_num_threads(1)  # sums in one order: the same bytes in every process
    if path.suffix != ".pth" or is_light(path):
        light = read_light(path)
        kind = RecallingFollower if light.network.sizes.recalls else LightFollower
        return lambda form: kind(light, form)

    from tatc.follower.et.official.follower import official

    return official(path)
