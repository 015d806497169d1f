"""Deprecated names: they warn once, and go as `docs/reference/versions.md` says."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def deprecation_notice(name: str, *, since: str, remove_in: str, use: str) -> str:
    """Return the sentence that says since when a name is deprecated and what replaces it."""
    return f"{name} is deprecated since {since} and will be removed in {remove_in}: use {use}"


def deprecated(
    *, since: str, remove_in: str, use: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make the first call of a function in a process warn, at the line of its caller.

    `since` is the release that deprecates it, such as "0.2", and `remove_in` the one that removes
    it, two minor releases later; `use` is what to use instead.
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        notice = deprecation_notice(
            f"{function.__module__}.{function.__qualname__}",
            since=since,
            remove_in=remove_in,
            use=use,
        )
        has_warned = False

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            nonlocal has_warned
            if not has_warned:
                has_warned = True
                warnings.warn(notice, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        return call

    return wrap
