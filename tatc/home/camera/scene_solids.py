"""The solids of each object of a scene, closed or open, and which objects are shut in.

Part of an object's shape follows from its neighbours and is found once, when the scene
begins: the height at which objects rest on it, the cutouts for sinks and for the floor before
doors, the shelves behind its door, and its own box if it stands at an angle.  The stove's body,
which is no object, is guessed here too.
"""

from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from math import sqrt
from typing import NamedTuple, TypeVar

from tatc.home import type_facts as facts
from tatc.home.camera import door_geometry, ray_intersection
from tatc.home.camera.box_cutouts import box_cutouts
from tatc.home.camera.counter_fronts import floor_cutouts
from tatc.home.camera.rays import snapped_sin_cos
from tatc.home.camera.shapes import measure_surface_heights, solids_of
from tatc.home.camera.solids import Rect, Solid, bounding_rect, footprint_of
from tatc.home.state import Box, ByIdentity, ObjectState, Vec3, kept_by_shape, yaw_off_axis_degrees

STOVE_MARGIN_METRES = 0.06  # how far a stove reaches beyond its burners on each side, metres
MAX_STOVE_METRES = 1.2  # burners spread over more than this do not make one stove, metres
_MAX_KNOB_DISTANCE_METRES = 0.3  # how far a stove's knobs are from its burners at most
_Value = TypeVar("_Value")
MIN_OFF_AXIS_DEGREES = 3.0
"""An object turned off the world's axes by more than this stands at an angle, degrees."""
SINK_LENGTH_TO_DEPTH_RATIO = 1.75
"""How many times as long as deep sinks and tubs are; other objects are square."""
_UNRELIABLE_TYPES = frozenset({"Faucet"})  # parts of it stick out
# If the cosine of twice the angle exceeds this, the sides of the enclosing box determine
# both sides of the object's own box.
_MIN_DOUBLE_ANGLE_COSINE = 0.3


class _ShapeContext(NamedTuple):
    """What is known about an object since its scene began; heights are in metres."""

    surface_height: float | None = None
    cutouts: tuple[Rect, ...] = ()
    closed_box: Box | None = None
    shelf_heights: Sequence[float] = ()
    content_boxes: Sequence[Box] = ()
    oriented_box: Box | None = None

    def cut(self, obj: ObjectState) -> Sequence[Solid]:
        if obj.isOpen and self.closed_box is not None:
            return door_geometry.open_container_solids(
                obj, self.closed_box, self.shelf_heights, self.content_boxes
            )
        return solids_of(_with_box(self.oriented_box, obj), self.surface_height, self.cutouts)


def copy_parts(value: _Value) -> _Value:
    """Return a copy whose attributes are copies, and nothing in these."""
    made = object.__new__(type(value))
    vars(made).update({name: copy(part) for name, part in vars(value).items()})
    return made


class SceneSolids:
    """Cuts the objects of a list into solids; indices are those of the list."""

    __copy__ = copy_parts

    def __init__(self, objects: Sequence[ObjectState]) -> None:
        """Measure the objects as a scene begins."""
        surface_heights = measure_surface_heights(objects)
        oriented_boxes = estimate_oriented_boxes(objects)
        if any(oriented_boxes):
            boxes = zip(oriented_boxes, objects, strict=True)
            objects = [_with_box(box, obj) for box, obj in boxes]
        cutouts = box_cutouts(objects, surface_heights)
        gaps = [(*a, *b) for a, b in zip(cutouts, floor_cutouts(objects), strict=True)]
        closed_boxes = map(door_geometry.closed_box, objects)
        inside = door_geometry.content_boxes(objects)
        shelves = map(door_geometry.measure_shelf_heights, objects, inside)
        parts = surface_heights, gaps, closed_boxes, shelves, inside, oriented_boxes
        self._contexts = [_ShapeContext(*values) for values in zip(*parts, strict=True)]

    def append(self) -> None:
        """Add an object, about which nothing is known, at the end of the list."""
        self._contexts.append(_ShapeContext())

    def surface_height(self, index: int) -> float | None:
        """Return the measured height at which objects rest on an object, metres, or None."""
        return self._contexts[index].surface_height

    def solids_of_object(self, index: int, obj: ObjectState) -> Sequence[Solid]:
        """Return the solids of an object as it is now."""
        return self._contexts[index].cut(obj)

    def prepared_object(
        self, index: int, obj: ObjectState
    ) -> Sequence[ray_intersection.PreparedSolid]:
        """Return the solids of an object as it is now; those of the last ones are kept."""
        return _prepared_object(ByIdentity(obj), ByIdentity(self._contexts[index]))

    def prepared_fixture(
        self, index: int, fixture: ObjectState
    ) -> Sequence[ray_intersection.PreparedSolid]:
        """Return a closed fixture's solids; it is a shared one of `state.parts_of`."""
        known = self._contexts[index]
        cut = known.surface_height, known.cutouts, known.oriented_box
        return _prepared_fixture(ByIdentity(fixture), *cut)


