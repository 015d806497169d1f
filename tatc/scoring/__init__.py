"""Scores: of one session, of many, in tables, and against published figures.

The formulas are TEACh's (spec section 5); nothing here runs a session.
"""

from tatc.scoring.aggregate import Score, score
from tatc.scoring.outcome import Outcome
from tatc.scoring.trajectory import Counts, Trajectory, trajectory

__all__ = ["Counts", "Outcome", "Score", "Trajectory", "score", "trajectory"]
