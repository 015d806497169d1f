"""The bodies in which a Follower can act: what its camera sees, and how it moves.

A body is a value that an agent carries (`AgentState.body`), so two can be used in one process.  The
camera's height is the same for both (`camera.rays.EYE_HEIGHT_METRES`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import dist, hypot

from tatc.home import actions, type_facts

Point = tuple[float, float, float]  # a point: x, y, z in metres


@dataclass(frozen=True, slots=True)
class Body:
    """A camera and a way to move.

    Among paths of equal length, planners prefer the earlier of `walk_verbs`.  `overlaps_metres` is
    how far the body may enter the box of an object, by type (not at all, if the type is missing),
    and `round_overlaps_metres` the same for round objects, where it differs.
    `passed_height_metres` is the height up to which carried objects do not stop it.
    """

    name: str
    fov_degrees: float  # horizontally and vertically
    tilt_degrees: float  # of one look up or down
    horizons: tuple[float, ...]  # the angles at which it can look, degrees down, lowest first
    walk_verbs: tuple[actions.Verb, ...]
    frame_pixels: int  # the sides of the square image that its camera makes
    has_flat_reach: bool = False  # only the horizontal distance decides what is in reach
    overlaps_metres: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    round_overlaps_metres: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    passed_height_metres: float = 0.0

    def reach_distance(self, position: Point, point: Point) -> float:
        """Return how far a point is from the body at a position, as its reach counts it, metres."""
        if self.has_flat_reach:
            return hypot(point[0] - position[0], point[2] - position[2])
        return dist(point, position)

    @property
    def min_horizon(self) -> float:
        """The angle at which it looks up farthest, degrees down."""
        return self.horizons[0]

    @property
    def max_horizon(self) -> float:
        """The angle at which it looks down farthest, degrees."""
        return self.horizons[-1]


BODY_RADIUS_METRES = 0.2
"""Radius of every body, AI2-THOR's capsule, metres; 0.19 to 0.22 were tried on recorded moves."""
LEAST_CLEARANCE_METRES = BODY_RADIUS_METRES - 1e-6  # of a body that touches nothing, metres
BODY_HEIGHT_METRES = 1.8
POSITION_ABOVE_FLOOR_METRES = BODY_HEIGHT_METRES / 2
"""How far an agent's position, the middle of its body, is above the floor, metres."""

_FORWARD, _BACKWARD, _PAN_LEFT, _PAN_RIGHT = actions.TRANSLATION_VERBS

TEACH = Body(
    name="teach",
    fov_degrees=90.0,
    tilt_degrees=actions.LOOK_DEGREES,
    horizons=(-30.0, 0.0, 30.0, 60.0),
    walk_verbs=(_FORWARD, *actions.TURN_VERBS, _PAN_LEFT, _PAN_RIGHT, _BACKWARD),
    frame_pixels=900,
)
"""The body of TEACh's Follower (spec sections 1.1, 1.3 and 1.5)."""

ALFRED = Body(
    name="alfred",
    fov_degrees=60.0,
    tilt_degrees=15.0,
    horizons=(-30.0, -15.0, 0.0, 15.0, 30.0, 45.0, 60.0),
    walk_verbs=(_FORWARD, *actions.TURN_VERBS),
    frame_pixels=300,
    has_flat_reach=True,
    overlaps_metres=type_facts.OVERLAPS_OF_2_1_0_METRES,
    round_overlaps_metres=type_facts.ROUND_OVERLAPS_OF_2_1_0_METRES,
    passed_height_metres=0.04,
)
"""The body of ALFRED's agent, which neither strafes nor walks backwards.

ALFRED's `gen/constants.py` has the figures; a free fit to 2,312 recorded masks agrees with
the field of view (59.97 degrees) and with the height of the camera (0.679 m).  AI2-THOR lets
an action on a named object through if it is visible, which depends on a horizontal distance;
TEACh measures the distance to the clicked point itself.  Beside thin things, such as a knife that
juts out over the edge of a table, experts walked as often as elsewhere.
"""

BODIES = {body.name: body for body in (TEACH, ALFRED)}