@lru_cache(maxsize=8192)
def _prepared_fixture(
    obj: ByIdentity[ObjectState], height: float | None, cutouts: tuple[Rect, ...], box: Box | None
) -> Sequence[ray_intersection.PreparedSolid]:
    solids = solids_of(_with_box(box, obj.value), height, cutouts)
    return tuple(map(ray_intersection.prepare_solid, solids))


@lru_cache(maxsize=512)  # a world that goes back to a state meets the very same objects
def _prepared_object(
    obj: ByIdentity[ObjectState], context: ByIdentity[_ShapeContext]
) -> Sequence[ray_intersection.PreparedSolid]:
    return tuple(map(ray_intersection.prepare_solid, context.value.cut(obj.value)))


def _with_box(box: Box | None, obj: ObjectState) -> ObjectState:
    """Return an object with this box in place of its own, unchanged for None."""
    return obj if box is None else obj.with_values(box=box)


class _Place(NamedTuple):
    name: str
    parents: tuple[str, ...]
    is_closed: bool

    @staticmethod
    def of(obj: ObjectState) -> "_Place":
        able = obj.affordances
        closed = able.openable and not obj.isOpen and obj.objectType in facts.MUST_BE_OPEN_TYPES
        # Only portable objects are in anything: AI2-THOR lists a plate as a parent of the
        # cabinet that it is in.
        parents = (obj.parentReceptacles or ()) if able.pickupable else ()
        return _Place(obj.objectId, parents, closed)


class ShutInObjects:
    """Where the objects of a list are, and which of them are shut in: where no ray gets.

    A closed container's box does not cover all that is in it: boxes are rough, and an object may be
    put down where it is up to three centimetres higher than the space for it, as in AI2-THOR.
    Without this rule, the end of such an object is seen above its container.
    """

    __copy__ = copy_parts

    def __init__(self, objects: Sequence[ObjectState]) -> None:
        """Take the objects; indices are those of this list."""
        self._places = list(map(_Place.of, objects))
        self._index = {place.name: i for i, place in enumerate(self._places)}
        inside = defaultdict[str, set[int]](set)
        for i, place in enumerate(self._places):
            for parent in place.parents:
                inside[parent].add(i)
        self._contents = defaultdict(frozenset, {k: frozenset(v) for k, v in inside.items()})

    def is_shut_in(self, index: int) -> bool:
        """Return whether an object is in a closed container, or in an object that is."""
        left, seen = list(self._places[index].parents), set[str]()
        while left:
            name = left.pop()
            if name in seen or name not in self._index:
                continue
            seen.add(name)
            parent = self._places[self._index[name]]
            if parent.is_closed:
                return True
            left += parent.parents
        return False

    def update(self, index: int, obj: ObjectState) -> set[int]:
        """Take a changed or new object; return what is in it if it opened, closed or moved."""
        place = _Place.of(obj)
        if index == len(self._places):
            self._places.append(place)
        elif place == (before := self._places[index]):
            return set()
        else:
            self._places[index] = place
            for parent in before.parents:
                self._contents[parent] -= {index}
        self._index[place.name] = index
        for parent in place.parents:
            self._contents[parent] |= {index}
        return self._contents_of(place.name) - {index}

    def _contents_of(self, name: str) -> set[int]:
        """Return the indices of the objects in or on an object, at any depth."""
        left, found = [name], set[int]()
        while left:
            inside = self._contents.get(left.pop(), frozenset[int]()) - found
            found |= inside
            left += [self._places[index].name for index in inside]
        return found


