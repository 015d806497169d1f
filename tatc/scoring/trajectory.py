"""The score of one session: goal conditions and path weights (spec section 5.1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """Goal conditions at one moment: how many there are and how many are met."""

    total: int
    met: int

    @property
    def left(self) -> int:
        """How many are not met; a relation may count more met than there are."""
        return self.total - min(self.total, self.met)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One session scored.

    `completed` of `to_do` goal conditions were met on the way; `completed` is below
    zero where more were undone than met.  `weight` is 1 where the session was no
    longer than the reference, and falls as it grows.
    """

    success: bool
    completed: int
    to_do: int
    weight: float
    reference: int

    @property
    def goal_conditions(self) -> float:
        """The share of goal conditions met, 1 where nothing was left to do."""
        return 1 - (self.to_do - self.completed) / self.to_do if self.to_do else 1.0

    @property
    def weighted_success(self) -> float:
        """Success times the path weight."""
        return float(self.success) * self.weight

    @property
    def weighted_goal_conditions(self) -> float:
        """The share of goal conditions met times the path weight."""
        return self.goal_conditions * self.weight


def trajectory(
    success: bool, before: Counts, after: Counts, reference: int, predicted: int
) -> Trajectory:
    """Score one session.

    Args:
        success: whether the task was complete at the end.
        before: the goal conditions at the start.
        after: those at the end.
        reference: actions of the reference, its Stop not counted.
        predicted: actions of the session, failed ones and Stop counted.

    """
    longer = max(reference, predicted)
    weight = min(1.0, reference / longer) if longer else 1.0
    to_do = before.left
    return Trajectory(success, to_do - after.left, to_do, weight, reference)
