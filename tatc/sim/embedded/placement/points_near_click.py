"""The order of the points at which a place is sought: the nearest to the click first.

AI2-THOR's putNearXY leaves out points that are too far from the body.
"""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop
from math import dist, hypot

from tatc.home.state import Vec3
from tatc.home.types.placing_facts import LATTICE_DIVISIONS
from tatc.sim.embedded.placement.placement_candidates import candidate_points, lattice_points
from tatc.sim.embedded.placement.surface import Surface

UNKNOWN_AREA_SLACK_STEPS = 1.5
"""By how many steps of its lattice a point may be farther where an area is estimated.

Half a step refuses 1 of 308 Places more that AI2-THOR refused for want of room, and ends 2 of 319
sessions differently, in which it accepted a Place at about 1.5 m."""


def points_in_reach(
    surfaces: Sequence[Surface], click: Vec3, body: Vec3 | None, placing_reach: float
) -> Iterator[tuple[int, float, float]]:
    """Yield what `points_nearest_first` yields, but no point that is too far from the body.

    `placing_reach` is how far a point may be, level, metres; without a body, none is too far.
    Where only a surface's outline is known, AI2-THOR's own point may be a step or two nearer.
    """
    if body is None:
        yield from points_nearest_first(surfaces, click)
        return
    reach = [placing_reach + _unknown_slack(surface) for surface in surfaces]
    body_x, _, body_z = body
    for i, x, z in points_nearest_first(surfaces, click):
        if hypot(x - body_x, z - body_z) <= reach[i]:
            yield i, x, z


def _unknown_slack(surface: Surface) -> float:
    """Return how much nearer AI2-THOR's own point may be than that of a surface here, metres."""
    if surface.trigger_box:
        return 0.0
    return UNKNOWN_AREA_SLACK_STEPS * max(surface.size) / LATTICE_DIVISIONS


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
                if hypot(x - surface.x, z - surface.z) >= surface.hole
            ]
    heapify(nearest)
    while nearest:
        _, i, x, z = heappop(nearest)
        yield i, x, z
