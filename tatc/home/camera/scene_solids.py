"""The solids of each object of a scene, closed or open.

Part of an object's shape follows from its neighbours and is found once, when the scene
begins: the height at which objects rest on it, the cutouts for sinks and for the floor before
doors, the shelves behind its door, and its own box if it stands at an angle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tatc.home.camera.box_cutouts import box_cutouts
from tatc.home.camera.counter_clearance import floor_cutouts
from tatc.home.camera.door_geometry import closed_box
from tatc.home.camera.open_containers import (
    content_boxes,
    measure_shelf_heights,
    open_container_solids,
)
from tatc.home.camera.oriented_boxes import estimate_oriented_boxes
from tatc.home.camera.rects import Rect
from tatc.home.camera.shapes import measure_surface_heights, solids_of, surface_height
from tatc.home.camera.solids import Solid
from tatc.home.state import Box, ObjectState


@dataclass(frozen=True, slots=True)
class _ShapeContext:
    """What is known about an object since its scene began; heights are in metres."""

    surface_height: float | None = None
    cutouts: Sequence[Rect] = ()
    closed_box: Box | None = None
    shelf_heights: Sequence[float] = ()
    content_boxes: Sequence[Box] = ()
    oriented_box: Box | None = None


class SceneSolids:
    """Cuts the objects of a list into solids; indices are those of the list."""

    def __init__(
        self, objects: Sequence[ObjectState], surfaces: Sequence[float | None] | None = None
    ) -> None:
        """Measure the objects as a scene begins; `surfaces` are as for `Geometry`."""
        if surfaces is None:
            self._contexts = list(_measure_contexts(_SameObjects(objects)))
        else:
            self._contexts = _contexts_of(objects, list(surfaces))

    def append(self) -> None:
        """Add an object, about which nothing is known, at the end of the list."""
        self._contexts.append(_ShapeContext())

    def surface_height(self, index: int) -> float | None:
        """Return the measured height at which objects rest on an object, metres, or None."""
        return self._contexts[index].surface_height

    def solids_of_object(self, index: int, obj: ObjectState) -> Sequence[Solid]:
        """Return the solids of an object as it is now."""
        context = self._contexts[index]
        if obj.isOpen and context.closed_box is not None:
            return open_container_solids(
                obj, context.closed_box, context.shelf_heights, context.content_boxes
            )
        return solids_of(
            _with_box(context.oriented_box, obj), context.surface_height, context.cutouts
        )


class _SameObjects:
    """A key for a list of objects; two are equal if they hold the very same objects."""

    def __init__(self, objects: Sequence[ObjectState]) -> None:
        self.objects = tuple(objects)
        self._ids = tuple(map(id, self.objects))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameObjects) and self._ids == other._ids

    def __hash__(self) -> int:
        return hash(self._ids)


# The world and then the Commander ask about the objects with which a session begins.
@lru_cache(maxsize=1)
def _measure_contexts(key: _SameObjects) -> Sequence[_ShapeContext]:
    return _contexts_of(key.objects, measure_surface_heights(key.objects))


def _contexts_of(
    objects: Sequence[ObjectState], surface_heights: Sequence[float | None]
) -> list[_ShapeContext]:
    oriented_boxes = estimate_oriented_boxes(objects)
    objects = [_with_box(box, obj) for box, obj in zip(oriented_boxes, objects, strict=True)]
    cutouts = box_cutouts(objects, list(map(surface_height, objects, surface_heights)))
    gaps = [(*over, *floor) for over, floor in zip(cutouts, floor_cutouts(objects), strict=True)]
    closed_boxes = map(closed_box, objects)
    held = measure_shelf_heights(objects), content_boxes(objects)
    contexts = zip(surface_heights, gaps, closed_boxes, *held, oriented_boxes, strict=True)
    return [_ShapeContext(*values) for values in contexts]


def _with_box(box: Box | None, obj: ObjectState) -> ObjectState:
    """Return an object with this box in place of its own, unchanged for None."""
    return obj if box is None else replace(obj, box=box)
