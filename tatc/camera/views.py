"""What a camera gives: colours, which object, which type, and how far, pixel by pixel.

All four come from the same rays as clicks do, so that the object that a pixel shows is
the one that a click on it meets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Segments
from tatc.camera.geometry import NOTHING, Ids
from tatc.camera.rays import Rgb
from tatc.state import ObjectState

Depths = NDArray[np.float32]
Mask = NDArray[np.bool_]


class View(StrEnum):
    """What can be drawn."""

    RGB = "rgb"
    IDS = "ids"
    CLASSES = "classes"
    DEPTH = "depth"


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What was drawn; what was not asked for is None.

    `rgb` has the shape (rows, columns, 3).  `ids` are indices into the snapshot's
    objects and `classes` into `types`, both -1 where a ray meets no object: a wall.
    `depth` is in metres along the view, as AI2-THOR's is; infinite in the open.
    """

    rgb: Rgb | None
    ids: Ids | None
    classes: Ids | None
    depth: Depths | None
    types: tuple[str, ...]

    def mask(self, index: int) -> Mask:
        """Return where an object is seen, by its index; `ids` must have been drawn."""
        return _drawn(self.ids, View.IDS) == index

    def class_mask(self, kind: str) -> Mask:
        """Return where objects of a type are seen; `classes` must have been drawn."""
        classes = _drawn(self.classes, View.CLASSES)
        if kind not in self.types:
            return np.zeros(classes.shape, dtype=np.bool_)
        return classes == self.types.index(kind)


def _drawn(plane: Ids | None, view: View) -> Ids:
    if plane is None:
        raise ValueError(f"{view} was not drawn")
    return plane


def types_of(objects: Sequence[ObjectState]) -> tuple[str, ...]:
    """Return the types there are, in the alphabet's order."""
    return tuple(sorted({thing.objectType for thing in objects}))


def classes_of(ids: Ids, objects: Sequence[ObjectState], types: Sequence[str]) -> Ids:
    """Return for each pixel the index of its object's type, -1 for none."""
    index = {kind: i for i, kind in enumerate(types)}
    table = [index[thing.objectType] for thing in objects]
    return np.array([*table, NOTHING], dtype=np.int32)[ids]


def segments_of(ids: Ids, objects: Sequence[ObjectState]) -> Segments:
    """Return a view's things by type, numbered in the order of their first pixels."""
    values, first = np.unique(ids, return_index=True)
    shown: list[int] = [int(values[k]) for k in np.argsort(first)]
    shown = [index for index in shown if index != NOTHING]
    numbers = np.full(len(objects) + 1, NOTHING, dtype=np.int32)
    numbers[shown] = np.arange(len(shown), dtype=np.int32)
    types = tuple(objects[index].objectType for index in shown)
    return Segments(numbers[ids], types)
