"""Places objects at random where their types are kept: on or in receptacles, within reach.

Objects stand upright.  On a surface with one of AI2-THOR's placement lattices an object
stands at a lattice point, as in AI2-THOR's own scenes, so that the lattice can be inferred
from where objects stand.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain
from math import hypot
from random import Random
from types import MappingProxyType

from tatc.base.files import package_table
from tatc.home import actions, state, type_facts as facts
from tatc.home.state import Box, ObjectState, Snapshot, Vec2, Vec3, rotated_footprint, yaw_sin_cos
from tatc.sim.embedded.placement.observed_surfaces import observed_surfaces
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.floorplan.counter_areas import counter_areas
from tatc.sim.rooms import room

MAX_PLACEMENT_TRIES = 60
SPOTS_PER_TRY = 8
SURFACE_GAP_METRES = 0.003
"""The gap between an object and what it stands on, so that their boxes never touch."""
MAX_DEPTH_BEHIND_DOOR_METRES = 0.22
"""How far behind a door objects stand at most: deeper in, the receptacle would hide them."""

Bounds = tuple[Vec3, Vec3]


@dataclass(frozen=True, slots=True)
class _PlacementSurface:
    """One surface of a receptacle, and the floor from which an agent can reach into it.

    `overlapping_ids` are the objects that a placed object may overlap: the receptacle, and
    those that enclose the surface.  `level_reach` is `floor.level_distance` of its corners, and
    `front` the direction (x, z) of the receptacle's front, and how far that is from its middle.
    """

    receptacle: ObjectState
    surface: Surface
    floor: room.ReachableFloor
    overlapping_ids: frozenset[str]
    level_reach: float
    front: tuple[float, float, float]


class RandomPlacer:
    """Places objects in a room that has its fixed objects; draws every choice from `rng`."""

    def __init__(
        self,
        fixed: Sequence[ObjectState],
        agent_y: float,
        rng: Random,
        closed_factor: float = 1.0,
        cells: Sequence[actions.Cell] = (),
    ) -> None:
        """Find the surfaces of the fixed objects that can hold something.

        `agent_y` is the height of agents' positions, metres.  The weights of receptacles that
        start closed are multiplied by `closed_factor`.  Objects are placed within reach of the
        `cells`; without any, of the floor that the objects leave free.
        """
        self._rng = rng
        self._closed_factor = closed_factor
        stops = (obj for obj in fixed if obj.objectType != facts.FLOOR_TYPE)
        self._placed_bounds = sorted((*chain(*obj.box.bounds()), obj.objectId) for obj in stops)
        self._bounds_in_drawers: dict[str, list[Bounds]] = {}
        self._object_ids = {t.objectId for t in fixed}
        self._surfaces_by_type = _surfaces_by_type(fixed, agent_y, cells)
        self._host_types = tuple(self._surfaces_by_type)

    def place(self, object_type: str, size: Vec3) -> ObjectState | None:
        """Return a new object, placed where its type is kept; None if no place was found."""
        hosts, weights = _hosts_of(object_type, self._host_types, self._closed_factor)
        for _ in range(MAX_PLACEMENT_TRIES if hosts else 0):
            drawn = self._rng.random() * weights[-1]  # as `choices` does, in half the time
            host = hosts[bisect_right(weights, drawn, 0, len(hosts) - 1)]
            place = self._rng.choice(self._rng.choice(self._surfaces_by_type[host]))
            box = self._try_surface(place, size)
            if box is None:
                continue
            parents = (place.receptacle.objectId,)
            obj = room.create_object(object_type, box.center, box.size, box.yaw, parents=parents)
            if obj.objectId not in self._object_ids:
                self._object_ids.add(obj.objectId)
                insort(self._placed_bounds, (*chain(*box.bounds()), obj.objectId))
                if place.receptacle.objectType == "Drawer":
                    obj = self._move_to_drawer_front(obj, place)
                    self._object_ids.add(obj.objectId)
                cools = place.receptacle.objectType in facts.COLD_SOURCE_TYPES
                return obj.with_values(ObjectTemperature="Cold") if cools else obj
        return None

    def _try_surface(self, place: _PlacementSurface, size: Vec3) -> Box | None:
        """Draw a box on a surface; None if it does not fit, cannot be reached or would overlap."""
        surface, receptacle_type = place.surface, place.receptacle.objectType
        if size[1] + 2 * SURFACE_GAP_METRES > surface.headroom:
            return None
        if receptacle_type in facts.ACCEPTED_TYPES:
            turn, spot = place.receptacle.rotation[1] - surface.yaw, (0.0, 0.0)
        else:
            turn = self._rng.choice((0.0, 90.0) if surface.inside else range(0, 360, 30))
            spot = self._draw_spot(place, rotated_footprint(size, turn))
        if spot is None:
            return None
        x, z = surface.to_world(*spot)
        center = (x, surface.y + SURFACE_GAP_METRES + size[1] / 2, z)
        box = Box(center, size, (surface.yaw + turn) % 360.0)
        if self._has_collision(box, place.overlapping_ids):  # which is found sooner than the reach
            return None
        farthest = hypot(place.level_reach, center[1] - place.floor.agent_y)
        is_near = farthest < room.BODY_REACH_METRES - SURFACE_GAP_METRES  # as most are, surely
        return box if is_near or place.floor.distance_to(center) <= room.BODY_REACH_METRES else None

    def _draw_spot(self, place: _PlacementSurface, footprint: Vec2) -> Vec2 | None:
        """Draw where on a surface a footprint lies, as coordinates along the surface's axes.

        None if it does not fit, or lies too far behind the door each time.
        """
        width, depth = place.surface.size
        free = (width - footprint[0]) / 2, (depth - footprint[1]) / 2
        if min(free) < 0:
            return None
        doored = place.receptacle.objectType in facts.HINGED_DOOR_TYPES
        for _ in range(SPOTS_PER_TRY if doored else 1):
            along = self._draw_coordinate(width, free[0], place.surface)
            across = self._draw_coordinate(depth, free[1], place.surface)
            if not doored:
                return along, across
            x, z = place.surface.to_world(along, across)
            (fx, fz, half), (middle_x, _, middle_z) = place.front, place.receptacle.box.center
            behind = half - (x - middle_x) * fx - (z - middle_z) * fz
            if behind <= MAX_DEPTH_BEHIND_DOOR_METRES:
                return along, across
        return None

    def _move_to_drawer_front(self, obj: ObjectState, place: _PlacementSurface) -> ObjectState:
        """Return an object at its drawer's front, turned if need be, or as it is if that is full.

        Objects stay in place when a drawer opens; farther back, the worktop would hide them.
        """
        surface, box = place.surface, obj.box
        settled = self._bounds_in_drawers.setdefault(place.receptacle.objectId, [])
        axis, path = _front_direction(place)
        for yaw in (box.yaw, box.yaw + 90.0):
            foot = rotated_footprint(box.size, yaw - surface.yaw)
            rows, columns = (
                _lattice_coordinates(surface.size[i], (surface.size[i] - foot[i]) / 2)
                for i in (axis, 1 - axis)
            )
            row = max(rows, key=lambda at: path * at, default=0.0)
            for column in columns if rows else ():
                x, z = surface.to_world(*((row, column) if axis == 0 else (column, row)))
                at = Box(room.round_vector((x, box.center[1], z)), box.size, yaw % 360.0)
                if not any(_is_overlapping(at.bounds(), other) for other in settled):
                    settled.append(at.bounds())
                    kind, within = obj.objectType, (place.receptacle.objectId,)
                    return room.create_object(kind, at.center, at.size, yaw, parents=within)
        settled.append(box.bounds())
        return obj

    def _draw_coordinate(self, side: float, free: float, surface: Surface) -> float:
        """Draw a coordinate along a side of a surface, at most `free` metres from its middle."""
        if not surface.lattice:
            return self._rng.uniform(-free, free)
        return self._rng.choice(_lattice_coordinates(side, free))

    def _has_collision(self, box: Box, overlapping_ids: frozenset[str]) -> bool:
        (x0, y0, z0), (x1, y1, z1) = box.bounds()
        begun = bisect_left(self._placed_bounds, (x1,))  # what follows is beyond
        for _, v0, w0, u1, v1, w1, name in self._placed_bounds[:begun]:
            if x0 < u1 and z0 < w1 and w0 < z1 and y0 < v1 and v0 < y1:
                if name not in overlapping_ids:
                    return True
        return False


@lru_cache(maxsize=4096)
def _hosts_of(
    object_type: str, there: tuple[str, ...], closed_factor: float
) -> tuple[list[str], list[float]]:
    """Return the receptacles' types that may hold a type, and their weights, added up."""
    weights = {
        host: weight * (closed_factor if host in facts.STARTS_CLOSED_TYPES else 1.0)
        for host, weight in receptacle_weights().get(object_type, {}).items()
        if host in there
    }
    return list(weights), list(accumulate(weights.values()))


