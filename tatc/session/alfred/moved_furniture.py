"""Moves furniture to where the actions of a trajectory say that it stood.

Bins, tables and a few others stand elsewhere in later versions of AI2-THOR.  The ids in an expert's
actions are positions, and of these types the position is the middle of the piece in all versions:
once they are moved there, what lay in them lies nearer to their middle.  Of other types the
position may be another point, so they are moved only from far away.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import hypot

from tatc.home.state import Box, ObjectState
from tatc.home.type_facts import (
    MOVED_FURNITURE_TYPES,
    PARTS_OF_FURNITURE_TYPES,
    TALL_BOX_TABLE_TYPES,
)
from tatc.session.alfred.initial_receptacles import explains
from tatc.session.alfred.recorded_ids import RecordedId, ids_of_furniture
from tatc.session.records.trajectory import Trajectory, current_type

_MIN_SHIFT_METRES = 0.03  # of what is not where its id says
_OWN_PLACE_METRES = 0.3  # up to which the position of other types may only be another point of them
_MAX_SHIFT_METRES = 6.0  # beyond which an id is wrong; the farthest real ones are 4.4 m away
_MAX_PIVOT_METRES = 0.04  # from the position to the middle of the box
_Shift = tuple[float, float]
"""How far a piece is moved along x and z, metres."""


def with_moved_furniture(
    fixed: Sequence[ObjectState], carried: Sequence[ObjectState], trajectory: Trajectory
) -> Iterator[ObjectState]:
    """Yield the furniture, with what the actions name elsewhere in its recorded place.

    What much lies on stays where it is if less would lie on it after the move.  The drawers and
    shelves of a piece move with it.
    """
    shifts = {
        piece.objectId: (name, shift)
        for name, piece, shift in _named_elsewhere(fixed, trajectory)
        if piece.objectType in MOVED_FURNITURE_TYPES - TALL_BOX_TABLE_TYPES
        or _explained(_moved(piece, shift), carried) >= _explained(piece, carried)
    }
    for obj in fixed:
        if obj.objectId in shifts:
            name, shift = shifts[obj.objectId]
            yield replace(_moved(obj, shift), objectId=name)
            continue
        hosts = (each for each in fixed if each.objectId in shifts and _is_part(obj, each))
        host = next(hosts, None)
        yield obj if host is None else _moved(obj, shifts[host.objectId][1])


def _named_elsewhere(
    fixed: Sequence[ObjectState], trajectory: Trajectory
) -> Iterator[tuple[str, ObjectState, _Shift]]:
    """Yield ids of which the nearest piece is not where they say, with the piece and its shift."""
    taken: set[str] = set()
    pairs = sorted(
        (hypot(*shift), name, piece.objectId, piece, shift)
        for name in dict.fromkeys(ids_of_furniture(trajectory))
        for piece, shift in _candidates(name, fixed)
    )
    for away, name, object_id, piece, shift in pairs:
        if name not in taken and object_id not in taken:
            taken |= {name, object_id}
            least = _MIN_SHIFT_METRES if _is_centred(piece) else _OWN_PLACE_METRES
            if least < away <= _MAX_SHIFT_METRES:
                yield name, piece, shift


def _candidates(name: str, fixed: Sequence[ObjectState]) -> Iterator[tuple[ObjectState, _Shift]]:
    wanted = RecordedId.parse(name)
    if wanted is None or wanted.suffix or wanted.type in PARTS_OF_FURNITURE_TYPES:
        return
    for obj in fixed:
        if obj.objectType == current_type(wanted.type):
            (x, _, z), (wanted_x, _, wanted_z) = obj.position, wanted.position
            yield obj, (wanted_x - x, wanted_z - z)


def _is_centred(obj: ObjectState) -> bool:
    """Return whether the position of a piece is its middle, in all versions."""
    (x, _, z), (mid_x, _, mid_z) = obj.position, obj.box.center
    is_middle = hypot(mid_x - x, mid_z - z) <= _MAX_PIVOT_METRES
    return is_middle and obj.objectType in MOVED_FURNITURE_TYPES


def _explained(piece: ObjectState, carried: Iterable[ObjectState]) -> int:
    return sum(explains(piece, obj) for obj in carried)


def _is_part(obj: ObjectState, piece: ObjectState) -> bool:
    """Return whether an object is a drawer or shelf of a piece of furniture."""
    x, y, z = obj.box.center
    is_within = piece.box.horizontal_distance(x, z) == 0.0
    is_within &= abs(y - piece.box.center[1]) <= piece.box.size[1] / 2
    return is_within and obj.objectType in PARTS_OF_FURNITURE_TYPES


def _moved(obj: ObjectState, shift: _Shift) -> ObjectState:
    (x, y, z), (mid_x, mid_y, mid_z) = obj.position, obj.box.center
    dx, dz = shift
    box = Box((mid_x + dx, mid_y, mid_z + dz), obj.box.size, obj.box.yaw)
    return replace(obj, position=(x + dx, y, z + dz), box=box)
