"""Walks over everything that a Follower is given, for tests of what it must not learn."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

ANGLES = ("yaw", "horizon", "rotation", "degrees")


def values_in(given: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each text and number in a value, with its path; sensors are called first."""
    if isinstance(given, np.ndarray):
        yield f"{path}.max", float(np.nan_to_num(given, posinf=0.0).max())
    elif isinstance(given, str | int | float) or given is None:
        yield path, given
    elif is_dataclass(given):
        for each in fields(given):
            yield from values_in(getattr(given, each.name), f"{path}.{each.name}")
    elif isinstance(given, list | tuple):
        for i, value in enumerate(given):
            yield from values_in(value, f"{path}[{i}]")
    elif callable(given):
        yield from values_in(given(24) if path.endswith("segments") else given(), f"{path}()")


def texts_and_lengths(given: Any) -> tuple[list[tuple[str, str]], list[tuple[str, float]]]:
    """Return the texts in a value, and its numbers that are no angles and no counts."""
    found = list(values_in(given))
    texts = [(path, str(value)) for path, value in found if isinstance(value, str)]
    lengths = [
        (path, value)
        for path, value in found
        if isinstance(value, float) and not any(angle in path for angle in ANGLES)
    ]
    return texts, lengths
