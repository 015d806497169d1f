"""Why a skill or plan cannot be planned: a closed set of reasons, as values."""

from dataclasses import dataclass
from enum import StrEnum


class FailureReason(StrEnum):
    """The reason why a skill or plan cannot be planned."""

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

    `held_id` is the object that was to be placed, where `object_id` is a receptacle.
    """

    reason: FailureReason
    object_id: str = ""
    held_id: str = ""

    def __str__(self) -> str:
        """Return a short clause."""
        return f"{self.object_id}: {self.reason}" if self.object_id else self.reason

    @property
    def is_temporary(self) -> bool:
        """Whether the next stretch can go on, once the outcome of this one has been seen."""
        return self.reason in (FailureReason.UNCERTAIN, FailureReason.TOO_LONG)
