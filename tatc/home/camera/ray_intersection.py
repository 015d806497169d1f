"""Where a ray meets one solid: the exact tests, for one ray and for many at once.

All formulas work on numbers and arrays alike, and do the same arithmetic in the same order, so
their results are equal to the last bit; so are those of what `numba_solids` compiles from them.
"""

from math import inf
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.rays import NEAR_PLANE_METRES, Floats, Rays, VectorArrays
from tatc.home.camera.solids import OpenFaces, Solid, SolidShape
from tatc.home.state import Vec3, yaw_sin_cos

MIN_HALF_SIZE_METRES = 1e-4
"""The least half size of an ellipsoid or disc on each axis, metres: it is a divisor."""
DISC_WIDTH_SHARE = 0.98
"""The width of a disc as a share of its box.  Slices are not full circles: of 772 recorded clicks
on slices that lay where they fell, 102 mean another piece with this share, 110 with 0.96."""
CLOSED, OPEN_TOP = OpenFaces.NONE.value, OpenFaces.TOP.value
CYLINDER, ELLIPSOID = SolidShape.CYLINDER.value, SolidShape.ELLIPSOID.value
BOX, DISC = SolidShape.BOX.value, SolidShape.DISC.value

Mask = NDArray[np.bool_]


class PreparedSolid(NamedTuple):
    """A solid prepared for ray tests: its centre, half sizes in metres, turn and kind."""

    center: Vec3
    half: Vec3
    sine: float
    cosine: float
    shape: SolidShape
    open_faces: OpenFaces
    is_axis_aligned_box: bool
    """Whether it is a box along the world's axes without open faces."""


def prepare_solid(solid: Solid) -> PreparedSolid:
    """Return a solid prepared for ray tests; quarter turns become swapped sizes."""
    width, height, depth = solid.size
    sine, cosine = yaw_sin_cos(solid.yaw)
    is_tube = solid.shape is SolidShape.CYLINDER
    if is_tube or cosine == 0.0:
        width, depth = depth, width
    if is_tube or sine == 0.0 or cosine == 0.0:
        sine, cosine = 0.0, 1.0
    half = (width / 2, height / 2, depth / 2)
    if solid.shape in (SolidShape.ELLIPSOID, SolidShape.DISC):
        x, y, z = (max(each, MIN_HALF_SIZE_METRES) for each in half)
        half = x, y, z
    if solid.shape is SolidShape.DISC:
        thick = min(half)  # it is narrower than its box, but no narrower than it is thick
        x, y, z = (max(DISC_WIDTH_SHARE * each, thick) for each in half)
        half = x, y, z
    plain = solid.shape is SolidShape.BOX and sine == 0.0 and solid.open_faces is OpenFaces.NONE
    return PreparedSolid(solid.center, half, sine, cosine, solid.shape, solid.open_faces, plain)


def solid_bounds(solid: PreparedSolid) -> tuple[Vec3, Vec3]:
    """Return the lowest and highest corner of a solid's bounding box along the world's axes."""
    (x, y, z), (half_x, half_y, half_z) = solid.center, solid.half
    if solid.sine != 0.0:
        sine, cosine = abs(solid.sine), abs(solid.cosine)
        half_x, half_z = (cosine * half_x + sine * half_z, sine * half_x + cosine * half_z)
    return (x - half_x, y - half_y, z - half_z), (x + half_x, y + half_y, z + half_z)


def intersect_rays(solid: PreparedSolid, origin: Vec3, rays: Rays) -> Floats:
    """Return the depths at which rays meet a solid, in units of their directions, or infinity.

    Closed solids are met only from outside.  If a ray enters through an open face, or starts inside
    an open solid, the far side is met from within.  The shape is that of the rays; for a single
    one (`Rays.single`) it is a number.
    """
    x, y, z = (o - c for o, c in zip(origin, solid.center, strict=True))
    dx, dy, dz = rays.direction
    ix, iy, iz = rays.inverse
    if solid.sine != 0.0:
        sine, cosine = solid.sine, solid.cosine
        x, z = x * cosine - z * sine, x * sine + z * cosine
        dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
        ix, iz = 1.0 / dx, 1.0 / dz
    kind = solid.shape, solid.open_faces
    return intersect_local(kind, solid.half, (x, y, z), (dx, dy, dz), (ix, iy, iz))


