"""Examples: what was said, and what was rightly done and seen upon it.

An utterance of the rule Commander's is told at every grain; a session that is recalled
(`follower/et/light/recall`) has one text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click, Verb
from tatc.follower.et.light.action_history import verb_indices
from tatc.follower.et.light.class_map import CLASS_MAP_SIDE, CLICK_GRID_SIDE, UNKNOWN_CLASS
from tatc.language import Wording

NO_CLICK = -1
"""The class and the cell of an action without a click."""

Int16Array = NDArray[np.int16]
ClassMapStack = NDArray[np.uint8]

EXAMPLE_WORDINGS = tuple(Wording)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """An utterance in each grain, and the actions it asks for, the question last.

    Where a session is recalled, `texts` is that alone.

    `actions`, `classes` and `cells` have one number an action; `maps` the class map
    that was seen before each.
    """

    texts: tuple[str, ...]
    actions: Int16Array
    classes: Int16Array
    cells: Int16Array
    maps: ClassMapStack

    def __len__(self) -> int:
        return len(self.actions)


@dataclass(frozen=True, slots=True)
class DemonstratedAction:
    """One right action: a verb, and for an interaction what was clicked and where."""

    verb: Verb
    object_type: str | None = None
    click: Click | None = None


def make_example(
    texts: Sequence[str],
    actions: Sequence[DemonstratedAction],
    maps: Sequence[ClassMapStack],
    classes: Mapping[str, int],
) -> Example:
    """Return the example of one utterance."""
    return Example(
        tuple(texts),
        np.array(verb_indices([each.verb for each in actions]), dtype=np.int16),
        np.array([_class_id(each, classes) for each in actions], dtype=np.int16),
        np.array([_click_cell(each.click) for each in actions], dtype=np.int16),
        np.stack(maps),
    )


def pack_examples(examples: Sequence[Example]) -> dict[str, NDArray[np.generic]]:
    """Return examples as a few arrays, to be written."""
    texts = "\n".join(text for each in examples for text in each.texts)
    return {
        "lengths": np.array([len(each) for each in examples], dtype=np.int32),
        "actions": _concatenate([each.actions for each in examples]),
        "classes": _concatenate([each.classes for each in examples]),
        "cells": _concatenate([each.cells for each in examples]),
        "maps": np.concatenate(
            [
                np.empty((0, CLASS_MAP_SIDE, CLASS_MAP_SIDE), np.uint8),
                *(each.maps for each in examples),
            ]
        ),
        "texts": np.frombuffer(texts.encode(), dtype=np.uint8),
    }


def unpack_examples(arrays: Mapping[str, NDArray[np.generic]]) -> Iterator[Example]:
    """Yield the examples that `pack_examples` wrote."""
    texts = arrays["texts"].tobytes().decode().split("\n")
    ends = np.cumsum(arrays["lengths"]).tolist()
    grains = len(texts) // max(len(ends), 1)
    actions, classes = (arrays[k].astype(np.int16) for k in ("actions", "classes"))
    cells, maps = arrays["cells"].astype(np.int16), arrays["maps"].astype(np.uint8)
    start = 0
    for i, end in enumerate(ends):
        part = slice(start, end)
        said = texts[grains * i : grains * (i + 1)]
        yield Example(tuple(said), actions[part], classes[part], cells[part], maps[part])
        start = end


def _concatenate(parts: Sequence[Int16Array]) -> Int16Array:
    return np.concatenate([np.empty(0, np.int16), *parts])


def _class_id(action: DemonstratedAction, classes: Mapping[str, int]) -> int:
    return (
        NO_CLICK if action.object_type is None else classes.get(action.object_type, UNKNOWN_CLASS)
    )


def _click_cell(click: Click | None) -> int:
    if click is None:
        return NO_CLICK
    row, column = (min(CLICK_GRID_SIDE - 1, int(v * CLICK_GRID_SIDE)) for v in (click.y, click.x))
    return row * CLICK_GRID_SIDE + column
