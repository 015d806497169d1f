"""Makes the carried objects of a trajectory's scene: their boxes, and what they lie in.

A trajectory gives names and poses alone.  AI2-THOR 2.1.0's names of models never occur in later
versions, so a box is that of the floor plan's own object of the type, else that of the median
object of all plans, else what the type is usually like; it is turned by the recorded rotation.
Objects that lean do not show their size: others come first.  Cutlery and pens lie along another of
their own axes in 2.1.0, and knives lie lower than their poses say, as the recorded masks show.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import cos, fsum, radians, sin
from statistics import median_low

from tatc.home import assets, type_facts
from tatc.home.containment import holder_of, lowest_first, with_outer
from tatc.home.state import Affordances, Box, ObjectState, Vec3, rotate_yaw
from tatc.session.records.trajectory import ObjectPose
from tatc.sim.embedded.placement.placement_candidates import upright_geometry
from tatc.sim.embedded.placement.support_surfaces import surfaces_of

_Matrix = tuple[Vec3, Vec3, Vec3]

_TURNS_SINCE = {
    "ButterKnife": 90.0, "Fork": 90.0, "Knife": 270.0, "Ladle": 270.0,
    "Pen": 90.0, "Pencil": 90.0, "Spatula": 270.0, "Spoon": 90.0,
}  # fmt: skip
"""The yaw, degrees, of a type's model of 2.1.0 in the axes of its model of later versions."""

_FALLEN_SINCE = frozenset(("Knife",))
"""What AI2-THOR 2.1.0 puts on its edge, so that it falls over before the first frame: its recorded
poses are from before, higher by half the breadth of the blade."""


@dataclass(frozen=True, slots=True)
class ObjectModel:
    """What the objects of a type are like when upright, in their own axes.

    `offset` leads from an object's position to the centre of its box; `box_yaw` is the
    box's yaw, 0 unless the box is not aligned with the object's axes.  `fall` is by how much an
    upright one comes to rest lower than where it was put, metres.
    """

    size: Vec3
    offset: Vec3
    box_yaw: float
    affordances: Affordances
    mass: float
    materials: tuple[str, ...]
    fall: float = 0.0

    @staticmethod
    def of(obj: ObjectState) -> "ObjectModel":
        """Return what an object is like."""
        size, offset, box_yaw = upright_geometry(obj)
        return ObjectModel(size, offset, box_yaw, obj.affordances, obj.mass, obj.salientMaterials)

    def turned(self, yaw: float) -> "ObjectModel":
        """Return the model turned by quarters, in degrees, in its own axes."""
        width, height, depth = self.size
        size = (depth, height, width) if yaw % 180.0 != 0.0 else self.size
        return replace(self, size=size, offset=rotate_yaw(self.offset, yaw))

    def fallen(self) -> "ObjectModel":
        """Return the model as one that was put on its edge and falls flat."""
        width, height, depth = self.size
        return replace(self, fall=max(min(width, depth) - height, 0.0) / 2)


class ModelTable:
    """What the objects of each type are like, over all floor plans that PLANS hold."""

    def __init__(self, plans: Iterable[Sequence[ObjectState]], *, are_later: bool = True) -> None:
        """Take the objects of the floor plans, in an order that does not change.

        They `are_later` where poses were recorded with the models of AI2-THOR 2.1.0.
        """
        self._turns = _TURNS_SINCE if are_later else {}
        self._fallen = _FALLEN_SINCE if are_later else frozenset[str]()
        by_type: dict[str, list[ObjectState]] = {}
        for obj in chain.from_iterable(plans):
            if obj.affordances.pickupable and _shows_shape(obj):
                by_type.setdefault(obj.objectType, []).append(obj)
        self._median = {kind: _median_model(found) for kind, found in by_type.items()}

    def models_in(self, plan: Sequence[ObjectState]) -> Mapping[str, ObjectModel]:
        """Return what the objects of each type are like in one floor plan."""
        own, leaning = dict[str, ObjectModel](), dict[str, ObjectModel]()
        for obj in plan:
            if obj.affordances.pickupable:
                found = own if _shows_shape(obj) else leaning
                found.setdefault(obj.objectType, ObjectModel.of(obj))
        found = {**_usual_models(), **leaning, **self._median, **own}
        found |= {kind: found[kind].turned(yaw) for kind, yaw in self._turns.items()}
        return found | {kind: found[kind].fallen() for kind in self._fallen}


