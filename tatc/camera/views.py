"""What a camera gives: colours, which object, which type, and how far, pixel by pixel.

All four come from the same rays as clicks do, so that the object that a pixel shows is
the one that a click on it meets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tatc.actions import SegmentationFrame
from tatc.camera.geometry import NO_OBJECT, IndexArray
from tatc.camera.rays import Rgb
from tatc.state import ObjectState

Depths = NDArray[np.float32]
Mask = NDArray[np.bool_]


class ImageKind(StrEnum):
    """What can be drawn."""

    RGB = "rgb"
    IDS = "ids"
    CLASSES = "classes"
    DEPTH = "depth"


@dataclass(frozen=True, slots=True, eq=False)
class CameraImages:
    """What was drawn; what was not asked for is None.

    `rgb` has the shape (rows, columns, 3).  `ids` are indices into the snapshot's
    objects and `classes` into `types`, both -1 where a ray meets no object: a wall.
    `depth` is in metres along the view, as AI2-THOR's is; infinite in the open.
    """

    rgb: Rgb | None
    ids: IndexArray | None
    classes: IndexArray | None
    depth: Depths | None
    types: tuple[str, ...]

    def object_mask(self, index: int) -> Mask:
        """Return where an object is seen, by its index; `ids` must have been drawn."""
        return _require_drawn(self.ids, ImageKind.IDS) == index

    def class_mask(self, kind: str) -> Mask:
        """Return where objects of a type are seen; `classes` must have been drawn."""
        classes = _require_drawn(self.classes, ImageKind.CLASSES)
        if kind not in self.types:
            return np.zeros(classes.shape, dtype=np.bool_)
        return classes == self.types.index(kind)


def _require_drawn(plane: IndexArray | None, kind: ImageKind) -> IndexArray:
    if plane is None:
        raise ValueError(f"{kind} was not drawn")
    return plane


def object_types(objects: Sequence[ObjectState]) -> tuple[str, ...]:
    """Return the types there are, in the alphabet's order."""
    return tuple(sorted({obj.objectType for obj in objects}))


def class_image(
    ids: IndexArray, objects: Sequence[ObjectState], types: Sequence[str]
) -> IndexArray:
    """Return for each pixel the index of its object's type, -1 for none."""
    index = {kind: i for i, kind in enumerate(types)}
    table = [index[obj.objectType] for obj in objects]
    return np.array([*table, NO_OBJECT], dtype=np.int32)[ids]


def segmentation_of(ids: IndexArray, objects: Sequence[ObjectState]) -> SegmentationFrame:
    """Return a view's things by type, numbered in the order of their first pixels."""
    values, first = np.unique(ids, return_index=True)
    shown: list[int] = [int(values[k]) for k in np.argsort(first)]
    shown = [index for index in shown if index != NO_OBJECT]
    numbers = np.full(len(objects) + 1, NO_OBJECT, dtype=np.int32)
    numbers[shown] = np.arange(len(shown), dtype=np.int32)
    types = tuple(objects[index].objectType for index in shown)
    return SegmentationFrame(numbers[ids], types)
