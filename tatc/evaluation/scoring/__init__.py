"""Scores: of one session, of many, of groups; the formulas are TEACh's (spec section 5)."""

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