def _shows_shape(obj: ObjectState) -> bool:
    """Return whether an object's box says how large it is when upright.

    That of an object which leans, or which lies askew to its box, is larger, unless it is round.
    """
    if obj.objectType in type_facts.CENTRE_POSITION_TYPES:
        return True
    tilts = (obj.rotation[0], obj.rotation[2])
    if any(abs(angle - 90.0 * round(angle / 90.0)) > _SETTLED_DEGREES for angle in tilts):
        return False
    return _is_upright(obj.rotation) or ObjectModel.of(obj).box_yaw == 0.0


def _median_model(objects: Sequence[ObjectState]) -> ObjectModel:
    models = [ObjectModel.of(obj) for obj in objects]
    volumes = [each.size[0] * each.size[1] * each.size[2] for each in models]
    return models[volumes.index(median_low(volumes))]


def _usual_models() -> dict[str, ObjectModel]:
    """Return what the types are usually like; positions are in the middle of the lower side."""
    return {
        name: ObjectModel(
            each.usual, (0.0, each.usual[1] / 2, 0.0), 0.0, each.affordances, each.mass,
            each.materials,
        )
        for name, each in assets.known_object_types().items()
    }  # fmt: skip


def carried_object(pose: ObjectPose, model: ObjectModel, *, dirty: bool) -> ObjectState:
    """Return an object at a recorded pose, in nothing yet; boxes and laptops start open."""
    pitch, yaw, roll = (angle % 360.0 for angle in pose.rotation)
    tilt = _tilt_matrix(pitch, roll)
    size = tuple(fsum(abs(a) * b for a, b in zip(row, model.size, strict=True)) for row in tilt)
    across = tuple(fsum(a * b for a, b in zip(row, model.offset, strict=True)) for row in tilt)
    (dx, dy, dz), (x, y, z) = rotate_yaw((across[0], across[1], across[2]), yaw), pose.position
    if _is_upright(pose.rotation):
        dy -= model.fall
    able = model.affordances
    return ObjectState(
        objectId=recorded_id(pose),
        objectType=pose.type,
        name=pose.name,
        affordances=able,
        position=pose.position,
        rotation=pose.rotation,
        box=Box((x + dx, y + dy, z + dz), (size[0], size[1], size[2]), (yaw + model.box_yaw) % 360),
        mass=model.mass,
        salientMaterials=model.materials,
        isDirty=dirty and able.dirtyable,
        isOpen=able.openable and pose.type in type_facts.STARTS_OPEN_TYPES,
    )


def _is_upright(rotation: Vec3) -> bool:
    return all(round(angle / 90.0) % 4 == 0 for angle in (rotation[0], rotation[2]))


def recorded_id(pose: ObjectPose) -> str:
    """Return the id that AI2-THOR gives to an object: its type and its initial position."""
    x, y, z = pose.position
    return f"{pose.recorded_type}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}"


def _tilt_matrix(pitch: float, roll: float) -> _Matrix:
    """Return the rotation about z by `roll` and then about x by `pitch`, degrees."""
    (sx, cx), (sz, cz) = _sin_cos(pitch), _sin_cos(roll)
    return ((cz, -sz, 0.0), (cx * sz, cx * cz, -sx), (sx * sz, sx * cz, cx))


def _sin_cos(angle: float) -> tuple[float, float]:
    """Return sine and cosine of degrees, exact near quarter turns, where objects settle."""
    quarter = round(angle / 90.0)
    if abs(angle - quarter * 90.0) < _SETTLED_DEGREES:
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[quarter % 4]
    return sin(radians(angle)), cos(radians(angle))


_SETTLED_DEGREES = 2.0  # of tilt by which settled objects are off a side


# Finds by boxes what each object of a scene lies in or on, which no trajectory says.  Of the
# receptacles whose box is over or around an object's footprint, an object is in the one whose
# surface is nearest below it; what encloses it, such as a drawer, comes before the furniture that
# the drawer is built into.  An object that no surface explains, because furniture changed between
# versions of AI2-THOR, is in a piece around it, or else on the nearest one that is as high.

