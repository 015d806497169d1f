"""List the points and poses that AI2-THOR tries for an object that is put down, in order.

The facts come from AI2-THOR 3.1.0 and from recorded ends.  An area is divided into eight parts each
way, and the object's position goes to one of the 7 x 7 points within, the nearest to the clicked
point first.  At each the object has the receptacle's yaw, then the yaws a quarter turn on; if it
need not stand upright, it is then laid on its other sides.  The first pose that overlaps nothing
decides about the point: if the object sticks out of the area in it, the next point is tried.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import heapify, heappop
from math import ceil, dist, hypot

from tatc.home.state import Box, ObjectState, Vec3, rotate_yaw
from tatc.home.type_facts import LATTICE_DIVISIONS, LYING_TYPES
from tatc.sim.embedded.placement.surface import Surface

FINE_SPACING_METRES, COARSE_SPACING_METRES = 0.02, 0.05
"""The spacing of the points on a small and on a large surface without known areas."""
SMALL_SURFACE_METRES = 0.6  # a surface whose longer side is shorter than this is small
MAX_CLICK_DISTANCE_METRES = 0.6
"""How far from the click points are tried along each axis if the areas are not known."""
LYING_TURNS = 3
"""At how many of the four quarter turns AI2-THOR lays an object on its sides (its source)."""
UNKNOWN_AREA_SLACK_STEPS = 1.5
"""By how many steps of its lattice a point may be farther where an area is estimated.

Half a step refuses 1 of 308 Places more that AI2-THOR refused for want of room, and ends 2 of 319
sessions differently, in which it accepted a Place at about 1.5 m."""
_ALIGNED_DEGREES = 1.0  # degrees by which a box may differ from its object's axes


@dataclass(frozen=True, slots=True)
class CandidatePose:
    """One pose of an object: its rotation, and its box relative to its position.

    `rotation` is the object's (degrees); `yaw` and `size` are the box's (degrees, metres).
    `offset` leads from the object's position to the centre of the box, along the world's
    axes, metres.
    """

    rotation: Vec3
    yaw: float
    size: Vec3
    offset: Vec3

    def box_at(self, x: float, bottom: float, z: float) -> Box:
        """Return the box with the object's position at x, z and the lower side at `bottom`."""
        dx, _, dz = self.offset
        return Box((x + dx, bottom + self.size[1] / 2, z + dz), self.size, self.yaw)


def candidate_poses(obj: ObjectState, yaw: float) -> tuple[CandidatePose, ...]:
    """Return the poses that are tried for an object, in order, beginning at `yaw` (degrees)."""
    size, offset, box_yaw = upright_geometry(obj)
    poses: list[CandidatePose] = []
    for turned in ((yaw + k * 90.0) % 360.0 for k in range(4)):
        shift, its_yaw = rotate_yaw(offset, turned), (turned + box_yaw) % 360.0
        poses.append(CandidatePose((0.0, turned, 0.0), its_yaw, size, shift))
    if obj.objectType in LYING_TYPES and box_yaw == 0.0:
        for k in range(LYING_TURNS):
            pose_yaw = (yaw + k * 90.0) % 360.0
            for rolled, lying_size, shift in _lying_geometries(size, offset):
                (dx, _, dz) = rotate_yaw(shift, pose_yaw)
                rotation = (rolled[0], pose_yaw, rolled[1])
                poses.append(CandidatePose(rotation, pose_yaw, lying_size, (dx, shift[1], dz)))
    return tuple(poses)


def upright_geometry(obj: ObjectState) -> tuple[Vec3, Vec3, float]:
    """Return an upright object's size, its box centre's offset, and its box's yaw.

    All are in its own axes, metres and degrees; the offset is from its position.  The yaw is 0
    unless the box is not aligned with the object's axes.
    """
    box_yaw = (obj.box.yaw - obj.rotation[1]) % 360.0
    quarter_turns = round(box_yaw / 90.0)
    width, height, depth = obj.box.size
    if abs(box_yaw - quarter_turns * 90.0) < _ALIGNED_DEGREES:
        if quarter_turns % 2:
            width, depth = depth, width
        box_yaw = 0.0
    (x, y, z), (px, py, pz) = obj.box.center, obj.position
    offset = rotate_yaw((x - px, y - py, z - pz), -obj.rotation[1] % 360.0)
    if box_yaw == 0.0:
        return *_stand_upright(obj.rotation, (width, height, depth), offset), box_yaw
    return (width, height, depth), offset, box_yaw


def farthest_point_metres(obj: ObjectState) -> float:
    """Return a distance from an object's position that no point of its box exceeds, in any pose."""
    size, offset, _ = upright_geometry(obj)
    return hypot(*offset) + hypot(*size) / 2


