"""Extract from a recorded session's start and end what they show about the floor plan.

The result is a `RecordedEvidence`: where objects stood, where the pieces of others lay
and at which height, and how doors stood open.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

from tatc.home.state import Box, ObjectState, Snapshot
from tatc.home.type_facts import HINGED_DOOR_TYPES
from tatc.sim.maps import recorded_evidence as evidence
from tatc.sim.transforms import rotate_yaw, subtract


def extract_evidence(
    start: Snapshot, end: Snapshot, picked_up_ids: Container[str]
) -> evidence.RecordedEvidence:
    """Return what a session shows; `picked_up_ids` are the objects picked up in it."""
    rests = defaultdict[str, list[evidence.RestingPose]](list)
    set_down = [
        obj
        for obj in end.objects
        if obj.objectId in picked_up_ids
        or ((before := start.get(obj.objectId)) and before.position != obj.position)
    ]
    at_start = _resting_poses(start, start, start.objects)
    for receptacle, rest in (*at_start, *_resting_poses(start, end, set_down)):
        rests[receptacle].append(rest)
    pieces = defaultdict[str, dict[str, evidence.SlicePlacement]](dict)
    grounds = defaultdict[str, list[float]](list)
    for whole, piece in _fallen_slices(start, end, picked_up_ids):
        if evidence.is_upright(whole.rotation):
            suffix = piece.objectId.rpartition("|")[2]
            pieces[evidence.model_name(whole)][suffix] = _slice_placement(whole, piece)
        for receptacle, rest in _resting_poses(start, end, [piece]):
            grounds[receptacle].append(rest.offset[1])
    return evidence.RecordedEvidence(
        {key: tuple(seen) for key, seen in rests.items()},
        pieces,
        {evidence.model_name(obj): box for obj, box in evidence.observed_open_boxes(start, end)},
        {key: tuple(heights) for key, heights in grounds.items()},
    )


def _resting_poses(
    start: Snapshot, now: Snapshot, objects: Iterable[ObjectState]
) -> Iterator[tuple[str, evidence.RestingPose]]:
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
            if case is not None and evidence.is_upright(parent.rotation):
                yield evidence.model_name(parent), evidence.resting_pose_in(parent, case, obj)


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


def _slice_placement(whole: ObjectState, piece: ObjectState) -> evidence.SlicePlacement:
    yaw, (pitch, turn, roll) = whole.rotation[1], piece.rotation
    offset = rotate_yaw(subtract(piece.box.center, whole.position), -yaw % 360.0)
    return evidence.SlicePlacement(
        evidence.round_vector(offset, evidence.METRE_DIGITS),
        evidence.round_vector(piece.box.size, evidence.METRE_DIGITS),
        round((piece.box.yaw - yaw) % 360.0, evidence.DEGREE_DIGITS),
        evidence.round_vector((pitch, (turn - yaw) % 360.0, roll), evidence.DEGREE_DIGITS),
    )
