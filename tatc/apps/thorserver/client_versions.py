"""What differs between the versions of the `ai2thor` client that are served.

Clients before 2.5 do not say which server they run; they have only one, over HTTP.  That
is how `CLIENT_2` is recognised.  Later clients are served as 5.0.0 is, because what they
send does not tell them apart.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClientVersion:
    """One version of the client, as far as the server must know it."""

    name: str
    default_fov: float
    """The vertical field of view that Initialize sets if it is not told otherwise, degrees."""
    depth_range_metres: float
    """The distance for which the largest value of a depth image stands."""
    is_strict: bool
    """Whether AI2-THOR refuses arguments that an action does not have, and teleports to
    places off the floor or off the grid."""
    lists_reachable_positions: bool
    """Whether metadata always has `reachablePositions`, which later is `actionReturn` alone."""


NEAR_PLANE_METRES, FAR_PLANE_METRES = 0.01, 20.0
"""AI2-THOR's clipping planes; later clients multiply depths by the distance between them."""

CLIENT_2 = ClientVersion("2.1", 60.0, 10.0, False, True)
"""ALFRED's and ALFWorld's client."""
CLIENT_5 = ClientVersion("5.0", 90.0, FAR_PLANE_METRES - NEAR_PLANE_METRES, True, False)