@kept_by_shape
def stove_solids(objects: Sequence[ObjectState]) -> Sequence[Solid]:
    """Return the body of the stove whose burners are among the objects, if there is one.

    AI2-THOR gives burners and knobs, but no stove.  Its body fills the space under the burners,
    down to the floor, unless other objects are there; rays end there without meaning any object.
    """
    burners = [obj for obj in objects if obj.objectType == facts.BURNER_TYPE]
    if not burners:
        return ()
    around = bounding_rect([footprint_of(obj.box) for obj in burners]).expand(STOVE_MARGIN_METRES)
    if max(around.sides) > MAX_STOVE_METRES:
        return ()
    reach = around.expand(_MAX_KNOB_DISTANCE_METRES)
    knobs = [obj for obj in objects if obj.objectType == facts.KNOB_TYPE]
    near = [obj.box.center for obj in knobs if footprint_of(obj.box).overlaps(reach)]
    body = bounding_rect([around, *(Rect(x, z, x, z) for x, _, z in near)])
    top, inner = min(obj.box.bottom for obj in burners), body.expand(-STOVE_MARGIN_METRES)
    below = [obj for obj in objects if obj.objectType in facts.FRONT_TYPES and obj.box.bottom < top]
    if top <= 0.0 or any(footprint_of(obj.box).overlaps(inner) for obj in below):
        return ()
    x, z = (body.x0 + body.x1) / 2, (body.z0 + body.z1) / 2
    width, depth = body.sides
    return (Solid((x, top / 2, z), (width, top, depth)),)


def estimate_oriented_boxes(objects: Sequence[ObjectState]) -> tuple[Box | None, ...]:
    """Return for each object its own box if it stands at an angle, else None.

    AI2-THOR gives fixed objects no oriented box.  One that is built in at an angle, such as a sink
    across the corner of a kitchen, only has the enclosing box along the world's axes.
    """
    oblique = [obj for obj in objects if _has_reliable_rotation(obj) and _off_axis_degrees(obj)]
    if not oblique:  # what is not turned itself takes the angle of one that is
        return (None,) * len(objects)
    middle = _scene_center(objects)
    return tuple(
        _oriented_box(obj, _object_angle(obj, oblique), middle)
        if _has_reliable_rotation(obj)
        else None
        for obj in objects
    )


def _has_reliable_rotation(obj: ObjectState) -> bool:
    if obj.affordances.can_be_moved or obj.objectType in _UNRELIABLE_TYPES:
        return False
    return obj.box.yaw % 90.0 == 0.0


def _off_axis_degrees(obj: ObjectState) -> float:
    """Return how many degrees an object is off a quarter turn, 0 up to `MIN_OFF_AXIS_DEGREES`."""
    off = yaw_off_axis_degrees(obj.rotation[1])
    return off if abs(off) > MIN_OFF_AXIS_DEGREES else 0.0


def _object_angle(obj: ObjectState, oblique: Sequence[ObjectState]) -> float:
    """Return degrees off the axes, 0 for none; an unturned sink or tub takes its basin's angle."""
    own, (low, high) = _off_axis_degrees(obj), obj.box.bounds()
    if own or obj.objectType not in facts.SINK_TYPES:
        return own
    return next(
        (
            _off_axis_degrees(basin)
            for basin in oblique
            if basin.objectType == facts.BASIN_TYPE_BY_SINK.get(obj.objectType)
            and all(low[i] < basin.box.center[i] < high[i] for i in (0, 2))
        ),
        0.0,
    )


def _oriented_box(obj: ObjectState, angle: float, middle: Vec3) -> Box | None:
    if not angle:
        return None
    sine, cosine = (abs(part) for part in snapped_sin_cos(angle))
    x, height, z = obj.box.size
    double = cosine * cosine - sine * sine
    if double > _MIN_DOUBLE_ANGLE_COSINE:
        width = (x * cosine - z * sine) / double
        depth = (z * cosine - x * sine) / double
    else:
        width, depth = _diagonal_size(obj, angle, middle)
    if min(width, depth) <= 0.0:
        return None
    return Box(obj.box.center, (width, height, depth), angle)


def _diagonal_size(obj: ObjectState, angle: float, middle: Vec3) -> tuple[float, float]:
    """Return the width and depth of an object turned about half-way between two axes.

    Only their sum is known: the type divides it, the long side lies across the room's corner.
    """
    kind, both = obj.objectType, (obj.box.size[0] + obj.box.size[2]) / sqrt(2.0)
    ratio = SINK_LENGTH_TO_DEPTH_RATIO if kind in facts.SINK_TYPES else 1.0
    deep = facts.SKEW_DEPTHS_METRES.get(kind, both / (1.0 + ratio))
    x, z = (obj.box.center[i] - middle[i] for i in (0, 2))
    # The width of a box turned by 45 degrees runs along (1, -1): across a corner whose x
    # and z have the same sign.
    across = (x * z > 0.0) == (angle > 0.0)
    return (both - deep, deep) if across else (deep, both - deep)


def _scene_center(objects: Sequence[ObjectState]) -> Vec3:
    """Return the centre of the box around all objects, of which there must be one at least."""
    lows, highs = zip(*(obj.box.bounds() for obj in objects), strict=True)
    x, y, z = ((min(p[i] for p in lows) + max(p[i] for p in highs)) / 2 for i in range(3))
    return x, y, z
