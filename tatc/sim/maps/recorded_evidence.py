"""What recorded sessions show about a floor plan, besides the cells people stood on.

Boxes do not tell where AI2-THOR lets objects stand in a piece of furniture, where the pieces of a
cut object lie, at which height they land, and how doors stand open.  These are the same in every
session of a floor plan.  `tatc maps build` extracts them from recordings (`extract_evidence`; for
toasters `embedded.placement.fixed_places`).  They are used only where a map is asked for.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import fsum
from statistics import median
from types import MappingProxyType
from typing import Any, TypeVar

from tatc.home.state import Box, ObjectState, Snapshot, Vec3, rotate_yaw, subtract
from tatc.home.type_facts import HINGED_DOOR_TYPES

METRE_DIGITS, DEGREE_DIGITS = 4, 2  # with which a map keeps what recordings show
MAX_LEAN_DEGREES = 5.0  # how far an upright object may lean, degrees


@dataclass(frozen=True, slots=True)
class OpenBox:
    """The box of an open fixed object, with its doors.

    `offset` leads from the centre of its closed box to the centre of its open box, along the
    axes of the closed box; `size` is the open box's.  Both in metres.  A door swings the same way
    in every session of a floor plan: an open object's box is the same in all recordings, to a
    millimetre.  It shows at which end a fridge's door hangs and whether a cabinet has two doors.
    """

    offset: Vec3
    size: Vec3

    def to_json(self) -> list[float]:
        """Return the offset and the size as six numbers."""
        return [*self.offset, *self.size]

    def to_world(self, closed_box: Box) -> Box:
        """Return the open box, in world coordinates, of an object with this closed box."""
        moved = closed_box.translate(*rotate_yaw(self.offset, closed_box.yaw))
        return replace(moved, size=self.size)


def observed_open_boxes(start: Snapshot, end: Snapshot) -> Iterator[tuple[ObjectState, OpenBox]]:
    """Yield each object with doors that was opened or closed in a session, and its open box."""
    for before in start.objects:
        after = end.get(before.objectId)
        if before.objectType not in HINGED_DOOR_TYPES or after is None:
            continue
        if before.isOpen is not after.isOpen:
            closed, opened = (after, before) if before.isOpen else (before, after)
            away = subtract(opened.box.center, closed.box.center)
            at = round_vector(rotate_yaw(away, -closed.box.yaw % 360.0), METRE_DIGITS)
            yield opened, OpenBox(at, round_vector(opened.box.size, METRE_DIGITS))


def round_vector(values: Vec3, digits: int) -> Vec3:
    """Return three values rounded to this number of digits."""
    x, y, z = (round(value, digits) for value in values)
    return x, y, z


@dataclass(frozen=True, slots=True)
class RestingPose:
    """Where and how an object rested in a receptacle.

    `offset` leads from the centre of the receptacle's closed box to the object's position
    (in height, to its lower side), along the axes of the receptacle at yaw 0, metres.
    `rotation` is the object's, degrees, with its yaw relative to the receptacle's.
    """

    offset: Vec3
    rotation: Vec3

    def to_json(self) -> list[float]:
        """Return the offset and the rotation as six numbers."""
        return [*self.offset, *self.rotation]


@dataclass(frozen=True, slots=True)
class SlicePlacement:
    """How a piece lies after its whole was cut.

    `offset` leads from the whole's position to the centre of the piece's box, along the axes
    of the whole at yaw 0, metres.  `box_yaw` is the box's and `rotation` the piece's,
    degrees, with yaws relative to the whole's.
    """

    offset: Vec3
    size: Vec3
    box_yaw: float
    rotation: Vec3

    def to_json(self) -> list[float]:
        """Return the offset, the size, the box's yaw and the rotation as ten numbers."""
        return [*self.offset, *self.size, self.box_yaw, *self.rotation]


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RecordedEvidence:
    """What one session, or several, show about a floor plan.

    Resting poses are by the receptacle's model, and so are landing heights, metres above the
    centre of its closed box.  Pieces are by the model of the whole and by the last part of their
    ids, open boxes by the object's model.
    """

    resting_poses: Mapping[str, tuple[RestingPose, ...]] = field(default_factory=_nothing)
    slices: Mapping[str, Mapping[str, SlicePlacement]] = field(default_factory=_nothing)
    open_boxes: Mapping[str, OpenBox] = field(default_factory=_nothing)
    landing_heights: Mapping[str, tuple[float, ...]] = field(default_factory=_nothing)

    def __bool__(self) -> bool:
        """Return whether there is any evidence."""
        return bool(self.resting_poses or self.slices or self.open_boxes or self.landing_heights)

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON values, sorted."""
        raw: dict[str, Any] = {
            "rests": {
                receptacle: sorted(rest.to_json() for rest in self.resting_poses[receptacle])
                for receptacle in sorted(self.resting_poses)
            },
            "pieces": {
                whole: {suffix: parts[suffix].to_json() for suffix in sorted(parts)}
                for whole, parts in sorted(self.slices.items())
            },
        }
        opened, grounds = sorted(self.open_boxes.items()), sorted(self.landing_heights.items())
        if opened:
            raw["opened"] = {model: box.to_json() for model, box in opened}
        if grounds:
            raw["grounds"] = {model: sorted(heights) for model, heights in grounds}
        return raw


NO_EVIDENCE = RecordedEvidence()
T = TypeVar("T", SlicePlacement, OpenBox)


def merge_evidence(evidence: Iterable[RecordedEvidence]) -> RecordedEvidence:
    """Return what sessions show together: of pieces and open boxes, the most central one each."""
    rests: dict[str, list[RestingPose]] = {}
    pieces: dict[str, dict[str, list[SlicePlacement]]] = {}
    opened: dict[str, list[OpenBox]] = {}
    grounds: dict[str, list[float]] = {}
    for each in evidence:
        for receptacle, seen in each.resting_poses.items():
            rests.setdefault(receptacle, []).extend(seen)
        for whole, parts in each.slices.items():
            for suffix, piece in parts.items():
                pieces.setdefault(whole, {}).setdefault(suffix, []).append(piece)
        for model, box in each.open_boxes.items():
            opened.setdefault(model, []).append(box)
        for model, heights in each.landing_heights.items():
            grounds.setdefault(model, []).extend(heights)
    return RecordedEvidence(
        {receptacle: tuple(seen) for receptacle, seen in rests.items()},
        {
            whole: {suffix: _most_central(seen) for suffix, seen in parts.items()}
            for whole, parts in pieces.items()
        },
        {model: _most_central(seen) for model, seen in opened.items()},
        {model: tuple(heights) for model, heights in grounds.items()},
    )


def _most_central(observed: list[T]) -> T:
    """Return the observation that is nearest to the median of all offsets."""
    x, y, z = (median(each.offset[i] for each in observed) for i in range(3))

    def off(each: T) -> float:
        return fsum(abs(a - b) for a, b in zip(each.offset, (x, y, z), strict=True))

    return min(observed, key=off)


def model_name(obj: ObjectState) -> str:
    """Return the name that an object and its copies share in all sessions of a floor plan."""
    return obj.name.partition("(")[0]


def resting_pose_in(receptacle: ObjectState, case: Box, obj: ObjectState) -> RestingPose:
    """Return how an object rests in a receptacle whose closed box is `case`."""
    (mx, my, mz), (x, _, z) = case.center, obj.position
    at = rotate_yaw((x - mx, obj.box.bottom - my, z - mz), -receptacle.rotation[1] % 360.0)
    pitch, yaw, roll = obj.rotation
    rotation = round_vector((pitch, (yaw - receptacle.rotation[1]) % 360.0, roll), DEGREE_DIGITS)
    return RestingPose(round_vector(at, METRE_DIGITS), rotation)


def is_upright(rotation: Vec3) -> bool:
    """Return whether an object with this rotation stands upright."""
    return max(abs((angle + 180.0) % 360.0 - 180.0) for angle in rotation[::2]) < MAX_LEAN_DEGREES


def extract_evidence(start: Snapshot, end: Snapshot, carried: Container[str]) -> RecordedEvidence:
    """Return what a session's start and end show; `carried` are what it picked up."""
    rests = defaultdict[str, list[RestingPose]](list)
    set_down = [
        obj
        for obj in end.objects
        if obj.objectId in carried
        or ((before := start.get(obj.objectId)) and before.position != obj.position)
    ]
    at_start = _resting_poses(start, start, start.objects)
    for receptacle, rest in (*at_start, *_resting_poses(start, end, set_down)):
        rests[receptacle].append(rest)
    pieces = defaultdict[str, dict[str, SlicePlacement]](dict)
    grounds = defaultdict[str, list[float]](list)
    for whole, piece in _fallen_slices(start, end, carried):
        if is_upright(whole.rotation):
            suffix = piece.objectId.rpartition("|")[2]
            pieces[model_name(whole)][suffix] = _slice_placement(whole, piece)
        for receptacle, rest in _resting_poses(start, end, [piece]):
            grounds[receptacle].append(rest.offset[1])
    return RecordedEvidence(
        {key: tuple(seen) for key, seen in rests.items()},
        pieces,
        {model_name(obj): box for obj, box in observed_open_boxes(start, end)},
        {key: tuple(heights) for key, heights in grounds.items()},
    )


