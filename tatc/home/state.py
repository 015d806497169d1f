"""Immutable values that describe one moment: poses, boxes, objects and how they move, snapshots.

World axes are AI2-THOR's: x right, y up, z forward, metres; yaw in degrees clockwise from +z seen
from above; horizon in degrees, positive looks down.  Object properties keep the names that AI2-THOR
and TEACh give them (`isDirty`, `simbotIsBoiled`): a task file's property name is the field's name.
"""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, fields, make_dataclass
from enum import Enum, StrEnum
from functools import lru_cache, wraps
from itertools import count
from math import cos, hypot, radians, sin
from operator import attrgetter, is_
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from tatc.home.body import TEACH, Body

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")
Vec3 = tuple[float, float, float]  # a point or a size: x, y, z in metres
Vec2 = tuple[float, float]
"""A point, a size or a direction on the floor, or on a surface: along two axes."""


class Absent(Enum):
    """The value of a simbot property that TEACh has not set on an object.

    It is neither None nor False: TEACh's checker takes it as unmet, whatever is wanted (spec 3.4).
    """

    ABSENT = "absent"

    def __bool__(self) -> bool:
        """Return False, as a missing property counts where only truth matters."""
        return False

    def __contains__(self, item: object) -> bool:
        """Return False, as for a list that was never set."""
        return False


ABSENT: Final = Absent.ABSENT


class RoomKind(StrEnum):
    """The four kinds of room, as TEACh's `world_type` spells them."""

    KITCHEN = "Kitchen"
    LIVING_ROOM = "Living room"
    BEDROOM = "Bedroom"
    BATHROOM = "Bathroom"


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a body stands and looks: `x` and `z` in metres, `yaw` and `horizon` in degrees."""

    x: float
    z: float
    yaw: float
    horizon: float


@lru_cache(maxsize=4096)
def yaw_sin_cos(yaw: float) -> tuple[float, float]:
    """Return sine and cosine of a yaw in degrees, exact at multiples of 90."""
    quarter, rest = divmod(yaw, 90.0)
    if rest == 0.0:
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[int(quarter) % 4]
    angle = radians(yaw)
    return sin(angle), cos(angle)


def yaw_off_axis_degrees(yaw: float) -> float:
    """Return the difference of a yaw from the nearest multiple of 90, in degrees, -45 to 45."""
    return (yaw + 45.0) % 90.0 - 45.0


@dataclass(frozen=True, slots=True)
class Box:
    """An upright box: its centre and full size in metres, along its own axes, and its yaw."""

    center: Vec3
    size: Vec3
    yaw: float = 0.0

    @property
    def bottom(self) -> float:
        """The height of its lower side, metres."""
        return self.center[1] - self.size[1] / 2

    @property
    def top(self) -> float:
        """The height of its upper side, metres."""
        return self.center[1] + self.size[1] / 2

    @property
    def area(self) -> float:
        """The area of its lower side, square metres."""
        return self.size[0] * self.size[2]

    def bounds(self) -> tuple[Vec3, Vec3]:
        """Return the lowest and highest corner of the axis-aligned box around it."""
        sine, cosine = yaw_sin_cos(self.yaw)
        (x, y, z), (sx, sy, sz) = self.center, self.size
        if sine == 0.0 or cosine == 0.0:  # most boxes, in half the time
            half_x, half_z = (sx / 2, sz / 2) if sine == 0.0 else (sz / 2, sx / 2)
        else:
            half_x = (abs(cosine) * sx + abs(sine) * sz) / 2
            half_z = (abs(sine) * sx + abs(cosine) * sz) / 2
        half_y = sy / 2
        return ((x - half_x, y - half_y, z - half_z), (x + half_x, y + half_y, z + half_z))

    def translate(self, dx: float, dy: float, dz: float) -> "Box":
        """Return the same box shifted by these distances in metres."""
        x, y, z = self.center
        return Box((x + dx, y + dy, z + dz), self.size, self.yaw)

    def horizontal_distance(self, x: float, z: float) -> float:
        """Return the distance in metres of a point from the box, seen from above; 0 inside."""
        sine, cosine = yaw_sin_cos(self.yaw)
        dx, dz = x - self.center[0], z - self.center[2]
        along = abs(dx * cosine - dz * sine) - self.size[0] / 2
        across = abs(dx * sine + dz * cosine) - self.size[2] / 2
        return hypot(max(along, 0.0), max(across, 0.0))


@dataclass(frozen=True, slots=True)
class Affordances:
    """What can be done with an object; it never changes during a session."""

    receptacle: bool = False
    toggleable: bool = False
    breakable: bool = False
    canFillWithLiquid: bool = False
    dirtyable: bool = False
    canBeUsedUp: bool = False
    cookable: bool = False
    sliceable: bool = False
    openable: bool = False
    pickupable: bool = False
    moveable: bool = False
    canChangeTempToHot: bool = False
    canChangeTempToCold: bool = False

    @property
    def can_be_moved(self) -> bool:
        """Whether it is no fixture: it can be picked up or pushed."""
        return self.pickupable or self.moveable


@dataclass(frozen=True, slots=True)
class ObjectState:
    """One object at one moment.

    `parentReceptacles` is None where the backend does not know; TEACh then follows
    `simbotLastParentReceptacle` (spec section 2.9).  `controlledObjects` of a stove
    knob are the burners it owns, None where the backend does not say.  `wasHeated`, `wasCooled` and
    `wasCleaned` are ALFRED's marks (`tatc.sim.teach_effects`), which TEACh's files do not have.
    """

    objectId: str
    objectType: str
    name: str
    affordances: Affordances
    position: Vec3
    rotation: Vec3
    box: Box
    mass: float = 0.0
    salientMaterials: tuple[str, ...] = ()
    controlledObjects: tuple[str, ...] | None = None
    isToggled: bool = False
    isBroken: bool = False
    isFilledWithLiquid: bool = False
    isDirty: bool = False
    isUsedUp: bool = False
    isCooked: bool = False
    isSliced: bool = False
    isOpen: bool = False
    isPickedUp: bool = False
    ObjectTemperature: str = "RoomTemp"
    parentReceptacles: tuple[str, ...] | None = None
    wasHeated: bool = False
    wasCooled: bool = False
    wasCleaned: bool = False
    simbotObjectClass: tuple[str, ...] | Absent = ABSENT
    simbotPickedUp: int | Absent = ABSENT
    simbotLastParentReceptacle: str | Absent | None = ABSENT
    simbotIsReceptacleOf: tuple[str, ...] | Absent = ABSENT
    simbotIsCooked: bool | Absent = ABSENT
    simbotIsBoiled: bool | Absent = ABSENT
    simbotIsFilledWithWater: int | Absent = ABSENT
    simbotIsFilledWithCoffee: bool | Absent = ABSENT

    def with_values(self, **values: Any) -> "ObjectState":
        """Return a copy with new values of fields: `dataclasses.replace` in a fifth of its time."""
        draft = _copy_fields(self, _Draft.__new__(_Draft))
        for name, value in values.items():
            setattr(draft, name, value)
        draft.__class__ = ObjectState
        return draft


_FIELD_NAMES = tuple(each.name for each in fields(ObjectState))
# Fields of a class that is not frozen are set much faster; it has the same slots, and no others.
_Draft: Any = make_dataclass("_Draft", _FIELD_NAMES, slots=True, eq=False)
# Written out field by field, as `dataclasses` writes `__init__`: a loop takes twice as long.
_copies = "; ".join(f"made.{name} = obj.{name}" for name in _FIELD_NAMES)
exec(f"def copy(obj, made): {_copies}; return made", _written := dict[str, Any]())
_copy_fields: Callable[[ObjectState, Any], Any] = _written["copy"]

HISTORY_MARKS: Final = ("wasHeated", "wasCooled", "wasCleaned")
"""ALFRED's marks of what has been done to an object."""


