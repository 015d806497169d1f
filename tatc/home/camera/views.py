"""A camera's images: colour, object, type and depth of each pixel.

All four come from the same rays as clicks, so the object that a pixel shows is the one
that a click on it hits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.geometry import NO_OBJECT, IndexArray
from tatc.home.camera.rays import Eye, Floats, Rgb
from tatc.home.observation import SegmentationFrame
from tatc.home.state import ObjectState

Depths = NDArray[np.float32]
Mask = NDArray[np.bool_]


class ImageKind(StrEnum):
    """The kinds of image that can be drawn."""

    RGB = "rgb"
    IDS = "ids"
    CLASSES = "classes"
    DEPTH = "depth"


@dataclass(frozen=True, slots=True, eq=False)
class CameraImages:
    """The images of one view; those that were not asked for are None.

    `rgb` has the shape (rows, columns, 3), the others (rows, columns).  `ids` are indices
    into the snapshot's objects and `classes` into `types`; both are -1 where a ray meets
    no object, as at a wall.  `depth` is in metres along the view direction, as in
    AI2-THOR, and infinite where a ray meets nothing.
    """

    rgb: Rgb | None
    ids: IndexArray | None
    classes: IndexArray | None
    depth: Depths | None
    types: tuple[str, ...]

    def object_mask(self, index: int) -> Mask:
        """Return the pixels that show the object with an index; `ids` must have been drawn."""
        return _require_drawn(self.ids, ImageKind.IDS) == index

    def class_mask(self, kind: str) -> Mask:
        """Return the pixels that show objects of a type; `classes` must have been drawn."""
        classes = _require_drawn(self.classes, ImageKind.CLASSES)
        if kind not in self.types:
            return np.zeros(classes.shape, dtype=np.bool_)
        return classes == self.types.index(kind)


@dataclass(frozen=True, slots=True, eq=False)
class TracedView:
    """What an eye's rays hit, both arrays in the shape (rows, columns).

    `ids` are indices into the snapshot's objects, -1 where a ray hits none, as at a wall.
    `distances` are metres along each ray from the eye to an object, a wall, the ceiling or the
    floor, infinite where a ray hits nothing.
    """

    eye: Eye
    ids: IndexArray
    distances: Floats


def _require_drawn(plane: IndexArray | None, kind: ImageKind) -> IndexArray:
    if plane is None:
        raise ValueError(f"{kind} was not drawn")
    return plane


def object_types(objects: Sequence[ObjectState]) -> tuple[str, ...]:
    """Return the types among objects, in alphabetical order."""
    return tuple(sorted({obj.objectType for obj in objects}))


def class_image(
    ids: IndexArray, objects: Sequence[ObjectState], types: Sequence[str]
) -> IndexArray:
    """Return for each pixel the index of its object's type, -1 for none."""
    index = {kind: i for i, kind in enumerate(types)}
    table = [index[obj.objectType] for obj in objects]
    return np.array([*table, NO_OBJECT], dtype=np.int32)[ids]


def segmentation_of(ids: IndexArray, objects: Sequence[ObjectState]) -> SegmentationFrame:
    """Return a view's objects by type, numbered in the order of their first pixels.

    Pixels without an object are -1.
    """
    values, first = np.unique(ids, return_index=True)
    shown: list[int] = [int(values[k]) for k in np.argsort(first)]
    shown = [index for index in shown if index != NO_OBJECT]
    numbers = np.full(len(objects) + 1, NO_OBJECT, dtype=np.int32)
    numbers[shown] = np.arange(len(shown), dtype=np.int32)
    types = tuple(objects[index].objectType for index in shown)
    return SegmentationFrame(numbers[ids], types)
