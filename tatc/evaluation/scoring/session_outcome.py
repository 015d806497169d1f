"""What scoring takes from a finished session."""

from dataclasses import dataclass

from tatc.evaluation.scoring.trajectory_score import (
    GoalConditionCounts,
    TrajectoryScore,
    score_trajectory,
)


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
