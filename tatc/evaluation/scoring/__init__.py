"""Scores: of one session, of many, of groups, and the published figures.

The formulas are TEACh's (spec section 5); nothing here runs a session.
"""

from tatc.evaluation.scoring.aggregate import AggregateScore, aggregate_score
from tatc.evaluation.scoring.session_outcome import (
    GoalConditionCounts,
    SessionOutcome,
    score_trajectory,
)

__all__ = [
    "AggregateScore",
    "GoalConditionCounts",
    "SessionOutcome",
    "aggregate_score",
    "score_trajectory",
]