DRAWN_BY_BOX_TYPES = facts.BACKREST_TYPES | {"Cabinet"}
"""Receptacles whose boxes alone tell where a start has things in them."""


@state.kept_by_shape
def _surfaces_by_type(
    fixed: Sequence[ObjectState], agent_y: float, cells: Sequence[actions.Cell]
) -> Mapping[str, Sequence[Sequence[_PlacementSurface]]]:
    """Return the surfaces that can hold something, of each receptacle, by its type."""
    ground = room.ReachableFloor.of_cells(cells, fixed, agent_y)
    body = ground.any_agent_state()
    world = WorldState(Snapshot.from_objects(fixed, body, body))
    world.free_counter_areas = counter_areas(fixed, body.position, beside_microwaves=True)
    by_type: dict[str, list[Sequence[_PlacementSurface]]] = {}
    for host in fixed:
        if found := _surfaces_of(host, world, ground):
            by_type.setdefault(host.objectType, []).append(found)
    return by_type


def _surfaces_of(
    receptacle: ObjectState, world: WorldState, floor: room.ReachableFloor
) -> Sequence[_PlacementSurface]:
    """Return the surfaces of a receptacle that can hold something.

    Of what is drawn into a cabinet or a seat, only the box is asked, not the door or backrest.
    """
    near, (fx, fz) = floor.access_floor(receptacle), room.facing_direction(receptacle.rotation[1])
    low, high = receptacle.box.bounds()
    front = fx, fz, (abs(fx) * (high[0] - low[0]) + abs(fz) * (high[2] - low[2])) / 2
    found: list[_PlacementSurface] = []
    is_by_box = receptacle.objectType in DRAWN_BY_BOX_TYPES
    for surface in surfaces_of(receptacle) if is_by_box else observed_surfaces(world, receptacle):
        point = (surface.x, surface.y + SURFACE_GAP_METRES, surface.z)
        others = (obj for obj in world.objects if obj is not receptacle)
        around = [obj for obj in others if _is_overlapping(obj.box.bounds(), (point, point))]
        if any(t.objectType not in facts.ENCLOSING_TYPES for t in around):
            continue
        within = frozenset((receptacle.objectId, *(t.objectId for t in around)))
        width, depth = surface.size
        corners = (surface.to_world(i * width, j * depth) for i in (-0.5, 0.5) for j in (-0.5, 0.5))
        reach = near.level_distance(list(corners))
        found.append(_PlacementSurface(receptacle, surface, near, within, reach, front))
    return found


