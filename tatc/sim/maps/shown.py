"""What a recorded session shows of its floor plan, read off its start and its end.

What it shows is a `Traces`: where things stood, into what pieces others fell and how
deep, and how doors stood open.
"""

from collections.abc import Container, Iterable, Iterator

from tatc.camera.doors import SWING
from tatc.sim.maps.digits import DEGREES, METRES, rounded
from tatc.sim.maps.open_boxes import open_boxes
from tatc.sim.maps.traces import Piece, Rest, Traces, model_of, rest_in, stands
from tatc.sim.rigid import rotated
from tatc.state import Box, ObjectState, Snapshot


def traces_of(start: Snapshot, end: Snapshot, moved: Container[str]) -> Traces:
    """Return what a session's start and end show; `moved` are ids it picked up."""
    rests: dict[str, list[Rest]] = {}
    set_down = [
        thing
        for thing in end.objects
        if thing.objectId in moved
        or ((before := start.get(thing.objectId)) and _apart(before, thing))
    ]
    for receptacle, rest in (
        *_rests(start, start, start.objects),
        *_rests(start, end, set_down),
    ):
        rests.setdefault(receptacle, []).append(rest)
    pieces: dict[str, dict[str, Piece]] = {}
    grounds: dict[str, list[float]] = {}
    for whole, piece in _fallen(start, end, moved):
        if stands(whole.rotation):
            suffix = piece.objectId.rpartition("|")[2]
            pieces.setdefault(model_of(whole), {})[suffix] = _piece(whole, piece)
        for receptacle, rest in _rests(start, end, [piece]):
            grounds.setdefault(receptacle, []).append(rest.at[1])
    return Traces(
        {key: tuple(seen) for key, seen in rests.items()},
        pieces,
        {model_of(thing): box for thing, box in open_boxes(start, end)},
        {key: tuple(heights) for key, heights in grounds.items()},
    )


def _rests(
    start: Snapshot, now: Snapshot, things: Iterable[ObjectState]
) -> Iterator[tuple[str, Rest]]:
    """Yield where some of the things of a moment stand in furniture.

    What lies in dishes is left out: it is shaken about there, and is listed in what the
    dish stands in, too.
    """
    for thing in things:
        if not thing.affordances.pickupable or thing.isPickedUp or thing.isSliced:
            continue
        within = [now.get(parent) for parent in thing.parentReceptacles or ()]
        parents = [parent for parent in within if parent is not None]
        if any(parent.affordances.pickupable for parent in parents):
            continue
        for parent in parents:
            case = _case(start, parent)
            if case is not None and stands(parent.rotation):
                yield model_of(parent), rest_in(parent, case, thing)


def _apart(before: ObjectState, now: ObjectState) -> bool:
    return before.position != now.position


def _case(start: Snapshot, now: ObjectState) -> Box | None:
    """Return a receptacle's box without its door, where it is now; None if unknown."""
    before = start.get(now.objectId)
    if before is None or not now.isOpen:
        return before and now.box
    if before.isOpen:
        return None
    if now.objectType in SWING:
        return before.box
    (x, y, z), (nx, ny, nz) = before.position, now.position
    return before.box.moved(nx - x, ny - y, nz - z)


def _fallen(
    start: Snapshot, end: Snapshot, moved: Container[str]
) -> Iterator[tuple[ObjectState, ObjectState]]:
    """Yield wholes that were cut, with each piece that lies where it fell off them.

    The whole stays in the list, cut, with the position and rotation it had then.
    """
    for piece in end.objects:
        whole_id = piece.objectId.rpartition("|")[0]
        whole = end.get(whole_id)
        if whole is None or not whole.isSliced or start.get(whole_id) is None:
            continue
        if piece.objectId not in moved:
            yield whole, piece


def _piece(whole: ObjectState, piece: ObjectState) -> Piece:
    yaw = whole.rotation[1]
    (x, y, z), (wx, wy, wz) = piece.box.center, whole.position
    pitch, turn, roll = piece.rotation
    return Piece(
        rounded(rotated((x - wx, y - wy, z - wz), -yaw % 360.0), METRES),
        rounded(piece.box.size, METRES),
        round((piece.box.yaw - yaw) % 360.0, DEGREES),
        rounded((pitch, (turn - yaw) % 360.0, roll), DEGREES),
    )
