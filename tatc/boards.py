"""Where boxes have gaps: over and around sinks, and in the corner of an L.

AI2-THOR gives one box for a counter, however it runs: the box of an L covers the floor
in its corner too, and no box tells of the opening over a sink.  Both are read off the
other objects, once, when a room is loaded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tatc.state import ObjectState

_SINKS = frozenset({"Sink", "SinkBasin", "Bathtub", "BathtubBasin"})
PIERCED: dict[str, frozenset[str]] = {
    "CounterTop": _SINKS,
    "Cabinet": _SINKS,
    "Drawer": _SINKS,
}
"""Types that others are let into, and which."""

STRAIGHT = 0.8
"""A board no wider than this runs straight and has no corner (metres)."""
_CORNERS = 2  # how many empty corners a board has at most: a U in the middle of a room
_CORNER = 0.35  # metres each way that an empty corner has at least
_SMALLEST = 0.3  # square metres that it has at least
_OVERHANG = 0.03  # metres that a board reaches beyond what stands in or on it
_RIM = 0.02  # metres that a gap is wider than what is let in
_AROUND = frozenset({"Floor", "CounterTop"})  # they tell nothing of where a board runs
_BELOW, _ABOVE = 0.9, 0.1  # metres around a board in which things carry or load it


@dataclass(frozen=True, slots=True)
class Rect:
    """A level rectangle along the world's axes: its lowest and highest x and z."""

    x0: float
    z0: float
    x1: float
    z1: float

    @property
    def area(self) -> float:
        """Square metres; zero where it is inside out."""
        return max(self.x1 - self.x0, 0.0) * max(self.z1 - self.z0, 0.0)

    @property
    def width(self) -> float:
        """The shorter of its sides, metres."""
        return min(self.x1 - self.x0, self.z1 - self.z0)

    def cut(self, other: "Rect") -> "Rect":
        """Return what lies in both, inside out where nothing does."""
        return Rect(
            max(self.x0, other.x0),
            max(self.z0, other.z0),
            min(self.x1, other.x1),
            min(self.z1, other.z1),
        )

    def grown(self, by: float) -> "Rect":
        """Return it wider by metres on each side."""
        return Rect(self.x0 - by, self.z0 - by, self.x1 + by, self.z1 + by)

    def without(self, gap: "Rect") -> "tuple[Rect, ...]":
        """Return the up to four pieces that are left around a gap."""
        hole = self.cut(gap)
        if hole.area == 0.0:
            return (self,)
        pieces = (
            Rect(self.x0, self.z0, hole.x0, self.z1),
            Rect(hole.x1, self.z0, self.x1, self.z1),
            Rect(hole.x0, self.z0, hole.x1, hole.z0),
            Rect(hole.x0, hole.z1, hole.x1, self.z1),
        )
        return tuple(piece for piece in pieces if piece.area > 0.0)


def rect_of(thing: ObjectState) -> Rect:
    """Return an object's box seen from above."""
    (x0, _, z0), (x1, _, z1) = thing.box.bounds()
    return Rect(x0, z0, x1, z1)


def gaps_of(
    objects: Sequence[ObjectState], surfaces: Sequence[float]
) -> tuple[tuple[Rect, ...], ...]:
    """Return for each object the gaps in it, as seen from above.

    `surfaces` are the heights of the objects' upper sides.
    """
    rects = tuple(rect_of(thing) for thing in objects)
    return tuple(
        tuple(_gaps(thing, surface, objects, rects))
        if thing.objectType in PIERCED
        else ()
        for thing, surface in zip(objects, surfaces, strict=True)
    )


def _gaps(
    pierced: ObjectState,
    surface: float,
    objects: Sequence[ObjectState],
    rects: Sequence[Rect],
) -> Iterator[Rect]:
    whole = rect_of(pierced)
    near = [
        (thing, rect)
        for thing, rect in zip(objects, rects, strict=True)
        if thing is not pierced
        and thing.objectType not in _AROUND
        and rect.cut(whole).area > 0.0
        and _touches(thing, surface)
    ]
    let_in = PIERCED[pierced.objectType]
    yield from (rect.grown(_RIM) for t, rect in near if t.objectType in let_in)
    if pierced.objectType != "CounterTop" or whole.width <= STRAIGHT:
        return
    if sum(not _loose(thing) for thing, _ in near) > 1:
        taken = [rect.grown(_OVERHANG) for _, rect in near]
        for _ in range(_CORNERS):
            corner = max(_at_sides(whole, taken), key=lambda r: r.area)
            if corner.width < _CORNER or corner.area < _SMALLEST:
                return
            yield corner
            taken.append(corner)


def _loose(thing: ObjectState) -> bool:
    return thing.affordances.pickupable or thing.affordances.moveable


def _touches(thing: ObjectState, surface: float) -> bool:
    """Whether a thing stands on a board, or is what the board rests on."""
    if thing.isPickedUp:
        return False
    middle, half = thing.box.center[1], thing.box.size[1] / 2
    if _loose(thing):
        return abs(middle - half - surface) < _ABOVE
    return middle - half < surface + _ABOVE and middle + half > surface - _BELOW


def _at_sides(whole: Rect, taken: Sequence[Rect]) -> Iterator[Rect]:
    """Yield for each side and each stretch of it the deepest empty rectangle there."""
    xs = sorted({whole.x0, whole.x1, *(v for r in taken for v in (r.x0, r.x1))})
    zs = sorted({whole.z0, whole.z1, *(v for r in taken for v in (r.z0, r.z1))})
    for x0, x1 in _stretches(xs, whole.x0, whole.x1):
        inside = [r for r in taken if r.x0 < x1 and r.x1 > x0]
        yield Rect(x0, whole.z0, x1, min((r.z0 for r in inside), default=whole.z1))
        yield Rect(x0, max((r.z1 for r in inside), default=whole.z0), x1, whole.z1)
    for z0, z1 in _stretches(zs, whole.z0, whole.z1):
        inside = [r for r in taken if r.z0 < z1 and r.z1 > z0]
        yield Rect(whole.x0, z0, min((r.x0 for r in inside), default=whole.x1), z1)
        yield Rect(max((r.x1 for r in inside), default=whole.x0), z0, whole.x1, z1)


def _stretches(
    edges: Sequence[float], low: float, high: float
) -> Iterator[tuple[float, float]]:
    inner = [edge for edge in edges if low <= edge <= high]
    for i, start in enumerate(inner):
        for end in inner[i + 1 :]:
            if end - start >= _CORNER:
                yield start, end
