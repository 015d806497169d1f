"""Followers: they get an `Observation`, hear words, and alone can act."""

from tatc.follower.protocol import (
    Follower,
    FrameSource,
    HistoryEvent,
    PastAction,
    ResumableFollower,
)
from tatc.follower.rule_follower import RuleFollower

__all__ = [
    "Follower",
    "FrameSource",
    "HistoryEvent",
    "PastAction",
    "ResumableFollower",
    "RuleFollower",
]