def _is_overlapping(a: Bounds, b: Bounds) -> bool:
    (x0, y0, z0), (x1, y1, z1) = a
    (u0, v0, w0), (u1, v1, w1) = b
    return x0 < u1 and u0 < x1 and z0 < w1 and w0 < z1 and y0 < v1 and v0 < y1


@lru_cache(maxsize=4096)
def _lattice_coordinates(side: float, free: float) -> tuple[float, ...]:
    """Return the lattice points along a side that are at most `free` metres from its middle."""
    half = facts.LATTICE_DIVISIONS // 2
    points = (i * side / facts.LATTICE_DIVISIONS for i in range(1 - half, half))
    return tuple(at for at in points if abs(at) <= free)


def _front_direction(place: _PlacementSurface) -> tuple[int, float]:
    """Return the axis of a surface (0 or 1) towards the receptacle's front, and the sign."""
    sine, cosine = yaw_sin_cos(place.surface.yaw)
    fx, fz = room.facing_direction(place.receptacle.rotation[1])
    ahead = fx * cosine - fz * sine, fx * sine + fz * cosine
    axis = 0 if abs(ahead[0]) > abs(ahead[1]) else 1
    return axis, 1.0 if ahead[axis] > 0.0 else -1.0


COPIES_PER_TYPE_RANGE = (1, 3)
"""The least and the largest number of objects of a type in a start state (spec 2.11)."""


@cache
def receptacle_weights() -> Mapping[str, Mapping[str, int]]:
    """Return type -> receptacle type -> weight, for all types that are placed at random.

    Objects of other types stay where the room has them.
    """
    table = package_table("tatc.sim.rooms", "placement_weights.toml")
    shared, found = table["shared"], dict[str, Mapping[str, int]]()
    for kinds, text in table["types"].items():
        words = " ".join(shared.get(word, word) for word in text.split())
        pairs = (pair.split(":") for pair in words.split())
        weights = MappingProxyType({host: int(weight) for host, weight in pairs})
        found.update(dict.fromkeys(kinds.split(), weights))
    return MappingProxyType(found)