@dataclass(frozen=True, slots=True)
class AgentState:
    """The position and gaze of the Follower's body, or of the Commander's camera.

    `body` says what the camera sees and how the agent moves; the Commander's is never used.
    """

    position: Vec3
    yaw: float
    horizon: float
    body: Body = TEACH

    @property
    def pose(self) -> Pose:
        """The pose without the height."""
        return Pose(self.position[0], self.position[2], self.yaw, self.horizon)


@dataclass(frozen=True, slots=True)
class ObjectIndex:
    """The objects of a snapshot by id and by type; successive snapshots share it.

    Its values are indices into `Snapshot.objects`.  Where two objects have the same id,
    the id leads to the first.
    """

    by_id: Mapping[str, int]
    by_type: Mapping[str, tuple[int, ...]]

    @staticmethod
    def from_objects(objects: Sequence[ObjectState]) -> "ObjectIndex":
        """Return the index of these objects."""
        index: dict[str, int] = {}
        types: dict[str, list[int]] = {}
        for i, obj in enumerate(objects):
            index.setdefault(obj.objectId, i)
            types.setdefault(obj.objectType, []).append(i)
        by_type = {name: tuple(found) for name, found in types.items()}
        return ObjectIndex(MappingProxyType(index), MappingProxyType(by_type))

    def with_added(self, obj: ObjectState, index: int) -> "ObjectIndex":
        """Return the index of the same objects and one more, which is the `index`-th."""
        ids, same_type = dict(self.by_id), (*self.by_type.get(obj.objectType, ()), index)
        ids.setdefault(obj.objectId, index)
        types = {**self.by_type, obj.objectType: same_type}
        return ObjectIndex(MappingProxyType(ids), MappingProxyType(types))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All objects and both agents at one moment; read-only and cheap to keep."""

    objects: tuple[ObjectState, ...]
    object_index: ObjectIndex
    commander: AgentState
    follower: AgentState

    def __repr__(self) -> str:
        """Return one line: how many objects there are, and where the Follower is."""
        return f"<Snapshot of {len(self.objects)} objects, Follower at {self.follower.pose}>"

    @staticmethod
    def from_objects(
        objects: Sequence[ObjectState], commander: AgentState, follower: AgentState
    ) -> "Snapshot":
        """Make a snapshot of these objects and agents."""
        return Snapshot(tuple(objects), ObjectIndex.from_objects(objects), commander, follower)

    def get(self, object_id: str) -> ObjectState | None:
        """Return the object with this id, or None."""
        i = self.object_index.by_id.get(object_id)
        return None if i is None else self.objects[i]

    def of_type(self, *types: str) -> tuple[ObjectState, ...]:
        """Return the objects of these types, type by type, each in the snapshot's order."""
        found = self.object_index.by_type
        return tuple(self.objects[i] for name in types for i in found.get(name, ()))

    def held_object(self) -> ObjectState | None:
        """Return what the Follower holds, or None."""
        return next((obj for obj in self.objects if obj.isPickedUp), None)

    def is_like(self, later: "Snapshot") -> bool:
        """Return whether in another snapshot of the session only what is held has changed."""
        if len(self.objects) != len(later.objects):
            return False
        if all(map(is_, self.objects, later.objects)):
            return True
        pairs = zip(self.objects, later.objects, strict=True)
        return all(a is b or (a.isPickedUp and b.isPickedUp) for a, b in pairs)


