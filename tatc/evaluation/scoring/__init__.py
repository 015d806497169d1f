"""Scores: of one session, of many, of groups, and the published figures.

The formulas are TEACh's (spec section 5); nothing here runs a session.
"""

from tatc.evaluation.scoring.scores import (
    AggregateScore,
    GoalConditionCounts,
    SessionOutcome,
    aggregate_score,
    score_trajectory,
)

__all__ = [
    "AggregateScore",
    "GoalConditionCounts",
    "SessionOutcome",
    "aggregate_score",
    "score_trajectory",
]
