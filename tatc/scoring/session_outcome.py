"""What scoring knows of a finished session."""

from dataclasses import dataclass

from tatc.scoring.trajectory_score import GoalConditionCounts, TrajectoryScore, score_trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """A finished session: how it ended, how far the task came, and what it took.

    `goal_conditions_before` and `goal_conditions_after` are the goal conditions at start and end.
    `actions` counts
    the logged interactions of both agents, as `human_actions` does for the people in
    the recorded session (None where there was none); `steps` counts the Follower's
    primitives, failed ones too, and `lower_bound` is a lower bound on them (None where none
    was computed).  `stopped` says whether the Follower ended the session itself.
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
        """Score against the recorded session, None where there was none.

        TEACh counts the Stop that a session ends with, and logs it nowhere.
        """
        if self.human_actions is None:
            return None
        predicted = self.actions + self.stopped
        return score_trajectory(
            self.success,
            self.goal_conditions_before,
            self.goal_conditions_after,
            self.human_actions,
            predicted,
        )

    @property
    def unmet_at_start(self) -> int:
        """Goal conditions that were not met at the start."""
        return self.goal_conditions_before.unmet

    @property
    def completed(self) -> int:
        """Goal conditions met on the way, less those undone."""
        return self.goal_conditions_before.unmet - self.goal_conditions_after.unmet
