"""The score of one session: goal conditions and path weights (spec section 5.1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoalConditionCounts:
    """Goal conditions at one moment: how many there are and how many are met."""

    total: int
    met: int

    @property
    def unmet(self) -> int:
        """How many are not met; a relation may count more met than there are."""
        return self.total - min(self.total, self.met)


@dataclass(frozen=True, slots=True)
class TrajectoryScore:
    """One session scored.

    `completed` of `unmet_at_start` goal conditions were met on the way; `completed` is below
    zero where more were undone than met.  `path_weight` is 1 where the session was no
    longer than the reference, and falls as it grows.
    """

    success: bool
    completed: int
    unmet_at_start: int
    path_weight: float
    reference_length: int

    @property
    def goal_condition_rate(self) -> float:
        """The share of goal conditions met, 1 where nothing was left to do."""
        return (
            1 - (self.unmet_at_start - self.completed) / self.unmet_at_start
            if self.unmet_at_start
            else 1.0
        )

    @property
    def weighted_success(self) -> float:
        """Success times the path weight."""
        return float(self.success) * self.path_weight

    @property
    def weighted_goal_condition_rate(self) -> float:
        """The share of goal conditions met times the path weight."""
        return self.goal_condition_rate * self.path_weight


def score_trajectory(
    success: bool,
    before: GoalConditionCounts,
    after: GoalConditionCounts,
    reference_length: int,
    predicted_length: int,
) -> TrajectoryScore:
    """Score one session.

    Args:
        success: whether the task was complete at the end.
        before: the goal conditions at the start.
        after: those at the end.
        reference_length: actions of the reference, its Stop not counted.
        predicted_length: actions of the session, failed ones and Stop counted.

    """
    longer = max(reference_length, predicted_length)
    weight = min(1.0, reference_length / longer) if longer else 1.0
    to_do = before.unmet
    return TrajectoryScore(success, to_do - after.unmet, to_do, weight, reference_length)
