"""What scoring takes from a finished session, and the score of one session (spec section 5.1)."""

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
    """Return the score of one session, from the goal conditions at its start and at its end.

    The reference has so many actions without its Stop, the session with failed ones and Stop.
    """
    longer = max(reference_length, predicted_length)
    weight = min(1.0, reference_length / longer) if longer else 1.0
    to_do = before.unmet
    return TrajectoryScore(success, to_do - after.unmet, to_do, weight, reference_length)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """A finished session: how it ended, how far the task came, and what it took.

    `goal_conditions_before` and `goal_conditions_after` are those at the start and at the end.
    `actions` counts the logged interactions of both agents, and `human_actions` those of the two
    people in the recorded session, None without one.  `steps` counts the Follower's primitives,
    failed ones too, and `lower_bound` is a lower bound on them, None if none was computed.
    `stopped` says whether the session ended with a Stop of the player.
    """

    task: str
    room_kind: str
    split: str
    success: bool
    crashed: bool
    stopped: bool
    goal_conditions_before: GoalConditionCounts
    goal_conditions_after: GoalConditionCounts
    actions: int
    steps: int
    human_actions: int | None = None
    lower_bound: int | None = None

    def trajectory_score(self) -> TrajectoryScore | None:
        """Return the score against the recorded session, None without one.

        TEACh counts the Stop that ends a session, but does not log it.
        """
        if self.human_actions is None:
            return None
        before, after = self.goal_conditions_before, self.goal_conditions_after
        predicted = self.actions + self.stopped
        return score_trajectory(self.success, before, after, self.human_actions, predicted)

    @property
    def unmet_at_start(self) -> int:
        """The number of goal conditions that were not met at the start."""
        return self.goal_conditions_before.unmet

    @property
    def completed(self) -> int:
        """The number of goal conditions met during the session, minus those undone."""
        return self.goal_conditions_before.unmet - self.goal_conditions_after.unmet
