"""Networks as names and shapes, to compare with a file's tensors and to fill from it."""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any

from tatc.follower.learned import require_learned_extra

require_learned_extra()

import torch  # noqa: E402
from torch.overrides import TorchFunctionMode  # noqa: E402


@contextmanager
def shapes_only() -> Generator[None]:
    """Let networks that are made in the context have names and shapes, but no memory."""
    with torch.device("meta"), _NothingDrawn():
        yield


class _NothingDrawn(TorchFunctionMode):
    """Leaves out `torch.nn.init`; to draw without memory, torch imports its compiler (2 s)."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        given = dict(kwargs or {})
        if getattr(func, "__module__", "") == "torch.nn.init":
            return given.get("tensor", args[0] if args else None)
        return func(*args, **given)
