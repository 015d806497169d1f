"""A room before the start of a session is drawn: objects like AI2-THOR's, and walkable floor."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, assets, body, state, type_facts
from tatc.home.camera.room_bounds import room_bounds_of
from tatc.planners.grid import connected_cells
from tatc.sim.floorplan.navigable_cells import clearance_grid


@dataclass(frozen=True, slots=True)
class Room:
    """A furnished room.

    `seed` is the one it was generated from (0 for a room made by hand); `agent_y` is the
    height of the agents' positions in metres.  `cells` are where an agent can stand, x and z
    in steps of 0.25 m; it is empty if that is not known.  `games` are the ids of the recorded games
    that the room was made of.
    """

    name: str
    kind: state.RoomKind
    seed: int
    agent_y: float
    objects: tuple[state.ObjectState, ...]
    cells: tuple[tuple[int, int], ...] = ()
    games: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return the hash of the name and the seed: that of all objects takes long."""
        return hash((self.name, self.seed))

    @property
    def walls(self) -> tuple[float, float, float, float]:
        """The positions of the walls: least x, least z, greatest x, greatest z, metres."""
        bounds = room_bounds_of(self.objects)
        (x0, _, z0), (x1, _, z1) = bounds.low, bounds.high
        return round(x0, 3), round(z0, 3), round(x1, 3), round(z1, 3)

    @property
    def floor_area(self) -> float:
        """The area between the walls in square metres."""
        x0, z0, x1, z1 = self.walls
        return round(max(x1 - x0, 0.0) * max(z1 - z0, 0.0), 2)


def room_name(kind: state.RoomKind, seed: int) -> str:
    """Return the name of the room of a kind and a seed, such as "living-room-03"."""
    return f"{kind.value.lower().replace(' ', '-')}-{seed:02d}"


BODY_REACH_METRES = 1.3
"""How far an agent reaches from its position; a little less than TEACh's 1.5 m."""

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReachableFloor:
    """The cells that an agent can walk to, as rows of x and z in metres."""

    cells: Points
    agent_y: float
    cut_off_count: int
    """The number of free cells outside the largest connected piece of floor."""

    @staticmethod
    def of_objects(objects: Sequence[state.ObjectState], agent_y: float) -> "ReachableFloor":
        """Return the largest connected piece of the floor that the objects leave free."""
        free = free_cells(objects, agent_y)
        best = largest_floor(free)
        cells = np.array(best, dtype=np.float64).reshape(-1, 2) * actions.GRID_SIZE_METRES
        return ReachableFloor(cells, agent_y, len(free) - len(best))

    @staticmethod
    def of_room(room: Room) -> "ReachableFloor":
        """Return the cells that a room lists; if it lists none, those free of its boxes."""
        return ReachableFloor.of_cells(room.cells, room.objects, room.agent_y)

    @staticmethod
    def of_cells(
        cells: Sequence[actions.Cell], objects: Sequence[state.ObjectState], agent_y: float
    ) -> "ReachableFloor":
        """Return the floor of the cells that are listed; of none, that which the objects leave."""
        if not cells:
            return ReachableFloor.of_objects(objects, agent_y)
        return ReachableFloor(np.array(cells) * actions.GRID_SIZE_METRES, agent_y, 0)

    def any_agent_state(self) -> state.AgentState:
        """Return an agent on one of the cells; at the origin if there are none."""
        x, z = self.cells[0].tolist() if len(self.cells) else (0.0, 0.0)
        return state.AgentState((x, self.agent_y, z), 0.0, 0.0)

    def access_floor(self, obj: state.ObjectState) -> "ReachableFloor":
        """Return the cells from which an object can be reached: all, or those in front of it."""
        if obj.objectType not in type_facts.FRONT_ACCESS_TYPES or not len(self.cells):
            return self
        fx, fz = facing_direction(obj.rotation[1])
        low, high = obj.box.bounds()
        half_x, half_z = (high[0] - low[0]) / 2, (high[2] - low[2]) / 2
        away = self.cells - (obj.box.center[0], obj.box.center[2])
        depth = away @ (fx, fz) - (abs(fx) * half_x + abs(fz) * half_z)
        lateral_distance = np.abs(away @ (fz, -fx)) - (abs(fz) * half_x + abs(fx) * half_z)
        near = (depth > 0.15) & (lateral_distance < 0.3)
        return ReachableFloor(self.cells[near], self.agent_y, 0)

    def distance_to(self, point: state.Vec3) -> float:
        """Return how far a point is from the nearest agent position, metres; inf without cells."""
        if not len(self.cells):
            return float("inf")
        away = self.cells - (point[0], point[2])
        flat = float(np.einsum("ij,ij->i", away, away).min())
        return (flat + (point[1] - self.agent_y) ** 2) ** 0.5

    def level_distance(self, points: Sequence[state.Vec2]) -> float:
        """Return how far from one cell all points are at most, level; infinite without cells."""
        away = self.cells[:, None] - np.array(points)
        return float(np.hypot(away[..., 0], away[..., 1]).max(1).min(initial=np.inf))

    def can_approach(self, obj: state.ObjectState) -> bool:
        """Return whether an agent can stand where it reaches an object."""
        cells = self.access_floor(obj).cells
        if not len(cells):
            return False
        low, high = obj.box.bounds()
        dx = np.maximum(np.maximum(low[0] - cells[:, 0], cells[:, 0] - high[0]), 0)
        dz = np.maximum(np.maximum(low[2] - cells[:, 1], cells[:, 1] - high[2]), 0)
        dy = max(low[1] - self.agent_y, self.agent_y - high[1], 0.0)
        return bool(np.min(dx**2 + dz**2) + dy**2 <= BODY_REACH_METRES**2)


