"""Makes the carried objects of a trajectory's scene: their boxes, and what they lie in.

A trajectory gives names and poses alone.  AI2-THOR 2.1.0's names of models never occur in
later versions, so a box is that of the floor plan's own object of the type, else that of
the median object of all plans, else what the type is usually like; it is turned by the
recorded rotation.  Objects that lean do not show their size: others come first.  Cutlery and
pens lie along another of their own axes in 2.1.0, and knives lie lower than their poses say, as
the recorded masks show.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin
from statistics import median_low

from tatc.home.state import Affordances, Box, ObjectState, Vec3
from tatc.home.type_defaults import known_object_types
from tatc.home.type_facts import CENTRE_POSITION_TYPES, STARTS_OPEN_TYPES
from tatc.session.records.trajectory import ObjectPose
from tatc.sim.embedded.placement.placement_candidates import upright_geometry
from tatc.sim.transforms import rotate_yaw

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
        is_across = yaw % 180.0 != 0.0
        size = (depth, height, width) if is_across else self.size
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
        for objects in plans:
            for obj in objects:
                if obj.affordances.pickupable:
                    by_type.setdefault(obj.objectType, []).append(obj)
        shapely = {kind: list(filter(_shows_shape, found)) for kind, found in by_type.items()}
        self._median = {kind: _median_model(found) for kind, found in shapely.items() if found}

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
    if obj.objectType in CENTRE_POSITION_TYPES:
        return True
    tilts = (obj.rotation[0], obj.rotation[2])
    quarters = [round(angle / 90.0) for angle in tilts]
    if any(abs(a - 90.0 * n) > _SETTLED_DEGREES for a, n in zip(tilts, quarters, strict=True)):
        return False
    is_upright = all(n % 4 == 0 for n in quarters)
    return is_upright or ObjectModel.of(obj).box_yaw == 0.0


def _median_model(objects: Sequence[ObjectState]) -> ObjectModel:
    """Return the model of the object with the median volume."""
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
        for name, each in known_object_types().items()
    }  # fmt: skip


def carried_object(pose: ObjectPose, model: ObjectModel, *, dirty: bool) -> ObjectState:
    """Return an object at a recorded pose, which is in nothing yet.

    Boxes and laptops are open, as at the start of every recorded session.
    """
    pitch, yaw, roll = (angle % 360.0 for angle in pose.rotation)
    tilt = _tilt_matrix(pitch, roll)
    size = tuple(sum(abs(a) * b for a, b in zip(row, model.size, strict=True)) for row in tilt)
    across = tuple(sum(a * b for a, b in zip(row, model.offset, strict=True)) for row in tilt)
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
        isOpen=able.openable and pose.type in STARTS_OPEN_TYPES,
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
