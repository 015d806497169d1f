"""The score of one session: goal conditions and path weights (spec section 5.1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoalConditionCounts:
    """The goal conditions at one moment: how many there are, and how many are met."""

    total: int
    met: int

    @property
    def unmet(self) -> int:
        """The number not met; a relation may count more met than there are."""
        return self.total - min(self.total, self.met)


@dataclass(frozen=True, slots=True)
class TrajectoryScore:
    """The score of one session.

    `completed` of `unmet_at_start` goal conditions were met during the session; `completed` is
    negative if more were undone than met.  `path_weight` is 1 if the session was not longer than
    the reference, and falls as it grows.
    """

    success: bool
    completed: int
    unmet_at_start: int
    path_weight: float
    reference_length: int

    @property
    def goal_condition_rate(self) -> float:
        """The share of goal conditions met, 1 if none was left to meet."""
        start = self.unmet_at_start
        return 1 - (start - self.completed) / start if start else 1.0

    @property
    def weighted_success(self) -> float:
        """Success (0 or 1) times the path weight."""
        return float(self.success) * self.path_weight

    @property
    def weighted_goal_condition_rate(self) -> float:
        """The share of goal conditions met, times the path weight."""
        return self.goal_condition_rate * self.path_weight


def score_trajectory(
    success: bool,
    before: GoalConditionCounts,
    after: GoalConditionCounts,
    reference_length: int,
    predicted_length: int,
) -> TrajectoryScore:
    """Return the score of one session.

    Args:
        success: whether the task was complete at the end.
        before: the goal conditions at the start.
        after: the goal conditions at the end.
        reference_length: the actions of the reference, without its Stop.
        predicted_length: the actions of the session, with failed ones and Stop.

    """
    longer = max(reference_length, predicted_length)
    weight = min(1.0, reference_length / longer) if longer else 1.0
    to_do = before.unmet
    return TrajectoryScore(success, to_do - after.unmet, to_do, weight, reference_length)
