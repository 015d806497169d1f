"""What scoring knows of a finished session."""

from dataclasses import dataclass

from tatc.scoring.trajectory import Counts, Trajectory, trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished session: how it ended, how far the task came, and what it took.

    `before` and `after` are the goal conditions at start and end.  `actions` counts
    the logged interactions of both agents, as `human_actions` does for the people in
    the recorded session (None where there was none); `steps` counts the Follower's
    primitives, failed ones too, and `bound` is a lower bound on them (None where none
    was computed).  `stopped` says whether the Follower ended the session itself.
    """

    task: str
    kind: str
    split: str
    success: bool
    crashed: bool
    stopped: bool
    before: Counts
    after: Counts
    actions: int
    steps: int
    human_actions: int | None = None
    bound: int | None = None

    def trajectory(self) -> Trajectory | None:
        """Score against the recorded session, None where there was none.

        TEACh counts the Stop that a session ends with, and logs it nowhere.
        """
        if self.human_actions is None:
            return None
        predicted = self.actions + self.stopped
        return trajectory(
            self.success, self.before, self.after, self.human_actions, predicted
        )

    @property
    def to_do(self) -> int:
        """Goal conditions that were not met at the start."""
        return self.before.left

    @property
    def completed(self) -> int:
        """Goal conditions met on the way, less those undone."""
        return self.before.left - self.after.left
