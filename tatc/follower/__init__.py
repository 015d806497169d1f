"""Followers: the agents that act.  A Follower knows its `Observation`s and nothing else."""

from tatc.follower.protocol import (
    Follower,
    FrameSource,
    HistoryEvent,
    PastAction,
    PerceivingFollower,
    ResumableFollower,
    UnderstandingFollower,
    ViewSource,
)
from tatc.follower.rule_follower import RuleFollower
from tatc.home.observation import Observation

__all__ = ["Follower", "FrameSource", "HistoryEvent", "Observation", "PastAction"]
__all__ += ["PerceivingFollower", "ResumableFollower", "RuleFollower", "UnderstandingFollower"]
__all__ += ["ViewSource"]
