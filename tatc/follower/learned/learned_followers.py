"""Learned Followers by name, and what their checkpoints hold.

Names are `et`, `et:FILE`, and with fewer inputs `et-language-only` and the like.  torch takes
seconds to import, so it is imported where a checkpoint is read.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path

from tatc.base.errors import BadInput, UnknownName
from tatc.follower.learned import LEARNED_FAMILY, InputMode, require_learned_extra
from tatc.follower.protocol import Follower

SHIPPED_CHECKPOINT = Path(__file__).parent / "shipped.safetensors"  # the checkpoint that `et` loads
CLASSIC_MODES = (InputMode.FRAME_BLANK, InputMode.LANGUAGE_ONLY, InputMode.VISION_ONLY)
"""The lesser forms of a published E.T."""
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
    make = _checkpoint_factory(path, modified_ns)
    points = points_at_instances(name)
    known = [mode for mode in list(InputMode)[1:] if (mode in CLASSIC_MODES) != points]
    if input_mode not in (InputMode.FULL, *known):
        fix = f"name one of {', '.join(f'{LEARNED_FAMILY}-{mode}' for mode in known)}"
        raise BadInput(f"its checkpoint has no form {input_mode}", where=name, fix=fix)
    return partial(make, input_mode)


@lru_cache(maxsize=4)
def _checkpoint_factory(path: Path, modified_ns: int) -> Callable[[InputMode], Follower]:
    """Return what makes Followers of a checkpoint, which is read again after it was modified."""
    import torch

    from tatc.follower.learned.pointing.checkpoint import read_checkpoint
    from tatc.follower.learned.pointing.people_follower import PeopleFollower
    from tatc.follower.learned.pointing.pointing_follower import PointingFollower

    torch.set_num_threads(1)  # sums in one order: the same bytes in every process
    if path.suffix != ".pth":
        found = read_checkpoint(path)
        return partial(PeopleFollower if found.is_of_people else PointingFollower, found)

    from tatc.follower.learned.et.follower import official_follower_factory

    return official_follower_factory(path)


def points_at_instances(name: str) -> bool:
    """Return whether a Follower's checkpoint, which need not exist, is a pointing one's."""
    return checkpoint_of(name).suffix != ".pth"


def summarize_checkpoint(path: Path) -> dict[str, SummaryValue]:
    """Return the contents of a checkpoint by name; nothing in the file is run."""
    if path.suffix == ".pth":
        from tatc.follower.learned.et import checkpoint as official

        checkpoint = official.read_checkpoint(path)
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
    from tatc.follower.learned.pointing.checkpoint import read_checkpoint

    model = read_checkpoint(path)
    return {
        "kind": "pointing, of people's games" if model.is_of_people else "pointing",
        "parameters": sum(p.numel() for p in model.network.parameters()),
        "width": model.network.sizes.width,
        "words": len(model.words),
        "classes": len(model.classes),
        "card": dict(model.card),
    }