_MARGIN_METRES = 0.04  # that an object's middle may lie beyond a piece of furniture
_NARROW_MARGIN_METRES = 0.01  # the same of what encloses or can be carried
_MAX_GAP_METRES = 0.12  # that an object may float above a receptacle, or hang below it
_MAX_SINKING_METRES = 0.05  # that its lower side may be below the receptacle's
_MAX_INNER_SHARE = 0.8  # of a container's height, above which an object lies on it, not in it
_SAME_GAP_METRES = 0.1  # surfaces whose heights differ by less are equally good
_UNEXPLAINED_METRES = 0.2  # from all known surfaces of a piece, beyond which it has another one
_MAX_BESIDE_METRES = 0.25  # that an object may be beside the furniture that it once lay on

_Rank = tuple[int, float, float]
_INSIDE, _ON_SURFACE, _WITHIN, _BESIDE, _ABOVE_SEAT = range(5)


def with_receptacles(
    carried: Sequence[ObjectState], fixed: Sequence[ObjectState]
) -> Iterator[ObjectState]:
    """Yield the carried objects with what each lies in or on, the lowest first."""
    hosts = [obj for obj in fixed if obj.affordances.receptacle]
    for obj in lowest_first(carried):
        host = holder_of(obj, hosts, _rank)
        placed = replace(obj, parentReceptacles=() if host is None else with_outer(host))
        if obj.affordances.receptacle:
            hosts.append(placed)
        yield placed


def explains(host: ObjectState, obj: ObjectState) -> bool:
    """Return whether a receptacle has a surface, or room inside, where an object is."""
    rank = _rank(host, obj)
    return rank is not None and rank[0] <= _ON_SURFACE


def _rank(host: ObjectState, obj: ObjectState) -> _Rank | None:
    """Return how likely an object is in a receptacle, least first; None if it cannot be."""
    accepted = type_facts.ACCEPTED_TYPES.get(host.objectType, (obj.objectType,))
    if host.objectType == obj.objectType or obj.objectType not in accepted:
        return None
    x, _, z = obj.box.center
    away = host.box.horizontal_distance(x, z)
    surfaces = surfaces_of(host)
    encloses = any(surface.inside for surface in surfaces)
    if host.objectType in type_facts.ACCEPTED_TYPES or encloses:
        narrow = encloses or host.affordances.pickupable
        near = away <= (_NARROW_MARGIN_METRES if narrow else _MARGIN_METRES)
        return _rank_inside(obj, host) if near else None
    if not surfaces:
        return None
    gap = min(abs(obj.box.bottom - surface.y) for surface in surfaces)
    if away > (_NARROW_MARGIN_METRES if host.affordances.pickupable else _MARGIN_METRES):
        beside = away <= _MAX_BESIDE_METRES and gap <= _UNEXPLAINED_METRES
        return (_BESIDE, away, gap) if beside and not host.affordances.pickupable else None
    low, (width, height, depth) = host.box.bottom, host.box.size
    if not low - _MAX_SINKING_METRES <= obj.box.bottom <= low + height + _MAX_GAP_METRES:
        return None
    if gap > _UNEXPLAINED_METRES:
        return (_ABOVE_SEAT if host.objectType in type_facts.SEAT_TYPES else _WITHIN, gap, 0.0)
    return (_ON_SURFACE, round(gap / _SAME_GAP_METRES), width * depth)


def _rank_inside(obj: ObjectState, host: ObjectState) -> _Rank | None:
    """Return the rank of what encloses an object, or has a place for its type alone."""
    (width, height, depth), low, bottom = host.box.size, host.box.bottom, obj.box.bottom
    if host.objectType in type_facts.ACCEPTED_TYPES:
        reaches = low <= bottom + obj.box.size[1] + _MAX_GAP_METRES
        reaches = reaches and bottom <= low + height + _MAX_GAP_METRES
    else:
        # What stands on its end may reach far below a thin floor, but its middle does not.
        reaches = low - _MAX_SINKING_METRES <= max(bottom, obj.box.center[1])
        reaches = reaches and bottom <= low + height and _is_low_enough(obj, host)
    return (_INSIDE, width * height * depth, 0.0) if reaches else None


def _is_low_enough(obj: ObjectState, host: ObjectState) -> bool:
    """Return whether an object lies in a container, and not on it."""
    bottom = obj.box.bottom
    if bottom <= host.box.bottom + _MAX_INNER_SHARE * host.box.size[1]:
        return True
    return any(0.0 <= bottom - each.y <= _MAX_GAP_METRES for each in surfaces_of(host))
