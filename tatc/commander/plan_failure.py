"""Why a skill cannot be carried out: a closed set of reasons, as values."""

from dataclasses import dataclass
from enum import StrEnum


class FailureReason(StrEnum):
    """What stands in the way of a skill."""

    NONE_EXISTS = "none exists"
    NO_VIEW = "cannot be clicked from anywhere"
    NO_ROOM = "no room"
    REFUSED = "refused before"
    UNCERTAIN = "must be seen first"
    TOO_LONG = "long enough for one stretch"
    REPEATED_TOO_OFTEN = "said often enough"
    UNACHIEVABLE = "cannot be changed"


@dataclass(frozen=True, slots=True)
class PlanFailure:
    """A skill's failure to plan: the reason and the object concerned.

    `held_id` is what should have gone there, where the object is a place.
    """

    reason: FailureReason
    object_id: str = ""
    held_id: str = ""

    def __str__(self) -> str:
        """Read as a short clause."""
        return f"{self.object_id}: {self.reason}" if self.object_id else self.reason

    @property
    def is_temporary(self) -> bool:
        """Whether the next stretch, planned from what then is seen, may go on."""
        return self.reason in (FailureReason.UNCERTAIN, FailureReason.TOO_LONG)