def free_cells(objects: Sequence[state.ObjectState], agent_y: float) -> frozenset[actions.Cell]:
    """Return the cells that the objects' boxes leave free."""
    least = body.LEAST_CLEARANCE_METRES
    return clearance_grid(objects, (0.0, agent_y, 0.0), least=least).free_cells()


@lru_cache(maxsize=128)
def largest_floor(free: frozenset[actions.Cell]) -> tuple[actions.Cell, ...]:
    """Return the largest connected piece of the free cells, sorted; of equals, the first."""
    left, best = set(free), frozenset[actions.Cell]()
    while len(left) > len(best):
        piece = connected_cells(left, min(left))
        left -= piece
        best = max(best, piece, key=len)
    return tuple(sorted(best))


OVERHEAD_BOTTOM_METRES = 1.3
"""An object whose lower side is higher than this hangs above the furniture."""


def create_object(
    object_type: str,
    center: state.Vec3,
    size: state.Vec3,
    yaw: float,
    *,
    parents: tuple[str, ...] = (),
    controls: tuple[str, ...] | None = None,
    owner: str = "",
) -> state.ObjectState:
    """Return an object of a known type, whose box has a centre and size (metres) and yaw (degrees).

    The size is along the object's own axes.  The box of an object that cannot be moved is aligned
    with the world's axes instead, as in AI2-THOR.  `parents` are the ids of the receptacles that
    it is in or on, `controls` those of a knob's burners; the object's id begins with `owner`, the
    id of such as a basin's sink.
    """
    blank = _blank_object(object_type)
    box = state.Box(round_vector(center), _round_size(size), yaw % 360.0)
    if not blank.affordances.can_be_moved:
        low, high = box.bounds()
        box = state.Box(box.center, round_vector(state.subtract(high, low)))
    at = _object_position(object_type, box, yaw)
    name = f"{owner}|{object_type}" if owner else object_id(object_type, at)
    return blank.with_values(
        objectId=name,
        name=default_name(object_type, name),
        position=at,
        rotation=(0.0, yaw % 360.0, 0.0),
        box=box,
        controlledObjects=controls,
        parentReceptacles=parents,
    )


@cache
def _blank_object(object_type: str) -> state.ObjectState:
    """Return what all new objects of a known type share: copying it is the fastest."""
    known, origin = assets.known_object_types()[object_type], (0.0, 0.0, 0.0)
    is_open, box = object_type in type_facts.STARTS_OPEN_TYPES, state.Box(origin, origin)
    blank = state.ObjectState("", object_type, "", known.affordances, origin, origin, box)
    return blank.with_values(mass=known.mass, salientMaterials=known.materials, isOpen=is_open)


def default_name(object_type: str, object_id: str) -> str:
    """Return the `name` of an object for which no other name is known."""
    return f"{object_type}_{crc32(object_id.encode()):08x}"


def object_id(object_type: str, at: state.Vec3) -> str:
    """Return the id that AI2-THOR gives an object of a type created at a position."""
    x, y, z = at
    return f"{object_type}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}".replace("|-00.00", "|+00.00")


def _object_position(object_type: str, box: state.Box, yaw: float) -> state.Vec3:
    x, y, z = box.center
    if object_type in type_facts.FRONT_TYPES:
        dx, dz = facing_direction(yaw)
        half = abs(dx) * box.size[0] / 2 + abs(dz) * box.size[2] / 2
        return round_vector((x + dx * half, y, z + dz * half))
    if object_type in type_facts.CENTRE_POSITION_TYPES:
        return box.center
    return x, round(y - box.size[1] / 2, 4) + 0.0, z


def facing_direction(yaw: float) -> tuple[float, float]:
    """Return the unit vector (x, z) that a yaw faces, rounded to a quarter turn."""
    return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[round(yaw / 90.0) % 4]


def round_vector(point: state.Vec3) -> state.Vec3:
    """Return a point with four digits after the point, as objects have them, and no -0.0."""
    x, y, z = point
    return round(x, 4) + 0.0, round(y, 4) + 0.0, round(z, 4) + 0.0


_round_size = lru_cache(maxsize=1024)(round_vector)
