"""Puts things down where they are kept: in and on receptacles, upright, in reach.

On what has a lattice of AI2-THOR's, a thing stands at one of its points, as in
AI2-THOR's own scenes; so a world that looks for the lattice finds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from tatc.sim.embedded.house import House
from tatc.sim.embedded.levels import levels_of
from tatc.sim.maps.lattice import PARTS
from tatc.sim.rooms.habits import habits
from tatc.sim.rooms.reach import REACH, Ground
from tatc.sim.rooms.things import heading, make
from tatc.sim.surfaces import Surface
from tatc.state import Box, ObjectState, Snapshot, Vec3, turned

TRIES = 60
SPOTS = 8
LIFT = 0.003
"""Metres between a thing and what it stands on, so that boxes never meet."""
SHUT = frozenset({"Cabinet", "Drawer", "Fridge", "LaundryHamper", "Microwave", "Safe"})
"""Types that a start state has closed, with what is in them."""
DOORED = SHUT - {"Drawer", "LaundryHamper"}
DEEPEST = 0.22
"""Nothing stands farther behind a door, metres: deeper in, the case would hide it."""
HANGING = frozenset({"HandTowelHolder", "TowelHolder", "ToiletPaperHanger"})
CENTRED = HANGING | {"StoveBurner", "CoffeeMachine"}
"""Types in whose middle a thing is put, wider than they are or not."""
HOSTS = frozenset(
    {
        "Bathtub",
        "Desk",
        "Dresser",
        "Floor",
        "ShelvingUnit",
        "SideTable",
        "Sink",
        "TVStand",
    }
)
"""Types whose boxes may hold receptacles of their own."""

Bounds = tuple[Vec3, Vec3]


@dataclass(frozen=True, slots=True)
class _Place:
    """One surface of one receptacle, and from where it is got at."""

    host: ObjectState
    surface: Surface
    ground: Ground
    within: frozenset[str]


class Stower:
    """Fills a room whose fixed things stand; every choice is drawn from `rng`."""

    def __init__(
        self,
        fixed: Sequence[ObjectState],
        agent_y: float,
        rng: Random,
        shut: float = 1.0,
    ) -> None:
        """Find every surface that can be got at.

        `shut` is a factor on the weights of receptacles that are closed.
        """
        self._rng = rng
        self._shut = shut
        self._taken: list[tuple[str, Bounds]] = [
            (t.objectId, t.box.bounds()) for t in fixed if t.objectType != "Floor"
        ]
        self._settled: dict[str, list[Bounds]] = {}
        self._ids = {t.objectId for t in fixed}
        ground = Ground.of(fixed, agent_y)
        house = _house(fixed, ground)
        self._places: dict[str, list[list[_Place]]] = {}
        for host in fixed:
            found = self._places_of(host, house, ground)
            if found:
                self._places.setdefault(host.objectType, []).append(found)

    def _places_of(
        self, host: ObjectState, house: House, ground: Ground
    ) -> list[_Place]:
        near = ground.before(host)
        found: list[_Place] = []
        for surface in levels_of(house, host):
            point = (surface.x, surface.y + LIFT, surface.z)
            around = [t for t in house.things if t is not host and _holds(t.box, point)]
            if any(t.objectType not in HOSTS for t in around):
                continue
            within = frozenset((host.objectId, *(t.objectId for t in around)))
            found.append(_Place(host, surface, near, within))
        return found

    def put(self, kind: str, size: Vec3) -> ObjectState | None:
        """Put a thing where its type is kept; None where no place was found."""
        weights = {
            host: weight * (self._shut if host in SHUT else 1.0)
            for host, weight in habits().get(kind, {}).items()
            if host in self._places
        }
        if not weights:
            return None
        for _ in range(TRIES):
            (host,) = self._rng.choices(list(weights), list(weights.values()))
            place = self._rng.choice(self._rng.choice(self._places[host]))
            box = self._try(place, size)
            if box is None:
                continue
            thing = make(
                kind, box.center, box.size, box.yaw, parents=(place.host.objectId,)
            )
            if thing.objectId not in self._ids:
                self._ids.add(thing.objectId)
                self._taken.append((thing.objectId, box.bounds()))
                if place.host.objectType == "Drawer":
                    thing = self._drawn_forward(thing, place)
                    self._ids.add(thing.objectId)
                return _tempered(thing, place.host)
        return None

    def _try(self, place: _Place, size: Vec3) -> Box | None:
        """Draw a spot on a surface; None where the thing does not fit it."""
        surface, kind = place.surface, place.host.objectType
        if size[1] + 2 * LIFT > surface.headroom:
            return None
        if kind in CENTRED:
            turn, spot = place.host.rotation[1] - surface.yaw, (0.0, 0.0)
        else:
            angles = (0.0, 90.0) if surface.inside else range(0, 360, 30)
            turn = self._rng.choice(angles)
            spot = self._spot(place, _footprint(size, turn))
        if spot is None:
            return None
        x, z = _world(surface, *spot)
        center = (x, surface.y + LIFT + size[1] / 2, z)
        box = Box(center, size, (surface.yaw + turn) % 360.0)
        if place.ground.distance(center) > REACH or self._meets(box, place.within):
            return None
        return box

    def _spot(
        self, place: _Place, foot: tuple[float, float]
    ) -> tuple[float, float] | None:
        """Draw where on a surface a footprint goes, along its axes; None: nowhere."""
        width, depth = place.surface.size
        free = (width - foot[0]) / 2, (depth - foot[1]) / 2
        if min(free) < 0:
            return None
        doored = place.host.objectType in DOORED
        for _ in range(SPOTS if doored else 1):
            along = self._at(width, free[0], place.surface)
            across = self._at(depth, free[1], place.surface)
            point = _world(place.surface, along, across)
            if not doored or _behind_front(place.host, point) <= DEEPEST:
                return along, across
        return None

    def _drawn_forward(self, thing: ObjectState, place: _Place) -> ObjectState:
        """Return a thing at the front of its drawer, turned if need be, where it fits.

        What lies in a drawer stays where it lies when the drawer comes out: farther
        back, the worktop would hide it.  Nothing else depends on where it then lies.
        """
        surface, box = place.surface, thing.box
        settled = self._settled.setdefault(place.host.objectId, [])
        axis, way = _ahead(place)
        for yaw in (box.yaw, box.yaw + 90.0):
            foot = _footprint(box.size, yaw - surface.yaw)
            rows, columns = (
                _lattice(surface.size[i], (surface.size[i] - foot[i]) / 2)
                for i in (axis, 1 - axis)
            )
            row = max(rows, key=lambda at: way * at, default=0.0)
            for column in columns if rows else ():
                x, z = _world(surface, *((row, column) if axis == 0 else (column, row)))
                within, there = (place.host.objectId,), (x, box.center[1], z)
                kept = make(thing.objectType, there, box.size, yaw, parents=within)
                if not any(_meet(kept.box.bounds(), other) for other in settled):
                    settled.append(kept.box.bounds())
                    return kept
        settled.append(box.bounds())
        return thing

    def _at(self, side: float, free: float, surface: Surface) -> float:
        """Draw how far from its middle along a side of a surface a thing stands."""
        if not surface.lattice:
            return self._rng.uniform(-free, free)
        return self._rng.choice(_lattice(side, free))

    def _meets(self, box: Box, within: frozenset[str]) -> bool:
        bounds = box.bounds()
        return any(
            name not in within and _meet(bounds, other) for name, other in self._taken
        )


def _meet(a: Bounds, b: Bounds) -> bool:
    """Return whether two boxes along the world's axes share room."""
    return all(a[0][i] < b[1][i] and b[0][i] < a[1][i] for i in range(3))


