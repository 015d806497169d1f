"""Sessions in ALFRED's scenes, scored by its own test."""

from tatc.evaluation.alfred.alfred_goal_conditions import goal_conditions
from tatc.evaluation.runs.rows import ALFRED_BENCHMARK, SessionFailure
from tatc.evaluation.scoring import GoalConditionCounts
from tatc.home.state import Snapshot
from tatc.session.alfred.visible_objects import AgentsView
from tatc.session.records.trajectory_task import TrajectoryTask

__all__ = ["ALFRED_BENCHMARK", "alfred_counts", "alfred_failure"]

_DONE_FOR_TATC_ALONE = SessionFailure("", "", "done for tatc, but not by ALFRED's own test", None)


def alfred_counts(task: TrajectoryTask, start: Snapshot, now: Snapshot) -> GoalConditionCounts:
    """Return ALFRED's goal conditions of a task in a state of the session begun at `start`."""
    return goal_conditions(task, now, AgentsView.since(start, now).shows)


def alfred_failure(
    after: GoalConditionCounts, failure: SessionFailure | None
) -> SessionFailure | None:
    """Return why a session failed by ALFRED's test, None if it did not.

    `failure` is why it failed by tatc's own check, None if it did not.
    """
    if not after.unmet:
        return None
    return failure or _DONE_FOR_TATC_ALONE