_values_of_shape = attrgetter(
    *("objectId", "objectType", "name", "affordances", "mass", "box", "position", "rotation"),
    *("isOpen", "isPickedUp", "isSliced", "parentReceptacles", "simbotPickedUp"),
)


class RoomParts(NamedTuple):
    """What nobody can pick up, with its indices, and the rest: index, lowest and highest corner.

    `fixtures` have what can only be pushed among them.  Starts of a room share one tuple of them:
    read of these only what `kept_by_shape` allows; all else (`isDirty`) may be of another start.
    """

    fixtures: tuple[ObjectState, ...]
    indices: Sequence[int]
    portables: Sequence[tuple[int, ObjectState, Vec3, Vec3]]


def parts_of(objects: Sequence[ObjectState]) -> RoomParts:
    """Return what can be picked up of a room's objects, and what cannot."""
    return _parts_of(ByIdentity(tuple(objects)))  # a tuple's tuple is the same one


class _ShapeKey(tuple[Any, ...]):
    """Shapes and further arguments, hashed by one object's id alone: hashing all takes long."""

    def __hash__(self) -> int:
        return hash(self[0][0][0] if self[0] else None)


def kept_by_shape(function: Function, count: int = 128) -> Function:
    """Keep what a function of a room's objects, as rays meet them, returned: the latest `count`.

    It may read those values of objects alone, and no caller may change what it returns.
    """
    latest, lock = dict[_ShapeKey, Any](), Lock()

    @wraps(function)
    def call(objects: Sequence[ObjectState], *args: object) -> Any:
        shapes = _shapes_of(ByIdentity(tuple(objects)))  # a tuple's tuple is the same one
        key = _ShapeKey((shapes, args))
        if (result := latest.get(key, _ShapeKey)) is _ShapeKey:
            result = function(objects, *args)
            with lock:
                latest[key] = result
                if len(latest) > count:
                    del latest[next(iter(latest))]
        return result

    return cast(Function, call)


@dataclass(frozen=True, slots=True, eq=False)
class ByIdentity(Generic[Value]):
    """A value that a cache takes for the same only if it is the very same object."""

    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.value is cast(ByIdentity[object], other).value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=128)
def _parts_of(objects: ByIdentity[tuple[ObjectState, ...]]) -> RoomParts:
    seen = [(i, obj, obj.affordances.pickupable) for i, obj in enumerate(objects.value)]
    indices = [i for i, _, is_portable in seen if not is_portable]
    fixtures = _shared_fixtures(tuple([objects.value[i] for i in indices]))
    moved = [(i, obj, *obj.box.bounds()) for i, obj, is_portable in seen if is_portable]
    return RoomParts(fixtures, indices, moved)