def _resting_poses(
    start: Snapshot, now: Snapshot, objects: Iterable[ObjectState]
) -> Iterator[tuple[str, RestingPose]]:
    """Yield the receptacle's model and the resting pose of each object that is in furniture.

    `now` is the state the objects are in.  Objects in dishes are left out: they get shaken
    about, and they are also listed in the receptacle that the dish stands in.
    """
    for obj in objects:
        if not obj.affordances.pickupable or obj.isPickedUp or obj.isSliced:
            continue
        parents = [each for name in obj.parentReceptacles or () if (each := now.get(name))]
        if any(parent.affordances.pickupable for parent in parents):
            continue
        for parent in parents:
            case = _closed_box(start, parent)
            if case is not None and is_upright(parent.rotation):
                yield model_name(parent), resting_pose_in(parent, case, obj)


def _closed_box(start: Snapshot, now: ObjectState) -> Box | None:
    """Return a receptacle's closed box at its present position; None if unknown."""
    before = start.get(now.objectId)
    if before is None or not now.isOpen:
        return before and now.box
    if before.isOpen:
        return None
    if now.objectType in HINGED_DOOR_TYPES:
        return before.box
    return before.box.translate(*subtract(now.position, before.position))


def _fallen_slices(
    start: Snapshot, end: Snapshot, picked_up_ids: Container[str]
) -> Iterator[tuple[ObjectState, ObjectState]]:
    """Yield each whole that was cut, with each of its pieces that still lies where it fell.

    AI2-THOR keeps the whole in its list, with the position and rotation it had when cut.
    """
    for piece in end.objects:
        whole = end.get(piece.objectId.rpartition("|")[0])
        if whole is None or not whole.isSliced or piece.objectId in picked_up_ids:
            continue
        if start.get(whole.objectId) is not None:
            yield whole, piece


def _slice_placement(whole: ObjectState, piece: ObjectState) -> SlicePlacement:
    yaw, (pitch, turn, roll) = whole.rotation[1], piece.rotation
    offset = rotate_yaw(subtract(piece.box.center, whole.position), -yaw % 360.0)
    return SlicePlacement(
        round_vector(offset, METRE_DIGITS),
        round_vector(piece.box.size, METRE_DIGITS),
        round((piece.box.yaw - yaw) % 360.0, DEGREE_DIGITS),
        round_vector((pitch, (turn - yaw) % 360.0, roll), DEGREE_DIGITS),
    )