def intersect_local(
    kind: tuple[int, int], half: Vec3, start: Vec3, direction: VectorArrays, inverse: VectorArrays
) -> Floats:
    """Return the depths at which rays meet a solid, infinity for a miss.

    Vectors are in the solid's own axes, from its centre; `kind` is its `SolidShape` and
    `OpenFaces`.  Numbers work in place of arrays: `numba_solids` compiles this very function.
    """
    body, opening = kind
    if body == ELLIPSOID:
        return ellipsoid_depths(start, direction, half)
    if body == DISC:
        return disc_depths(start, direction, inverse, half)
    dx, dy, dz = direction
    top, under = slab_intervals(start[1], half[1], inverse[1])
    if body == CYLINDER:
        enter, leave = cylinder_intervals(start[0], start[2], dx, dz, half[0])
    else:
        enter_x, leave_x = slab_intervals(start[0], half[0], inverse[0])
        enter_z, leave_z = slab_intervals(start[2], half[2], inverse[2])
        enter = greater(enter_x, enter_z)
        leave = lesser(leave_x, leave_z)
    through_top = (top >= enter) & (dy < 0)
    enter, leave = greater(enter, top), lesser(leave, under)
    if opening == CLOSED:
        return where((enter > leave) | (enter <= NEAR_PLANE_METRES), inf, enter)
    missed = (enter > leave) | (leave <= NEAR_PLANE_METRES)
    if opening == OPEN_TOP:
        leave = where(through_top | (enter <= NEAR_PLANE_METRES), leave, enter)
    return where(missed, inf, leave)


def slab_intervals(start: float, half: float, inverse: Floats) -> tuple[Floats, Floats]:
    """Return the depths at which rays enter and leave the slab between two opposite sides."""
    one, other = (-half - start) * inverse, (half - start) * inverse
    return lesser(one, other), greater(one, other)


def cylinder_intervals(
    x: float, z: float, dx: Floats, dz: Floats, radius: float
) -> tuple[Floats, Floats]:
    """Return where rays enter and leave an endless upright cylinder: inf and -inf for a miss."""
    square = dx * dx + dz * dz
    toward = x * dx + z * dz
    inside = toward * toward - square * ((x * x + z * z) - radius * radius)
    root = np.sqrt(greater(inside, 0.0))
    missed = inside < 0.0
    enter = where(missed, inf, (-toward - root) / square)
    leave = where(missed, -inf, (-toward + root) / square)
    return enter, leave


def ellipsoid_depths(start: Vec3, direction: VectorArrays, half: Vec3) -> Floats:
    """Return the depths at which rays meet, from outside, the ellipsoid that fills a box."""
    a, b, c = half
    u, v, w = start[0] / a, start[1] / b, start[2] / c
    du, dv, dw = direction[0] / a, direction[1] / b, direction[2] / c
    square = du * du + dv * dv + dw * dw
    toward = u * du + v * dv + w * dw
    inside = toward * toward - square * ((u * u + v * v + w * w) - 1.0)
    enter = (-toward - np.sqrt(greater(inside, 0.0))) / square
    return where((inside < 0.0) | (enter <= NEAR_PLANE_METRES), inf, enter)


def disc_depths(start: Vec3, direction: VectorArrays, inverse: VectorArrays, half: Vec3) -> Floats:
    """Return where rays meet, from outside, the disc in a box, whose axis is the shortest side."""
    (x, y, z), (dx, dy, dz), (a, b, c) = start, direction, half
    iz = inverse[2]
    if a <= b and a <= c:
        x, z, dx, dz, a, c, iz = z, x, dz, dx, c, a, inverse[0]
    elif b <= c:
        y, z, dy, dz, b, c, iz = z, y, dz, dy, c, b, inverse[1]
    front, back = slab_intervals(z, c, iz)
    enter, leave = cylinder_intervals(x / a, y / b, dx / a, dy / b, 1.0)
    enter, leave = greater(enter, front), lesser(leave, back)
    return where((enter > leave) | (enter <= NEAR_PLANE_METRES), inf, enter)


def where(condition: Mask | np.bool_ | bool, one: Any, other: Any) -> Any:
    """Return `one` where a condition holds, and `other` elsewhere."""
    if isinstance(condition, bool | np.bool_):
        return one if condition else other
    return cast(Floats, np.where(condition, one, other))


def lesser(one: Any, other: Any) -> Any:
    """Return the lesser of two numbers, neither of which may be NaN."""
    if isinstance(one, float):
        return one if one < other else other
    return np.minimum(one, other)


def greater(one: Any, other: Any) -> Any:
    """Return the greater of two numbers, neither of which may be NaN."""
    if isinstance(one, float):
        return one if one > other else other
    return np.maximum(one, other)
