"""The ids of a trajectory's actions, and the objects of its scene that they mean.

An id is a type and an initial position.  Furniture is not exactly where AI2-THOR 2.1.0 had it,
and some of it has another type there, so an id means the nearest object of its type.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, inf

from tatc.home import actions, assets, type_facts
from tatc.home.state import ObjectState, Snapshot, Vec3
from tatc.session.records.trajectory import Trajectory, current_type

MAX_DISTANCE_METRES = 1.2
"""How far an object may be from where an id says, if it is not the only one of its type; the worst
real ones are 1 m away."""
_SAME_PLACE_METRES = 0.3  # within which furniture of another type is the same piece
_MIN_PARTS = 4  # of an id: a type and three coordinates


@dataclass(frozen=True, slots=True)
class RecordedId:
    """The parts of an id: the type, the position, and what follows them ("" for nothing)."""

    type: str
    position: Vec3
    suffix: str

    @staticmethod
    def parse(object_id: str) -> "RecordedId | None":
        """Return the parts of an id, None for one that is made otherwise."""
        parts = object_id.split("|")
        try:
            x, y, z = map(float, parts[1:_MIN_PARTS])
        except ValueError:
            return None
        return RecordedId(parts[0], (x, y, z), "|".join(parts[_MIN_PARTS:]))

    @property
    def own_type(self) -> str:
        """The type of the object itself: "SinkBasin" for the basin of a sink."""
        return self.suffix.partition("_")[0] or self.type


def find_recorded(object_id: str, now: Snapshot) -> ObjectState | None:
    """Return the object that an id of a trajectory most likely means, or None."""
    return next(iter(all_recorded(object_id, now)), None)


def all_recorded(object_id: str, now: Snapshot) -> tuple[ObjectState, ...]:
    """Return all objects that an id of a trajectory can mean, the likeliest first.

    A slice means the slice of its whole that is in the hand, or else the one with this id, or else
    any; nothing else can mean several.
    """
    wanted = RecordedId.parse(object_id)
    if wanted is not None and wanted.suffix.partition("_")[0] in type_facts.SLICE_TYPES:
        return _slices(object_id, now)
    found = now.get(object_id) or (wanted and _nearest_of_type(wanted, now))
    return () if found is None else (found,)


def _nearest_of_type(wanted: RecordedId, now: Snapshot) -> ObjectState | None:
    ranked = sorted(
        (dist(parts.position, wanted.position), obj.objectId)
        for obj in now.of_type(current_type(wanted.own_type))
        if (parts := RecordedId.parse(obj.objectId)) is not None
    )
    if not ranked or (ranked[0][0] > MAX_DISTANCE_METRES and len(ranked) > 1):
        return None
    return now.get(ranked[0][1])


def _slices(object_id: str, now: Snapshot) -> tuple[ObjectState, ...]:
    whole = find_recorded(object_id.rpartition("|")[0], now)
    if whole is None:
        return ()
    slices = [obj for obj in now.objects if obj.objectId.startswith(f"{whole.objectId}|")]
    slices = [obj for obj in slices if obj.objectType in type_facts.SLICE_TYPES]
    held = [obj for obj in slices if obj.isPickedUp]
    return tuple(held or sorted(slices, key=lambda obj: obj.objectId != object_id))


def recorded_names(objects: Sequence[ObjectState], trajectory: Trajectory) -> dict[str, str]:
    """Return new ids for furniture to which the trajectory gives another type.

    A dresser of AI2-THOR 2.1.0 may be a side table later, in the same place.
    """
    fixed = [obj for obj in objects if not obj.affordances.pickupable]
    names: dict[str, str] = {}
    for object_id in ids_of_furniture(trajectory):
        wanted = RecordedId.parse(object_id)
        if wanted is None or wanted.suffix:
            continue
        near = [(dist(obj.position, wanted.position), obj) for obj in fixed]
        if any(o.objectType == wanted.type and away <= MAX_DISTANCE_METRES for away, o in near):
            continue
        hosts = [(away, obj.objectId) for away, obj in near if obj.affordances.receptacle]
        away, name = min(hosts, default=(inf, ""))
        if away <= _SAME_PLACE_METRES:
            names[name] = object_id
    return names


def ids_of_furniture(trajectory: Trajectory) -> Iterator[str]:
    """Yield the ids of receptacles that the expert's actions name and that stand fast."""
    for action in trajectory.low_actions:
        target = action.target_id or ""
        known = assets.known_object_types().get(target.partition("|")[0])
        if known is None:
            # What no later version has can stand fast only: a cart, for one.
            takes = action.verb is actions.Verb.PLACE
        else:
            takes = known.affordances.receptacle and not known.affordances.pickupable
        if takes and target:
            yield target


def renamed(objects: Iterable[ObjectState], names: Mapping[str, str]) -> Iterator[ObjectState]:
    """Yield objects with new ids, and the types that these say."""
    for obj in objects:
        parents = tuple(names.get(parent, parent) for parent in obj.parentReceptacles or ())
        name = names.get(obj.objectId)
        kind = obj.objectType if name is None else name.partition("|")[0]
        name = name or obj.objectId
        yield replace(obj, objectId=name, objectType=kind, parentReceptacles=parents)