_shared_fixtures = kept_by_shape(tuple[ObjectState, ...])


@lru_cache(maxsize=128)
def _shapes_of(objects: ByIdentity[Sequence[ObjectState]]) -> tuple[object, ...]:
    # What is moved about comes last, so that keys differ early.
    return tuple(map(_values_of_shape, reversed(objects.value)))


def is_invisible_to_rays(obj: ObjectState, held: ObjectState | None) -> bool:
    """Whether rays miss an object: it is held, lies on what is held, or has been sliced."""
    if obj.isPickedUp or obj.isSliced:
        return True
    return held is not None and held.objectId in (obj.parentReceptacles or ())


@dataclass(frozen=True, slots=True)
class Scene:
    """A room with its objects' start states: what a session starts from.

    `place` is a floor plan ("FloorPlan1") or a room's name ("kitchen-01").  `cells` are
    the cells (x, z), in steps of 0.25 m, where AI2-THOR says that a body can stand; empty
    where AI2-THOR was not asked.
    """

    place: str
    kind: RoomKind
    initial: Snapshot
    cells: tuple[tuple[int, int], ...] = ()


def unused_id(object_id: str, taken: Container[str]) -> str:
    """Return an id, with the first number of a copy that makes it none of those taken."""
    copies = (f"{object_id}_copy_{number}" for number in count(1))
    return object_id if object_id not in taken else next(n for n in copies if n not in taken)


def type_in_id(object_id: str) -> str:
    """Return the type that an object's id names; that of a piece stands at its end."""
    kind, *rest = object_id.split("|")
    return rest[3].partition("_")[0] if len(rest) > 3 else kind


_OBJECT_ID_PATTERN = re.compile(r"'?\b([A-Z]\w*(?:\|[^\s|'\",():]+)+)'?")
_ID_FIELD_PATTERN = re.compile(r"\b(?:object|receptacle|appliance|item|\w+)_id=")


class ShortNames:
    """A snapshot's objects for people: "Mug", or "Mug 2" of several, all through a session."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Count the objects of each type, in the snapshot's order."""
        self._short_names: dict[str, str] = {}
        for kind, found in snapshot.object_index.by_type.items():
            for n, i in enumerate(found, 1):
                name = f"{kind} {n}" if len(found) > 1 else kind
                self._short_names[snapshot.objects[i].objectId] = name

    def name_of(self, object_id: str) -> str:
        """Return the short name of an object; its type where the snapshot lacks it."""
        return self._short_names.get(object_id) or type_in_id(object_id)

    def shorten(self, text: str) -> str:
        """Return a text with object ids shortened, and without the names of their fields."""
        named = _OBJECT_ID_PATTERN.sub(lambda match: self.name_of(match[1]), text)
        return _ID_FIELD_PATTERN.sub("", named)


def rotate_yaw(offset: Vec3, yaw: float) -> Vec3:
    """Return an offset along an object's axes as one along the world's; -yaw does the reverse."""
    sine, cosine = yaw_sin_cos(yaw % 360.0)
    x, y, z = offset
    return (x * cosine + z * sine, y, z * cosine - x * sine)


def rotated_footprint(size: Vec3, yaw: float) -> tuple[float, float]:
    """Return the width (x) and depth (z) of the bounds of a footprint turned by a yaw."""
    sine, cosine = yaw_sin_cos(yaw)
    sine, cosine = abs(sine), abs(cosine)
    return size[0] * cosine + size[2] * sine, size[0] * sine + size[2] * cosine


def subtract(a: Vec3, b: Vec3) -> Vec3:
    """Return the offset from b to a in metres."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def translate(obj: ObjectState, offset: Vec3) -> ObjectState:
    """Return an object moved by an offset in metres."""
    x, y, z = obj.position
    there = (x + offset[0], y + offset[1], z + offset[2])
    return obj.with_values(position=there, box=obj.box.translate(*offset))


def move_with_anchor(obj: ObjectState, before: Vec3, now: Vec3, turned: float = 0.0) -> ObjectState:
    """Return an object moved with a point fixed to it, and turned by `turned` degrees."""
    if turned % 360.0 == 0.0:
        return translate(obj, subtract(now, before))

    def there(point: Vec3) -> Vec3:
        dx, dy, dz = rotate_yaw(subtract(point, before), turned)
        return now[0] + dx, now[1] + dy, now[2] + dz

    box, (pitch, yaw, roll) = obj.box, obj.rotation
    return obj.with_values(
        position=there(obj.position),
        rotation=(pitch, (yaw + turned) % 360.0, roll),
        box=Box(there(box.center), box.size, (box.yaw + turned) % 360.0),
    )