def _stand_upright(rotation: Vec3, size: Vec3, offset: Vec3) -> tuple[Vec3, Vec3]:
    """Return the upright size and offset of an object that may lie on a side."""
    (width, height, depth), (x, y, z) = size, offset
    pitch, roll = (round(angle / 90.0) % 4 for angle in (rotation[0], rotation[2]))
    if pitch % 2:
        return (width, depth, height), ((x, z, -y) if pitch == 1 else (x, -z, y))
    if roll % 2:
        return (height, width, depth), ((y, -x, z) if roll == 1 else (-y, x, z))
    return size, offset


def _lying_geometries(size: Vec3, offset: Vec3) -> Iterator[tuple[tuple[float, float], Vec3, Vec3]]:
    """Yield (pitch, roll), size and offset of an object laid on each of its other sides."""
    (width, height, depth), (x, y, z) = size, offset
    yield (90.0, 0.0), (width, depth, height), (x, -z, y)
    yield (180.0, 0.0), size, (x, -y, -z)
    yield (270.0, 0.0), (width, depth, height), (x, z, -y)
    yield (0.0, 90.0), (height, width, depth), (-y, x, z)
    yield (0.0, 180.0), size, (-x, -y, z)
    yield (0.0, 270.0), (height, width, depth), (y, -x, z)


def candidate_points(surface: Surface, click: Vec3) -> Iterator[tuple[float, float]]:
    """Yield the x and z at which an object's position may be, nearest first without a lattice."""
    if surface.lattice:
        yield from lattice_points(surface)
        return
    size, half = surface.size, (surface.size[0] / 2, surface.size[1] / 2)
    clicked = surface.to_axes(click[0], click[2])
    along, across = (min(max(clicked[i], -half[i]), half[i]) for i in (0, 1))
    step = FINE_SPACING_METRES if max(size) < SMALL_SURFACE_METRES else COARSE_SPACING_METRES
    for i, j in _grid_offsets(ceil(MAX_CLICK_DISTANCE_METRES / step)):
        a, b = along + i * step, across + j * step
        if abs(a) <= half[0] and abs(b) <= half[1]:
            yield surface.to_world(a, b)


@lru_cache(maxsize=1024)
def lattice_points(surface: Surface) -> tuple[tuple[float, float], ...]:
    """Return the x and z of all points of a surface with a lattice, in no special order."""
    half, (width, depth) = LATTICE_DIVISIONS // 2, surface.size
    steps = range(1 - half, half)
    return tuple(
        surface.to_world(i * width / LATTICE_DIVISIONS, j * depth / LATTICE_DIVISIONS)
        for i in steps
        for j in steps
    )


@cache
def _grid_offsets(reach: int) -> tuple[tuple[int, int], ...]:
    """Return the grid offsets from -reach to reach on both axes, nearest first."""
    span = range(-reach, reach + 1)
    offsets = ((i, j) for i in span for j in span)
    return tuple(sorted(offsets, key=lambda at: (at[0] * at[0] + at[1] * at[1], at)))


def points_in_reach(
    surfaces: Sequence[Surface], click: Vec3, body: Vec3 | None, placing_reach: float
) -> Iterator[tuple[int, float, float]]:
    """Yield what `points_nearest_first` yields, but no point that is too far from the body.

    AI2-THOR's putNearXY leaves such points out.  `placing_reach` is how far a point may be, level,
    metres; without a body, none is too far.  Where only a surface's outline is known, AI2-THOR's
    own point may be a step or two nearer.
    """
    if body is None:
        yield from points_nearest_first(surfaces, click)
        return
    slack = UNKNOWN_AREA_SLACK_STEPS / LATTICE_DIVISIONS
    reach = [
        placing_reach + (0.0 if surface.trigger_box else slack * max(surface.size))
        for surface in surfaces
    ]
    for i, x, z in points_nearest_first(surfaces, click):
        if hypot(x - body[0], z - body[2]) <= reach[i]:
            yield i, x, z


def points_nearest_first(
    surfaces: Sequence[Surface], click: Vec3
) -> Iterator[tuple[int, float, float]]:
    """Yield surface index, x and z of each point for an object's position, world metres.

    Surfaces without a lattice come first, one after the other, then the points of all
    lattices together; in each, the points nearest to the click come first.
    """
    for i, surface in enumerate(surfaces):
        if not surface.lattice:
            for x, z in candidate_points(surface, click):
                yield i, x, z
    nearest: list[tuple[float, int, float, float]] = []
    for i, surface in enumerate(surfaces):
        if surface.lattice:
            nearest += [
                (dist((x, surface.y, z), click), i, x, z)
                for x, z in lattice_points(surface)
                if not surface.hole or hypot(x - surface.x, z - surface.z) >= surface.hole
            ]
    heapify(nearest)
    while nearest:
        _, i, x, z = heappop(nearest)
        yield i, x, z