def _house(fixed: Sequence[ObjectState], ground: Ground) -> House:
    """Return the fixed things as the world has them, a body standing among them."""
    return House(Snapshot.of(fixed, ground.body(), ground.body()))


def _footprint(size: Vec3, turn: float) -> tuple[float, float]:
    """Return the width and depth that a turned thing takes."""
    sine, cosine = (abs(v) for v in turned(turn))
    return cosine * size[0] + sine * size[2], sine * size[0] + cosine * size[2]


def _world(surface: Surface, along: float, across: float) -> tuple[float, float]:
    """Return the x and z of a point of a surface."""
    sine, cosine = turned(surface.yaw)
    return (
        surface.x + along * cosine + across * sine,
        surface.z - along * sine + across * cosine,
    )


def _lattice(side: float, free: float) -> list[float]:
    """Return where on a lattice along a side a thing may stand, from its middle."""
    half = PARTS // 2
    points = (i * side / PARTS for i in range(1 - half, half))
    return [at for at in points if abs(at) <= free]


def _ahead(place: _Place) -> tuple[int, float]:
    """Return along which axis of a surface its receptacle's front is, and which way."""
    sine, cosine = turned(place.surface.yaw)
    fx, fz = heading(place.host.rotation[1])
    ahead = fx * cosine - fz * sine, fx * sine + fz * cosine
    axis = 0 if abs(ahead[0]) > abs(ahead[1]) else 1
    return axis, 1.0 if ahead[axis] > 0.0 else -1.0


def _behind_front(host: ObjectState, point: tuple[float, float]) -> float:
    """Return how far a point lies behind the front of its receptacle, metres."""
    fx, fz = heading(host.rotation[1])
    low, high = host.box.bounds()
    half = (abs(fx) * (high[0] - low[0]) + abs(fz) * (high[2] - low[2])) / 2
    x, _, z = host.box.center
    return half - (point[0] - x) * fx - (point[1] - z) * fz


def _holds(box: Box, point: Vec3) -> bool:
    low, high = box.bounds()
    return all(a < v < b for a, v, b in zip(low, point, high, strict=True))


def _tempered(thing: ObjectState, host: ObjectState) -> ObjectState:
    """Return the thing as warm as its place makes it."""
    if host.objectType == "Fridge":
        return replace(thing, ObjectTemperature="Cold")
    return thing
