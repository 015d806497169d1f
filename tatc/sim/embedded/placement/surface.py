"""A surface on which objects can stand, as a value."""

from dataclasses import dataclass, replace
from math import inf

from tatc.home.camera.solids import Rect
from tatc.sim.transforms import rotate_yaw


@dataclass(frozen=True, slots=True)
class Surface:
    """A horizontal rectangle: `y` is its height, `x` and `z` are its middle (world, metres).

    `size` is along its own axes, which have the yaw `yaw` (degrees).  `headroom` is the free
    height above it, metres.  `inside` says whether walls stand around it.  `lattice` says
    whether it is one of AI2-THOR's areas, on which objects stand at lattice points.

    An object on it reaches no farther than `radius` from its middle, and stays off walls
    that are `wall` metres thick, measured inwards from its edges.  Points of its lattice that
    are nearer to its middle than `hole` metres are none of it.

    `trigger_box` says that the rectangle is exactly that of a receptacle trigger box of
    AI2-THOR, with the yaw at which objects are tried first.
    """

    y: float
    x: float
    z: float
    size: tuple[float, float]
    yaw: float
    headroom: float
    inside: bool
    lattice: bool = False
    radius: float = inf
    wall: float = 0.0
    hole: float = 0.0
    trigger_box: bool = False


def crop_surface(
    surface: Surface, area: Rect, middle: tuple[float, float] = (0.0, 0.0), yaw: float = 0
) -> Surface:
    """Return a surface reduced to one of its areas, with a lattice.

    `area` is along axes with the yaw `yaw` (degrees) and with their origin at `middle` (x
    and z, world, metres).
    """
    offset = ((area.x0 + area.x1) / 2, 0.0, (area.z0 + area.z1) / 2)
    x, _, z = rotate_yaw(offset, yaw)
    return replace(
        surface,
        x=middle[0] + x,
        z=middle[1] + z,
        size=(area.x1 - area.x0, area.z1 - area.z0),
        yaw=yaw,
        lattice=True,
    )
