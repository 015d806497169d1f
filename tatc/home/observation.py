"""What a Follower receives in a turn: it may be written against this and `actions` alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tatc.home import actions, refusals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tatc.home.percepts import View

    Frame = NDArray[Any]
else:
    Frame = object  # numpy is slow to import, and these are types alone


@dataclass(frozen=True, slots=True)
class ObservedResult:
    """What a Follower is told of its last action's outcome.

    `refusal_code` says why a failed action was refused; None for a success.  `number` is the
    number in views of the object that a successful interaction acted on, which only
    perception at the level truth gives.
    """

    success: bool
    refusal_code: refusals.RefusalCode | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SegmentationFrame:
    """The image of a segmentation camera: which objects are in view, and their types.

    `pixels` has the shape (rows, columns) and holds indices into `types`, or -1 where a
    ray hits nothing.  Every view numbers its objects anew, from the upper left corner
    on, so a number does not identify an object from one view to the next.
    """

    pixels: Frame
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that a Follower receives: utterances, its last result and its view.

    `utterances` were said since its previous turn, oldest first.  `frame` renders the Follower's
    view when called, because most turns need no image: an array of shape (height, width, 3), 8-bit
    RGB, or None where the simulator cannot render.  `segments` is an optional sensor: called with
    the number of pixels along each side, it returns the same view as a segmentation camera, which
    AI2-THOR offers too, or None where there is none.  A Follower that uses it has, in effect, a
    perfect detector.  `percepts` returns what the Follower perceives at the session's perception
    level, the same view all through a turn; it is None where the session has no perception level.
    """

    utterances: tuple[actions.Utterance, ...]
    last_result: ObservedResult | None
    frame: Callable[[], Frame | None] | None = None
    segments: Callable[[int], SegmentationFrame | None] | None = None
    percepts: "Callable[[], View | None] | None" = None
