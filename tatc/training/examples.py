"""Examples: what was said, and what was rightly done and seen upon it.

An utterance of the rule Commander's is told at every grain; a session that is recalled
(`follower/et/light/recall`) has one text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click, Verb
from tatc.follower.et.light.history import numbers
from tatc.follower.et.light.sight import OTHER, SIDE
from tatc.language import Wording

CELLS = 8
"""Parts of the view along each side that a click is learned by."""
NO_CLICK = -1
"""The class and the cell of an action without a click."""

Numbers = NDArray[np.int16]
Maps = NDArray[np.uint8]

GRAINS = tuple(Wording)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """An utterance in each grain, and the actions it asks for, the question last.

    Where a session is recalled, `texts` is that alone.

    `actions`, `classes` and `cells` have one number an action; `maps` the class map
    that was seen before each.
    """

    texts: tuple[str, ...]
    actions: Numbers
    classes: Numbers
    cells: Numbers
    maps: Maps

    def __len__(self) -> int:
        return len(self.actions)


@dataclass(frozen=True, slots=True)
class Done:
    """One right action: a verb, and for an interaction what was clicked and where."""

    verb: Verb
    noun: str | None = None
    click: Click | None = None


def example_of(
    texts: Sequence[str],
    done: Sequence[Done],
    maps: Sequence[Maps],
    classes: Mapping[str, int],
) -> Example:
    """Return the example of one utterance."""
    return Example(
        tuple(texts),
        np.array(numbers([each.verb for each in done]), dtype=np.int16),
        np.array([_class_of(each, classes) for each in done], dtype=np.int16),
        np.array([_cell_of(each.click) for each in done], dtype=np.int16),
        np.stack(maps),
    )


def packed(examples: Sequence[Example]) -> dict[str, NDArray[np.generic]]:
    """Return examples as a few arrays, to be written."""
    texts = "\n".join(text for each in examples for text in each.texts)
    return {
        "lengths": np.array([len(each) for each in examples], dtype=np.int32),
        "actions": _joined([each.actions for each in examples]),
        "classes": _joined([each.classes for each in examples]),
        "cells": _joined([each.cells for each in examples]),
        "maps": np.concatenate(
            [np.empty((0, SIDE, SIDE), np.uint8), *(each.maps for each in examples)]
        ),
        "texts": np.frombuffer(texts.encode(), dtype=np.uint8),
    }


def unpacked(arrays: Mapping[str, NDArray[np.generic]]) -> Iterator[Example]:
    """Yield the examples that `packed` wrote."""
    texts = arrays["texts"].tobytes().decode().split("\n")
    ends = np.cumsum(arrays["lengths"]).tolist()
    grains = len(texts) // max(len(ends), 1)
    actions, classes = (arrays[k].astype(np.int16) for k in ("actions", "classes"))
    cells, maps = arrays["cells"].astype(np.int16), arrays["maps"].astype(np.uint8)
    start = 0
    for i, end in enumerate(ends):
        part = slice(start, end)
        said = texts[grains * i : grains * (i + 1)]
        yield Example(
            tuple(said), actions[part], classes[part], cells[part], maps[part]
        )
        start = end


def _joined(parts: Sequence[Numbers]) -> Numbers:
    return np.concatenate([np.empty(0, np.int16), *parts])


def _class_of(done: Done, classes: Mapping[str, int]) -> int:
    return NO_CLICK if done.noun is None else classes.get(done.noun, OTHER)


def _cell_of(click: Click | None) -> int:
    if click is None:
        return NO_CLICK
    row, column = (min(CELLS - 1, int(v * CELLS)) for v in (click.y, click.x))
    return row * CELLS + column
