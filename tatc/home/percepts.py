"""What a Follower perceives: the objects in view, their pixels and the depth of each pixel.

All numbers are given in the Follower's own frame: the pose at which the session started is position
(0, 0, 0), y being the height of the body above where it started, and yaw 0; x points right and z
ahead as the Follower stood then, in metres.  Where a session starts on the grid, that frame is
aligned with the grid.  Nothing here tells an object's id or the world's coordinates.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tatc.home.state import AgentState, ObjectState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    PixelIndices = NDArray[np.int32]
    PixelDepths = NDArray[np.float64]
else:
    PixelIndices = PixelDepths = object  # numpy is slow to import, and these are types alone

VIEW_SIDE_PIXELS = 120  # pixels along each side of a view
MAX_KEPT_VIEWS = 128
"""How many views a process keeps, at most, of all its sessions; one has 0.2 to 0.4 megabytes."""
MIN_TRUTH_PIXELS = 4
"""The fewest pixels in which an object is perceived at `PerceptionLevel.TRUTH`, in a view of the
usual size; in a view of another size it is one."""
NO_PERCEPT = -1  # what stands in `View.pixels` for a pixel without a percept


class PerceptionLevel(StrEnum):
    """How much of the objects in view a Follower is told.

    `TRUTH` gives an object's lasting number, box and state, as a perfect detector would.
    `MASKS` gives its type and its pixels alone.
    """

    TRUTH = "truth"
    MASKS = "masks"


@dataclass(frozen=True, slots=True)
class Percept:
    """One object in view.

    At `PerceptionLevel.TRUTH`, `number` is given to an object when it is first seen (1, 2,
    ...) and stays the same for the session.  At `PerceptionLevel.MASKS` it is the object's
    place in this one view, from 0, and links no views.

    `pixel_count` is how many of the view's pixels show the object.  `state` is None at
    `MASKS`.  At `TRUTH` it is the object's state in the Follower's frame: its `objectId` and
    `name` are "Type|number".  Its mass and materials are left out, and so is what holds or
    contains it, because a Follower has to find that out (`parentReceptacles` and
    `controlledObjects` are None, TEACh's classes and receptacles are absent).  The floor's box
    encloses the part of the floor that is in view.
    """

    number: int
    object_type: str
    pixel_count: int
    state: ObjectState | None


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a Follower perceives from where it stands.

    `body` is the Follower's odometry, in its own frame.  `pixels` and `depth` have the shape
    (`VIEW_SIDE_PIXELS`, `VIEW_SIDE_PIXELS`), the top row first.  `pixels` holds indices into
    `percepts`, and `NO_PERCEPT` elsewhere.  `depth` is the distance along each pixel's ray
    from the eye in metres, infinite where a ray hits nothing.  What the Follower holds is not
    in view, because rays pass through it.
    """

    level: PerceptionLevel
    body: AgentState
    pixels: PixelIndices
    depth: PixelDepths
    percepts: tuple[Percept, ...]
