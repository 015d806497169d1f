"""What recorded sessions show of a floor plan, beyond the cells people stood on.

Three things that boxes do not tell are alike in every session of a plan: where AI2-THOR
lets things stand in a piece of furniture, into what pieces a thing of one model falls,
and how doors stand open.  All are read off the starts and ends of recordings (`tatc
rooms import`) and used only where a map is asked for.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from types import MappingProxyType
from typing import Any, TypeVar

from tatc.camera.doors import SWING
from tatc.sim.embedded.digits import DEGREES, METRES, rounded
from tatc.sim.embedded.open_boxes import OpenBox, open_boxes
from tatc.sim.embedded.rigid import rotated
from tatc.state import Box, ObjectState, Snapshot, Vec3


@dataclass(frozen=True, slots=True)
class Rest:
    """Where and how a thing rested in a receptacle.

    `at` leads from the middle of the receptacle's box, as it is when shut, to the
    thing's position, in height to its lower side, along the axes of a receptacle that
    stands at yaw 0; `rotation` is the thing's, its yaw from there.
    """

    at: Vec3
    rotation: Vec3

    def listed(self) -> list[float]:
        """Return it as six numbers."""
        return [*self.at, *self.rotation]


@dataclass(frozen=True, slots=True)
class Piece:
    """How a piece lies where its whole was cut.

    `at` leads from the whole's position to the middle of the piece's box along the axes
    of a whole that stands at yaw 0; `yaw` is the box's and `rotation` the piece's, both
    from there.
    """

    at: Vec3
    size: Vec3
    yaw: float
    rotation: Vec3

    def listed(self) -> list[float]:
        """Return it as ten numbers."""
        return [*self.at, *self.size, self.yaw, *self.rotation]


Rests = Mapping[str, tuple[Rest, ...]]
"""Rests by the receptacle's model."""
Pieces = Mapping[str, Mapping[str, Piece]]
"""Pieces by the model of the whole and by the end of their ids."""
Opened = Mapping[str, OpenBox]
"""Open boxes by the model of the thing."""


@dataclass(frozen=True, slots=True)
class Traces:
    """What one session, or several, show of a floor plan."""

    rests: Rests = field(default_factory=lambda: MappingProxyType({}))
    pieces: Pieces = field(default_factory=lambda: MappingProxyType({}))
    opened: Opened = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        """Whether anything was seen."""
        return bool(self.rests or self.pieces or self.opened)

    def listed(self) -> dict[str, Any]:
        """Return the traces as JSON values, sorted."""
        raw: dict[str, Any] = {
            "rests": {
                receptacle: sorted(rest.listed() for rest in self.rests[receptacle])
                for receptacle in sorted(self.rests)
            },
            "pieces": {
                whole: {suffix: parts[suffix].listed() for suffix in sorted(parts)}
                for whole, parts in sorted(self.pieces.items())
            },
        }
        if self.opened:
            raw["opened"] = {
                model: self.opened[model].listed() for model in sorted(self.opened)
            }
        return raw


NOTHING = Traces()
T = TypeVar("T", Piece, OpenBox)

UPRIGHT = 5.0
"""How far a thing that stands upright may lean, degrees."""


def together(traces: Iterable[Traces]) -> Traces:
    """Return what several sessions show.

    Of pieces and open boxes seen more than once, one in the middle stands for all.
    """
    rests: dict[str, list[Rest]] = {}
    pieces: dict[str, dict[str, list[Piece]]] = {}
    opened: dict[str, list[OpenBox]] = {}
    for each in traces:
        for receptacle, seen in each.rests.items():
            rests.setdefault(receptacle, []).extend(seen)
        for whole, parts in each.pieces.items():
            for suffix, piece in parts.items():
                pieces.setdefault(whole, {}).setdefault(suffix, []).append(piece)
        for model, box in each.opened.items():
            opened.setdefault(model, []).append(box)
    return Traces(
        {receptacle: tuple(seen) for receptacle, seen in rests.items()},
        {
            whole: {suffix: _typical(seen) for suffix, seen in parts.items()}
            for whole, parts in pieces.items()
        },
        {model: _typical(seen) for model, seen in opened.items()},
    )


def _typical(seen: list[T]) -> T:
    """Return what lies in the middle of all that was seen, as one that was seen."""
    x, y, z = (median(each.at[i] for each in seen) for i in range(3))

    def off(each: T) -> float:
        return sum(abs(a - b) for a, b in zip(each.at, (x, y, z), strict=True))

    return min(seen, key=off)


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
    for whole, suffix, piece in _pieces(start, end, moved):
        pieces.setdefault(whole, {})[suffix] = piece
    return Traces(
        {key: tuple(seen) for key, seen in rests.items()},
        pieces,
        {model_of(thing): box for thing, box in open_boxes(start, end)},
    )


def model_of(thing: ObjectState) -> str:
    """Return what a thing and its copies in all sessions of a plan are called."""
    return thing.name.partition("(")[0]


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


def rest_in(receptacle: ObjectState, case: Box, thing: ObjectState) -> Rest:
    """Return how a thing rests in a receptacle whose box, when shut, is `case`."""
    (mx, my, mz), (x, _, z) = case.center, thing.position
    under = thing.box.center[1] - thing.box.size[1] / 2
    at = rotated((x - mx, under - my, z - mz), -receptacle.rotation[1] % 360.0)
    pitch, yaw, roll = thing.rotation
    turn = (yaw - receptacle.rotation[1]) % 360.0
    return Rest(rounded(at, METRES), rounded((pitch, turn, roll), DEGREES))


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


def _pieces(
    start: Snapshot, end: Snapshot, moved: Container[str]
) -> Iterator[tuple[str, str, Piece]]:
    """Yield the pieces that lie where they fell off a whole that stood upright.

    The whole stays in the list, cut, with the position and rotation it had then.
    """
    for piece in end.objects:
        whole_id, _, suffix = piece.objectId.rpartition("|")
        whole = end.get(whole_id)
        if whole is None or not whole.isSliced or start.get(whole_id) is None:
            continue
        if piece.objectId not in moved and stands(whole.rotation):
            yield model_of(whole), suffix, _piece(whole, piece)


def stands(rotation: Vec3) -> bool:
    """Say whether a thing that is turned so stands upright."""
    lean = (abs((angle + 180.0) % 360.0 - 180.0) for angle in rotation[::2])
    return max(lean) < UPRIGHT


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
